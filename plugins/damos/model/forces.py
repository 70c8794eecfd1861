"""Forces: who stands where, how strong, how mobile, and whether with a zone of influence.

A force is a list of ids of one side's units, sorted. Where everybody stands is asked constantly and changes rarely; it
is reckoned once for each position of the units, and kept in ``board.caches`` under the position itself.
"""

from collections.abc import Iterable
from typing import Any

from damos.model.state import DamosState
from damos.model.tables import MOBILE_TYPES

_KEPT = 64
"""So many positions are kept: a player who tries moves out comes back to those before them."""
_DOWN = "!"


class Position:
    """Where the units of both sides are, and which of them are demoralised.

    ``stacks`` holds by side, by hex, the units in it, sorted. ``derived`` is for what other rooms reckon from the
    position alone, each under a key of its own.
    """

    __slots__ = ("derived", "ids", "marks", "stacks")

    def __init__(self, state: DamosState, ids: list[str], marks: list[str]) -> None:
        self.ids, self.marks = ids, marks
        self.stacks: dict[str, dict[str, list[str]]] = {side: {} for side in state.board.sides}
        self.derived: dict[Any, Any] = {}
        units = state.units
        for unit_id in sorted(unit_id for unit_id, mark in zip(ids, marks, strict=True) if mark and mark != _DOWN):
            unit = units[unit_id]
            self.stacks[unit.side].setdefault(unit.hex, []).append(unit_id)


def position(state: DamosState) -> Position:
    """Return the position; do not change it, but for ``derived``."""
    ids = list(state.units)
    marks = [unit.hex + _DOWN if unit.demoralized else unit.hex for unit in state.units.values()]
    caches = state.board.caches
    last: Position | None = caches.get("position")
    if last is not None and last.marks == marks and last.ids == ids:
        return last
    kept: dict[tuple[str, ...], Position] = caches.setdefault("positions", {})
    key = (*ids, *marks)
    found = kept.get(key)
    if found is None:
        if len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        found = kept[key] = Position(state, ids, marks)
    caches["position"] = found
    return found


def enemy_of(side: str) -> str:
    """Return the other side."""
    return "soviet" if side == "german" else "german"


def units_in(state: DamosState, hex_: str, side: str) -> list[str]:
    """Return the units of a side in a hex, sorted; a new list."""
    return position(state).stacks[side].get(hex_, [])[:]


def stacks(state: DamosState, side: str) -> dict[str, list[str]]:
    """Return the units of a side by hex, each list sorted; not to be changed."""
    return position(state).stacks[side]


def is_occupied(state: DamosState, hex_: str, side: str) -> bool:
    """Tell whether a unit of a side is in a hex."""
    return hex_ in position(state).stacks[side]


def strength(state: DamosState, units: Iterable[str]) -> int:
    """Return the strength points that units have together now (DM-8.2b)."""
    return sum(state.units[unit_id].sp for unit_id in units)


def mobile_strength(state: DamosState, units: Iterable[str]) -> int:
    """Return the strength of the armoured, mechanised and motorised among the units (DM-2.6.1n)."""
    counters = state.board.counters
    return sum(state.units[unit_id].sp for unit_id in units if counters[unit_id].type in MOBILE_TYPES)


def is_demoralized(state: DamosState, units: Iterable[str]) -> bool:
    """Tell whether some unit of a force is demoralised, which keeps all of it from acting (DM-2.6d, DM-2.8d)."""
    return any(state.units[unit_id].demoralized for unit_id in units)


def strongest(state: DamosState, units: Iterable[str]) -> list[str]:
    """Return the units that have the most strength points now, sorted; several of a tie (DM-8.8b, R-DM-15)."""
    sp = {unit_id: state.units[unit_id].sp for unit_id in units}
    return sorted(unit_id for unit_id, points in sp.items() if points == max(sp.values()))
