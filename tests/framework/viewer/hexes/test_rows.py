"""Maps of straight rows as drawings and as text: the same picture turned, and features of operational maps."""

import re
from collections import Counter
from typing import Any, Literal

import pytest
from battlefield import SVG, counter, named, sheet, texts, tip_of, tree
from battlefield import picture as battlefield
from msgspec import structs

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.drawing.counters import caption
from sandtable.viewer.hexes.drawing.faces import SYMBOLS
from sandtable.viewer.hexes.layout import HexLayout
from sandtable.viewer.hexes.picture import HexArea, HexArrow, HexCounter, HexMark, HexPicture, Part, Tab, part_around
from sandtable.viewer.hexes.style import OPERATIONAL
from sandtable.viewer.hexes.svg import hexes_svg
from sandtable.viewer.hexes.text import hexes_text
from sandtable.viewer.picture import Power

WEST = Power("west", "Westerners", "W", "#8a9a7b", "#c5d0b5")
EAST = Power("east", "Easterners", "E", "#c98a5b", "#e8cba8")

GROUND = HexMap(
    "theatre",
    HexGrid(6, 5, layout="rows", columns_grow="west", first_row=20),
    terrain={"2003": ("marsh",), "2104": ("forest",), "2205": ("town",), "2202": ("major_city",), "2302": ("city",)},
    hexsides={
        "2206/2205": ("rail", "converted_rail"),
        "2205/2204": ("rail",),
        "2204/2203": ("rail",),
        "2203/2202": ("rail",),
        "2203/2303": ("rail",),
        "2203/2304": ("river",),
        "2103/2104": ("river",),
        "2105/2005": ("frontier",),
    },
    places={"Velikiye Luki": ("2205",), "Rzhev": ("2202",)},
)


def division(ident: str, number: str, owner: str = "west", **more: Any) -> HexCounter:
    plain = HexCounter(ident, owner, number, "armor", "armor", "a", ("", "", "7", "6"), type_words="armor")
    return structs.replace(plain, **{"caption": f"{ident} Pz", "echelon": "XX"} | more)


def theatre(**more: Any) -> HexPicture:
    """Return a front of four hexes: a stack, a single division, two enemies, and a hex that both are in."""
    counters = (
        division("3", "2204"),
        division("4", "2204", tabs=(Tab("D", "demoralised"),)),
        division("18", "2305", symbol="infantry", letter="i"),
        division("16", "2103", "east", symbol="infantry", letter="i", echelon="XXX"),
        division("20", "2203"),
        division("21", "2203", "east"),
    )
    whole = HexPicture(
        title="A theatre",
        subtitle="Turn 3",
        ground=GROUND,
        powers=(WEST, EAST),
        counters=counters,
        style=OPERATIONAL,
        corner_words=("", "", "strength", "movement"),
    )
    return structs.replace(whole, **more)


def layout_of(grid: HexGrid) -> HexLayout:
    return HexLayout(HexMap("m", grid))


# ---------------------------------------------------------------------- geometry

GRIDS = [
    HexGrid(5, 4),
    HexGrid(5, 4, "odd"),
    HexGrid(5, 4, layout="rows"),
    HexGrid(5, 4, layout="rows", columns_grow="west", first_row=20),
    HexGrid(5, 5, layout="rows", eastern_rows="even", eastern_columns=4),
    HexGrid(4, 5, layout="rows", columns_grow="west", eastern_rows="even"),
]


@pytest.mark.parametrize("grid", GRIDS)
def test_neighbors_share_their_corners_in_every_layout(grid: HexGrid) -> None:
    layout = layout_of(grid)
    ground = layout.ground
    for number in ground.numbers:
        corners = {layout.corner(number, each) for each in range(6)}
        assert len(corners) == 6
        for side, other in enumerate(ground.around[number]):
            if other:
                mine = {layout.corner(number, side - 1), layout.corner(number, side)}
                assert mine == corners & {layout.corner(other, each) for each in range(6)}
                assert layout.side_middle(number, side) == layout.side_middle(other, (side + 3) % 6)


@pytest.mark.parametrize("grid", GRIDS)
def test_all_hexes_are_within_the_frame(grid: HexGrid) -> None:
    layout = layout_of(grid)
    points = [layout.corner(number, each) for number in layout.numbers for each in range(6)]
    assert (min(x for x, _ in points), min(y for _, y in points)) == (30, 30)
    assert max(x for x, _ in points) <= layout.width - 30
    assert max(y for _, y in points) <= layout.height - 30


def segments(path: str) -> Counter[frozenset[tuple[int, int]]]:
    """Walk a path of M, l, h and v, and count the pieces of it."""
    found: Counter[frozenset[tuple[int, int]]] = Counter()
    x = y = 0
    for letter, rest in re.findall(r"([Mlhv])([^Mlhv]*)", path):
        figures = [int(each) for each in re.findall(r"-?\d+", rest)]
        steps = {
            "M": [],
            "h": [(figures[0], 0)],
            "v": [(0, figures[0])],
            "l": list(zip(figures[::2], figures[1::2], strict=False)),
        }[letter]
        if letter == "M":
            x, y = figures
        for across, down in steps:
            found[frozenset(((x, y), (x + across, y + down)))] += 1
            x, y = x + across, y + down
    return found


