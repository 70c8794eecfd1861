"""Draw the ground of a map of hexes: terrain, the grid, printed numbers, and names of places."""

from collections.abc import Iterable, Iterator

from sandtable.viewer.hexes.drawing.outlines import drawn_points, outlines, scalloped_path, smooth_path
from sandtable.viewer.hexes.layout import FLAT, HALF, HexLayout, jitter, nearer
from sandtable.viewer.hexes.style import Fill, HexStyle
from sandtable.viewer.picture import Point
from sandtable.viewer.style import INK, SANS, SERIF
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label, mixed, text_node

NUMBER_SIZE, NUMBER_BASE = 15, -35
"""The height of printed numbers, and their position below the upper side of a hex."""
NAME_BASE = 56
"""The position of a name below the center of its hex; one or two counters end above it."""
GIVES_WAY = 22
"""The distance by which a printed number moves aside."""
TREES = ((-32, -14), (-8, -20), (20, -16), (34, 4), (-38, 10), (-14, 4), (10, 2), (-24, 28), (2, 26), (24, 26))
LOTS = (
    (-36, -10),
    (-16, -24),
    (12, -24),
    (34, -8),
    (-40, 12),
    (-16, -2),
    (12, 0),
    (36, 14),
    (-20, 22),
    (6, 24),
    (-2, 40),
)
"""Possible positions of trees and houses, relative to the center of a hex; they avoid the printed number."""
CITY_BLOCKS = ((-24, -8), (-7, -24), (-7, -7), (10, -16), (-16, 10), (8, 3), (2, 19))
SITES = {"town", "city"}
"""The textures that are signs in the middle of a hex."""


def draw_fields(layout: HexLayout, style: HexStyle) -> Svg:
    """Return all fields of terrain, from the lowest kind to the topmost."""
    known = {fill.kind for fill in style.fills}
    strange = sorted({kind for kinds in layout.ground.terrain.values() for kind in kinds} - known - {style.plain})
    fills = [*style.fills, *(Fill(kind, kind, kind[:1], "#d8d2c4", "#8f8873") for kind in strange)]
    return joined(group(_field(fill, layout, style), data_terrain=fill.kind) for fill in fills)


def _field(fill: Fill, layout: HexLayout, style: HexStyle) -> Iterator[Svg]:
    """Yield the fields of one kind."""
    ground = layout.ground
    kinds = {fill.kind, *(each.kind for each in style.fills if fill.height and each.height > fill.height)}
    hexes = frozenset(number for number in layout.center if kinds.intersection(ground.grounds[number]))
    if not hexes or fill.texture in SITES:
        return
    name = fill.joined_by
    path = scalloped_path if fill.texture == "trees" else smooth_path
    found = outlines(hexes, layout, lambda a, b: not name or name in ground.side_of(a, b))
    shape = "".join(path(drawn_points(outline, layout)) for outline in found)
    if fill.texture == "trees":  # a shadow on the side away from the light
        yield element("path", d=shape, fill=fill.edge, transform="translate(4 5)")
    yield element("path", d=shape, fill=fill.color, stroke=fill.edge, stroke_width=3, stroke_linejoin="round")
    if name:
        yield _over_sides(fill, layout, hexes)
    if fill.texture == "trees":
        yield element("path", d=_trees(layout, hexes), fill="none", stroke=fill.edge, stroke_width=3)
    if fill.texture == "reeds":
        yield element("path", d=_reeds(layout, hexes), fill="none", stroke=fill.edge, stroke_width=3)
    if fill.texture == "houses":
        yield element("path", d=_houses(layout, hexes, style), fill="#7c3f30", stroke="#4d241b", stroke_width=2)


def _over_sides(fill: Fill, layout: HexLayout, hexes: frozenset[str]) -> Svg:
    """Return patches for terrain on a hexside that is not between two hexes of it."""
    around = layout.ground.around
    lone = [(a, side) for a, side in layout.sides_with(fill.joined_by) if not {a, around[a][side]} <= hexes]
    patches = (layout.side_middle(number, side) for number, side in lone)
    ink: dict[str, Attribute] = {"fill": fill.color, "stroke": fill.edge, "stroke_width": 3}
    return group((element("circle", cx=x, cy=y, r=17) for x, y in patches), **ink)


