"""What a side sees, built field by field from what it may know (AOA-S01 to AOA-S10); the umpire sees all."""

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
    """A platoon; see ``axis_attack.model.state.Platoon``. Of an enemy's the upgrades are not known."""

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
    """A game force; see ``axis_attack.model.state.Force``. Of an enemy's the written targets are not known."""

    platoons: tuple[Fielded, ...]
    points: int
    extra: int
    purchase: Purchase
    air: AirSupport


class SideView(Struct, frozen=True, kw_only=True):
    """The campaign as ``side`` sees it; see ``axis_attack.model.state.AxisState``.

    ``rosters`` has the enemy's platoons as far as he has shown them, in a game or by reinforcing them; of those it has
    type and level, which play makes known (AOA-S03). ``ladder``, the levels after each turn, has own platoons only.
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
    """Tell whether a seat knows all of a side's roster: its own, the umpire's any, by option everybody's."""
    return side in (UMPIRE, owner) or state.options["roster_visibility"] == "all"


def view(state: AxisState, side: str) -> SideView:
    """Return what ``side`` sees of the state."""
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
    """Return the fields that all sides see, copied: a view shares nothing with the state; lists are made by ``row``."""
    tables = {name: dict(getattr(it, name)) for name in ("options", "balance", "earned", "raw", "dice")}
    rows = {name: row(getattr(it, name)) for name in ("corner", "recon_ahead")}
    return {name: getattr(it, name) for name in PLAIN} | tables | rows


def _copied(battle: Battle) -> Battle:
    """Return a copy of a battle of the record: a view shares nothing with the state."""
    return replace(battle, points=dict(battle.points))


def _known(state: AxisState, side: str, owner: str) -> list[str]:
    roster = state.rosters[owner]
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
    """Return a purchase without its written targets, which stay secret until they are hit (AOA-9.17, AOA-S05)."""
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
"""Known to the side that they name, to the umpire, and by option to all."""

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
"""Events by which a side legitimately learns what was secret: forces on the table, what became of them, dice rolled."""


def revealing(rosters: str) -> tuple[type[Event], ...]:
    """Return the events that bring secrets to light, where ``roster_visibility`` is ``rosters``."""
    return REVEALS + OWNED if rosters == "all" else REVEALS


def visibility(rosters: str) -> Callable[[Event, str], Event | None]:
    """Return what a side sees of an event, where ``roster_visibility`` is ``rosters``."""

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