@pytest.mark.parametrize("grid", GRIDS)
def test_every_hexside_is_drawn_once(grid: HexGrid) -> None:
    bare = theatre(ground=HexMap("m", grid), counters=(), style=structs.replace(OPERATIONAL, grid="#123456"))
    layout = HexLayout(bare.ground, bare.part)
    (path,) = [
        each.get("d", "")
        for each in tree(hexes_svg(bare)).iter(f"{SVG}path")
        if each.get("stroke") == "#123456" and each.get("fill") == "none"
    ]
    sides = {
        frozenset((layout.corner(number, side - 1), layout.corner(number, side)))
        for number in layout.numbers
        for side in range(6)
    }
    assert segments(path) == Counter(sides)


@pytest.mark.parametrize(
    ("ground", "start", "end", "across", "down"),
    [
        (GROUND, "2001", "2101", 52, 90),
        (GROUND, "2002", "2001", 104, 0),
        (HexMap("even", HexGrid(3, 3, layout="rows", eastern_rows="even")), "0201", "0101", -52, -90),
        (HexMap("even", HexGrid(3, 3, layout="rows", eastern_rows="even")), "0101", "0102", 104, 0),
        (HexMap("columns", HexGrid(3, 3)), "0101", "0201", 90, 52),
        (HexMap("columns", HexGrid(3, 3)), "0101", "0301", 180, 0),
        (HexMap("odd", HexGrid(3, 3, lower_columns="odd")), "0201", "0101", -90, 52),
    ],
)
def test_rows_or_columns_are_shifted_by_half_a_hex(
    ground: HexMap, start: str, end: str, across: int, down: int
) -> None:
    center = HexLayout(ground).center
    assert (center[end][0] - center[start][0], center[end][1] - center[start][1]) == (across, down)


@pytest.mark.parametrize(
    ("facing", "across", "down"),
    [("A", 1, -1), ("B", 1, 0), ("C", 1, 1), ("D", -1, 1), ("E", -1, 0), ("F", -1, -1)],
)
def test_an_arrow_shows_where_a_gun_faces(facing: str, across: int, down: int) -> None:
    x, y = tip_of(hexes_svg(theatre(counters=(division("3", "2204", symbol="gun", facing=facing),))))
    center = HexLayout(GROUND).center["2204"]
    away = x - center[0], y - center[1]
    assert ((away[0] > 9) - (away[0] < -9), (away[1] > 9) - (away[1] < -9)) == (across, down)


# ---------------------------------------------------------------------- content of the map


def test_picture_of_rows_is_drawn_completely() -> None:
    drawing = hexes_svg(theatre())
    assert [text for text in texts(drawing) if re.fullmatch("[0-9]{4}", text)] == list(GROUND.numbers)
    assert named(drawing, "data-terrain") == ["marsh", "forest", "major_city", "town", "city"]
    assert named(drawing, "data-hexside") == ["frontier"]
    assert named(drawing, "data-way") == ["rail", "converted_rail"]
    for word in ("Velikiye Luki", "Rzhev", "3 Pz", "XX", "XXX", "strength", "movement", "railway, converted"):
        assert word in texts(drawing), word
    assert drawing == hexes_svg(theatre())
    paths = [each.get("d", "") for each in tree(drawing).iter(f"{SVG}path")]
    assert not [path for path in paths if "." in path]


def test_partial_map_has_its_columns_and_rows() -> None:
    drawing = hexes_svg(theatre(part=Part(2, 21, 4, 22)))
    numbers = [text for text in texts(drawing) if re.fullmatch("[0-9]{4}", text)]
    assert numbers == ["2102", "2103", "2104", "2202", "2203", "2204"]
    big = HexMap("big", HexGrid(40, 30, layout="rows", columns_grow="west"))
    far = theatre(ground=big, counters=(division("1", "1010"), division("2", "2520")))
    assert part_around(far) == Part(8, 8, 22, 27)


def test_control_and_zones_are_below_roads_and_goals_above() -> None:
    areas = (HexArea("goal", ("2202",)), HexArea("held", ("2204", "2205"), "west"), HexArea("zone", ("2104",), "west"))
    drawing = hexes_svg(theatre(areas=areas))
    order = re.findall(r'data-(?:area|way)="(\w+)"', drawing)
    assert order == ["held", "zone", "rail", "converted_rail", "goal"]


def test_supply_line_is_drawn_up_to_the_edge_of_the_part() -> None:
    line = HexArrow("supply", "west", ("2203", "2204", "2205", "2206"))
    drawing = hexes_svg(theatre(arrows=(line,), part=Part(1, 20, 3, 24)))
    assert named(drawing, "data-arrow") == ["supply"]
    assert named(hexes_svg(theatre(arrows=(line,), part=Part(1, 20, 1, 21))), "data-arrow") == []
    assert (
        named(hexes_svg(theatre(arrows=(structs.replace(line, kind="move"),), part=Part(1, 20, 2, 24))), "data-arrow")
        == []
    )


