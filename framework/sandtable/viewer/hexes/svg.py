"""Draw a map of hexes as one self-contained SVG: terrain, grid, streams, roads, counters, markers, title, legend.

The same picture always gives the same bytes, and every coordinate is an integer.
"""

from typing import NamedTuple

from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.drawing.counters import HexFaces, draw_counters
from sandtable.viewer.hexes.drawing.lines import draw_lines, draw_waters, draw_ways
from sandtable.viewer.hexes.drawing.marks import draw_areas, draw_arrows, draw_marks, draw_spreads
from sandtable.viewer.hexes.drawing.terrain import draw_fields, draw_grid, draw_numbers, draw_places, draw_sites
from sandtable.viewer.hexes.layout import HexLayout
from sandtable.viewer.hexes.legend import draw_legend
from sandtable.viewer.hexes.map_cache import MapCache
from sandtable.viewer.hexes.picture import HexPicture, Part
from sandtable.viewer.hexes.style import HexStyle
from sandtable.viewer.style import INK, PAPER, SANS
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label, text_node

TITLE_HEIGHT, BORDER = 130, 40
"""The space above the map for the title, and around everything for the paper's edge."""


class Printed(NamedTuple):
    """The common elements of all pictures of a part of a map: its layout, and the layers under and over others."""

    layout: HexLayout
    fields: Svg
    lines: Svg
    places: Svg


@MapCache
def _printed(ground: HexMap, part: Part | None, style: HexStyle) -> Printed:
    layout = HexLayout(ground, part)
    over = (draw_grid, draw_waters, draw_ways, draw_lines, draw_sites)
    lines = joined(draw(layout, style) for draw in over)
    return Printed(layout, draw_fields(layout, style), lines, draw_places(layout, style))


@MapCache
def _numbers(ground: HexMap, part: Part | None, style: HexStyle, crowded: frozenset[str]) -> Svg:
    return draw_numbers(_printed(ground, part, style).layout, style, crowded)


def hexes_svg(picture: HexPicture, ident: str = "map") -> str:
    """Return the picture as an SVG document; ``ident`` makes inner names unique if a page has several."""
    style = picture.style
    printed = _printed(picture.ground, picture.part, style)
    layout = printed.layout
    faces = HexFaces(picture, ident)
    legend = draw_legend(picture, layout, faces)
    head = TITLE_HEIGHT * layout.tenths // 10
    wide, high = layout.sheet + 2 * BORDER, layout.height + head + legend.height + 2 * BORDER
    frame: dict[str, Attribute] = {"x": 0, "y": 0, "width": layout.width, "height": layout.height}
    ground = [
        printed.fields,
        draw_areas(layout, picture, under=True),
        printed.lines,
        draw_areas(layout, picture, under=False),
        draw_spreads(layout, picture),
        draw_marks(layout, picture, over=False),
        _numbers(picture.ground, picture.part, style, frozenset(mark.hex for mark in picture.marks)),
        printed.places,
    ]
    pieces = [
        draw_arrows(layout, picture),
        draw_counters(layout, picture, faces),
        draw_marks(layout, picture, over=True),
    ]
    body = [
        element("title", text_node(f"{picture.title}. {picture.subtitle}")),
        element("defs", element("clipPath", element("rect", **frame), id=f"{ident}-frame")),
        faces.defined(),
        element("rect", x=-BORDER, y=-BORDER - head, width=wide, height=high, fill=PAPER),
        element("rect", **frame, fill=style.ground),
        group(ground, clip_path=f"url(#{ident}-frame)"),
        group(pieces, clip_path=f"url(#{ident}-frame)"),
        element("rect", **frame, fill="none", stroke=INK, stroke_width=5),
        _title(picture, layout),
        legend.drawing,
    ]
    view = f"{-BORDER} {-BORDER - head} {wide} {high}"
    inside = Svg(f"\n{joined(body)}\n")
    return element("svg", inside, xmlns="http://www.w3.org/2000/svg", viewBox=view, role="img") + "\n"


def _title(picture: HexPicture, layout: HexLayout) -> Svg:
    """Return the title with the moment under it, over a heavy rule."""
    wide = layout.sheet * 10 // layout.tenths
    bold: dict[str, Attribute] = {"text_anchor": "start", "font_family": SANS, "font_weight": "bold"}
    plain: dict[str, Attribute] = {"text_anchor": "start", "font_family": SANS}
    size = min(72, wide * 16 // (10 * max(1, len(picture.title))))
    small = min(38, wide * 17 // (10 * max(1, len(picture.subtitle))))
    rule = element("rect", x=0, y=-18, width=wide, height=8)
    heading = [label(picture.title, (0, -78), size, bold), label(picture.subtitle, (2, -34), small, plain)]
    return group([*heading, rule], fill=INK, transform=f"scale({layout.tenths // 10}.{layout.tenths % 10})")
