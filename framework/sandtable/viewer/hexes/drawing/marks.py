"""Draw markers and arrows on a map of hexes: entrenchments, wrecks, impacts, moves, fire."""

from collections.abc import Iterator
from itertools import pairwise, takewhile
from math import isqrt

from sandtable.viewer.hexes.drawing.outlines import outlines
from sandtable.viewer.hexes.layout import HexLayout, Shape
from sandtable.viewer.hexes.picture import AreaKind, HexArrow, HexMark, HexPicture
from sandtable.viewer.picture import Point, Power
from sandtable.viewer.side_marks import MARKS as SIDE_MARKS
from sandtable.viewer.side_marks import SideMark, mark_of, stitch
from sandtable.viewer.style import ALARM, FLAME, FLAME_EDGE, INK, PAPER, SANS
from sandtable.viewer.svg import (
    Attribute,
    Svg,
    element,
    group,
    joined,
    label,
    line_path,
    mixed,
    polygon_path,
    text_node,
)

MARKS = ("entrenchment", "wreck", "impact")
"""The markers with their own drawing."""
GOAL = "#d9a400"
DASHES: dict[AreaKind, str] = {"set_up": "22 10", "leave": "8 8", "goal": "30 8 6 8", "zone": "4 12"}
TINTS: dict[AreaKind, str] = {"set_up": "0.30", "held": "0.30", "zone": "0.30"}
"""The opacity of an area's tint in the color of its side."""
UNDER = {"held", "zone"}
"""The areas that are drawn under roads."""
EARTH, EARTH_DARK = "#8a6a3f", "#4f3a1f"
STITCHED = 140
"""The size of the stitches of areas and arrows, as for a counter of that size."""
_BURST = ((0, -22), (5, -8), (16, -17), (11, -4), (24, -2), (12, 5), (18, 17), (6, 11), (1, 24), (-5, 11), (-17, 17),
          (-11, 5), (-24, 2), (-11, -5), (-17, -16), (-5, -9))  # fmt: skip
_HULK = "M-20 12H16L20 6L12 2L14-4L6-2L4-8L-6-6L-8-1L-15 0L-14 5L-22 7Z"
_SMOKE = "M-4-8C-14-14 0-18-8-26C4-24 2-16 8-12C6-6 2-4-4-8Z"


def draw_mark(mark: HexMark, middle: Point, shape: Shape, *, aside: bool = False) -> Svg:
    """Return a marker around ``middle`` in a hex of the shape; ``aside`` leaves space for a counter."""
    x, y = middle
    title = element("title", text_node(mark.note or mark.kind))
    if mark.kind == "entrenchment":
        return group([title, _trench(middle, shape)], data_mark=mark.kind)
    if mark.kind == "wreck":
        x, y = (x - 34, y + 38) if aside else (x, y + 10)
        hulk = element("path", d=_HULK, fill="#2b2723", stroke=PAPER, stroke_width=2)
        smoke = element("path", d=_SMOKE, fill="#6d6760", stroke=PAPER, stroke_width=1)
        return group([title, smoke, hulk], data_mark=mark.kind, transform=f"translate({x} {y})")
    if mark.kind == "impact":
        at = f"translate({x + 40} {y - 34}) scale(0.8)" if aside else f"translate({x} {y + 4})"
        burst = element("path", d=polygon_path(_BURST), fill=FLAME, stroke=FLAME_EDGE, stroke_width=3)
        letters: dict[str, Attribute] = {"font_family": SANS, "font_weight": "bold", "fill": PAPER}
        return group([title, burst, label(mark.letter[:1], (0, 7), 18, letters)], data_mark=mark.kind, transform=at)
    letters = {"font_family": SANS, "font_weight": "bold", "fill": INK}
    plate = element("rect", x=x - 20, y=y + 22, width=40, height=24, rx=4, fill=PAPER, stroke=INK, stroke_width=2)
    return group([title, plate, label(mark.letter[:3], (x, y + 41), 18, letters)], data_mark=mark.kind)


