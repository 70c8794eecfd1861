"""The SVG of a map of hexes: all of the picture is on it, words stay words, the same picture gives the same bytes."""

import re

import pytest
from battlefield import GROUND, PINNED, SVG, WOODS, counter, named, picture, texts, tip_of, tree
from work import lines_run

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.drawing.counters import stands
from sandtable.viewer.hexes.layout import HexLayout
from sandtable.viewer.hexes.picture import HexArea, HexArrow, HexMark, HexPicture, Part, part_around, whole_part
from sandtable.viewer.hexes.svg import hexes_svg


def test_picture_of_columns_is_drawn_completely() -> None:
    drawing = hexes_svg(picture())
    assert [text for text in texts(drawing) if re.fullmatch("[0-9]{4}", text)] == list(GROUND.numbers)
    assert named(drawing, "data-hex") == ["0402", "0605", "0703"]
    assert named(drawing, "data-counter")[:4] == ["94", "105", "26", "38"]
    assert named(drawing, "data-terrain") == ["slope", "hilltop", "woods", "town"]
    assert named(drawing, "data-hexside") == ["ford", "crest"]
    assert named(drawing, "data-way") == ["road"]
    assert named(drawing, "data-arrow") == ["move", "fire"]
    assert named(drawing, "data-area") == ["goal"]
    for word in ("A test", "Turn 2", "Hill 1", "PzII 94", "25mm 38", "D2", "A note.", "Reds to come", "PzII 95"):
        assert word in texts(drawing), word


def test_tooltip_describes_a_counter() -> None:
    told = [each.text for each in tree(hexes_svg(picture())).iter(f"{SVG}title")]
    for tooltip in ("PzII 94: disrupted, level 2", "PzII 105: A2", "25mm 38: facing E", "a wreck", "the goal"):
        assert tooltip in told


def test_legend_explains_only_visible_features() -> None:
    words = texts(hexes_svg(picture()))
    for there in ("Reds", "Blues", "clear", "woods", "town", "slope", "hilltop", "stream", "ford", "crest", "road"):
        assert words.count(there) == 1, there
    assert "pinned" in words
    assert "fire plotted" in words
    assert "bridge" not in words
    assert "ways out" not in words
    assert {"attack", "range", "defence", "movement"} <= set(words)


@pytest.mark.parametrize("where", ["title", "note", "place", "counter", "tab", "mark", "area"])
def test_markup_in_names_stays_text(where: str) -> None:
    nasty = "<script>alert('1')</script>&\"]]>\x00"
    shown = {
        "title": picture(title=nasty),
        "note": picture(notes=(nasty,)),
        "place": picture(ground=HexMap("field", HexGrid(3, 3), places={nasty: ("0202",)}), areas=()),
        "counter": picture(counters=(counter(nasty, "0402", name=nasty, symbol=nasty, note=nasty),)),
        "tab": picture(counters=(counter("1", "0402", tabs=(PINNED.__class__(nasty, nasty),)),)),
        "mark": picture(marks=(HexMark(nasty, "0402", note=nasty, letter=nasty),)),
        "area": picture(areas=(HexArea("goal", ("0402",), note=nasty),)),
    }[where]
    drawing = hexes_svg(shown)
    assert "<script" not in drawing
    assert not list(tree(drawing).iter(f"{SVG}script"))


def test_same_picture_gives_the_same_bytes_and_integers() -> None:
    drawing = hexes_svg(picture())
    assert drawing == hexes_svg(picture())
    paths = [each.get("d", "") for each in tree(drawing).iter(f"{SVG}path")]
    assert paths
    assert not [path for path in paths if "." in path]
    assert hexes_svg(picture(), "other") != drawing
    assert set(re.findall(r'(?:id|href|clip-path)="(?:#|url\(#)?(\w+)-', hexes_svg(picture(), "other"))) == {"other"}


def test_every_reference_has_its_definition() -> None:
    drawing = hexes_svg(picture())
    wanted = set(re.findall(r'href="#([\w-]+)"', drawing)) | set(re.findall(r"url\(#([\w-]+)\)", drawing))
    assert wanted <= set(named(drawing, "id"))
    assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")


def test_identical_counters_share_one_drawing() -> None:
    many = tuple(counter(str(number), number) for number in GROUND.numbers)
    drawing = hexes_svg(picture(counters=many, trays=()))
    assert len(list(tree(drawing).iter(f"{SVG}symbol"))) == 1
    assert len(list(tree(drawing).iter(f"{SVG}use"))) == len(many) + 1  # and the sample in the legend


# ---------------------------------------------------------------------- geometry


@pytest.mark.parametrize("count", [1, 2, 3, 4, 9])
@pytest.mark.parametrize("caption", ["", "3 Pz"])
def test_counters_of_one_hex_fit_within_it(count: int, caption: str) -> None:
    found = stands([counter(str(number), "0402", caption=caption) for number in range(count)])
    assert len(set(found)) == count
    for x, y, size in found:
        assert x >= -54
        assert x + size <= 54
        assert y >= -34  # below the printed number
        assert y + size <= (44 if caption and count < 3 else 56)  # above a caption