def test_railways_of_two_kinds_meet_in_one_curve() -> None:
    ground = HexMap("m", GROUND.grid, hexsides={"2204/2205": ("converted_rail",), "2204/2304": ("rail",)})
    drawing, layout = hexes_svg(theatre(ground=ground, counters=())), HexLayout(ground)
    ends = []
    for kind, side in (("converted_rail", 4), ("rail", 2)):
        (group,) = [each for each in tree(drawing).iter(f"{SVG}g") if each.get("data-way") == kind]
        x, y = layout.side_middle("2204", side)
        ends += re.findall(rf"M{x} {y}Q-?[0-9]+ -?[0-9]+ ([0-9]+) ([0-9]+)", group[0].get("d", ""))
    (a, b), (c, d) = [(int(across), int(down)) for across, down in ends]
    assert max(abs(a - c), abs(b - d)) <= 1


def test_towns_are_drawn_over_the_railways_that_join_them() -> None:
    order = re.findall(r'data-(?:way|terrain)="(\w+)"', hexes_svg(theatre()))
    assert order == ["marsh", "forest", "major_city", "rail", "converted_rail", "town", "city"]


def test_long_name_in_a_hex_is_drawn_smaller() -> None:
    drawing = hexes_svg(theatre())
    sizes = {each.text: int(each.get("font-size", "0")) for each in tree(drawing).iter(f"{SVG}text")}
    assert sizes["Velikiye Luki"] < sizes["Rzhev"] <= 21
    x, y = HexLayout(theatre().ground).center["2202"]
    (name,) = [
        each for each in tree(drawing).iter(f"{SVG}text") if each.text == "Rzhev" and not each.get("aria-hidden")
    ]
    assert (name.get("x"), int(name.get("y", "0")) > y) == (str(x), True)


def test_caption_replaces_name_and_number() -> None:
    assert caption(division("3", "2204")) == "3 Pz"
    assert caption(counter("94", "0402")) == "PzII 94"


def test_legend_explains_counter_figures_that_have_a_label() -> None:
    drawing = texts(hexes_svg(theatre()))
    assert "strength" in drawing
    assert "" not in drawing
    assert "strength" not in texts(hexes_svg(theatre(counters=(division("3", "2204", corners=("", "", "", "6")),))))


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_symbol_has_a_drawing(symbol: str) -> None:
    drawing = hexes_svg(theatre(counters=(division("3", "2204", symbol=symbol),), corner_words=("", "", "", "")))
    assert symbol[:6] not in texts(drawing)


def test_an_entrenchment_has_the_shape_of_the_hex() -> None:
    drawing = hexes_svg(theatre(marks=(HexMark("entrenchment", "2204"),), counters=()))
    x, y = HexLayout(theatre().ground).center["2204"]
    assert f"L{x} {y + 60 * 86 // 100}L" in drawing


# ---------------------------------------------------------------------- as text

WHOLE = """\
      06  05  04  03  02  01
20     .   .   .   "   .   .
            '
21       .   .   % ~Ei   .   .

22     + = o !Wa2-WE2- #   .
                  ~ \\
23       .  Wi   .   +   O   .

24     .   .   .   .   .   .

      06  05  04  03  02  01
"""


def test_map_shows_shifted_rows_and_hexside_features() -> None:
    drawing = hexes_text(theatre())
    assert sheet(drawing) == WHOLE
    for sign in (
        "2 3.. more than one",
        "+ - / \\ railway",
        "+ = railway, converted",
        "~ river",
        "o town",
        "# major city",
        "  2204 3  3 Pz",
    ):
        assert sign in drawing, sign
    assert "+ | / \\ road" in hexes_text(battlefield()), "the other layout keeps its own strokes"


@pytest.mark.parametrize("width", [40, 60, 120])
@pytest.mark.parametrize(("grow", "numbers"), [("west", range(60, 0, -1)), ("east", range(1, 61))])
def test_wide_map_is_drawn_in_strips_from_west_to_east(
    grow: Literal["west", "east"], numbers: range, width: int
) -> None:
    big = HexMap("big", HexGrid(60, 9, layout="rows", columns_grow=grow))
    lines = hexes_text(theatre(ground=big, counters=()), width).splitlines()
    assert max(map(len, lines)) <= width
    heads = [line.split() for line in lines if re.fullmatch(r" +[0-9]{2}(  [0-9]{2})*", line)]
    assert [int(each) for head in heads[::2] for each in head] == list(numbers)


def test_marker_is_in_its_hex_or_after_the_counters() -> None:
    held = theatre(marks=(HexMark("works", "2305", letter="w"), HexMark("works", "2001", letter="w")))
    rows = hexes_text(held).splitlines()
    assert any("Wiw" in row for row in rows)
    assert any(row.startswith("20") and row.endswith("w") for row in rows)
    crowd = tuple(division(str(number), "2204") for number in range(10))
    assert "Wa+" in hexes_text(theatre(counters=crowd))
