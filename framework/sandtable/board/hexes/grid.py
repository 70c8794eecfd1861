"""A grid of hexes: printed numbers, directions, ranges, hexsides, all in integers.

There are two layouts. In ``columns`` straight columns are vertical (each hex has a flat top), every second one is half
a hex lower, and the direction A is north. In ``rows`` straight rows run from west to east (each hex has a point on
top), every second one is half a hex further east, and A is northeast. The other five directions follow clockwise.

A ``Hex`` has axial coordinates, which are the same in both, so measurements between hexes do not depend on the layout.
With straight columns ``q`` is the printed column; with straight rows ``q + r`` is the printed row. Only a ``HexGrid``
knows the layout, the printed numbers and the extent of the map; hexes themselves are unbounded.
"""

import re
from collections.abc import Iterable
from enum import IntEnum
from itertools import chain
from typing import Literal, NamedTuple

import msgspec

from sandtable.board.graph.paths import Adjacency
from sandtable.board.hexes.numbering import CHOICES, UNSAID, find_layout_problem
from sandtable.errors import DataError, RulesetError
from sandtable.files.words import quoted

WHERE = "hex grid"
_NUMBER = re.compile("[0-9]{4}")


class Direction(IntEnum):
    """The six directions, clockwise.

    With straight columns A is north, toward lower rows, and D is south (KP-5.4a, fixed by KP-5.5a and R-KP-01). With
    straight rows A to F are northeast, east, southeast, southwest, west and northwest.
    """

    A = 0
    B = 1
    C = 2
    D = 3
    E = 4
    F = 5

    def turned(self, sixths: int) -> "Direction":
        """Return the direction ``sixths`` sixths of a circle further clockwise; 3 is the opposite direction."""
        return Direction((self + sixths) % 6)


class Hex(NamedTuple):
    """One hex in axial coordinates, on the map or beyond it.

    With straight columns hexes sort by column, then from north to south, like the printed numbers. With straight rows
    they do not sort like the numbers: of two adjacent hexes the northern comes first, or in one row the western.
    """

    q: int
    r: int

    def neighbor(self, direction: Direction, distance_hexes: int = 1) -> "Hex":
        """Return the hex ``distance_hexes`` hexes away in a direction."""
        step = STEPS[direction]
        return Hex(self.q + step.q * distance_hexes, self.r + step.r * distance_hexes)