def _trees(layout: HexLayout, hexes: frozenset[str]) -> str:
    spots = _scattered(layout, hexes, TREES, 5)
    return "".join(f"M{x - 7} {y}a7 7 0 0 1 14 0" for x, y in spots)


def _reeds(layout: HexLayout, hexes: frozenset[str]) -> str:
    return reeds_path((x, y + 8) for x, y in _scattered(layout, hexes, TREES[::2], 6))


def _scattered(layout: HexLayout, hexes: frozenset[str], spots: Iterable[Point], aside: int) -> Iterator[Point]:
    """Yield the ``spots`` of each hex, moved by up to ``aside`` to either side and 5 up or down."""
    for number in sorted(hexes):
        cx, cy = layout.center[number]
        for x, y in spots:
            at = (cx + x, cy + y)
            yield at[0] + jitter(at, aside), at[1] + jitter(at, 5, 1)


def reeds_path(spots: Iterable[Point]) -> str:
    """Return path data of tufts of reed, each over a line of water."""
    return "".join(f"M{x - 12} {y}h24M{x} {y - 3}v-11M{x - 5} {y - 3}l-4-8M{x + 5} {y - 3}l4-8" for x, y in spots)


def _houses(layout: HexLayout, hexes: frozenset[str], style: HexStyle) -> str:
    """Return the houses of a town as one path; no house is on a road."""
    parts, roads = [], frozenset(way.kind for way in style.ways if way.drawing == "road")
    for number in sorted(hexes):
        cx, cy = layout.center[number]
        streets = [layout.shape.sides[side] for side in way_sides(layout, number, roads)]
        for x, y in LOTS:
            at = (cx + x, cy + y)
            wide, high = 13 + jitter(at, 3), 11 + jitter(at, 3, 1)
            if all(_is_clear((x, y), street) for street in streets):
                parts.append(f"M{at[0] - wide // 2} {at[1] - high // 2}h{wide}v{high}h-{wide}z")
    return "".join(parts)


def _is_clear(spot: Point, street: Point) -> bool:
    """Return whether a house at a spot is clear of the street from the center to the middle of a side."""
    points = (nearer((0, 0), street, percent) for percent in range(0, 101, 20))
    return all((x - spot[0]) ** 2 + (y - spot[1]) ** 2 > 18**2 for x, y in points)


def draw_sites(layout: HexLayout, style: HexStyle) -> Svg:
    """Return the towns and cities that are signs in the middle of their hex."""
    parts = []
    for fill in style.fills:
        if fill.texture in SITES:
            held = [number for number in layout.numbers if fill.kind in layout.ground.grounds[number]]
            signs = (draw_site(fill, layout.center[number]) for number in held)
            parts.append(group(signs, data_terrain=fill.kind))
    return joined(parts)


def draw_site(fill: Fill, middle: Point) -> Svg:
    """Return the sign of a town or a city."""
    x, y = middle
    ink: dict[str, Attribute] = {"fill": fill.color, "stroke": fill.edge, "stroke_width": 4}
    if fill.texture == "town":
        return element("circle", cx=x, cy=y, r=11, **ink)
    blocks = "".join(f"M{x + across} {y + down}h14v14h-14z" for across, down in CITY_BLOCKS)
    return element("path", d=blocks, **ink | {"stroke_width": 3})


def way_sides(layout: HexLayout, number: str, kinds: frozenset[str]) -> list[int]:
    """Return the sides over which roads of these kinds leave a hex."""
    sides = layout.ground.sides
    return [
        side
        for side, other in enumerate(layout.ground.around[number])
        if other and not kinds.isdisjoint(sides.get((number, other), ()))
    ]


# ---------------------------------------------------------------------- printed over the terrain


