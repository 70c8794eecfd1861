"""Lines of sight of one map with fixed blocking elements, with cached answers.

The elements that a line touches depend only on its displacement. For each displacement they are computed once, as
integers that an addition moves to the start of a line; the blocking elements are one set of such integers.
"""

from collections.abc import Iterable

from sandtable.board.hexes.grid import STEPS, Hex, HexGrid, Hexside, range_hexes
from sandtable.board.hexes.line_of_sight import SightLine, Ties, touched_by_line, trace_sight
from sandtable.errors import RulesetError

MAX_KEPT = 1 << 18
"""Maximum number of cached answers for a map before the cache is cleared."""

_COLUMN = 1 << 10
"""More than the largest difference in ``r`` between two hexes of a map, so that every position has a unique number."""
_KINDS = 4
"""Number of elements per hex: the hex itself and the three hexsides of which it is the lower hex."""
_SIDE_KINDS = {step: kind for kind, step in enumerate((each for each in STEPS if each > (0, 0)), 1)}


class SightMap:
    """The lines of sight on ``grid`` between these blocking hexes and hexsides; see ``trace_sight`` for the rulings.

    Elements off the map do not block. If smoke or units move, make a new map, or use ``trace_sight``.
    """

    def __init__(
        self,
        grid: HexGrid,
        blocking_hexes: Iterable[Hex] = (),
        blocking_hexsides: Iterable[Hexside] = (),
        *,
        ties: Ties = "blocked",
        adjacent_always_clear: bool = True,
    ) -> None:
        self.grid = grid
        self.blocking_hexes = frozenset(grid.within(blocking_hexes))
        self.blocking_hexsides = frozenset(
            side for side in blocking_hexsides if grid.holds(side.low) or grid.holds(side.high)
        )
        self._ties: Ties = ties
        self._adjacent_always_clear = adjacent_always_clear
        self._blockers = frozenset([*map(_hex_code, self.blocking_hexes), *map(_side_code, self.blocking_hexsides)])
        self._codes = {space: _hex_code(space) for space in grid.hexes()}
        self._lines: dict[tuple[int, int], tuple[int, ...]] = {}
        self._clear: dict[tuple[Hex, Hex], bool] = {}

    def is_clear(self, a: Hex, b: Hex) -> bool:
        """Return whether the line from ``a`` to ``b`` is clear: the same from both ends.

        Raises RulesetError if an end is not on the map.
        """
        known = self._clear.get((a, b))
        if known is None:
            if len(self._clear) >= MAX_KEPT:
                self.forget()
            known = self._clear[a, b] = self._find(a, b)
        return known

    def _find(self, a: Hex, b: Hex) -> bool:
        base = self._codes.get(a)
        if base is None or b not in self._codes:
            end = a if base is None else b
            raise RulesetError(f"no line of sight to hex {tuple(end)}: it is off the map; check holds() first")
        blockers, away = self._blockers, (b[0] - a[0], b[1] - a[1])
        line = self._lines.get(away)
        if line is None:
            line = self._lines[away] = self._line(*away)
        for code in line:  # noqa: SIM110 - all() over a generator takes twice as long
            if base + code in blockers:
                return False
        return True

    def _line(self, q: int, r: int) -> tuple[int, ...]:
        """Return the elements that can block a line from (0, 0) to (q, r): hexes between the ends, and hexsides."""
        ends = (Hex(0, 0), Hex(q, r))
        if self._adjacent_always_clear and range_hexes(*ends) == 1:
            return ()
        touched = touched_by_line(*ends)
        clear = self._ties == "clear"
        idle_hexes, idle_sides = (touched.bordered_hexes, touched.bordered_hexsides) if clear else ((), ())
        hexes = [_hex_code(each) for each in touched.hexes if each not in ends and each not in idle_hexes]
        sides = [_side_code(each) for each in touched.hexsides if each not in idle_sides]
        return (*hexes, *sides)

    def forget(self) -> None:
        """Clear the cached answers, to save memory."""
        self._clear.clear()

    def trace(self, a: Hex, b: Hex) -> SightLine:
        """Return the complete result, with all blocking and touched elements, to explain it to people."""
        return trace_sight(
            self.grid,
            a,
            b,
            self.blocking_hexes.__contains__,
            self.blocking_hexsides.__contains__,
            ties=self._ties,
            adjacent_always_clear=self._adjacent_always_clear,
        )


def _hex_code(space: Hex) -> int:
    return (space[0] * _COLUMN + space[1]) * _KINDS


def _side_code(side: Hexside) -> int:
    low, high = side
    return _hex_code(low) + _SIDE_KINDS[Hex(high[0] - low[0], high[1] - low[1])]
