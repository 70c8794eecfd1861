"""Area maps that are laid out by hand: the position of each area, and the coast."""

from typing import NamedTuple

from sandtable.viewer.picture import Caption, Point

FAR = 400
"""The distance outside the drawing of the corners of the land that are not on the coast."""


class AreaLayout(NamedTuple):
    """The size of a drawing, the point of each area, the outline of the land (none: all is land), and names of seas."""

    width: int
    height: int
    at: dict[str, Point]
    coast: tuple[Point, ...] = ()
    captions: tuple[Caption, ...] = ()


def positions(table: str) -> dict[str, Point]:
    """Return points by area from a table such as "gazala 640 380, acroma 880 500"."""
    rows = (row.split() for row in table.split(","))
    return {area: (int(x), int(y)) for area, x, y in rows}


def land_south_of(coast: str, width: int, height: int) -> tuple[Point, ...]:
    """Return the outline of the land south of a coast, "0 240, 150 215, ..", given from west to east."""
    shore = [(int(x), int(y)) for x, y in (row.split() for row in coast.split(","))]
    (_, west), (_, east) = shore[0], shore[-1]
    low = height + FAR
    return (*shore, (width + FAR, east), (width + FAR, low), (-FAR, low), (-FAR, west))
