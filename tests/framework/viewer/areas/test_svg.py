"""The SVG map: everything of the picture is on it, words stay words, the same picture gives the same bytes."""

import re

import msgspec
import pytest
from battlefield import SVG, named, texts, tree

from sandtable.viewer.areas.places import name_lines
from sandtable.viewer.areas.svg import areas_svg
from sandtable.viewer.picture import Badge, Caption, Counter, LegendEntry, Link, Move, Picture, Place, Power
from sandtable.viewer.style import BARRIER_INK, ROAD_BED, TRACK_INK

RED = Power("red", "Reds", "R", "#c04040", "#e0a0a0")
BLUE = Power("blue", "Blues", "B", "#4040c0", "#a0a0e0")


def place(ident: str, x: int, y: int, **more: object) -> Place:
    return msgspec.structs.replace(Place(ident, x, y, f"Town {ident}", ident, "red", 3), **more)


def picture(**more: object) -> Picture:
    """Return four places: a row of three with one below the middle. No link joins A and D."""
    places = (
        place("A", 150, 200, counters=(Counter("infantry", "red", 7, "i", "infantry"),)),
        place("B", 450, 200, owner="blue", badges=(Badge("city", letter="*"), Badge("zone", "RZ", "^", "a zone"))),
        place("C", 750, 200, ground="closed", owner="", value=0),
        place("D", 450, 500, owner=""),
    )
    links = (Link("A", "B", "road"), Link("B", "C", "road"), Link("B", "D"), Link("C", "D"))
    return msgspec.structs.replace(Picture("A test", 900, 700, places, links, (RED, BLUE)), **more)


def paths(drawing: str, stroke: str) -> list[str]:
    """Return path data drawn in a color that is set on the path or on its group."""
    drawn = ((group, path) for group in tree(drawing).iter() for path in group.findall(f"{SVG}path"))
    return [path.get("d", "") for group, path in drawn if path.get("stroke", group.get("stroke")) == stroke]


def test_every_place_is_drawn_once_with_name_and_code() -> None:
    drawing = areas_svg(picture())
    assert drawing == areas_svg(picture())
    assert named(drawing, "data-place") == ["A", "B", "C", "D"]
    for word in ("Town A", "Town B", "Town C", "Town D", "A", "B", "C", "D"):
        assert texts(drawing).count(word) >= 1
    changed = msgspec.structs.replace(picture().places[0], owner="blue")
    assert areas_svg(picture(places=(changed, *picture().places[1:]))) != drawing


def test_every_link_is_drawn_and_roads_as_double_lines() -> None:
    drawing = areas_svg(picture())
    assert [path.split("C")[0] for path in paths(drawing, ROAD_BED)] == ["M150 200", "M450 200"]
    assert paths(drawing, TRACK_INK) == ["M450 200L450 500", "M750 200L450 500"]


def test_a_link_to_a_place_that_is_not_in_the_picture_is_left_out() -> None:
    assert areas_svg(picture(links=(*picture().links, Link("A", "Z")))) == areas_svg(picture())


def test_border_without_a_link_is_drawn_as_a_heavy_line() -> None:
    closed, opened = picture(), picture(links=(*picture().links, Link("A", "D")))
    (borders,) = paths(areas_svg(closed), BARRIER_INK)
    assert borders.count("M") == 1
    assert paths(areas_svg(opened), BARRIER_INK) == []


def test_every_text_of_a_picture_is_escaped() -> None:
    nasty = "\"><script>alert('1')</script>&\"]]>"
    power = Power("red", nasty, "<", "#c04040", "#e0a0a0")
    counters = (Counter(nasty, "red", 1, name=nasty, mark="<", note=nasty), Counter("fighter", nasty))
    spiked = place(nasty, 300, 300, badges=(Badge(nasty, nasty, nasty, nasty),), counters=counters)
    drawing = areas_svg(
        picture(
            title=nasty,
            subtitle=nasty,
            places=(msgspec.structs.replace(spiked, label=nasty, sublabel=nasty),),
            powers=(power,),
            links=(Link(nasty, nasty, nasty),),
            coast=((0, 0), (900, 0), (900, 700), (0, 700)),
            captions=(Caption(5, 5, nasty),),
            legend=tuple(LegendEntry(kind, nasty, nasty, nasty, nasty) for kind in ("counter", "badge")),
            notes=(nasty,),
            value_word=nasty,
        )
    )
    assert "<script" not in drawing
    assert not list(tree(drawing).iter(f"{SVG}script"))
    assert texts(drawing).count(nasty) >= 8


