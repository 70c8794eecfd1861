"""Draw features on hexsides and between centers: streams, fords, bridges, crests, roads."""

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.viewer.areas.cells import wavy
from sandtable.viewer.hexes.drawing.terrain import way_sides
from sandtable.viewer.hexes.layout import FLAT, HexLayout, Shape, nearer
from sandtable.viewer.hexes.style import HexStyle, LineStyle, Way
from sandtable.viewer.picture import Point
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, line_path

ROUND: dict[str, Attribute] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
WATERS = {"water", "ford", "bridge"}
TIES: dict[str, Attribute] = {"stroke_dasharray": "3 10", "stroke_linecap": "butt"}
GAPS: dict[str, Attribute] = {"stroke_dasharray": "16 16", "stroke_linecap": "butt"}
"""The dash patterns of the ties of a track and of the gaps of a railway."""
WAVE = 20
"""Minimum length of a piece of a stream."""


def draw_waters(layout: HexLayout, style: HexStyle) -> Svg:
    """Return the streams, which continue under fords and bridges."""
    courses = [
        line_path(wavy(layout.corner(number, side - 1), layout.corner(number, side), WAVE))
        for line in style.lines
        if line.drawing in WATERS
        for number, side in layout.sides_with(line.kind)
    ]
    water = next((line for line in style.lines if line.drawing == "water"), None)
    if water is None or not courses:
        return Svg("")
    course = "".join(courses)
    bank = element("path", d=course, stroke=water.edge, stroke_width=15)
    return group([bank, element("path", d=course, stroke=water.color, stroke_width=10)], **ROUND)


class Spot(NamedTuple):
    """The position of a feature on side ``side`` of a hex, around the side's ``middle``.

    ``lower`` is the direction in which the ground falls: 1 out of the hex, -1 into it, 0 neither.
    """

    middle: Point
    side: int
    shape: Shape = FLAT
    lower: int = 1

    def at(self, along: int, out: int) -> Point:
        """Return a point, in hundredths of half the side along it, and of the distance from center to side outward."""
        (ax, ay), (bx, by) = self.shape.corners[self.side - 1], self.shape.corners[self.side]
        ox, oy = self.shape.sides[self.side]
        x, y = (bx - ax) // 2 * along + ox * out, (by - ay) // 2 * along + oy * out
        return self.middle[0] + x // 100, self.middle[1] + y // 100


def draw_lines(layout: HexLayout, style: HexStyle) -> Svg:
    """Return crests, fords, bridges, borders and plain lines."""
    parts = []
    for line in style.lines:
        if line.drawing != "water":
            spots = [_spot(layout, style, each) for each in layout.sides_with(line.kind)]
            parts.append(group((draw_line(line, spot) for spot in spots), data_hexside=line.kind))
    return joined(parts)


def draw_line(line: LineStyle, spot: Spot) -> Svg:
    """Return a feature on a side of a hex, or "" for water, which is drawn from side to side."""
    return Svg("") if line.drawing == "water" else _DRAWN[line.drawing](line, spot)


def _spot(layout: HexLayout, style: HexStyle, each: tuple[str, int]) -> Spot:
    return Spot(layout.side_middle(*each), each[1], layout.shape, _lower_side(layout, style, each))


def _draw_crest(line: LineStyle, spot: Spot) -> Svg:
    ridge = line_path([spot.at(-100, 0), spot.at(100, 0)])
    ticks = "".join(
        line_path([spot.at(along, 0), spot.at(along, 26 * spot.lower or 14)]) for along in (-75, -45, -15, 15, 45, 75)
    )
    thick = element("path", d=ridge, stroke=line.color, stroke_width=8)
    return group([element("path", d=ticks, stroke=line.edge, stroke_width=4), thick], **ROUND)


def _draw_ford(line: LineStyle, spot: Spot) -> Svg:
    bars = "".join(line_path([spot.at(along, -30), spot.at(along, 30)]) for along in (-45, -15, 15, 45))
    bed = element("path", d=bars, stroke=line.edge, stroke_width=10)
    return group([bed, element("path", d=bars, stroke=line.color, stroke_width=6)], **ROUND)


def _draw_bridge(line: LineStyle, spot: Spot) -> Svg:
    deck = line_path([spot.at(0, -32), spot.at(0, 32)])
    rails = "".join(
        line_path([spot.at(66 * hand, -46), spot.at(40 * hand, -28)])
        + line_path([spot.at(40 * hand, -28), spot.at(40 * hand, 28)])
        + line_path([spot.at(40 * hand, 28), spot.at(66 * hand, 46)])
        for hand in (-1, 1)
    )
    floor = element("path", d=deck, stroke=line.color, stroke_width=20, stroke_linecap="butt")
    return group([floor, element("path", d=rails, stroke=line.edge, stroke_width=6)], **ROUND)