def draw_grid(layout: HexLayout, style: HexStyle) -> Svg:
    """Return the lines between hexes: each hex draws three of its sides, and the others if no neighbor does."""
    drawn = frozenset(layout.numbers)
    parts = []
    for number in layout.numbers:
        x, y = layout.center[number]
        parts.append(
            f"M{x - 30} {y + 52}l-30-52 30-52h60" if layout.shape is FLAT else f"M{x - 52} {y + 30}v-60l52-30 52 30"
        )
        for side in (1, 2, 3):
            if layout.ground.around[number][side] not in drawn:
                (ax, ay), (bx, by) = layout.shape.corners[side - 1], layout.shape.corners[side]
                parts.append(f"M{x + ax} {y + ay}l{bx - ax} {by - ay}")
    return element("path", d="".join(parts), fill="none", stroke=style.grid, stroke_width=2, stroke_linejoin="round")


def draw_numbers(layout: HexLayout, style: HexStyle, crowded: frozenset[str] = frozenset()) -> Svg:
    """Return the printed numbers, with a background if something runs under one, and in ``crowded`` hexes.

    A number moves aside for a name at the foot of a hex above it.
    """
    named = _named(layout) if style.place_names == "in" else frozenset()
    kinds = frozenset((*(way.kind for way in style.ways), *(line.kind for line in style.lines)))
    top = {0} if layout.shape is FLAT else {0, 5}
    parts = []
    for number in layout.numbers:
        x, y = layout.center[number]
        x += _aside(layout, number, named)
        if number in crowded or not top.isdisjoint(way_sides(layout, number, kinds)):
            parts.append(label(number, (x, y + NUMBER_BASE), NUMBER_SIZE, {}, style.ground))
        else:
            parts.append(element("text", text_node(number), x=x, y=y + NUMBER_BASE))
    letters: dict[str, Attribute] = {"font_family": SANS, "font_size": NUMBER_SIZE, "text_anchor": "middle"}
    return group(parts, fill=style.numbers, **letters)


def _named(layout: HexLayout) -> frozenset[str]:
    """Return the hexes that contain a name: the first hex of each place."""
    return frozenset(hexes[0] for hexes in layout.ground.places.values())


def _aside(layout: HexLayout, number: str, named: frozenset[str]) -> int:
    """Return the distance that a number moves east (or west) from the names in the two hexes above it."""
    if layout.shape is FLAT:
        return 0
    around = layout.ground.around[number]
    return GIVES_WAY * ((around[5] in named) - (around[0] in named))


def draw_places(layout: HexLayout, style: HexStyle) -> Svg:
    """Return the names of places, over their hexes or in them, depending on the style."""
    parts = []
    for name, hexes in layout.ground.places.items():
        centres = [layout.center[number] for number in hexes if number in layout.center]
        if centres:
            parts.append(
                _name_in(name, centres, style) if style.place_names == "in" else _name_over(name, centres, style)
            )
    return group(parts, font_family=SERIF)


def _name_over(name: str, centres: list[Point], style: HexStyle) -> Svg:
    """Return a name over the northern edge of its hexes, or under the southern one at the map's edge."""
    x = sum(x for x, _ in centres) // len(centres)
    top, low = min(y for _, y in centres), max(y for _, y in centres)
    y = top - HALF - 12 if top > 3 * HALF else low + HALF + 40
    ink: dict[str, Attribute] = {"font_style": "italic", "font_weight": "bold", "fill": INK}
    return label(name, (x, y), 34, ink, mixed(style.ground, "#ffffff", 40))


def _name_in(name: str, centres: list[Point], style: HexStyle) -> Svg:
    """Return a name at the foot of its first hex; the longer the name, the smaller."""
    x, y = centres[0]
    ink: dict[str, Attribute] = {"font_style": "italic", "font_weight": "bold", "fill": INK}
    return label(name, (x, y + NAME_BASE), max(14, min(21, 150 // len(name))), ink, mixed(style.ground, "#ffffff", 40))
