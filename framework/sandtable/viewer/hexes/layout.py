"""The position of hexes on the sheet: centers, corners and sides as integers, x to the right and y down.

A hex is 120 from corner to corner and 104 from side to side, which is regular to a thousandth. With straight columns it
has a flat top, and columns are 90 apart. With straight rows it has a pointed top, and rows are 90 apart.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.picture import Part, whole_part
from sandtable.viewer.picture import Point

RADIUS, HALF = 60, 52
RANK, STEP = 90, 104
"""The distance between straight columns or rows, and between the hexes in one."""
MARGIN = 30
"""The paper around the hexes, within the frame."""


class Shape(NamedTuple):
    """The shape of hexes relative to the center: the middles of sides A to F, and the corner after each, clockwise."""

    sides: tuple[Point, ...]
    corners: tuple[Point, ...]


FLAT = Shape(
    ((0, -52), (45, -26), (45, 26), (0, 52), (-45, 26), (-45, -26)),
    ((30, -52), (60, 0), (30, 52), (-30, 52), (-60, 0), (-30, -52)),
)
POINTED = Shape(
    ((26, -45), (52, 0), (26, 45), (-26, 45), (-52, 0), (-26, -45)),
    ((52, -30), (52, 30), (0, 60), (-52, 30), (-52, -30), (0, -60)),
)
SHAPES = {"columns": FLAT, "rows": POINTED}
LETTERS = "ABCDEF"
LEAST_SHEET = 1240
"""Minimum width for title and legend, even for a small map."""


class HexLayout:
    """The layout of a hex map or a part of it: shapes, centers and the size of the frame.

    ``numbers`` are the drawn hexes, sorted; the part begins in the corner of the frame. ``center`` also has the hexes
    around the part, for lines that continue there. ``sheet`` is the width of the text around the map. ``tenths`` is the
    scale of that text in tenths, because a big map is viewed from a distance.
    """

    def __init__(self, ground: HexMap, part: Part | None = None) -> None:
        part = part or whole_part(ground)
        columns, rows = part.last_column - part.first_column + 1, part.last_row - part.first_row + 1
        self.ground = ground
        self.shape = SHAPES[ground.layout]
        self.center: dict[str, Point] = {}
        inside = []
        for number in ground.numbers:
            column, row = ground.grid.column_and_row(number)
            column, row = column - part.first_column, row - part.first_row
            if -1 <= column <= columns and -1 <= row <= rows:
                self.center[number] = self._center(number, part)
                if 0 <= column < columns and 0 <= row < rows:
                    inside.append(number)
        self.numbers = tuple(inside)
        if self.shape is FLAT:
            self.width = 2 * (MARGIN + RADIUS) + (columns - 1) * RANK
            self.height = 2 * MARGIN + rows * STEP + HALF
        else:
            self.width = 2 * MARGIN + columns * STEP + HALF
            self.height = 2 * (MARGIN + RADIUS) + (rows - 1) * RANK
        self.sheet = max(self.width, LEAST_SHEET)
        self.tenths = max(10, min(16, self.width // 200))

    def _center(self, number: str, part: Part) -> Point:
        """Return the center of a hex on the sheet."""
        grid = self.ground.grid
        column, row = grid.column_and_row(number)
        down, aside = row - part.first_row, column - part.first_column
        if self.shape is FLAT:
            lowered = HALF if column % 2 == (grid.lower_columns == "odd") else 0
            return MARGIN + RADIUS + aside * RANK, MARGIN + HALF + down * STEP + lowered
        if grid.columns_grow == "west":
            aside = part.last_column - column
        further = HALF if row % 2 == (grid.eastern_rows == "odd") else 0
        return MARGIN + HALF + aside * STEP + further, MARGIN + RADIUS + down * RANK

    def corner(self, number: str, corner: int) -> Point:
        """Return a corner of a hex."""
        (x, y), (across, down) = self.center[number], self.shape.corners[corner % 6]
        return x + across, y + down

    def side_middle(self, number: str, side: int) -> Point:
        """Return the middle of a side of a hex."""
        (x, y), (across, down) = self.center[number], self.shape.sides[side]
        return x + across, y + down

    def sides_with(self, feature: str) -> Iterator[tuple[str, int]]:
        """Yield each hexside with a feature once, as a drawn hex and the number of its side."""
        around = self.ground.around
        for (a, b), features in self.ground.sides.items():
            if feature in features and a in self.center and (a < b or b not in self.center):
                yield a, around[a].index(b)


def jitter(at: Point, spread: int, salt: int = 0) -> int:
    """Return a number from -spread to spread that looks random but depends only on the point."""
    mixed = (at[0] * 73_856_093) ^ (at[1] * 19_349_663) ^ (salt * 83_492_791)
    return (mixed * 2_654_435_761 >> 9) % (2 * spread + 1) - spread


def nearer(a: Point, b: Point, percent: int) -> Point:
    """Return the point at ``percent`` of the distance from ``a`` to ``b``."""
    return a[0] + (b[0] - a[0]) * percent // 100, a[1] + (b[1] - a[1]) * percent // 100
