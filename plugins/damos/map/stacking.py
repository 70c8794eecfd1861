"""Stacking: limits of units in a hex, units left out of a combat, and units eliminated at the end (DM-2.3).

Limits apply to each side separately and may be exceeded while moving (DM-2.3b, DM-2.3c). The exclusive rules define
which stacks are legal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import structs

from damos.model.board import Counter
from damos.model.events import UnitsEliminated
from damos.model.forces import stacks, units_in
from damos.model.orders import LeaveOut
from damos.model.state import DamosState
from damos.model.tables import DIVISION, GERMAN, NKVD, REGIMENT
from sandtable import Decision, Procedure, Refusal, SomeOf, Space, Stream

if TYPE_CHECKING:
    from damos.model.board import Board

DIVISIONS_FOR_A_THIRD = {"two_divisions_of_three": 2, "any_third": 1}
"""Minimum number of divisions in a stack of three, by option ``russian_third_division`` (R-DM-56)."""


class Stacked(Protocol):
    """The data of a state or a view, besides the units, on which the limits depend."""

    @property
    def board(self) -> Any:
        """The board."""

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the game."""


def most_stacked(state: Stacked, counters: Sequence[Counter]) -> int:
    """Return the maximum number of these units of one side that may end in one hex.

    Brigades and larger units count as divisions (AGC-4.1d). Allies have a separate limit (AGC-4.1b) and also count
    toward the limit of Germans in the same hex (AGC-4.1a).
    """
    limits: dict[str, int] = state.board.stack_limits
    germans = [each for each in counters if each.nation == GERMAN]
    free = [each for each in counters if NKVD in each.traits and each.size == REGIMENT][:1]  # AGC-4.1e
    others = [each for each in counters if each.nation != GERMAN and each not in free]
    held = 0
    if others:
        limit = max(limits[each.nation] for each in others)
        divisions = sum(each.size != REGIMENT for each in others)
        if divisions >= DIVISIONS_FOR_A_THIRD[state.options["russian_third_division"]]:  # AGC-4.1c
            limit += 1
        held = min(len(others), limit)
    if germans:
        held = min(len(germans) + held, limits[GERMAN])
    return held + len(free)


def is_full_stack(state: DamosState, counters: Sequence[Counter]) -> bool:
    """Return whether not even a division of the last unit's nation could join these units (DM-9.0f)."""
    if not counters:
        return False
    joining = structs.replace(counters[-1], size=DIVISION, traits=())
    return most_stacked(state, [*counters, joining]) == most_stacked(state, counters)


def is_legal(state: DamosState, units: Sequence[str]) -> bool:
    """Return whether these units of one side may be in one hex when limits are checked (DM-2.3a)."""
    return excess_of(state, units) == 0


def excess_of(state: Stacked, units: Sequence[str]) -> int:
    """Return how many of these units of one side exceed the limit of one hex."""
    known: dict[tuple[Any, ...], int] = state.board.caches.setdefault("excess", {})
    kinds = _kinds(state.board)
    key = (state.options["russian_third_division"], *sorted([kinds[unit_id] for unit_id in units]))
    found = known.get(key)
    if found is None:
        found = known[key] = len(units) - most_stacked(state, _counters(state, units))
    return found


def _kinds(board: "Board") -> dict[str, int]:
    """Return the kind of each unit as a number; units of a kind are equal in everything that ``most_stacked`` uses."""
    kinds: dict[str, int] | None = board.caches.get("stacking_kinds")
    if kinds is None:
        counters = board.counters.values()
        alike = {each.id: (each.nation, each.size == REGIMENT, NKVD in each.traits) for each in counters}
        numbers = {kind: number for number, kind in enumerate(sorted({*alike.values()}))}
        kinds = board.caches["stacking_kinds"] = {unit_id: numbers[kind] for unit_id, kind in alike.items()}
    return kinds


def excess(state: DamosState, side: str, hex_: str) -> int:
    """Return how many units of a side exceed the limit in a hex."""
    return excess_of(state, stacks(state, side).get(hex_, ()))


def may_join(state: DamosState, units: Iterable[str], hex_: str) -> bool:
    """Return whether units of one side, in any hexes, could end in a hex with the units already in it."""
    force = {*units}
    sides = [state.units[unit_id].side for unit_id in force]
    return not force or is_legal(state, sorted({*force, *units_in(state, hex_, sides[0])}))


def is_full(state: DamosState, side: str, hex_: str) -> bool:
    """Return whether the stack of a side in a hex is at the limit, without space for another division (DM-9.0f)."""
    return bool(is_full_stack(state, _counters(state, stacks(state, side).get(hex_, ()))))


def _counters(state: Stacked, units: Iterable[str]) -> "list[Counter]":
    return [state.board.counters[unit_id] for unit_id in units]


# --- excess units ---


class LeftOut(Space):
    """The ``LeaveOut`` orders that name excess units of a force: the minimum number, such that the rest is legal."""

    state: DamosState
    units: Sequence[str]
    rule: str = "DM-2.3a"

    def _without(self, units: Sequence[str]) -> list[str]:
        return [unit_id for unit_id in self.units if unit_id not in units]

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units of other forces, a wrong number, and a rest that still exceeds the limits."""
        if not isinstance(value, LeaveOut):
            return Refusal(self.rule, "name the excess units")
        number = excess_of(self.state, self.units)
        refusal = SomeOf(self.units, number, number, self.rule).why_not(value.units)
        if refusal is None and not is_legal(self.state, self._without(value.units)):
            return Refusal(self.rule, f"{', '.join(self._without(value.units))} would still be too many")
        return refusal

    def values(self) -> Iterator[LeaveOut]:
        """Yield every order."""
        for stay in combinations(self.units, len(self.units) - excess_of(self.state, self.units)):
            if is_legal(self.state, stay):
                yield LeaveOut(self._without(stay))

    def sample(self, stream: Stream) -> LeaveOut:
        """Return a random order."""
        return stream.pick(list(self.values()))


def left_out_options(state: DamosState, side: str, hex_: str, rule: str = "DM-2.3f") -> Space:
    """Return the ``LeaveOut`` orders for the stack of a side in a hex, which name its excess units."""
    return LeftOut(state, units_in(state, hex_, side), rule)


def trim(state: DamosState, side: str) -> Procedure:
    """Eliminate units above the limits at the end of the operations of ``side`` (DM-2.3d, DM-2.3e)."""
    for hex_ in sorted(stacks(state, side)):
        if excess(state, side, hex_):
            prompt = f"too many units are in {hex_}: choose the units to give up"
            space = left_out_options(state, side, hex_, "DM-2.3e")
            order = yield Decision(side, prompt, space, "DM-2.3e", purpose=f"give_up.{hex_}")
            yield UnitsEliminated(sorted(order.units), hex_, "stacking", "DM-2.3e")
