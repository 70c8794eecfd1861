"""Draws what lies on hexsides and between centres: streams, fords, bridges, crests, roads."""

from collections.abc import Iterator

from sandtable.viewer.cells import wavy
from sandtable.viewer.hexes_ground import way_sides
from sandtable.viewer.hexes_layout import CORNERS, SIDES, Layout, nearer
from sandtable.viewer.hexes_style import HexStyle, Line, Way
from sandtable.viewer.picture import Point
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, line_path

ROUND: dict[str, Attribute] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
WATERS = {"water", "ford", "bridge"}
WAVE = 20
"""Pieces of a stream are at least so long."""


def draw_waters(layout: Layout, style: HexStyle) -> Svg:
    """Return the streams, which run on under fords and bridges."""
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
    return group([bank, element("path", d=course, stroke=water.colour, stroke_width=10)], **ROUND)


def draw_lines(layout: Layout, style: HexStyle) -> Svg:
    """Return crests, fords, bridges and plain lines."""
    return joined(
        group(
            (draw_line(line, layout.side_middle(*each), each[1], _lower_side(layout, style, each)) for each in found),
            data_hexside=line.kind,
        )
        for line in style.lines
        if line.drawing != "water" and (found := list(layout.sides_with(line.kind)))
    )


def draw_line(line: Line, middle: Point, side: int, lower: int = 1) -> Svg:
    """Return a feature on side ``side`` of a hex, around the side's middle.

    ``lower`` tells which way the ground falls: 1 out of the hex, -1 into it, 0 neither.
    """
    return Svg("") if line.drawing == "water" else _DRAWN[line.drawing](line, middle, side, lower)


def _frame(side: int) -> tuple[Point, Point]:
    """Return half of a side, along it, and the way from the centre to its middle."""
    (ax, ay), (bx, by) = CORNERS[side - 1], CORNERS[side]
    return ((bx - ax) // 2, (by - ay) // 2), SIDES[side]


def _at(middle: Point, side: int, along: int, out: int) -> Point:
    """Return a point: in hundredths of half a side along it, and of the way from centre to side outward."""
    (ax, ay), (ox, oy) = _frame(side)
    return middle[0] + (ax * along + ox * out) // 100, middle[1] + (ay * along + oy * out) // 100


def _draw_crest(line: Line, middle: Point, side: int, lower: int) -> Svg:
    ridge = line_path([_at(middle, side, -100, 0), _at(middle, side, 100, 0)])
    ticks = "".join(
        line_path([_at(middle, side, along, 0), _at(middle, side, along, 26 * lower or 14)])
        for along in (-75, -45, -15, 15, 45, 75)
    )
    thick = element("path", d=ridge, stroke=line.colour, stroke_width=8)
    return group([element("path", d=ticks, stroke=line.edge, stroke_width=4), thick], **ROUND)


def _draw_ford(line: Line, middle: Point, side: int, _lower: int) -> Svg:
    bars = "".join(
        line_path([_at(middle, side, along, -30), _at(middle, side, along, 30)]) for along in (-45, -15, 15, 45)
    )
    bed = element("path", d=bars, stroke=line.edge, stroke_width=10)
    return group([bed, element("path", d=bars, stroke=line.colour, stroke_width=6)], **ROUND)


def _draw_bridge(line: Line, middle: Point, side: int, _lower: int) -> Svg:
    deck = line_path([_at(middle, side, 0, -32), _at(middle, side, 0, 32)])
    rails = "".join(
        line_path([_at(middle, side, 66 * hand, -46), _at(middle, side, 40 * hand, -28)])
        + line_path([_at(middle, side, 40 * hand, -28), _at(middle, side, 40 * hand, 28)])
        + line_path([_at(middle, side, 40 * hand, 28), _at(middle, side, 66 * hand, 46)])
        for hand in (-1, 1)
    )
    floor = element("path", d=deck, stroke=line.colour, stroke_width=20, stroke_linecap="butt")
    return group([floor, element("path", d=rails, stroke=line.edge, stroke_width=6)], **ROUND)


def _draw_plain(line: Line, middle: Point, side: int, _lower: int) -> Svg:
    course = line_path([_at(middle, side, -100, 0), _at(middle, side, 100, 0)])
    return element("path", d=course, stroke=line.colour, stroke_width=8, **ROUND)


_DRAWN = {"crest": _draw_crest, "ford": _draw_ford, "bridge": _draw_bridge, "line": _draw_plain}


def _lower_side(layout: Layout, style: HexStyle, each: tuple[str, int]) -> int:
    """Tell which way the ground falls at a hexside."""
    number, side = each
    other = layout.ground.around[number][side]
    heights = {fill.kind: fill.height for fill in style.fills}
    here, there = (
        max(heights.get(kind, 0) for kind in layout.ground.grounds.get(each, ("",))) for each in (number, other)
    )
    return (here > there) - (here < there)


# ---------------------------------------------------------------------- ways


def draw_ways(layout: Layout, style: HexStyle) -> Svg:
    """Return the ways: from side to side through the hexes in curves, running out at the map's edge."""
    parts = []
    for way in style.ways:
        course = "".join(_courses(way, layout))
        if course:
            edge = element("path", d=course, stroke=way.edge, stroke_width=way.width)
            bed = element("path", d=course, stroke=way.colour, stroke_width=way.width - 5)
            parts.append(group([edge, bed], data_way=way.kind))
    return group(parts, **ROUND)


def _courses(way: Way, layout: Layout) -> Iterator[str]:
    kinds = frozenset((way.kind,))
    for number, (x, y) in layout.centre.items():
        sides = way_sides(layout, number, kinds)
        ends = [layout.side_middle(number, side) for side in sides]
        if len(sides) == 1 and (beyond := _edge_side(layout, number, sides[0])) is not None:
            out = layout.side_middle(number, beyond)
            ends.append(out)
            yield line_path([out, nearer((x, y), out, 190)])
        if len(ends) == 2:
            # Bent a little less than through the centre, as a road that was surveyed.
            (ax, ay), (bx, by) = ends
            cx, cy = nearer((x, y), ((ax + bx) // 2, (ay + by) // 2), 12)
            yield f"M{ax} {ay}Q{cx} {cy} {bx} {by}"
        else:
            yield from (f"M{x} {y}L{ax} {ay}" for ax, ay in ends)


def _edge_side(layout: Layout, number: str, side: int) -> int | None:
    """Return the side by which a way that ends in a hex of the map's edge leaves the map: nearly straight on."""
    around = layout.ground.around[number]
    return next((way for turn in (3, 2, 4) if not around[(way := (side + turn) % 6)]), None)
