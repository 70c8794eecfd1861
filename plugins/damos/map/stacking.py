"""Stacking: how many units of a side may be in a hex, who is left out of a combat, who is lost at the end (DM-2.3).

Limits hold for each side by itself and may be exceeded on the way (DM-2.3b, DM-2.3c); the exclusive rules tell which
stacks are legal.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from damos.map.stacks import is_full_stack, most_stacked
from damos.model.events import UnitsEliminated
from damos.model.forces import stacks, units_in
from damos.model.orders import LeaveOut
from damos.model.state import DamosState
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, SomeOf, Space
from sandtable.kernel.sequence import Procedure

if TYPE_CHECKING:
    from damos.model.board import Counter


def is_legal(state: DamosState, units: Sequence[str]) -> bool:
    """Tell whether these units of one side may be in one hex when limits are looked at (DM-2.3a)."""
    return excess_of(state, units) == 0


def excess_of(state: DamosState, units: Sequence[str]) -> int:
    """Return how many of these units of one side are too many for one hex."""
    most: int = most_stacked(state, _counters(state, units))
    return len(units) - most


def excess(state: DamosState, side: str, hex_: str) -> int:
    """Return how many units of a side are too many in a hex."""
    return excess_of(state, stacks(state, side).get(hex_, ()))


def may_join(state: DamosState, units: Iterable[str], hex_: str) -> bool:
    """Tell whether units of one side, wherever they are, could end in a hex with those that are there."""
    force = {*units}
    sides = [state.units[unit_id].side for unit_id in force]
    return not force or is_legal(state, sorted({*force, *units_in(state, hex_, sides[0])}))


def is_full(state: DamosState, side: str, hex_: str) -> bool:
    """Tell whether the stack of a side in a hex is at the limit: there is no place for another unit (DM-9.0f)."""
    return bool(is_full_stack(state, _counters(state, stacks(state, side).get(hex_, ()))))


def _counters(state: DamosState, units: Iterable[str]) -> "list[Counter]":
    return [state.board.counters[unit_id] for unit_id in units]


# --- who is too many ---


class LeftOut(Space):
    """The orders LeaveOut that name which units of a force are too many: as few as can be, and the rest is legal."""

    state: DamosState
    units: Sequence[str]
    rule: str = "DM-2.3a"

    def _without(self, units: Sequence[str]) -> list[str]:
        return [unit_id for unit_id in self.units if unit_id not in units]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse strangers, another number, and a rest that is still over the limits."""
        if not isinstance(value, LeaveOut):
            return Refusal(self.rule, "name the units that are too many")
        number = excess_of(self.state, self.units)
        refusal = SomeOf(self.units, number, number, self.rule).why_not(value.units)
        if refusal is None and not is_legal(self.state, self._without(value.units)):
            return Refusal(self.rule, f"{', '.join(self._without(value.units))} would be too many still")
        return refusal

    def values(self) -> Iterator[LeaveOut]:
        """Yield every order."""
        for stay in combinations(self.units, len(self.units) - excess_of(self.state, self.units)):
            if is_legal(self.state, stay):
                yield LeaveOut(self._without(stay))

    def sample(self, stream: Stream) -> LeaveOut:
        """Return one of them."""
        return stream.pick(list(self.values()))


def left_out_options(state: DamosState, side: str, hex_: str, rule: str = "DM-2.3f") -> Space:
    """Return the orders LeaveOut for the stack of a side in a hex: which of its units are too many."""
    return LeftOut(state, units_in(state, hex_, side), rule)


def trim(state: DamosState, side: str) -> Procedure:
    """Eliminate what stacks above the limits at the end of the operations of ``side`` (DM-2.3d, DM-2.3e)."""
    for hex_ in sorted(stacks(state, side)):
        if excess(state, side, hex_):
            prompt = f"too many units are in {hex_}: which are given up?"
            order = yield Decision(side, prompt, left_out_options(state, side, hex_, "DM-2.3e"), "DM-2.3e")
            yield UnitsEliminated(sorted(order.units), hex_, "stacking", "DM-2.3e")
