"""A map of hexes: printed numbers, directions, ranges, hexsides, all in whole numbers.

Columns of hexes stand upright (each hex has a flat top), and every second column stands half a hex lower. A ``Hex`` is
axial: ``q`` is the printed column, ``r`` falls by one to the north and stays the same to the south-east. A ``HexGrid``
knows the printed numbers ``ccrr`` and where the map ends; hexes themselves have no end.
"""

import re
from collections.abc import Iterable
from enum import IntEnum
from itertools import chain
from typing import Literal, NamedTuple

import msgspec

from sandtable.board.paths import Adjacency
from sandtable.board.wording import shown
from sandtable.errors import DataError, RulesetError

WHERE = "hex grid"
_NUMBER = re.compile("[0-9]{4}")


class Direction(IntEnum):
    """The six directions: A is north, towards lower rows, then clockwise (KP-5.4a, fixed by KP-5.5a and R-KP-01)."""

    A = 0
    B = 1
    C = 2
    D = 3
    E = 4
    F = 5

    def turned(self, sixths: int) -> "Direction":
        """Return the direction so many sixths of a circle further clockwise; 3 turns about."""
        return Direction((self + sixths) % 6)


class Hex(NamedTuple):
    """One hex in axial coordinates, on the map or beyond it; hexes sort by column, then from north to south."""

    q: int
    r: int

    def neighbour(self, direction: Direction, distance_hexes: int = 1) -> "Hex":
        """Return the hex so many hexes away in a direction."""
        step = STEPS[direction]
        return Hex(self.q + step.q * distance_hexes, self.r + step.r * distance_hexes)


