"""The views of the sides, with only the facts that a side may know (AOA-O1). The umpire sees all."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from axis_attack.model import events
from axis_attack.model.cards import ENEMY
from axis_attack.model.state import AirSupport, AxisState, Battle, Fielded, Purchase
from sandtable import UMPIRE, Event
from sandtable.tabletop import Brief


class PlatoonSeen(Struct, frozen=True, kw_only=True):
    """A platoon; see ``axis_attack.model.state.Platoon``. The enemy sees type, level, ``fought`` and ``raised``."""

    type: str
    bought: int
    level: int
    upgrades: dict[str, int]
    teams: int
    transports: int
    immobile: bool
    fought: bool
    raised: bool


class ForceSeen(Struct, frozen=True):
    """A game force; see ``axis_attack.model.state.Force``. The enemy does not see written targets (AOA-9.17)."""

    platoons: tuple[Fielded, ...]
    points: int
    extra: int
    purchase: Purchase
    air: AirSupport


class SideView(Struct, frozen=True, kw_only=True):
    """The campaign as ``side`` sees it; see ``axis_attack.model.state.AxisState``.

    ``rosters`` has the enemy platoons that were shown in a game or by reinforcing them, with type and level; spectators
    see none. With the option roster_visibility = all, it has all of them, complete (AOA-O1). ``ladder``, the levels
    after each turn, has only own platoons.
    """

    side: str
    turn: int
    phase: str
    outcome: str
    ending: str
    options: dict[str, str]
    rosters: dict[str, dict[str, PlatoonSeen]]
    aircraft: dict[str, dict[str, str]]
    balance: dict[str, int]
    earned: dict[str, int]
    raw: dict[str, int]
    forces: dict[str, ForceSeen]
    claims: dict[str, tuple[str, ...]]
    dice: dict[str, int]
    sector: int
    mission: str
    attacker: str
    defender: str
    winner: str
    result: str
    corner: tuple[int, ...]
    weather: str
    mud: int
    bound: str
    moved_two: bool
    conceded: str
    recon_ahead: tuple[str, ...]
    track: tuple[Battle, ...]
    ladder: dict[str, dict[str, tuple[int, ...]]]


def _knows(state: AxisState, side: str, owner: str) -> bool:
    """Return whether ``side`` knows the complete roster of ``owner``: itself, the umpire, or by option all (AOA-O1)."""
    return side in (UMPIRE, owner) or state.options["roster_visibility"] == "all"


def view(state: AxisState, side: str) -> SideView:
    """Return the view of ``side``."""
    known = {owner: _known(state, side, owner) for owner in sorted(state.rosters)}
    return SideView(
        side=side,
        rosters={owner: {each: _platoon(state, side, owner, each) for each in ids} for owner, ids in known.items()},
        aircraft={owner: dict(bought) for owner, bought in state.aircraft.items() if _knows(state, side, owner)},
        forces={owner: _force(state, side, owner) for owner in sorted(state.forces)},
        claims={owner: tuple(claimed) for owner, claimed in sorted(state.claims.items())},
        track=tuple(_copied(each) for each in state.track),
        ladder={
            owner: {
                each: tuple(state.ladder.get(owner, {}).get(each, ())) for each in ids if _knows(state, side, owner)
            }
            for owner, ids in known.items()
        },
        **common(state, tuple),
    )


PLAIN = (
    *("turn", "phase", "outcome", "ending", "sector", "mission", "attacker", "defender", "winner", "result"),
    *("weather", "mud", "bound", "moved_two", "conceded"),
)


def common(it: AxisState | SideView, row: Callable[[Any], Any]) -> dict[str, Any]:
    """Return copies of the fields that all sides see. ``row`` is the type of the copies of lists."""
    tables = {name: dict(getattr(it, name)) for name in ("options", "balance", "earned", "raw", "dice")}
    rows = {name: row(getattr(it, name)) for name in ("corner", "recon_ahead")}
    return {name: getattr(it, name) for name in PLAIN} | tables | rows


def _copied(battle: Battle) -> Battle:
    """Return a copy of a battle, because a view shares no object with the state."""
    return replace(battle, points=dict(battle.points))


def _known(state: AxisState, side: str, owner: str) -> list[str]:
    """Return the platoons of ``owner`` that ``side`` sees; spectators see no roster, only game forces."""
    roster = state.rosters[owner]
    if side not in (*ENEMY, UMPIRE) and not _knows(state, side, owner):
        return []
    return (
        list(roster) if _knows(state, side, owner) else [each for each in state.shown.get(owner, ()) if each in roster]
    )


def _platoon(state: AxisState, side: str, owner: str, platoon_id: str) -> PlatoonSeen:
    it = state.rosters[owner][platoon_id]
    full = _knows(state, side, owner)
    return PlatoonSeen(
        type=it.type,
        bought=it.bought if full else it.level,
        level=it.level,
        upgrades=dict(it.upgrades) if full else {},
        teams=it.teams if full else 0,
        transports=it.transports if full else 0,
        immobile=it.immobile and full,
        fought=it.fought,
        raised=it.raised,
    )


def _force(state: AxisState, side: str, owner: str) -> ForceSeen:
    it = state.forces[owner]
    purchase = it.purchase if side in (UMPIRE, owner) else _unwritten(it.purchase)
    return ForceSeen(tuple(it.platoons), it.points, it.extra, purchase, it.air)


def _unwritten(purchase: Purchase) -> Purchase:
    """Return a purchase without its written targets, which stay secret until they are hit (AOA-9.17)."""
    return replace(purchase, targets=())


# --- secret events ---


def _chosen(event: events.ForceChosen, side: str) -> Event:
    return event if event.side == side else replace(event, purchase=_unwritten(event.purchase))


def _briefed(event: events.BattleBriefed, side: str) -> Event:
    brief: Brief = event.brief
    enemy = ENEMY[side]
    party = replace(brief.parties[enemy], notes=())
    parties = {owner: party if owner == enemy else own for owner, own in brief.parties.items()}
    return replace(event, brief=replace(brief, parties=parties))


OWNED: tuple[type[Event], ...] = (events.CompanyBuilt, events.VehiclesTaken, events.MobilityAssessed)
"""Events that only their side and the umpire see, or by option all sides (AOA-O1)."""

SECRET: tuple[type[Event], ...] = (*OWNED, events.ForceChosen, events.BattleBriefed)

REVEALS: tuple[type[Event], ...] = (
    events.ForceChosen,
    events.BattleBriefed,
    events.BattleFought,
    events.DiceBought,
    events.PlatoonRaised,
    events.PlatoonReinforced,
    events.PlatoonExchanged,
    events.ReconClaimed,
    events.GameConceded,
    events.PlatoonLowered,
)
"""Events that may show secrets to a side: forces on the table, their results, dice, and exchanges."""


def revealing(rosters: str) -> tuple[type[Event], ...]:
    """Return the events that may show secrets if ``roster_visibility`` is ``rosters``."""
    return REVEALS + OWNED if rosters == "all" else REVEALS


def visibility(rosters: str) -> Callable[[Event, str], Event | None]:
    """Return the function that returns an event as a side sees it, if ``roster_visibility`` is ``rosters``."""

    def visible(event: Event, side: str) -> Event | None:
        if side == UMPIRE:
            return event
        if isinstance(event, events.ForceChosen):
            return _chosen(event, side)
        if isinstance(event, events.BattleBriefed):
            return _briefed(event, side)
        if isinstance(event, OWNED) and rosters != "all":
            return event if getattr(event, "side", side) == side else None
        return event

    return visible