STEPS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""Offsets of the neighboring hex in each direction, A to F."""


class Hexside(NamedTuple):
    """The side that two adjacent hexes share; the same value from both. Build it with ``between`` or ``of``."""

    low: Hex
    high: Hex

    @classmethod
    def between(cls, a: Hex, b: Hex) -> "Hexside":
        """Return the side that two hexes share. Raises RulesetError if they are not adjacent."""
        if range_hexes(a, b) != 1:
            raise RulesetError(f"hexes {tuple(a)} and {tuple(b)} do not share a hexside; give two adjacent hexes")
        return cls(min(a, b), max(a, b))

    @classmethod
    def of(cls, space: Hex, direction: Direction) -> "Hexside":
        """Return the side of a hex that faces a direction."""
        return cls.between(space, space.neighbor(direction))


def range_hexes(a: Hex, b: Hex) -> int:
    """Return the number of steps from one hex to another on an open map, 0 to itself (KP-9.17a)."""
    q, r = b.q - a.q, b.r - a.r
    return max(abs(q), abs(r), abs(q + r))


def direction_to(a: Hex, b: Hex) -> Direction | None:
    """Return the direction of ``b`` if it is in a straight line from ``a``, at any range, or None."""
    distance_hexes = range_hexes(a, b)
    straight = (each for each in Direction if distance_hexes and a.neighbor(each, distance_hexes) == b)
    return next(straight, None)


def within_arc(center: Hex, facing: Direction, target: Hex, *, inclusive: bool = True) -> bool:
    """Return whether the line to the center of the target is at most 60 degrees off the facing (KP-9.4c, R-KP-33).

    So the arc of 120 degrees starts in the middle of the hex to the left front and ends in that to the right front.
    Without ``inclusive`` the angle must be less than 60 degrees. A hex is never in its own arc.
    """
    q, r = target.q - center.q, target.r - center.r
    left, right = STEPS[facing - 1], STEPS[(facing + 1) % 6]
    of_left, of_right = left.q * r - left.r * q, q * right.r - r * right.q  # positive inside that edge
    return min(of_left, of_right) >= (0 if inclusive else 1) and (q, r) != (0, 0)


def ring(center: Hex, radius_hexes: int) -> tuple[Hex, ...]:
    """Return the hexes at exactly this range: clockwise, beginning straight in direction A.

    Radius 0 gives only the center. Raises RulesetError for a negative radius.
    """
    if radius_hexes < 0:
        raise RulesetError(f"a ring cannot have a radius of {radius_hexes} hexes; give 0 or more")
    if radius_hexes == 0:
        return (center,)
    corners = [(center.neighbor(each, radius_hexes), each.turned(2)) for each in Direction]
    return tuple(corner.neighbor(along, step) for corner, along in corners for step in range(radius_hexes))


def disc(center: Hex, radius_hexes: int) -> tuple[Hex, ...]:
    """Return the hexes within this range, ring by ring from the center. Raises RulesetError for a negative radius."""
    inner = chain.from_iterable(ring(center, each) for each in range(radius_hexes))
    return (*inner, *ring(center, radius_hexes))


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """Return one hex for each range along the straight line between two centers, both ends included.

    Each is the hex whose center is nearest to the point at that fraction of the line. If two are equally near, as on a
    line along hexsides, the western is taken, or in one column the northern. With straight rows the northern is taken,
    or in one row the western. So ``line(b, a)`` is the same line reversed. For everything that the line touches see
    ``line_of_sight.py``.
    """
    parts = range_hexes(a, b)
    if parts == 0:
        return (a,)
    found = []
    for done in range(parts + 1):  # the point in q and r, times parts
        q, r = a.q * parts + (b.q - a.q) * done, a.r * parts + (b.r - a.r) * done
        low = Hex(q // parts, r // parts)
        corners = (low, Hex(low.q, low.r + 1), Hex(low.q + 1, low.r), Hex(low.q + 1, low.r + 1))
        apart = ((q - each.q * parts, r - each.r * parts, each) for each in corners)
        found.append(min((x * x + x * y + y * y, each) for x, y, each in apart)[1])
    return tuple(found)


class HexGrid(msgspec.Struct, frozen=True):
    """The printed numbers of a map and its extent; hexes are counted from 0 in the order of their numbers.

    A number has two digits for the *rank*, the straight line of the hex, and two for the position in it. With the
    layout ``columns`` ranks are columns and numbers ``ccrr``: every column has ``rows`` hexes, except the lower ones if
    ``lower_rows`` is given, and columns increase to the east. With the layout ``rows`` ranks are rows and numbers
    ``rrcc``: every row has ``columns`` hexes, except those further east if ``eastern_columns`` is given, and
    ``columns_grow`` is the direction in which columns increase. Rows always increase to the south.

    Raises DataError for a grid without hexes, for numbers of more than four digits, and for fields of the other layout.
    """

    columns: int
    rows: int
    lower_columns: Literal["even", "odd"] = "even"
    lower_rows: int | None = None
    first_column: int = 1
    first_row: int = 1
    layout: Literal["columns", "rows"] = "columns"
    columns_grow: Literal["east", "west"] = "east"
    eastern_rows: Literal["even", "odd"] = "odd"
    eastern_columns: int | None = None

    def __post_init__(self) -> None:
        for key, choices in CHOICES.items():
            if getattr(self, key) not in choices:
                raise DataError(WHERE, key, f"is {quoted(getattr(self, key))}; write {' or '.join(choices)}")
        given = [key for key, plain in UNSAID.items() if getattr(self, key) != plain]
        if layout_problem := find_layout_problem(self.layout, given):
            raise DataError(WHERE, *layout_problem)
        counts = {"columns": (self.columns, self.first_column), "rows": (self.rows, self.first_row)}
        if self.lower_rows is not None:
            counts["lower_rows"] = (self.lower_rows, self.first_row)
        if self.eastern_columns is not None:
            counts["eastern_columns"] = (self.eastern_columns, self.first_column)
        for key, (count, first) in counts.items():
            if count < 1 or first < 0 or first + count > 100:
                problem = f"{count} {key.replace('_', ' ')} from {first:02} on"
                raise DataError(WHERE, key, f"{problem} do not fit into two-digit numbers; give 1 or more, up to 99")

    def hex_at(self, number: str) -> Hex:
        """Return the hex with a printed number. Raises DataError unless it has four digits and is on the map."""
        if not _NUMBER.fullmatch(number):
            figures = "column and row" if self.layout == "columns" else "row and column"
            raise DataError(WHERE, quoted(number), f"is not a hex number; give four digits, {figures}, such as 0304")
        rank = int(number[:2])
        space = self._hex(rank, int(number[2:]))
        if not self.holds(space):
            raise DataError(WHERE, number, f"is off the map; {self._extent(rank)}")
        return space

    def number(self, space: Hex) -> str:
        """Return the printed number of a hex. Raises DataError if the hex is not on the map."""
        if not self.holds(space):
            raise DataError(WHERE, f"hex {tuple(space)}", "is off the map and has no number; check holds() first")
        rank, place = self._place(space)
        return f"{rank:02}{place:02}"

    def column_and_row(self, number: str) -> tuple[int, int]:
        """Return the column and the row that a printed number of four digits names, on the map or not."""
        first, second = int(number[:2]), int(number[2:])
        return (first, second) if self.layout == "columns" else (second, first)

    def hexside_at(self, numbers: str) -> Hexside:
        """Return the hexside of two printed numbers, ``0404/0405`` in either order.

        Raises DataError unless both are on the map and adjacent.
        """
        first, _, second = numbers.partition("/")
        a, b = self.hex_at(first), self.hex_at(second)
        if range_hexes(a, b) != 1:
            raise DataError(
                WHERE, numbers, "is not a hexside; give the numbers of two adjacent hexes, such as 0404/0405"
            )
        return Hexside.between(a, b)

    def hexside_number(self, side: Hexside) -> str:
        """Return the two printed numbers of a hexside, the lower first. Raises DataError if a hex is not on the map."""
        return "/".join(sorted(map(self.number, side)))

    def holds(self, space: Hex) -> bool:
        """Return whether a hex is on the map."""
        rank, place = self._place(space)
        if self.layout == "columns":
            return 0 <= rank - self.first_column < self.columns and 0 <= place - self.first_row < self._length(rank)
        return 0 <= rank - self.first_row < self.rows and 0 <= place - self.first_column < self._length(rank)

    def within(self, spaces: Iterable[Hex]) -> tuple[Hex, ...]:
        """Keep the hexes that are on the map, in the order given."""
        return tuple(filter(self.holds, spaces))

    def hexes(self) -> tuple[Hex, ...]:
        """Return every hex in the order of the printed numbers; its index here is its number in searches."""
        first = self.first_row if self.layout == "columns" else self.first_column
        return tuple(self._hex(rank, first + place) for rank in self.ranks() for place in range(self._length(rank)))

    def ranks(self) -> range:
        """Return the first halves of the printed numbers: of all columns, or of all rows."""
        first, count = self.first_column, self.columns
        if self.layout == "rows":
            first, count = self.first_row, self.rows
        return range(first, first + count)

    def rank_and_along(self, space: Hex) -> tuple[int, int]:
        """Return the rank of a hex and its position along it in half hexes, ascending like the printed numbers."""
        q, r = space
        if self.layout == "columns":
            return q, q + 2 * r
        return q + r, (q - r if self.columns_grow == "east" else r - q)

    def adjacency(self) -> Adjacency:
        """Return, for each hex of ``hexes()``, the sorted indexes of its neighbors on the map, for ``paths.reach``."""
        spaces = self.hexes()
        places = {space: place for place, space in enumerate(spaces)}
        around = (self.within(ring(space, 1)) for space in spaces)
        return tuple(tuple(sorted(places[each] for each in near)) for near in around)

    def _place(self, space: Hex) -> tuple[int, int]:
        """Return the two halves of the printed number of a hex, on the map or beyond it."""
        q, r = space
        if self.layout == "columns":  # a faster version of the code below, because lines of sight call it very often
            return q, r + ((q + 1) // 2 if self.lower_columns == "even" else q // 2)
        rank, along = self.rank_and_along(space)
        return rank, (along - self._shift(rank)) // 2

    def _hex(self, rank: int, place: int) -> Hex:
        """Return the hex for the two halves of a printed number."""
        along = 2 * place + self._shift(rank)
        if self.layout == "columns":
            return Hex(rank, (along - rank) // 2)
        east = along if self.columns_grow == "east" else -along
        return Hex((rank + east) // 2, (rank - east) // 2)

    def _shift(self, rank: int) -> int:
        """Return the offset of the beginning of a rank, in half hexes, relative to an even one."""
        if self.layout == "columns":
            further = self.lower_columns == "odd"
        else:
            further = (self.eastern_rows == "odd") == (self.columns_grow == "east")
        return rank % 2 if further else -(rank % 2)

    def _length(self, rank: int) -> int:
        if self.layout == "rows":
            is_eastern = rank % 2 == (self.eastern_rows == "odd")
            return self.eastern_columns if is_eastern and self.eastern_columns is not None else self.columns
        is_lower = rank % 2 == (self.lower_columns == "odd")
        return self.lower_rows if is_lower and self.lower_rows is not None else self.rows

    def _extent(self, rank: int) -> str:
        """Return the limits of the map as text: of the ranks if ``rank`` is not one, or of the positions within it."""
        of_ranks, of_places, first = "column", "row", self.first_row
        if self.layout == "rows":
            of_ranks, of_places, first = "row", "column", self.first_column
        ranks = self.ranks()
        if rank not in ranks:
            return f"its {of_ranks}s run from {ranks[0]:02} to {ranks[-1]:02}"
        last = first + self._length(rank) - 1
        return f"the {of_places}s of {of_ranks} {rank:02} run from {first:02} to {last:02}"