STEPS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""What one hex in each direction, A to F, adds to a hex."""


class Hexside(NamedTuple):
    """The side that two adjacent hexes share; the same value from both. Build it with ``between`` or ``of``."""

    low: Hex
    high: Hex

    @classmethod
    def between(cls, a: Hex, b: Hex) -> "Hexside":
        """Return the side that two hexes share. Raises RulesetError if they are not adjacent."""
        if range_hexes(a, b) != 1:
            raise RulesetError(f"hexes {tuple(a)} and {tuple(b)} share no hexside; give two adjacent hexes")
        return cls(min(a, b), max(a, b))

    @classmethod
    def of(cls, space: Hex, direction: Direction) -> "Hexside":
        """Return the side of a hex that faces a direction."""
        return cls.between(space, space.neighbour(direction))


def range_hexes(a: Hex, b: Hex) -> int:
    """Count the steps from one hex to another on an open map, 0 to itself (KP-9.17a)."""
    q, r = b.q - a.q, b.r - a.r
    return max(abs(q), abs(r), abs(q + r))


def direction_to(a: Hex, b: Hex) -> Direction | None:
    """Return the direction in which ``b`` lies straight from ``a``, near or far; None for any other hex."""
    distance_hexes = range_hexes(a, b)
    straight = (each for each in Direction if distance_hexes and a.neighbour(each, distance_hexes) == b)
    return next(straight, None)


def within_arc(centre: Hex, facing: Direction, target: Hex, *, inclusive: bool = True) -> bool:
    """Tell whether the line to the centre of the target is 60 degrees or less off the facing (KP-9.4c, R-KP-33).

    So the arc of 120 degrees starts in the middle of the hex to the left in front and ends in that to the right.
    Without ``inclusive`` the angle must be less than 60 degrees. A hex is in no arc of its own.
    """
    q, r = target.q - centre.q, target.r - centre.r
    left, right = STEPS[facing - 1], STEPS[(facing + 1) % 6]
    of_left, of_right = left.q * r - left.r * q, q * right.r - r * right.q  # positive inside of that edge
    return min(of_left, of_right) >= (0 if inclusive else 1) and (q, r) != (0, 0)


def ring(centre: Hex, radius_hexes: int) -> tuple[Hex, ...]:
    """Return the hexes at exactly this range: clockwise, the northernmost in the column of the centre first.

    Radius 0 gives the centre alone. Raises RulesetError for a negative radius.
    """
    if radius_hexes < 0:
        raise RulesetError(f"a ring of radius {radius_hexes} hexes does not exist; give 0 or more")
    if radius_hexes == 0:
        return (centre,)
    corners = [(centre.neighbour(each, radius_hexes), each.turned(2)) for each in Direction]
    return tuple(corner.neighbour(along, step) for corner, along in corners for step in range(radius_hexes))


def disc(centre: Hex, radius_hexes: int) -> tuple[Hex, ...]:
    """Return the hexes within this range, ring by ring from the centre. Raises RulesetError for a negative radius."""
    inner = chain.from_iterable(ring(centre, each) for each in range(radius_hexes))
    return (*inner, *ring(centre, radius_hexes))


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """Return one hex for each range along the straight line between two centres, both ends included.

    Each is the hex whose centre is nearest to the point so far along. Where two are equally near, as on a line along
    hexsides, the western is taken, or of one column the northern; so ``line(b, a)`` is the same line backwards. For all
    that the line touches see ``sandtable.board.sight``.
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

    ``rows`` is the length of every column, but for the columns that stand lower if ``lower_rows`` is given.
    Raises DataError for a grid without hexes, or one with numbers of more than four digits.
    """

    columns: int
    rows: int
    lower_columns: Literal["even", "odd"] = "even"
    lower_rows: int | None = None
    first_column: int = 1
    first_row: int = 1

    def __post_init__(self) -> None:
        lower_rows = self.rows if self.lower_rows is None else self.lower_rows
        counts = (("columns", self.columns, self.first_column), ("rows", self.rows, self.first_row))
        for key, count, first in (*counts, ("lower_rows", lower_rows, self.first_row)):
            if count < 1 or first < 0 or first + count > 100:
                problem = f"{count} {key.replace('_', ' ')} from {first:02} on"
                raise DataError(WHERE, key, f"{problem} have no numbers of two digits; give 1 or more, up to 99")

    def hex_at(self, number: str) -> Hex:
        """Return the hex of a printed number. Raises DataError unless it is four digits and on the map."""
        if not _NUMBER.fullmatch(number):
            raise DataError(WHERE, shown(number), "is no hex number; give four digits, column and row, such as 0304")
        column, row = int(number[:2]), int(number[2:])
        space = Hex(column, row - self._slant(column))
        if not self.holds(space):
            raise DataError(WHERE, number, f"is off the map; {self._extent(column)}")
        return space

    def number(self, space: Hex) -> str:
        """Return the printed number of a hex. Raises DataError for a hex off the map."""
        if not self.holds(space):
            raise DataError(WHERE, f"hex {tuple(space)}", "is off the map and has no number; ask holds() first")
        return f"{space.q:02}{space.r + self._slant(space.q):02}"

    def hexside_at(self, numbers: str) -> Hexside:
        """Return the hexside of two printed numbers, ``0404/0405`` in either order.

        Raises DataError unless both are on the map and adjacent.
        """
        first, _, second = numbers.partition("/")
        a, b = self.hex_at(first), self.hex_at(second)
        if range_hexes(a, b) != 1:
            raise DataError(WHERE, numbers, "is no hexside; give the numbers of two adjacent hexes, such as 0404/0405")
        return Hexside.between(a, b)

    def hexside_number(self, side: Hexside) -> str:
        """Return the two printed numbers of a hexside, the lower first. Raises DataError if one hex is off the map."""
        return "/".join(sorted(map(self.number, side)))

    def holds(self, space: Hex) -> bool:
        """Tell whether a hex is on the map."""
        row = space.r + self._slant(space.q) - self.first_row
        return 0 <= space.q - self.first_column < self.columns and 0 <= row < self._length(space.q)

    def within(self, spaces: Iterable[Hex]) -> tuple[Hex, ...]:
        """Keep the hexes that are on the map, in the order given."""
        return tuple(filter(self.holds, spaces))

    def hexes(self) -> tuple[Hex, ...]:
        """Return every hex in the order of the printed numbers; its place here is its number for searches."""
        columns = range(self.first_column, self.first_column + self.columns)
        rows = ((column, self.first_row - self._slant(column), self._length(column)) for column in columns)
        return tuple(Hex(column, top + down) for column, top, length in rows for down in range(length))

    def adjacency(self) -> Adjacency:
        """Compile for each hex of ``hexes()`` the sorted places of its neighbours on the map, for ``paths.reach``."""
        spaces = self.hexes()
        places = {space: place for place, space in enumerate(spaces)}
        around = (self.within(ring(space, 1)) for space in spaces)
        return tuple(tuple(sorted(places[each] for each in near)) for near in around)

    def _length(self, column: int) -> int:
        is_lower = column % 2 == (self.lower_columns == "odd")
        return self.lower_rows if is_lower and self.lower_rows is not None else self.rows

    def _slant(self, column: int) -> int:
        """Return the printed row less ``r``: one more for every second column to the east."""
        return (column + 1) // 2 if self.lower_columns == "even" else column // 2

    def _extent(self, column: int) -> str:
        last_column = self.first_column + self.columns - 1
        if not self.first_column <= column <= last_column:
            return f"its columns run from {self.first_column:02} to {last_column:02}"
        last_row = self.first_row + self._length(column) - 1
        return f"the rows of column {column:02} run from {self.first_row:02} to {last_row:02}"
