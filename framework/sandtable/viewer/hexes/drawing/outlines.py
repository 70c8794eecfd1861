"""Fields of terrain: the outline around connected hexes, drawn as if by hand.

An outline stays within its hexes and leaves a strip free along every side that it does not cross, which shows the
hexsides that are covered.
"""

from collections.abc import Callable, Iterator
from math import isqrt
from typing import NamedTuple

from sandtable.viewer.hexes.layout import HexLayout, jitter, nearer
from sandtable.viewer.picture import Point

INSET = 12
"""Distance of an outline from its hexes' corners and sides, in percent of the distance to the center."""


class Edge(NamedTuple):
    """A side of a hex that is part of an outline, and the hexes that are crossed to reach the next one, if any."""

    hex: str
    side: int
    crossed: tuple[str, ...] = ()


IsJoined = Callable[[str, str], bool]


def outlines(hexes: frozenset[str], layout: HexLayout, is_joined: IsJoined) -> Iterator[list[Edge]]:
    """Yield the closed outlines of a set of hexes, each clockwise, holes counter-clockwise.

    ``is_joined`` returns whether two adjacent hexes of the set are one field.
    """
    around = layout.ground.around

    def beyond(number: str, side: int) -> str:
        other = around[number][side]
        return other if other in hexes and is_joined(number, other) else ""

    left = {(number, side): None for number in sorted(hexes) for side in range(6) if not beyond(number, side)}
    while left:
        start = number, side = next(iter(left))
        found: list[Edge] = []
        while True:
            del left[number, side]
            here, crossed = (number, side), []
            side = (side + 1) % 6
            while other := beyond(number, side):
                crossed.append(number)
                number, side = other, (side + 4) % 6
            found.append(Edge(*here, (*crossed, number) if crossed else ()))
            if (number, side) == start:
                break
        yield found


def drawn_points(outline: list[Edge], layout: HexLayout) -> list[Point]:
    """Return the points of an outline, two for each side: its middle, and the corner after it."""
    points = []
    for edge in outline:
        center = layout.center[edge.hex]
        middle = layout.side_middle(edge.hex, edge.side)
        points.append(nearer(middle, center, INSET + jitter(middle, 4)))
        corner = layout.corner(edge.hex, edge.side)
        points.append(nearer(corner, _towards(edge, layout), INSET + jitter(corner, 4, 1)))
    return points


def _towards(edge: Edge, layout: HexLayout) -> Point:
    """Return the point that the corner after an edge is moved toward: into the field, in either direction of turn."""
    crossed = edge.crossed or (edge.hex,)
    inner = crossed[1:-1] or crossed
    centres = [layout.center[number] for number in inner]
    return sum(x for x, _ in centres) // len(centres), sum(y for _, y in centres) // len(centres)


def smooth_path(points: list[Point]) -> str:
    """Return path data of a closed curve along all points."""
    x, y = nearer(points[-1], points[0], 50)
    parts = [f"M{x} {y}"]
    for place, (across, down) in enumerate(points):
        end = nearer((across, down), points[(place + 1) % len(points)], 50)
        parts.append(f"Q{across} {down} {end[0]} {end[1]}")
    return "".join(parts) + "Z"


def scalloped_path(points: list[Point]) -> str:
    """Return path data of a closed, scalloped outline, like the edge of a wood."""
    x, y = points[-1]
    parts = [f"M{x} {y}"]
    for across, down in points:
        length = isqrt((across - x) ** 2 + (down - y) ** 2)
        radius = max(3, length * 58 // 100)
        parts.append(f"A{radius} {radius} 0 0 1 {across} {down}")
        x, y = across, down
    return "".join(parts) + "Z"
