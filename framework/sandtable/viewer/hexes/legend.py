"""Draw the legend under a map of hexes: sides, a sample counter, terrain, signs, notes, counters off the map."""

from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from msgspec import structs

from sandtable.viewer.hexes.drawing.counters import SIZE, HexFaces, draw_counter, draw_tab
from sandtable.viewer.hexes.drawing.lines import Spot, draw_line, draw_way
from sandtable.viewer.hexes.drawing.marks import draw_area, draw_fire, draw_mark, draw_move, draw_supply
from sandtable.viewer.hexes.drawing.outlines import scalloped_path, smooth_path
from sandtable.viewer.hexes.drawing.terrain import SITES, draw_site, reeds_path
from sandtable.viewer.hexes.layout import FLAT, SHAPES, HexLayout, nearer
from sandtable.viewer.hexes.picture import HexEntry, HexMark, HexPicture, HexTray, Sign, Tab
from sandtable.viewer.hexes.style import Fill, LineStyle, Way
from sandtable.viewer.picture import Point, Power
from sandtable.viewer.side_marks import frame, mark_of, outline
from sandtable.viewer.style import ALARM, INK, PAPER, SANS
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label, line_path, polygon_path

ROW, COLUMN, TEXT = 78, 430, 26
GAP, SAMPLE = 40, 150
NOTE_ROW, LETTER = 40, 14
"""The height of a line of notes, and the width of one letter."""
TRAY_STEP, TRAY_ROW = 84, 92
START: dict[str, Attribute] = {"text_anchor": "start"}


class Legend(NamedTuple):
    """A drawing under the map, and its height."""

    drawing: Svg
    height: int


Item = Power | Fill | LineStyle | Way | HexEntry


