"""The view of a side, built field by field from visible facts, never by removing parts of the state (DAA-8.03)."""

from collections.abc import Callable

from msgspec import Struct

from desert_aa.model.events import MinefieldsBought, MinefieldsPlaced
from desert_aa.model.state import DesertState
from desert_aa.model.tables import POWERS, SIDE_OF
from sandtable import UMPIRE, Event


class UnitSeen(Struct, frozen=True):
    """A unit. All its facts are public; see ``desert_aa.model.state.Unit``."""

    power: str
    kind: str
    space: str
    condition: str
    stands_up: int
    moved: int
    path: tuple[str, ...]


class MinefieldSeen(Struct, frozen=True):
    """A minefield that the side knows. ``known`` is True if both sides know it."""

    power: str
    known: bool
    entries: int


class BattleSeen(Struct, frozen=True):
    """The current battle."""

    space: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    round: int
    spent: tuple[str, ...]


class PlanSeen(Struct, frozen=True):
    """A combat move that was ordered but not made yet."""

    units: tuple[str, ...]
    path: tuple[str, ...]
    raid: bool


class SideView(Struct, frozen=True, kw_only=True):
    """The game as ``side`` sees it; "umpire" sees everything.

    ``cash`` lacks secret purses. ``mines_laid`` and ``mines_waiting`` count minefields by power, hidden ones
    included, and lack powers whose number is secret. The other fields are those of ``DesertState``.
    """

    side: str
    turn: int
    phase: str
    phasing_side: str
    phasing_power: str
    outcome: str
    ending: str
    options: dict[str, str]
    units: dict[str, UnitSeen]
    made: dict[str, int]
    control: dict[str, str]
    cash: dict[str, int]
    waiting: dict[str, dict[str, int]]
    minefields: dict[str, MinefieldSeen]
    mines_laid: dict[str, int]
    mines_waiting: dict[str, int]
    plans: tuple[PlanSeen, ...]
    combats: dict[str, tuple[str, ...]]
    raids: dict[str, tuple[str, ...]]
    battle: BattleSeen | None
    captured: tuple[str, ...]
    taken_flak: tuple[str, ...]
    blocked: tuple[str, ...]
    capital_taken: dict[str, tuple[str, int]]


def _owns(side: str, power_or_side: str) -> bool:
    """Return whether ``side`` knows the secrets of a power, side or purse."""
    return side in (UMPIRE, SIDE_OF.get(power_or_side, power_or_side))


def view(state: DesertState, side: str) -> SideView:
    """Return the view of ``side`` (DAA-8.03, DAA-R33, DAA-R37)."""
    numbers_open = state.options["mine_secrecy"] == "spaces_secret"
    counted = [power for power in POWERS if numbers_open or _owns(side, power)]
    mines = state.minefields
    return SideView(
        side=side,
        turn=state.turn,
        phase=state.phase,
        phasing_side=state.phasing_side,
        phasing_power=state.phasing_power,
        outcome=state.outcome,
        ending=state.ending,
        options=dict(state.options),
        units={
            unit_id: UnitSeen(
                unit.power, unit.kind, unit.space, unit.condition, unit.stands_up, unit.moved, tuple(unit.path)
            )
            for unit_id, unit in state.units.items()
        },
        made=dict(state.made),
        control=dict(state.control),
        cash={purse: sum_ for purse, sum_ in state.cash.items() if numbers_open or _owns(side, purse)},
        waiting={power: dict(units) for power, units in state.waiting.items()},
        minefields={
            space: MinefieldSeen(mines[space].power, mines[space].known, mines[space].entries)
            for space in sorted(mines)
            if mines[space].known or _owns(side, mines[space].power)
        },
        mines_laid={power: sum(mine.power == power for mine in mines.values()) for power in counted},
        mines_waiting={power: state.mines_waiting[power] for power in counted},
        plans=tuple(PlanSeen(tuple(plan.units), tuple(plan.path), plan.raid) for plan in state.plans),
        combats={space: tuple(units) for space, units in state.combats.items()},
        raids={space: tuple(units) for space, units in state.raids.items()},
        battle=_battle(state),
        captured=tuple(state.captured),
        taken_flak=tuple(state.taken_flak),
        blocked=tuple(state.blocked),
        capital_taken={each: (taken.power, taken.round) for each, taken in state.capital_taken.items()},
    )


def _battle(state: DesertState) -> BattleSeen | None:
    battle = state.battle
    if battle is None:
        return None
    return BattleSeen(battle.space, tuple(battle.attackers), tuple(battle.defenders), battle.round, tuple(battle.spent))


# --- secret events ---


def places_hidden(event: Event, side: str) -> Event | None:
    """Return a secret event as ``side`` sees it: enemy minefields with their number, without spaces (DAA-R37)."""
    if isinstance(event, MinefieldsPlaced) and not _owns(side, event.power):
        return MinefieldsPlaced(event.power, event.number, [], event.rule)
    return event


def all_hidden(event: Event, side: str) -> Event | None:
    """Return a secret event as ``side`` sees it, or None for an event of enemy minefields (DAA-R37)."""
    if isinstance(event, MinefieldsPlaced | MinefieldsBought) and not _owns(side, event.power):
        return None
    return event


SECRET: dict[str, tuple[type[Event], ...]] = {
    "spaces_secret": (MinefieldsPlaced,),
    "all_secret": (MinefieldsPlaced, MinefieldsBought),
}
VISIBLE: dict[str, Callable[[Event, str], Event | None]] = {"spaces_secret": places_hidden, "all_secret": all_hidden}