def _draw_plain(line: LineStyle, spot: Spot) -> Svg:
    course = line_path([spot.at(-100, 0), spot.at(100, 0)])
    return element("path", d=course, stroke=line.color, stroke_width=8, **ROUND)


def _draw_border(line: LineStyle, spot: Spot) -> Svg:
    course = line_path([spot.at(-100, 0), spot.at(100, 0)])
    band = element("path", d=course, stroke=line.color, stroke_width=14, stroke_opacity="0.55")
    return group([band, element("path", d=course, stroke=line.edge, stroke_width=4, stroke_dasharray="12 8")], **ROUND)


_DRAWN = {
    "crest": _draw_crest,
    "ford": _draw_ford,
    "bridge": _draw_bridge,
    "line": _draw_plain,
    "border": _draw_border,
}


def _lower_side(layout: HexLayout, style: HexStyle, each: tuple[str, int]) -> int:
    """Return the direction in which the ground falls at a hexside."""
    number, side = each
    other = layout.ground.around[number][side]
    heights = {fill.kind: fill.height for fill in style.fills}
    here, there = (
        max(heights.get(kind, 0) for kind in layout.ground.grounds.get(each, ("",))) for each in (number, other)
    )
    return (here > there) - (here < there)


# ---------------------------------------------------------------------- roads, railways and tracks


def draw_ways(layout: HexLayout, style: HexStyle) -> Svg:
    """Return the roads, railways and tracks: curves from side to side through the hexes, to the map's edge.

    Railways and tracks cover roads, and are in a separate group, because some programs cannot unset round line ends.
    """
    parts: dict[bool, list[Svg]] = {True: [], False: []}
    for way in style.ways:
        course = "".join(_courses(way, layout, style))
        if course:
            parts[way.drawing == "road"].append(group(draw_way(way, course), data_way=way.kind))
    return joined([group(parts[True], **ROUND), group(parts[False], fill="none", stroke_linejoin="round")])


def draw_way(way: Way, course: str) -> Iterator[Svg]:
    """Yield a road, railway or track along a course (path data)."""
    if way.drawing == "track":
        yield element("path", d=course, stroke=way.edge, stroke_width=max(3, way.width // 3))
        yield element("path", d=course, stroke=way.edge, stroke_width=way.width, **TIES)
    else:
        yield element("path", d=course, stroke=way.edge, stroke_width=way.width)
        gaps = GAPS if way.drawing == "rail" else {}
        yield element("path", d=course, stroke=way.color, stroke_width=way.width - 5, **gaps)


def _courses(way: Way, layout: HexLayout, style: HexStyle) -> Iterator[str]:
    kinds = frozenset((way.kind,))
    for number, center in layout.center.items():
        sides = way_sides(layout, number, kinds)
        ends = [layout.side_middle(number, side) for side in sides]
        if len(sides) == 1:
            if joining := _joining_end(way, layout, style, (number, sides[0])):
                yield _bend(ends[0], joining, center, half=True)
                continue
            if (beyond := _edge_side(layout, number, sides[0])) is not None:
                out = layout.side_middle(number, beyond)
                ends.append(out)
                yield line_path([out, nearer(center, out, 190)])
        if len(ends) == 2:
            yield _bend(ends[0], ends[1], center)
        else:
            yield from (f"M{center[0]} {center[1]}L{x} {y}" for x, y in ends)


def _bend(a: Point, b: Point, center: Point, *, half: bool = False) -> str:
    """Return a course from side to side, bent a little less than through the center, or its first half.

    It looks like a surveyed road.
    """
    x, y = nearer(center, nearer(a, b, 50), 12)
    if half:
        middle = (a[0] + 2 * x + b[0]) // 4, (a[1] + 2 * y + b[1]) // 4
        (x, y), b = nearer(a, (x, y), 50), middle
    return f"M{a[0]} {a[1]}Q{x} {y} {b[0]} {b[1]}"


def _joining_end(way: Way, layout: HexLayout, style: HexStyle, each: tuple[str, int]) -> Point | None:
    """Return the point at which another kind of road or railway continues this one, or None if none does."""
    number, side = each
    alike = frozenset(other.kind for other in style.ways if (other.drawing == "road") == (way.drawing == "road"))
    beyond = [other for other in way_sides(layout, number, alike) if other != side]
    return layout.side_middle(number, beyond[0]) if len(beyond) == 1 else None


def _edge_side(layout: HexLayout, number: str, side: int) -> int | None:
    """Return the side by which a road that ends at the map's edge leaves the map, nearly straight ahead, or None."""
    around = layout.ground.around[number]
    return next((way for turn in (3, 2, 4) if not around[(way := (side + turn) % 6)]), None)