def _trench(middle: Point, shape: Shape) -> Svg:
    """Return a ring of earth within the hex, toothed outward."""
    x, y = middle
    ring = polygon_path((x + a * 86 // 100, y + b * 86 // 100) for a, b in shape.corners)
    inner = polygon_path((x + a * 78 // 100, y + b * 78 // 100) for a, b in shape.corners)
    teeth = element("path", d=ring, stroke=EARTH_DARK, stroke_width=9, stroke_dasharray="5 6")
    return group([teeth, element("path", d=inner, stroke=EARTH, stroke_width=7)], fill="none")


def draw_spreads(layout: HexLayout, picture: HexPicture) -> Svg:
    """Return a tint on each hex that a marker affects."""
    hexes = sorted({number for mark in picture.marks for number in mark.spread} & layout.center.keys())
    shapes = (polygon_path(layout.corner(number, corner) for corner in range(6)) for number in hexes)
    tint = element("path", d="".join(shapes), fill=FLAME, fill_opacity="0.20", stroke=ALARM, stroke_width=2)
    return tint if hexes else Svg("")


def draw_areas(layout: HexLayout, picture: HexPicture, *, under: bool) -> Svg:
    """Return the areas: a line around their hexes, and a tint for those of a side.

    With ``under`` they are held areas and zones, which are drawn under roads; without it, all others.
    """
    parts = []
    for area in picture.areas:
        if (area.kind in UNDER) != under:
            continue
        hexes = frozenset(area.hexes) & layout.center.keys()
        rings = outlines(hexes, layout, lambda _a, _b: True)
        shape = "".join(polygon_path(layout.corner(edge.hex, edge.side) for edge in ring) for ring in rings)
        if shape:
            mark = mark_of(picture.powers, area.owner)
            parts.append(draw_area(area.kind, shape, picture.power(area.owner), mark, area.note))
    return joined(parts)


def draw_area(kind: AreaKind, shape: str, power: Power | None, mark: SideMark = SIDE_MARKS[0], note: str = "") -> Svg:
    """Return an area of the given shape (path data); ``mark`` is that of its side."""
    color = power.color if power and kind != "goal" else GOAL
    fill: dict[str, Attribute] = {
        "fill": color if kind in TINTS else "none",
        "fill_opacity": TINTS.get(kind, "0.30"),
    }
    dark = mixed(color, "#000000", 35)
    line: dict[str, Attribute] = {"stroke": dark, "stroke_width": 7, "stroke_dasharray": DASHES.get(kind, "none")}
    if kind == "held":
        line |= {"stroke": color, "stroke_width": 4, "stroke_opacity": "0.70"}
    area = element("path", d=shape, **fill, **line, stroke_linejoin="round")
    title = element("title", text_node(note)) if note else Svg("")
    side = stitch(mark, shape, 3, STITCHED) if kind != "goal" else Svg("")
    return group([title, area, side], data_area=kind)


def draw_marks(layout: HexLayout, picture: HexPicture, *, over: bool) -> Svg:
    """Return the markers under the counters or, with ``over``, those over them (impacts)."""
    held, inside = {counter.hex for counter in picture.counters}, frozenset(layout.numbers)
    return joined(
        draw_mark(mark, layout.center[mark.hex], layout.shape, aside=mark.hex in held)
        for mark in sorted(picture.marks, key=lambda mark: (mark.hex, mark.kind))
        if mark.hex in inside and (mark.kind == "impact") == over
    )


# ---------------------------------------------------------------------- arrows


def draw_arrows(layout: HexLayout, picture: HexPicture) -> Svg:
    """Return moves as arrows in their side's color, fire as dashes, watches as dots, supply lines as thin lines."""
    parts = []
    for arrow in picture.arrows:
        path = arrow.path
        if arrow.kind == "supply":  # it may continue beyond the part that is drawn
            path = tuple(takewhile(layout.center.__contains__, path))
        if len(path) > 1 and all(number in layout.center for number in path):
            course = [layout.center[number] for number in path]
            parts.append(group(_arrow(arrow, picture, course), data_arrow=arrow.kind))
    return joined(parts)


def _arrow(arrow: HexArrow, picture: HexPicture, course: list[Point]) -> Iterator[Svg]:
    power = picture.power(arrow.owner)
    color = power.color if power else PAPER
    if arrow.kind == "move":
        yield from draw_move(course, color, mark_of(picture.powers, arrow.owner))
    elif arrow.kind == "supply":
        yield from draw_supply(course, color)
    else:
        yield draw_fire(course, color, watch=arrow.kind == "watch")


def draw_move(course: list[Point], color: str, mark: SideMark = SIDE_MARKS[0]) -> Iterator[Svg]:
    """Yield an arrow along a course; ``mark`` is that of its side."""
    (x, y), (end_x, end_y) = course[-2], course[-1]
    across, down = end_x - x, end_y - y
    length = max(1, isqrt(across**2 + down**2))
    neck = (end_x - across * 24 // length, end_y - down * 24 // length)
    tip = (end_x + across * 8 // length, end_y + down * 8 // length)
    left = (neck[0] - down * 17 // length, neck[1] + across * 17 // length)
    right = (neck[0] + down * 17 // length, neck[1] - across * 17 // length)
    shaft: dict[str, Attribute] = {"d": line_path([*course[:-1], neck]), "fill": "none", "stroke_linejoin": "round"}
    yield element("path", **shaft, stroke=INK, stroke_width=15)
    yield element("path", d=polygon_path([left, tip, right]), fill=color, stroke=INK, stroke_width=4)
    yield element("path", **shaft, stroke=color, stroke_width=10)
    yield stitch(mark, str(shaft["d"]), 5, STITCHED)


def draw_supply(course: list[Point], color: str) -> Iterator[Svg]:
    """Yield a supply line: thin, with chevrons from the source to the force, and a ring around the source."""
    dark = mixed(color, "#000000", 55)
    chevrons = []
    for (x, y), (ahead_x, ahead_y) in pairwise(reversed(course)):
        across, down = ahead_x - x, ahead_y - y
        middle_x, middle_y = x + across * 55 // 100, y + down * 55 // 100
        back_x, back_y, aside_x, aside_y = across // 9, down // 9, -down // 11, across // 11
        tips = [(middle_x - back_x + aside_x * hand, middle_y - back_y + aside_y * hand) for hand in (1, -1)]
        chevrons.append(line_path([tips[0], (middle_x, middle_y), tips[1]]))
    x, y = course[-1]
    ring = element("circle", cx=x, cy=y, r=16, stroke=dark, stroke_width=5)
    line: dict[str, Attribute] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    yield group(
        [
            element("path", d=line_path(course), stroke=PAPER, stroke_width=12),
            element("path", d=line_path(course), stroke=dark, stroke_width=6),
            element("path", d="".join(chevrons), stroke=dark, stroke_width=7),
            ring,
        ],
        **line,
    )


def draw_fire(course: list[Point], color: str, *, watch: bool) -> Svg:
    """Return a line of fire with a ring around its target, red with a core in ``color``; dotted for a ``watch``."""
    x, y = course[-1]
    dashes: dict[str, Attribute] = {"stroke_dasharray": "1 15" if watch else "20 11"}
    line: dict[str, Attribute] = {"d": line_path([course[0], course[-1]]), **dashes}
    outer = [element("path", **line), element("circle", cx=x, cy=y, r=20)]
    core = [element("path", **line), element("circle", cx=x, cy=y, r=20)]
    around = group(outer, stroke=ALARM, stroke_width=8)
    return group([around, group(core, stroke=color, stroke_width=3)], fill="none", stroke_linecap="round")