def test_passenger_is_smaller_and_drawn_after_its_vehicle() -> None:
    pair = (counter("26", "0402", aboard="146"), counter("146", "0402", symbol="apc", name="APC"))
    drawing = hexes_svg(picture(counters=pair, trays=()))
    assert named(drawing, "data-counter")[:2] == ["146", "26"]
    vehicle, passenger = [int(each.get("width", "0")) for each in tree(drawing).iter(f"{SVG}use")][:2]
    assert passenger < vehicle


@pytest.mark.parametrize(("facing", "across", "down"), [("A", 0, -1), ("B", 1, -1), ("D", 0, 1), ("E", -1, 1)])
def test_an_arrow_shows_where_a_gun_faces(facing: str, across: int, down: int) -> None:
    gun = counter("38", "0402", symbol="gun", facing=facing)
    tip = tip_of(hexes_svg(picture(counters=(gun,), marks=(), arrows=(), areas=(), trays=(), legend=())))
    x, y = HexLayout(GROUND).center["0402"]
    assert ((tip[0] > x) - (tip[0] < x), (tip[1] > y) - (tip[1] < y)) == (across, down)


# ---------------------------------------------------------------------- parts of a map


def test_partial_map_has_only_its_hexes() -> None:
    drawing = hexes_svg(picture(part=Part(3, 2, 6, 4)))
    numbers = [text for text in texts(drawing) if re.fullmatch("[0-9]{4}", text)]
    assert numbers == [f"{column:02}{row:02}" for column in range(3, 7) for row in range(2, 5)]
    assert named(drawing, "data-hex") == ["0402"]


def test_part_encloses_counters_and_markers() -> None:
    big = HexMap("big", HexGrid(39, 54, lower_rows=53))
    far = picture(ground=big, counters=(counter("1", "1010"), counter("2", "2525")), marks=(), arrows=(), areas=())
    assert part_around(far) == Part(8, 8, 27, 27)
    assert part_around(far, 5) == Part(5, 5, 30, 30)
    lone = picture(ground=big, counters=(counter("1", "2001"),), marks=(), arrows=(), areas=())
    found = part_around(lone)
    assert found is not None
    assert (found.first_row, found.last_row) == (1, 3)
    assert found.first_column < 14
    assert found.last_column > 26
    assert part_around(picture(ground=big, counters=(), marks=(), arrows=())) is None
    assert part_around(picture()) is None  # all of it is no more than a part
    assert whole_part(big) == Part(1, 1, 39, 54)


def test_features_off_the_map_are_not_drawn() -> None:
    astray = picture(
        counters=(counter("1", "9999"),),
        marks=(HexMark("wreck", "9999", spread=("9998",)),),
        arrows=(HexArrow("move", "red", ("0101", "9999")), HexArrow("fire", "red", ("0101",))),
        areas=(HexArea("goal", ("9999",)),),
    )
    bare = picture(counters=(), marks=(), arrows=(), areas=())
    assert named(hexes_svg(astray), "data-hex") == named(hexes_svg(bare), "data-hex") == []
    assert named(hexes_svg(astray), "data-arrow") == []


# ---------------------------------------------------------------------- terrain


def test_terrain_is_joined_across_hexsides_that_share_it() -> None:
    joined = hexes_svg(picture())
    cut = HexMap("field", GROUND.grid, dict.fromkeys(WOODS, ("woods",)))

    def outlines(drawing: str) -> int:
        (field,) = [each for each in tree(drawing).iter() if each.get("data-terrain") == "woods"]
        return field[1].get("d", "").count("Z")

    assert outlines(joined) == 1
    assert outlines(hexes_svg(picture(ground=cut, areas=()))) == 3


def test_terrain_around_a_clearing_has_two_outlines() -> None:
    ring = [number for number in GROUND.around["0403"] if number]
    ground = HexMap("ring", GROUND.grid, dict.fromkeys(ring, ("slope",)))
    drawing = hexes_svg(picture(ground=ground, areas=()))
    (field,) = [each for each in tree(drawing).iter() if each.get("data-terrain") == "slope"]
    assert field[0].get("d", "").count("Z") == 2


def test_unknown_terrain_is_drawn() -> None:
    ground = HexMap("marsh", GROUND.grid, {"0303": ("marsh",)}, {"0303/0304": ("wall",)})
    assert "marsh" in named(hexes_svg(picture(ground=ground, areas=())), "data-terrain")


def test_a_big_map_is_small_and_drawn_with_little_work() -> None:
    grid = HexGrid(39, 54, lower_rows=53)
    numbers = HexMap("big", grid).numbers
    ground = HexMap("big", grid, dict.fromkeys(numbers[::9], ("woods",)))
    counters = tuple(counter(str(place), number) for place, number in enumerate(numbers[:2000:50]))
    big: HexPicture = picture(ground=ground, counters=counters, marks=(), arrows=(), areas=())
    assert len(hexes_svg(big)) < 1_000_000
    assert lines_run(lambda: hexes_svg(big)) < 4_000_000  # counted 1.2 million (0.05 s)
