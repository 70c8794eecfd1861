"""Line of sight between the centers of two hexes, exact in integers.

The plane is stretched so that all centers and corners have integer coordinates. A center is at (3q, q + 2r), and its
corners are two to the west and east or one aside and one up or down. A stretched line is still a line. The side of it
on which a corner is equals the sign of an integer, so a line through a corner or along a hexside is never missed. With
straight rows instead of columns the whole picture is turned by a twelfth of a circle, which changes nothing.

The line *crosses* a hexside if it goes from the inside of one of its hexes to the inside of the other. It only
*borders* a hexside that it touches at an end or runs along; likewise it borders a hex that it touches without entering.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from sandtable.board.hexes.grid import STEPS, Hex, HexGrid, Hexside, range_hexes
from sandtable.errors import RulesetError

Ties: TypeAlias = Literal["blocked", "clear"]
"""Effect on a line that only borders a blocking hex or hexside (KP-9.15b and R-KP-29: blocked, for the defender)."""

Point: TypeAlias = tuple[int, int]

CORNERS: tuple[Point, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Offsets from the center to the corners, clockwise; the hexside in a direction runs from its corner to the next."""

NORMALS = tuple((2 * step.q + step.r, step.q + 2 * step.r) for step in STEPS)
"""Factors of q and r that give the distance in each direction: 2 is the next hex, 1 the hexside."""


class Touched(msgspec.Struct, frozen=True):
    """Everything that a line touches, each kind from the start to the end of the line, the ends included.

    Elements at the same distance are in ascending order. ``bordered_hexes`` and ``bordered_hexsides`` are the part of
    ``hexes`` and ``hexsides`` that is only touched. ``corner_hexes`` are those bordered hexes that the line touches at
    one corner. ``followed_hexsides`` are those bordered hexsides that it runs along, from corner to corner; the hexes
    to the left and right of them are bordered, but not only at a corner.
    """

    hexes: tuple[Hex, ...]
    hexsides: tuple[Hexside, ...]
    bordered_hexes: tuple[Hex, ...]
    bordered_hexsides: tuple[Hexside, ...]
    corner_hexes: tuple[Hex, ...]
    followed_hexsides: tuple[Hexside, ...]


class SightLine(msgspec.Struct, frozen=True):
    """The result of ``trace_sight``: blocking and touched elements, in order from the start."""

    start: Hex
    end: Hex
    clear: bool
    blocking_hexes: tuple[Hex, ...]
    blocking_hexsides: tuple[Hexside, ...]
    touched: Touched

    @property
    def witness(self) -> Hex | Hexside | None:
        """The blocking element nearest to the start, a hexside before a hex at the same distance, or None."""
        if not self.blocking_hexsides:
            return self.blocking_hexes[0] if self.blocking_hexes else None
        if not self.blocking_hexes:
            return self.blocking_hexsides[0]
        along = _ahead(self.start, self.end)
        side, space = self.blocking_hexsides[0], self.blocking_hexes[0]
        return side if along(side.low) + along(side.high) <= 2 * along(space) else space


def touched_by_line(a: Hex, b: Hex) -> Touched:
    """Return the hexes and hexsides that the straight line between two centers touches, on the map or beyond it.

    From a hex to itself the line touches only that hex. ``touched_by_line(b, a)`` has the same hexes and hexsides.
    """
    found = _touched_from_origin(b.q - a.q, b.r - a.r)
    if not a.q and not a.r:
        return found
    return Touched(
        _moved(found.hexes, a),
        _moved_sides(found.hexsides, a),
        _moved(found.bordered_hexes, a),
        _moved_sides(found.bordered_hexsides, a),
        _moved(found.corner_hexes, a),
        _moved_sides(found.followed_hexsides, a),
    )


