"""Draw an area map as one self-contained SVG: ground, coast, roads, places with counters, title and legend.

The same picture always gives the same bytes, and every coordinate is an integer.
"""

from collections.abc import Iterator
from functools import lru_cache

from sandtable.viewer.areas.cells import Side, cells, wavy
from sandtable.viewer.areas.connectors import draw_ways
from sandtable.viewer.areas.legend import draw_legend, legend_height
from sandtable.viewer.areas.places import AreaFaces, draw_place
from sandtable.viewer.picture import Picture, Place, Point
from sandtable.viewer.style import (
    BARRIER_INK,
    BORDER_INK,
    COAST_INK,
    DESERT,
    HATCH_INK,
    INK,
    PAPER,
    SANS,
    SEA,
    SEA_INK,
    SERIF,
    SHOALS,
    WASTE,
)
from sandtable.viewer.svg import Svg, element, group, joined, label, line_path, mixed, polygon_path, text_node

TITLE_HEIGHT = 100


def areas_svg(picture: Picture, ident: str = "map") -> str:
    """Return the picture as an SVG document; ``ident`` makes inner names unique if a page has several."""
    faces = AreaFaces(picture, ident)
    wide, high = picture.width, picture.height + TITLE_HEIGHT + legend_height(picture)
    frame = {"x": 0, "y": 0, "width": wide, "height": picture.height}
    body = [
        element("title", text_node(f"{picture.title}. {picture.subtitle}")),
        element("defs", *patterns(ident), element("clipPath", element("rect", **frame), id=f"{ident}-frame")),
        faces.defined(),
        element("rect", x=0, y=-TITLE_HEIGHT, width=wide, height=high, fill=PAPER),
        group([_ground(picture, ident), draw_ways(picture)], clip_path=f"url(#{ident}-frame)"),
        group((draw_place(place, picture, faces) for place in picture.places), font_family=SERIF),
        element("rect", **frame, fill="none", stroke=INK, stroke_width=6),
        _title(picture),
        draw_legend(picture, faces),
    ]
    view = f"0 {-TITLE_HEIGHT} {wide} {high}"
    inside = Svg(f"\n{joined(body)}\n")
    return element("svg", inside, xmlns="http://www.w3.org/2000/svg", viewBox=view, role="img") + "\n"


def patterns(ident: str) -> Iterator[Svg]:
    """Yield the hatchings: single lines for ground that only planes may cross, crossed lines for closed ground."""
    single = element("path", d="M0 24L24 0", stroke=HATCH_INK, stroke_width=4)
    crossed = element("path", d="M0 24L24 0M0 0L24 24", stroke=HATCH_INK, stroke_width=4)
    for name, lines in (("no_land", single), ("closed", crossed)):
        yield element("pattern", lines, id=f"{ident}-{name}", width=24, height=24, patternUnits="userSpaceOnUse")


def _ground(picture: Picture, ident: str) -> Svg:
    """Return the sea, the land and the cells of the places, with the borders between them."""
    sides = cells(tuple((place.x, place.y) for place in picture.places), picture.width, picture.height)
    fields = [field(place, around, picture, ident) for place, around in zip(picture.places, sides, strict=True)]
    land = [*(piece for pair in fields for piece in pair), *borders(picture, sides)]
    if not picture.coast:
        return joined(land)
    cut = element("defs", clip_land(picture, ident))
    return joined([cut, water(picture), group(land, clip_path=f"url(#{ident}-land)"), coast(picture)])


def clip_land(picture: Picture, ident: str) -> Svg:
    """Return the outline of the land as a clip path."""
    return element("clipPath", element("path", d=_shore(picture.coast)), id=f"{ident}-land")


def water(picture: Picture) -> Svg:
    """Return the sea, lighter along the coast, or "" if all is land."""
    if not picture.coast:
        return Svg("")
    shore = _shore(picture.coast)
    sea = element("rect", x=0, y=0, width=picture.width, height=picture.height, fill=SEA)
    shoals = (element("path", d=shore, stroke=color, stroke_width=wide) for color, wide in SHOALS)
    return group([sea, group(shoals, fill="none", stroke_linejoin="round")])


def coast(picture: Picture) -> Svg:
    """Return the line of the coast and the names of seas, or "" if all is land."""
    if not picture.coast:
        return Svg("")
    shore = _shore(picture.coast)
    line = element("path", d=shore, fill="none", stroke=COAST_INK, stroke_width=5, stroke_linejoin="round")
    captions = (
        label(each.text, (each.x, each.y), each.size, {"fill": SEA_INK, "font_style": "italic", "letter_spacing": 3})
        for each in picture.captions
    )
    return joined([line, group(captions, font_family=SERIF)])


@lru_cache(maxsize=16)
def _shore(coast: tuple[Point, ...]) -> str:
    """Return the path of a coast. It is cached, because it is the same in every picture of a map."""
    points: list[Point] = []
    for place, start in enumerate(coast):
        points += wavy(start, coast[place - len(coast) + 1], 24)[:-1]
    return polygon_path(points)


def field(place: Place, sides: tuple[Side, ...], picture: Picture, ident: str) -> tuple[Svg, ...]:
    """Return the ground of a place in its owner's tint; closed ground is hatched."""
    if not sides:
        return ()
    outline = _outline(sides)
    power = picture.power(place.owner)
    tint = WASTE if place.ground != "open" else power.tint if power else DESERT
    plain = element("path", d=outline, fill=tint, stroke=tint, stroke_width=2)
    if place.ground == "open":
        return (plain,)
    return plain, element("path", d=outline, fill=f"url(#{ident}-{place.ground})")


@lru_cache(maxsize=1024)
def _outline(sides: tuple[Side, ...]) -> str:
    return polygon_path([point for side in sides for point in _course(side)[:-1]])


@lru_cache(maxsize=1024)
def _border(side: Side) -> str:
    return line_path(_course(side))


def _course(side: Side) -> list[Point]:
    return [side.start, side.end] if side.beyond < 0 else wavy(side.start, side.end)


def borders(picture: Picture, sides: tuple[tuple[Side, ...], ...]) -> Iterator[Svg]:
    """Yield the borders: a thin line if a link crosses it, a heavy one if not."""
    number = {place.id: at for at, place in enumerate(picture.places)}
    linked = {(number[link.a], number[link.b]) for link in picture.links if {link.a, link.b} <= number.keys()}
    open_borders: list[str] = []
    barriers: list[str] = []
    for here, around in enumerate(sides):
        for side in around:
            if side.beyond > here:
                pair = (here, side.beyond)
                is_open = pair in linked or pair[::-1] in linked
                (open_borders if is_open else barriers).append(_border(side))
    shape = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    if open_borders:
        yield element("path", d="".join(open_borders), stroke=BORDER_INK, stroke_width=3, **shape)
    if barriers:
        yield element("path", d="".join(barriers), stroke=mixed(BARRIER_INK, DESERT, 40), stroke_width=14, **shape)
        yield element("path", d="".join(barriers), stroke=BARRIER_INK, stroke_width=7, **shape)


def _title(picture: Picture) -> Svg:
    heading = label(picture.title, (28, -32), 56, {"text_anchor": "start", "font_family": SERIF, "font_weight": "bold"})
    right = {"text_anchor": "end", "font_family": SANS}
    return group([heading, label(picture.subtitle, (picture.width - 28, -36), 36, right)], fill=INK)