def draw_legend(picture: HexPicture, layout: HexLayout, faces: HexFaces) -> Legend:
    """Return the legend, notes and trays."""
    wide = layout.sheet * 10 // layout.tenths
    sample, top = _sample(picture, wide, faces)
    parts = [sample]
    columns = max(1, wide // COLUMN)
    items = list(_items(picture, layout))
    for place, item in enumerate(items):
        at = (60 + place % columns * COLUMN, top + ROW // 2 + place // columns * ROW)
        parts += [_sign(item, at, picture), _lettering(item, (at[0] + 72, at[1] + 9), COLUMN - 140)]
    top += -(-len(items) // columns) * ROW
    for note in picture.notes:
        for line in wrap(note, max(20, wide // LETTER)):
            top += NOTE_ROW
            parts.append(label(line, (0, top), TEXT, START))
    for tray in picture.trays:
        drawn, top = _tray(tray, wide, top + NOTE_ROW // 2, faces)
        parts += drawn
    scale = f"scale({layout.tenths // 10}.{layout.tenths % 10})"
    drawing = group(parts, font_family=SANS, fill=INK, transform=f"translate(0 {layout.height + GAP}) {scale}")
    return Legend(drawing, top * layout.tenths // 10 + GAP)


def _items(picture: HexPicture, layout: HexLayout) -> Iterator[Item]:
    """Yield the lines of the legend; features that the map does not have are left out."""
    ground = layout.ground
    kinds = {kind for number in layout.center for kind in ground.grounds[number]}
    features = {each for sides in ground.sides.values() for each in sides}
    yield from picture.powers
    yield Fill(picture.style.plain, picture.style.plain, "", picture.style.ground, picture.style.grid)
    yield from (fill for fill in picture.style.fills if fill.kind in kinds)
    yield from (line for line in picture.style.lines if line.kind in features)
    yield from (way for way in picture.style.ways if way.kind in features)
    areas, arrows = {area.kind for area in picture.areas}, {arrow.kind for arrow in picture.arrows}
    found = {*areas, *arrows, "facing"}
    yield from (entry for entry in picture.legend if not isinstance(entry.sign, str) or entry.sign in found)


def _lettering(item: Item, at: Point, space: int) -> Svg:
    """Return the meaning of an item, in one or two lines."""
    text = item.text if isinstance(item, HexEntry) else item.name
    lines = wrap(text, max(10, space // LETTER + 2)) or [""]
    rise = 16 if len(lines) > 1 else 0
    return joined(label(line, (at[0], at[1] - rise + place * 30), TEXT, START) for place, line in enumerate(lines[:2]))


def _sign(item: Item, at: Point, picture: HexPicture) -> Svg:
    x, y = at
    if isinstance(item, Power):
        mark = mark_of(picture.powers, item.id)
        card = outline(mark, 0, 60, 4, {"fill": item.color, "stroke": INK, "stroke_width": 3})
        return group([card, frame(mark, 1, 58, 4)], transform=f"translate({x - 30} {y - 30})")
    if isinstance(item, Fill):
        return group(_hex_of(item, at, picture))
    if isinstance(item, HexEntry):
        return _entry(item.sign, at, picture)
    if isinstance(item, Way):
        course = line_path([(x - 44, y + 8), (x + 44, y - 8)])
        return joined(draw_way(item, course))
    water = next((line for line in picture.style.lines if line.drawing == "water"), None)
    bank = []
    if water is not None and item.drawing in {"water", "ford", "bridge"}:
        course = f"M{x - 46} {y + 4}Q{x - 20} {y - 12} {x} {y}T{x + 46} {y - 4}"
        shape: dict[str, Attribute] = {"d": course, "fill": "none", "stroke_linecap": "round"}
        bank = [element("path", **shape, stroke=water.edge, stroke_width=15)]
        bank.append(element("path", **shape, stroke=water.color, stroke_width=10))
    return joined([*bank, draw_line(item, Spot(at, 3))])


def _hex_of(fill: Fill, at: Point, picture: HexPicture) -> Iterator[Svg]:
    """Yield one hex of a terrain, small enough for a line of the legend."""
    shape = SHAPES[picture.ground.layout]
    percent = 75 if shape is FLAT else 62
    corners = [(at[0] + x * percent // 100, at[1] + y * percent // 100) for x, y in shape.corners]
    yield element("path", d=polygon_path(corners), fill=picture.style.ground, stroke=picture.style.grid, stroke_width=2)
    if fill.kind == picture.style.plain:
        return
    sides = [(at[0] + x * percent // 100, at[1] + y * percent // 100) for x, y in shape.sides]
    if fill.texture in SITES:
        yield draw_site(fill, at)
        return
    points = [nearer(point, at, 14) for pair in zip(sides, corners, strict=True) for point in pair]
    path = scalloped_path(points) if fill.texture == "trees" else smooth_path(points)
    yield element("path", d=path, fill=fill.color, stroke=fill.edge, stroke_width=3)
    if fill.texture == "reeds":
        tufts = reeds_path((at[0] + x, at[1] + y) for x, y in ((-16, -2), (14, -8), (4, 18)))
        yield element("path", d=tufts, fill="none", stroke=fill.edge, stroke_width=3)
    if fill.texture == "houses":
        spots = ((-20, -16), (6, -20), (-26, 6), (16, 2), (-4, 10))
        houses = "".join(f"M{at[0] + x} {at[1] + y}h14v12h-14z" for x, y in spots)
        yield element("path", d=houses, fill="#7c3f30", stroke="#4d241b", stroke_width=2)


def _entry(sign: Sign, at: Point, picture: HexPicture) -> Svg:
    x, y = at
    if isinstance(sign, Tab):
        return draw_tab(sign, at, 100)
    if isinstance(sign, HexMark):
        return group(
            [draw_mark(sign, (0, 0), SHAPES[picture.ground.layout])], transform=f"translate({x} {y - 4}) scale(0.75)"
        )
    if sign == "facing":
        head = polygon_path([(x - 16, y + 12), (x, y - 16), (x + 16, y + 12)])
        return element("path", d=head, fill=ALARM, stroke=PAPER, stroke_width=2)
    if sign in ("set_up", "leave", "goal", "held", "zone"):
        shape = polygon_path([(x - 38, y - 24), (x + 38, y - 24), (x + 38, y + 24), (x - 38, y + 24)])
        return draw_area(sign, shape, picture.powers[0] if picture.powers else None)
    course = [(x - 42, y + 10), (x + 30, y - 8)]
    color = picture.powers[0].color if picture.powers else PAPER
    if sign == "supply":
        return joined(draw_supply(course, color))
    return joined(draw_move(course, color)) if sign == "move" else draw_fire(course, color, watch=sign == "watch")


def _sample(picture: HexPicture, wide: int, faces: HexFaces) -> tuple[Svg, int]:
    """Return a large sample counter with its figures explained, and its height, or "" and 0 if no counter has all."""
    trays = (counter for tray in picture.trays for counter in tray.counters)
    explained = [place for place, word in enumerate(picture.corner_words) if word]
    counters = (*picture.counters, *trays)
    counter = next((each for each in counters if all(each.corners[place] for place in explained)), None)
    if counter is None or not explained:
        return Svg(""), 0
    plain = structs.replace(counter, tabs=(), facing="", order="", note="", aboard="")
    x = wide // 2 - SAMPLE // 2
    at = tuple((x + across, base, anchor) for base in (42, 120) for across, anchor in ((-24, "end"), (174, "start")))
    words = [
        label(line, (across, base + place * 30), TEXT, {"text_anchor": anchor})
        for text, (across, base, anchor) in zip(picture.corner_words, at, strict=True)
        for place, line in enumerate(wrap(text, max(10, (x - 24) // LETTER)))
    ]
    return joined([draw_counter(plain, (x, 0), SAMPLE, faces), *words]), SAMPLE + GAP


def _tray(tray: HexTray, wide: int, top: int, faces: HexFaces) -> tuple[list[Svg], int]:
    """Return counters off the map in rows under their title, and the position of their end."""
    in_row = max(1, wide // TRAY_STEP)
    parts = [label(tray.title, (0, top + 30), TEXT, START | {"font_weight": "bold"})]
    parts += [
        draw_counter(counter, (place % in_row * TRAY_STEP, top + 46 + place // in_row * TRAY_ROW), SIZE, faces)
        for place, counter in enumerate(tray.counters)
    ]
    return parts, top + 46 + -(-len(tray.counters) // in_row) * TRAY_ROW