def trace_sight(
    grid: HexGrid,
    a: Hex,
    b: Hex,
    blocking_hex: Callable[[Hex], bool],
    blocking_hexside: Callable[[Hexside], bool],
    *,
    ties: Ties = "blocked",
    adjacent_always_clear: bool = True,
) -> SightLine:
    """Trace the line of sight between two hexes (KP-9.14a, KP-9.15a).

    ``blocking_hex`` is called for hexes on the map between the two ends, never for an end. ``blocking_hexside`` is
    called for hexsides of at least one hex on the map, so also for a side on the map's edge. With ties "clear",
    elements that the line only borders do not block. Adjacent hexes always see each other (R-KP-32) unless
    ``adjacent_always_clear`` is False. From ``b`` to ``a`` the result and all blocking elements are the same. Raises
    RulesetError if an end is not on the map.
    """
    for end in (a, b):
        if not grid.holds(end):
            raise RulesetError(f"no line of sight to hex {tuple(end)}: it is off the map; check holds() first")
    line = _on_map(grid, touched_by_line(a, b))
    if adjacent_always_clear and range_hexes(a, b) == 1:
        return SightLine(a, b, clear=True, blocking_hexes=(), blocking_hexsides=(), touched=line)
    idle_hexes, idle_sides = (line.bordered_hexes, line.bordered_hexsides) if ties == "clear" else ((), ())
    hexes = tuple(each for each in line.hexes if each not in (a, b) and each not in idle_hexes and blocking_hex(each))
    sides = tuple(each for each in line.hexsides if each not in idle_sides and blocking_hexside(each))
    return SightLine(a, b, not hexes and not sides, hexes, sides, line)


@lru_cache(maxsize=1 << 14)
def _touched_from_origin(q: int, r: int) -> Touched:
    """Walk from hex to hex over every hexside that the line touches; the touched elements are connected."""
    start, end = Hex(0, 0), Hex(q, r)
    if start == end:
        return Touched((start,), (), (), (), (), ())
    goal = _center(end)
    leans = [
        _cross(goal, corner) for corner in CORNERS
    ]  # the offset of a corner to the left or right of its hex's center
    hexes, sides = {start: 0}, {}
    walk = [start]
    for space in walk:  # the list grows during the loop
        aside = hexes[space]
        for direction, step in enumerate(STEPS):
            left, right = aside + leans[direction], aside + leans[direction - 5]
            if left * right > 0 or not _divides(space, direction, end):
                continue
            beyond = Hex(space.q + step.q, space.r + step.r)
            sides[Hexside(min(space, beyond), max(space, beyond))] = bool(left) + bool(right)
            if beyond not in hexes:
                hexes[beyond] = _cross(goal, _center(beyond))
                walk.append(beyond)
    along = _ahead(start, end)
    walk.sort(key=lambda each: (along(each), each))
    ordered = sorted(sides, key=lambda each: (along(each.low) + along(each.high), each))
    bordered = tuple(each for each in walk if abs(hexes[each]) >= max(leans))
    followed = tuple(each for each in ordered if sides[each] == 0)
    beside = {each for side in followed for each in side}
    return Touched(
        tuple(walk),
        tuple(ordered),
        bordered,
        tuple(each for each in ordered if sides[each] < 2),
        tuple(each for each in bordered if each not in beside),
        followed,
    )


def _divides(space: Hex, direction: int, end: Hex) -> bool:
    """Return whether the straight line of a hexside separates hex (0, 0) from the end, or contains both."""
    q, r = NORMALS[direction]
    side = q * space.q + r * space.r + 1
    return min(0, q * end.q + r * end.r) <= side <= max(0, q * end.q + r * end.r)


def _ahead(start: Hex, end: Hex) -> Callable[[Hex], int]:
    """Return a function that measures how far along the line a hex is: its exact projection, in integer units."""
    q, r = end.q - start.q, end.r - start.r
    return lambda space: (2 * q + r) * space.q + (q + 2 * r) * space.r


def _on_map(grid: HexGrid, found: Touched) -> Touched:
    sides, bordered, followed = (
        tuple(each for each in group if grid.holds(each.low) or grid.holds(each.high))
        for group in (found.hexsides, found.bordered_hexsides, found.followed_hexsides)
    )
    hexes, bordered_hexes, corners = map(grid.within, (found.hexes, found.bordered_hexes, found.corner_hexes))
    return Touched(hexes, sides, bordered_hexes, bordered, corners, followed)


def _moved(spaces: tuple[Hex, ...], by: Hex) -> tuple[Hex, ...]:
    return tuple(Hex(each.q + by.q, each.r + by.r) for each in spaces)


def _moved_sides(sides: tuple[Hexside, ...], by: Hex) -> tuple[Hexside, ...]:
    return tuple(Hexside(*_moved(side, by)) for side in sides)


def _center(space: Hex) -> Point:
    return 3 * space.q, space.q + 2 * space.r


def _cross(a: Point, b: Point) -> int:
    return a[0] * b[1] - a[1] * b[0]