def test_all_coordinates_are_integers() -> None:
    drawing = areas_svg(picture(moves=(Move("red", ("A", "B", "D")),)))
    values = [value for each in tree(drawing).iter() for name, value in each.items() if name not in {"fill", "stroke"}]
    assert len(values) > 200
    assert [value for value in values if re.search(r"\d\.|\.\d", value)] == []


def test_counters_show_their_number_and_are_tilted_if_down() -> None:
    stood = Counter("armor", "red", 23)
    laid = Counter("armor", "red", 1, mark="F", note="out of fuel", down=True)
    drawing = areas_svg(picture(places=(place("A", 300, 300, counters=(stood, laid)),)))
    assert "23" in texts(drawing)
    assert "F" in texts(drawing)
    assert len([each for each in tree(drawing).iter() if "rotate" in each.get("transform", "")]) == 1
    (tooltip,) = [each.text for each in tree(drawing).iter(f"{SVG}title") if "Town A" in (each.text or "")]
    assert tooltip == "Town A: Reds; value 3; 23 armor; 1 armor (out of fuel)"


def test_symbol_without_a_drawing_is_written_as_text() -> None:
    assert "came" in texts(areas_svg(picture(places=(place("A", 300, 300, counters=(Counter("camels", "red"),)),))))


def test_many_counters_are_all_drawn_at_smaller_size() -> None:
    kinds = [f"k{number}" for number in range(40)]
    drawing = areas_svg(picture(places=(place("A", 450, 300, counters=tuple(Counter(kind, "red") for kind in kinds)),)))
    used = [int(each.get("width", "0")) for each in tree(drawing).iter(f"{SVG}use")]
    assert len(used) == 40
    assert max(used) < 30


def test_closed_ground_is_hatched_and_has_no_owner() -> None:
    drawing = areas_svg(picture(), "sheet")
    fills = [each.get("fill") for each in tree(drawing).iter(f"{SVG}path")]
    assert fills.count("url(#sheet-closed)") == 1
    assert fills.count("url(#sheet-no_land)") == 0


def test_two_maps_on_one_page_share_no_element_ids() -> None:
    coast = ((0, 50), (900, 50), (900, 700), (0, 700))
    names = [
        {each.get("id") for each in tree(areas_svg(picture(coast=coast), ident)).iter() if each.get("id")}
        for ident in ("left", "right")
    ]
    assert len(names[0]) > 4
    assert not names[0] & names[1]


def test_move_is_an_arrow_unless_it_leads_nowhere() -> None:
    arrow, nowhere = Move("red", ("A", "B")), Move("red", ("A", "A"))
    assert len(areas_svg(picture(moves=(arrow,)))) > len(areas_svg(picture()))
    assert areas_svg(picture(moves=(nowhere,))) == areas_svg(picture())


def test_a_picture_without_places_can_be_drawn() -> None:
    assert texts(areas_svg(Picture("Empty", 300, 200, (), (), ()))) == ["Empty", ""]
    drawing = areas_svg(picture(title="bell\x07 esc\x1b[31m half\ud800 end\uffff"))
    assert "bell\ufffd esc\ufffd[31m half\ufffd end\ufffd" in texts(drawing)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Tobruk", ["Tobruk"]),
        ("Gabr Saleh-Maddalena", ["Gabr Saleh-", "Maddalena"]),
        ("Jebel Akhdar heights", ["Jebel Akhdar", "heights"]),
        ("Unbreakablenameofaplace", ["Unbreakablenameofaplace"]),
    ],
)
def test_long_names_are_broken_near_the_middle(name: str, lines: list[str]) -> None:
    assert name_lines(name) == lines
