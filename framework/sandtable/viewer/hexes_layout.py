"""Where hexes lie on the sheet: centres, corners and sides in whole numbers, x to the right and y down.

A hex is 120 from corner to corner and 104 from side to side, which is regular to a thousandth. Columns stand 90 apart.
"""

from collections.abc import Iterator

from sandtable.viewer.hexes_picture import HexPicture, whole_part
from sandtable.viewer.picture import Point

RADIUS, HALF = 60, 52
COLUMN, ROW = 90, 104
MARGIN = 30
"""Paper around the hexes, within the frame."""
CORNERS = ((30, -52), (60, 0), (30, 52), (-30, 52), (-60, 0), (-30, -52))
"""The corners, from the centre; corner n lies between side n and the next, side 0 being the northern."""
SIDES = ((0, -52), (45, -26), (45, 26), (0, 52), (-45, 26), (-45, -26))
"""The middles of the sides A to F, from the centre."""
LETTERS = "ABCDEF"
LEAST_SHEET = 1240
"""Title and legend need so much room, however small the map."""


class Layout:
    """The hexes that are drawn, ``numbers``, sorted; the size of the map in its frame; where each hex has its centre.

    The part that is drawn begins in the frame's corner. ``centre`` has the hexes around it as well, for what runs on.
    ``sheet`` is the width of what stands around the map, ``tenths`` how big it is written, in tenths: a big map is
    looked at from afar.
    """

    def __init__(self, picture: HexPicture) -> None:
        part = picture.part or whole_part(picture.ground)
        grid = picture.ground.grid
        lower = grid.lower_columns == "odd"
        columns, rows = part.last_column - part.first_column + 1, part.last_row - part.first_row + 1
        self.ground = picture.ground
        self.centre: dict[str, Point] = {}
        inside = []
        for number in picture.ground.numbers:
            column, row = int(number[:2]) - part.first_column, int(number[2:]) - part.first_row
            if -1 <= column <= columns and -1 <= row <= rows:
                lowered = HALF if int(number[:2]) % 2 == lower else 0
                self.centre[number] = (MARGIN + RADIUS + column * COLUMN, MARGIN + HALF + row * ROW + lowered)
                if 0 <= column < columns and 0 <= row < rows:
                    inside.append(number)
        self.numbers = tuple(inside)
        self.width = 2 * (MARGIN + RADIUS) + (columns - 1) * COLUMN
        self.height = 2 * MARGIN + rows * ROW + HALF
        self.sheet = max(self.width, LEAST_SHEET)
        self.tenths = max(10, min(16, self.width // 200))

    def corner(self, number: str, corner: int) -> Point:
        """Return a corner of a hex."""
        (x, y), (across, down) = self.centre[number], CORNERS[corner % 6]
        return x + across, y + down

    def side_middle(self, number: str, side: int) -> Point:
        """Return the middle of a side of a hex."""
        (x, y), (across, down) = self.centre[number], SIDES[side]
        return x + across, y + down

    def sides_with(self, feature: str) -> Iterator[tuple[str, int]]:
        """Yield each hexside that has a feature, as a hex that is drawn and the number of its side, once."""
        around = self.ground.around
        for (a, b), features in self.ground.sides.items():
            if feature in features and a in self.centre and (a < b or b not in self.centre):
                yield a, around[a].index(b)


def jitter(at: Point, spread: int, salt: int = 0) -> int:
    """Return a number from -spread to spread that looks random and is always the same for the same point."""
    mixed = (at[0] * 73_856_093) ^ (at[1] * 19_349_663) ^ (salt * 83_492_791)
    return (mixed * 2_654_435_761 >> 9) % (2 * spread + 1) - spread


def nearer(a: Point, b: Point, percent: int) -> Point:
    """Return the point so much of the way from ``a`` to ``b``."""
    return a[0] + (b[0] - a[0]) * percent // 100, a[1] + (b[1] - a[1]) * percent // 100
