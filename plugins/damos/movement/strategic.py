"""The strategic moves of a side: units and paths (DM-6.0b)."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from damos.map.boundaries import why_no_move
from damos.map.supplied import BY_RAIL, Lines, lines
from damos.map.terrain import step_halves
from damos.model.forces import enemy_of, stacks
from damos.model.orders import MoveStrategically
from damos.model.state import DamosState
from damos.model.tables import STRATEGIC_FACTOR
from damos.movement.march import END_PHASE, TRIES, movement_points, points, some_of, why_no_force
from damos.movement.pause import hexes_allowed
from damos.movement.steps import limit_refusal
from sandtable import AnyOf, Calculation, Form, OneOf, Path, Refusal, Space, Stream

LONGEST = 60
"""Maximum number of steps in a path: an allowance of 15 points, doubled, at half a point each."""


def path_halves(state: DamosState, units: list[str], path: Sequence[str]) -> int | None:
    """Return the cost in halves of a path in strategic movement, or None if the units may not take it."""
    total = 0
    for start, end in pairwise(path):
        halves = step_halves(state, units, start, end, strategic=True)
        if halves is None:
            return None
        total += halves
    return total


def twice_allowed(state: DamosState, units: list[str]) -> Calculation:
    """Return the calculation of a force's allowance: that of its slowest unit, doubled (DM-6.0b)."""
    counters = state.board.counters
    slowest = min(units, key=lambda each: int(counters[each].ma_halves))
    halves = int(counters[slowest].ma_halves)
    return Calculation(
        "allowance", ((slowest, halves, "DM-2.2d"), ("doubled", (STRATEGIC_FACTOR - 1) * halves, "DM-6.0b"))
    )


def strategic_options(state: DamosState, side: str) -> AnyOf | None:
    """Return the strategic moves of a side and the end of the phase, or None if no unit can move."""
    movers = Movers.of(state, side)
    if not movers.by_hex:
        return None
    return AnyOf([OneOf([END_PHASE], "DM-6.0a"), Form(MoveStrategically, {"units": movers, "path": movers.paths})])


class Movers(Space):
    """Lists of units that can move strategically: one or more fresh, supplied units of one hex.

    ``by_hex`` holds them if at least one can go somewhere. ``closed`` are the hexes that strategic movement may not
    enter: those with enemy units, and those next to them (DM-6.0d). ``supply`` are the supply lines of the side.
    """

    state: DamosState
    side: str
    by_hex: dict[str, list[str]]
    closed: frozenset[str]
    supply: Lines

    @classmethod
    def of(cls, state: DamosState, side: str) -> "Movers":
        """Return the space of the units that can move."""
        enemies = stacks(state, enemy_of(side))
        around = state.board.around
        closed = frozenset(near for hex_ in enemies for near in (hex_, *around[hex_]))
        movers = cls(state, side, {}, closed, lines(state, side, BY_RAIL))
        units = state.units
        for hex_, stack in stacks(state, side).items():
            fresh = [each for each in stack if not units[each].spent]
            if fresh and movers.why_no_start(hex_) is None and movers._some_can_go(fresh, hex_):
                movers.by_hex[hex_] = fresh
        return movers

    def _some_can_go(self, units: list[str], hex_: str) -> bool:
        control, side = self.state.control, self.side
        near = [each for each in self._near(hex_) if control.get(each) == side]
        return any(
            self._why_closed(hex_, each) is None
            and any(self._why_too_far([unit_id], [hex_, each]) is None for unit_id in units)
            for each in near
        )

    def _near(self, hex_: str) -> list[str]:
        return [near for near in self.state.board.around[hex_] if near not in self.closed]

    def why_no_start(self, hex_: str) -> Refusal | None:
        """Return why no force may start in a hex, or None (DM-6.0a, R-DM-33)."""
        if hex_ in self.closed and self.state.options["sm_start_adjacent"] == "forbidden":
            return Refusal("R-DM-33", f"{hex_} is adjacent to an enemy")
        if not self.supply.reaches(hex_):
            return Refusal("DM-6.0a", f"{hex_} has no supply line")
        return None

    # --- paths ---

    def allowance(self, units: list[str]) -> int:
        """Return the halves that a force may spend (DM-6.0b)."""
        counters = self.state.board.counters
        return STRATEGIC_FACTOR * min(int(counters[each].ma_halves) for each in units)

    def paths(self, units: Sequence[str]) -> Path:
        """Return the paths of units of one hex, which enter each hex at most once."""
        force = sorted(units)
        start = self.state.units[force[0]].hex
        return Path(
            start,
            steps=lambda path: self.state.board.around[path[-1]],
            why_no_step=lambda path: self.why_no_step(force, path),
            why_no_end=lambda path: Refusal("DM-6.0b", "name a destination hex") if len(path) < 2 else None,
            longest=LONGEST,
            rule="DM-6.0b",
        )

    def why_no_step(self, units: list[str], path: Sequence[str]) -> Refusal | None:
        """Return why the last step of a path may not be taken, or None."""
        start, hex_ = path[-2:]
        if hex_ in path[:-1] and self._why_closed(start, hex_) is None:
            return Refusal("DM-6.0b", f"the path enters {hex_} twice")
        return self._why_closed(start, hex_) or self._why_too_far(units, path)

    def _why_closed(self, start: str, hex_: str) -> Refusal | None:
        """Return why no force of the side may go from a hex into the next strategically, or None."""
        if hex_ in self.closed:
            return Refusal("DM-6.0d", f"{hex_} is adjacent to an enemy")
        if self.state.control.get(hex_) != self.side:
            return Refusal("DM-6.0c", f"{hex_} is not controlled by this side")
        refusal: Refusal | None = why_no_move(self.state, self.side, start, hex_)
        return refusal

    def _why_too_far(self, units: list[str], path: Sequence[str]) -> Refusal | None:
        halves, allowance = path_halves(self.state, units, path), self.allowance(units)
        if halves is None:
            return Refusal("DM-3.0a", f"the terrain between {path[-2]} and {path[-1]} is closed to this force")
        if halves > allowance:
            reason = f"the path costs {movement_points(halves)}, but the force has {points(allowance)}"
            return Refusal("DM-6.0b", reason)
        for each in units:
            limit = hexes_allowed(self.state, each)
            if limit is not None and len(path) - 1 > limit:
                return limit_refusal(each, limit)
        return None

    # --- the space ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units that are spent, in different hexes, or without supply."""
        refusal = why_no_force(self.state, self.side, value, "DM-6.0a", "DM-6.0a")
        return refusal or self.why_no_start(self.state.units[value[0]].hex)

    def values(self) -> Iterator[list[str]]:
        """Yield the forces, by hex, few units first."""
        for fresh in self.by_hex.values():
            for size in range(1, len(fresh) + 1):
                yield from map(list, combinations(fresh, size))

    def sample(self, stream: Stream) -> list[str]:
        """Return a random force that can move, a whole stack half the time. Raises ValueError if none is found."""
        hexes = list(self.by_hex)
        for _ in range(TRIES if hexes else 0):
            hex_ = stream.pick(hexes)
            fresh = self.by_hex[hex_]
            units = list(fresh) if stream.one_in(2) else some_of(fresh, stream)
            if any(self.why_no_step(units, [hex_, near]) is None for near in self._near(hex_)):
                return units
        raise ValueError("no choice is possible")
