"""Forces: the positions of units, their strength, mobility and zones of influence.

A force is a sorted list of ids of one side's units. The positions of all units are needed constantly and change rarely.
They are computed once for each position and kept in ``board.caches``: the latest with the count of moves at which it
was read, and some earlier ones under the position itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Any

from damos.model.state import DamosState, moves
from damos.model.tables import MOBILE_TYPES
from sandtable import Claim, Procedure, Range

if TYPE_CHECKING:
    from damos.model.board import Board

_MAX_POSITIONS = 64
"""Maximum number of cached positions; a player who tries moves out returns to earlier ones."""
_MAX_MOVED = 16
"""Maximum number of moved units for which a position is derived from the previous one."""
_DEMORALIZED = "!"
"""Suffix of the hex of a demoralized unit."""

Stacks = dict[str, list[str]]
"""The units of a side by hex, hexes and units sorted."""


class SidePosition:
    """The hexes of one side's units, and which of them are demoralized; shared by positions in which both are equal.

    ``derived`` is for what other packages compute from this alone, each under its own key.
    """

    __slots__ = ("derived", "stacks")

    def __init__(self, stacks: Stacks) -> None:
        self.stacks = stacks
        self.derived: dict[Any, Any] = {}


class Position:
    """The hexes of both sides' units, and which of them are demoralized.

    ``marks`` holds for each unit of ``ids`` its hex, and whether it is demoralized. ``derived`` is for what other
    packages compute from the position alone, each under its own key.
    """

    __slots__ = ("derived", "ids", "marks", "sides")

    def __init__(self, ids: list[str], marks: list[str], sides: dict[str, SidePosition]) -> None:
        self.ids, self.marks, self.sides = ids, marks, sides
        self.derived: dict[Any, Any] = {}


def position(state: DamosState) -> Position:
    """Return the position. Do not change it, except for ``derived``."""
    units, caches = state.units, state.board.caches
    last: tuple[int, Any, Position] | None = caches.get("position")
    now = moves()
    if last is not None and last[0] == now and last[1] is units:
        return last[2]
    found = position_of(units, state.board)
    caches["position"] = (now, units, found)
    return found


def position_of(units: Mapping[str, Any], board: "Board") -> Position:
    """Return the position of the units of a state or a view. Do not change it, except for ``derived``."""
    caches = board.caches
    latest: tuple[int, Any, Position] | None = caches.get("position")
    last = latest and latest[2]
    ids = list(units)
    marks = [unit.hex + _DEMORALIZED if unit.demoralized else unit.hex for unit in units.values()]
    if last is not None and last.marks == marks and last.ids == ids:
        return last
    kept: dict[tuple[str, ...], Position] = caches.setdefault("positions", {})
    key = (*ids, *marks)
    found = kept.get(key)
    if found is None:
        if len(kept) >= _MAX_POSITIONS:
            del kept[next(iter(kept))]
        sides = _sides_after(last, units, marks) if last is not None and last.ids == ids else None
        found = kept[key] = Position(ids, marks, sides or _sides_of(units, board.sides))
    return found


def _sides_of(units: Mapping[str, Any], names: Iterable[str]) -> dict[str, SidePosition]:
    """Return the hexes of the units of each side."""
    stacks: dict[str, Stacks] = {side: {} for side in names}
    for unit_id, unit in sorted(units.items()):
        if unit.hex:
            stacks[unit.side].setdefault(unit.hex, []).append(unit_id)
    return {side: SidePosition(dict(sorted(found.items()))) for side, found in stacks.items()}


def _sides_after(last: Position, units: Mapping[str, Any], marks: list[str]) -> dict[str, SidePosition] | None:
    """Return the same as ``_sides_of``, derived from the previous position, or None if too many units have moved."""
    places = list(compress(range(len(marks)), map(ne, last.marks, marks)))
    if len(places) > _MAX_MOVED:
        return None
    sides = dict(last.sides)
    moved: dict[str, list[int]] = {}
    for place in places:
        moved.setdefault(units[last.ids[place]].side, []).append(place)
    for side, those in moved.items():
        stacks = dict(last.sides[side].stacks)
        for place in those:
            _shift(stacks, last.ids[place], last.marks[place].rstrip(_DEMORALIZED), marks[place].rstrip(_DEMORALIZED))
        sides[side] = SidePosition(dict(sorted(stacks.items())))
    return sides


def _shift(stacks: Stacks, unit_id: str, start: str, end: str) -> None:
    """Move a unit from one stack to another; "" is off the map."""
    if start:
        left = [each for each in stacks.pop(start) if each != unit_id]
        if left:
            stacks[start] = left
    if end:
        stacks[end] = sorted([*stacks.get(end, ()), unit_id])


def enemy_of(side: str) -> str:
    """Return the other side."""
    return "soviet" if side == "german" else "german"


def units_in(state: DamosState, hex_: str, side: str) -> list[str]:
    """Return the units of a side in a hex, as a new sorted list."""
    return position(state).sides[side].stacks.get(hex_, [])[:]


def stacks(state: DamosState, side: str) -> dict[str, list[str]]:
    """Return the units of a side by hex, both sorted. Do not change the result."""
    return position(state).sides[side].stacks


def is_occupied(state: DamosState, hex_: str, side: str) -> bool:
    """Return whether a unit of a side is in a hex."""
    return hex_ in position(state).sides[side].stacks


def strength(state: DamosState, units: Iterable[str]) -> int:
    """Return the total strength points that units have now (DM-8.2b)."""
    return sum(state.units[unit_id].sp for unit_id in units)


def mobile_strength(state: DamosState, units: Iterable[str]) -> int:
    """Return the strength of the armored, mechanized and motorized units among ``units`` (DM-2.6.1n)."""
    return strength(state, mobile_units(state, units))


def mobile_units(state: DamosState, units: Iterable[str]) -> list[str]:
    """Return the armored, mechanized and motorized units among ``units``."""
    counters = state.board.counters
    return [unit_id for unit_id in units if counters[unit_id].type in MOBILE_TYPES]


def stated_strength(state: DamosState, units: Sequence[str], purpose: str, rule: str) -> Procedure:
    """Return the strength points of units of one side, which their side states (DM-2.4c): at least 1 for each."""
    if not units:
        return 0
    most = sum(int(state.board.counters[each].sp) for each in units)
    points = Range(len(units), most)
    return (yield Claim(state.units[units[0]].side, purpose, points, lambda: strength(state, units), rule))


def is_demoralized(state: DamosState, units: Iterable[str]) -> bool:
    """Return whether any unit of a force is demoralized, so that the whole force cannot act (DM-2.6d, DM-2.8d)."""
    return any(state.units[unit_id].demoralized for unit_id in units)


def strongest(state: DamosState, units: Iterable[str]) -> list[str]:
    """Return the units with the most strength points now, sorted; several if they tie (DM-8.8b, R-DM-15)."""
    sp = {unit_id: state.units[unit_id].sp for unit_id in units}
    return sorted(unit_id for unit_id, points in sp.items() if points == max(sp.values()))
