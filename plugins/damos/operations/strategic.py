"""The strategic moves of a side: who may go, and along which paths (DM-6.0, D-DM-07)."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import combinations, pairwise
from typing import Any

from damos.forces import enemy_of, stacks
from damos.operations.march import points
from damos.operations.menu import END_PHASE, TRIES, some_of, why_no_units
from damos.orders import EndPhase, MoveStrategically
from damos.state import ON_MAP, DamosState
from damos.supply import has_supply_line
from damos.tables import STRATEGIC_FACTOR
from damos.terrain import step_halves
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Refusal, Space
from sandtable.kernel.options.choices import shown


def path_halves(state: DamosState, units: list[str], path: list[str]) -> int | None:
    """Return what a path costs units in strategic movement, None where they may not go."""
    total = 0
    for start, end in pairwise(path):
        halves = step_halves(state, units, start, end, strategic=True)
        if halves is None:
            return None
        total += halves
    return total


class StrategicMoves(Space):
    """The orders MoveStrategically, and EndPhase. ``by_hex`` holds the fresh, supplied units that can go somewhere.

    ``closed`` are the hexes that no strategic movement enters: those with enemy units, and those beside them (DM-6.0d).
    """

    state: DamosState
    side: str
    by_hex: dict[str, list[str]]
    closed: frozenset[str]

    @classmethod
    def of(cls, state: DamosState, side: str) -> "StrategicMoves":
        """Look who can go."""
        enemies = stacks(state, enemy_of(side))
        around = state.board.around
        closed = frozenset(near for hex_ in enemies for near in (hex_, *around[hex_]))
        moves = cls(state, side, {}, closed)
        for hex_, units in sorted(stacks(state, side).items()):
            fresh = [each for each in units if not state.units[each].spent]
            able = [each for each in fresh if next(moves.ways_on([each], [hex_], 0), None) is not None]
            if able and moves.why_no_start(hex_) is None:
                moves.by_hex[hex_] = fresh
        return moves

    def why_no_start(self, hex_: str) -> Refusal | None:
        """Return why no force may start in a hex (DM-6.0a, R-DM-33)."""
        if hex_ in self.closed and self.state.options["sm_start_adjacent"] == "forbidden":
            return Refusal("R-DM-33", f"{hex_} is next to an enemy")
        if not has_supply_line(self.state, self.side, hex_):
            return Refusal("DM-6.0a", f"there is no line of supply to {hex_}")
        return None

    def allowance(self, units: list[str]) -> int:
        """Return the halves that a force may spend (DM-6.0b)."""
        counters = self.state.board.counters
        return STRATEGIC_FACTOR * min(int(counters[each].ma_halves) for each in units)

    def why_no_step(self, units: list[str], path: list[str], spent: int) -> Refusal | None:
        """Return why the last step of a path may not be taken; ``spent`` is what the steps before it took."""
        state, (start, hex_) = self.state, path[-2:]
        if hex_ not in state.board.around[start]:
            return Refusal("DM-6.0b", f"{hex_} is not next to {start}")
        if hex_ in self.closed:
            return Refusal("DM-6.0d", f"{hex_} is next to an enemy")
        if state.control.get(hex_) != self.side:
            return Refusal("DM-6.0c", f"{hex_} is not controlled by this side")
        if hex_ in path[:-1]:
            return Refusal("DM-6.0b", f"the path comes to {hex_} twice")
        refusal: Refusal | None = state.board.exclusive.why_no_move(state, self.side, start, hex_)
        if refusal is not None:
            return refusal
        halves = step_halves(state, units, start, hex_, strategic=True)
        if halves is None:
            return Refusal("DM-3.0a", f"the ground between {start} and {hex_} is closed to this force")
        if spent + halves > self.allowance(units):
            return Refusal("DM-6.0b", f"{hex_} is too far: {points(self.allowance(units) - spent)} movement points left")
        for each in units:
            limit = state.board.exclusive.hexes_allowed(state, each)
            if limit is not None and len(path) - 1 > limit:
                return Refusal("AGC-4.7a", f"{each} may enter {limit or 'no'} hex{'' if limit == 1 else 'es'} this turn")
        return None

    def ways_on(self, units: list[str], path: list[str], spent: int) -> Iterator[tuple[str, int]]:
        """Yield the hexes by which a path can go on, each with what is spent then."""
        for near in self.state.board.around[path[-1]]:
            if near not in self.closed and self.why_no_step(units, [*path, near], spent) is None:
                halves = step_halves(self.state, units, path[-1], near, strategic=True)
                yield near, spent + (halves or 0)

    # --- the space ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse units that may not go, and the first step that may not be taken."""
        if type(value) is EndPhase:
            return None
        if type(value) is not MoveStrategically:
            return Refusal("DM-6.0a", "move a force strategically, or end the phase")
        first = value.units[0] if isinstance(value.units, list | tuple) and value.units else None
        unit = self.state.units.get(first) if isinstance(first, str) else None
        if unit is None or unit.side != self.side or unit.standing != ON_MAP:
            return Refusal("DM-6.0a", f"{shown(first)} is no unit of this side on the map")
        fresh = [each for each in stacks(self.state, self.side)[unit.hex] if not self.state.units[each].spent]
        refusal = why_no_units(value.units, fresh, "DM-6.0a") or self.why_no_start(unit.hex)
        return refusal or self._why_no_path(sorted(value.units), value.path, unit.hex)

    def _why_no_path(self, units: list[str], path: Any, start: str) -> Refusal | None:
        if not isinstance(path, list | tuple) or len(path) < 2 or not all(isinstance(each, str) for each in path):
            return Refusal("DM-6.0b", "name the path: the hex where the force stands, then each hex that it enters")
        if path[0] != start:
            return Refusal("DM-6.0b", f"the path begins in {start}, not in {shown(path[0])}")
        spent = 0
        for place in range(2, len(path) + 1):
            refusal = self.why_no_step(units, list(path[:place]), spent)
            if refusal is not None:
                return refusal
            spent += step_halves(self.state, units, path[place - 2], path[place - 1], strategic=True) or 0
        return None

    def sample(self, stream: Stream) -> Any:
        """Return a move, step by step, that stops one time in six; the end of the phase one time in eight."""
        starts = list(self.by_hex)
        if not starts or stream.one_in(8):
            return END_PHASE
        for attempt in range(TRIES):
            hex_ = stream.pick(starts)
            fresh = self.by_hex[hex_]
            units = list(fresh) if attempt % 2 == 0 else some_of(fresh, stream)
            path = self._walk(stream, units, hex_)
            if len(path) > 1:
                return MoveStrategically(units, path)
        return END_PHASE

    def _walk(self, stream: Stream, units: list[str], start: str) -> list[str]:
        path, spent = [start], 0
        while len(path) < 2 or not stream.one_in(6):
            ways = list(self.ways_on(units, path, spent))
            if not ways:
                break
            hex_, spent = stream.pick(ways)
            path.append(hex_)
        return path

    def values(self) -> Iterator[Any]:
        """Yield the end of the phase, then the moves: by hex, few units first, path by path."""
        yield END_PHASE
        for hex_, fresh in self.by_hex.items():
            for size in range(1, len(fresh) + 1):
                for units in map(list, combinations(fresh, size)):
                    for path in self._paths(units, [hex_], 0):
                        yield MoveStrategically(units, path)

    def _paths(self, units: list[str], path: list[str], spent: int) -> Iterator[list[str]]:
        for hex_, total in self.ways_on(units, path, spent):
            yield [*path, hex_]
            yield from self._paths(units, [*path, hex_], total)

    def destinations(self, units: list[str]) -> dict[str, list[str]]:
        """Return where units of one hex can go, each with a cheapest path; for bots and consoles."""
        start = self.state.units[units[0]].hex
        found: dict[str, list[str]] = {}
        queue: list[tuple[int, list[str]]] = [(0, [start])]
        while queue:
            spent, path = heappop(queue)
            if path[-1] in found:
                continue
            found[path[-1]] = path
            for hex_, total in self.ways_on(units, path, spent):
                if hex_ not in found:
                    heappush(queue, (total, [*path, hex_]))
        del found[start]
        return found
