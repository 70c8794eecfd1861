"""The view of a side, built field by field, so that no hidden information is copied from the state.

Hidden from the enemy are the current strength of each unit (DM-2.4c), and the distribution of replacements and losses
(DM-5.0b, DM-8.8c). Plan and force of a concerted attack are hidden until it is carried out (DM-8.1b). They are never
part of the state. Printed figures are on the board. Positions, conditions, control, rails and saved replacement points
are open (AGC-4.5c).
"""

from collections.abc import Callable, Mapping
from copy import copy
from itertools import compress
from operator import ne
from typing import Any, NamedTuple

from msgspec import Struct

from damos.combat.losses import ATTRITION
from damos.model.events import AttackPlanned, LossesTaken, ReplacementsSpent
from damos.model.state import DamosState, Unit, changes
from sandtable import UMPIRE, Event


class UnitSeen(Struct, frozen=True, gc=False):
    """A unit; see ``damos.model.state.Unit``. ``sp`` is None if its strength is not known."""

    side: str
    sp: int | None
    hex: str
    standing: str
    demoralized: bool
    spent: bool
    arrives: int


class AirSeen(Struct, frozen=True, gc=False):
    """The air unit this turn; see ``damos.model.state.Air``."""

    ready: bool
    failures: int
    benefit: str


class SideView(Struct, frozen=True, kw_only=True):
    """The game as ``side`` sees it; "umpire" sees everything. Fields are as in ``damos.model.state.DamosState``."""

    side: str
    turn: int
    phase: str
    phasing_side: str
    outcome: str
    ending: str
    options: dict[str, str]
    units: dict[str, UnitSeen]
    control: dict[str, str]
    converted: tuple[str, ...]
    replacements: dict[str, int]
    active: tuple[str, ...]
    reacted: tuple[str, ...]
    responded: tuple[str, ...]
    zone_phase: bool
    attack_target: str
    paid: dict[str, int]
    air: AirSeen
    undying: dict[str, int]
    attacks_owed: int
    attacks_made: int
    pause_turn: int
    cossacks: str
    held: bool


def view(state: DamosState, side: str) -> SideView:
    """Return what ``side`` sees of the state."""
    air = state.air
    return SideView(
        side=side,
        turn=state.turn,
        phase=state.phase,
        phasing_side=state.phasing_side,
        outcome=state.outcome,
        ending=state.ending,
        options=dict(state.options),
        units=_units(state, side),
        control=dict(state.control),
        converted=tuple(state.converted),
        replacements=dict(state.replacements),
        active=tuple(state.active),
        reacted=tuple(state.reacted),
        responded=tuple(state.responded),
        zone_phase=state.zone_phase,
        attack_target=state.attack_target,
        paid=dict(state.paid),
        air=AirSeen(air.ready, air.failures, air.benefit),
        undying=dict(state.undying),
        attacks_owed=state.attacks_owed,
        attacks_made=state.attacks_made,
        pause_turn=state.pause_turn,
        cossacks=state.cossacks,
        held=state.held,
    )


def _units(state: DamosState, side: str) -> dict[str, UnitSeen]:
    """Return the units as a side sees them, in a new dict; unchanged units are reused from the last view."""
    units = state.units
    caches: dict[Any, Any] = {} if state.board is None else state.board.caches
    key, now = ("seen", side), changes()
    last: Seen | None = caches.get(key)
    if last is not None and last.changes == now and last.units is units:
        return last.seen.copy()
    if last is None or list(last.copies) != list(units):
        seen = {unit_id: _unit(unit, side) for unit_id, unit in units.items()}
        copies = {unit_id: copy(unit) for unit_id, unit in units.items()}
    else:
        before = last.copies
        fresh = dict(compress(units.items(), map(ne, units.values(), before.values())))
        seen = last.seen | {unit_id: _unit(unit, side) for unit_id, unit in fresh.items()}
        copies = before | {unit_id: copy(unit) for unit_id, unit in fresh.items()}
    caches[key] = Seen(now, units, copies, seen)
    return seen.copy()


class Seen(NamedTuple):
    """The basis of the last view of a side: the count of changes, the units, copies of them, and what the view showed.

    The view may be of any game: a unit is reused only if it equals its copy.
    """

    changes: int
    units: Mapping[str, Unit]
    copies: dict[str, Unit]
    seen: dict[str, UnitSeen]


def _unit(unit: Unit, side: str) -> UnitSeen:
    known = side in (unit.side, UMPIRE)
    return UnitSeen(
        unit.side, unit.sp if known else None, unit.hex, unit.standing, unit.demoralized, unit.spent, unit.arrives
    )


# --- secret events: what the enemy sees of each, again built field by field ---


def _spent(event: ReplacementsSpent) -> ReplacementsSpent:
    return ReplacementsSpent(event.side, event.points, {}, event.rule)


def _planned(event: AttackPlanned) -> AttackPlanned:
    return AttackPlanned(event.side, "", [], event.rule)


def _lost(event: LossesTaken) -> LossesTaken:
    surplus = 0 if event.why == ATTRITION.why else event.surplus  # in combat alone the total strength is open
    return LossesTaken(event.side, event.hex, event.points, {}, event.replacements, surplus, event.why, event.rule)


SEEN_BY_ENEMY: dict[type[Event], Callable[[Any], Event]] = {
    ReplacementsSpent: _spent,
    AttackPlanned: _planned,
    LossesTaken: _lost,
}


def secret_events(options: Mapping[str, str]) -> tuple[type[Event], ...]:  # noqa: ARG001 - no ruling opens a secret
    """Return the types of event that have fields hidden from a side."""
    return tuple(SEEN_BY_ENEMY)


def visible(event: Event, side: str) -> Event | None:
    """Return what ``side`` sees of a secret event. It is called for secret events only.

    The enemy sees that points were spent, but not on which units (DM-5.0b). It sees that a concerted attack is planned,
    but not its plan or force (DM-8.1b). It sees how many points were lost, but not by which units (DM-8.8c).
    """
    of_enemy = SEEN_BY_ENEMY.get(type(event))
    return event if of_enemy is None or side in (getattr(event, "side", ""), UMPIRE) else of_enemy(event)
