"""A game as changes of named parts: unchanged parts are not repeated, and any record can be reached."""

from typing import Any

from msgspec.structs import replace

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.viewer.film.areas import AreaFilm
from sandtable.viewer.film.drawn import DrawnFilm, pieces
from sandtable.viewer.film.frames import Frames, SharedParts
from sandtable.viewer.film.hexes import HexFilm
from sandtable.viewer.hexes.picture import HexArea, HexCounter, HexMark, HexPicture, HexTray, Tab
from sandtable.viewer.picture import Badge, Counter, Picture, Place, Power

GROUND = HexMap("test", HexGrid(4, 4))
RED = Power("red", "Red", "R", "#aa0000", "#aa0000")
TANK = HexCounter("1", "red", "0101", "tank", "T", "t")


def picture(*counters: HexCounter, **more: Any) -> HexPicture:
    return HexPicture(title="x", subtitle="now", ground=GROUND, powers=(RED,), counters=counters, **more)


def test_keys_and_values_are_stored_once() -> None:
    stock = SharedParts()
    frames, other = Frames(stock), Frames(stock)
    frames.add(0, {"c:1": "a", "c:2": "b"})
    frames.add(3, {})
    frames.add(4, {"c:1": "b", "c:2": None})
    assert frames.as_data() == {"keys": ["c:1", "c:2"], "frames": [[0, 0, 0, 1, 1], [4, 0, 1, 1, -1]]}
    other.add(2, {"c:2": "a"})  # views of one page share their values
    assert other.as_data()["frames"] == [[2, 0, 0]]
    assert (frames.first(), other.first()) == ({"c:1": "a", "c:2": "b"}, {})
    other.add(3, {"a": '["x"]', "b": ["x"]})  # a text and a list of it are two values
    assert stock.values == ["a", "b", '["x"]', ["x"]]


def test_move_changes_only_the_position_of_a_counter() -> None:
    film = HexFilm(picture(TANK), SharedParts())
    assert {"c:1", "@1", "t:moment", "g:fields"} <= film.changes(picture(TANK)).keys()
    moved = film.changes(picture(replace(TANK, hex="0102")))
    assert list(moved) == ["@1"]
    assert str(moved["@1"]).endswith(" 0102")
    assert film.changes(picture(replace(TANK, hex="0102"))) == {}


def test_second_counter_in_a_hex_moves_the_first_aside() -> None:
    film = HexFilm(picture(TANK), SharedParts())
    film.changes(picture(TANK))
    second = replace(TANK, id="2")
    assert {"@1", "@2", "c:2"} == film.changes(picture(TANK, second)).keys()
    assert film.strength() == {"red": 2}


def test_lost_counter_moves_to_its_tray_and_a_removed_one_has_no_value() -> None:
    film = HexFilm(picture(TANK), SharedParts())
    film.changes(picture(TANK))
    assert film.changes(picture(trays=(HexTray("lost", (TANK,)),))) == {"@1": "=lost"}
    assert film.changes(picture()) == {"c:1": None, "@1": None}


def test_changes_of_control_are_stored_by_hex() -> None:
    film = HexFilm(picture(), SharedParts())
    film.changes(picture(areas=(HexArea("held", ("0101", "0102"), "red"),)))
    assert film.territory() == {"red": 2}
    now = film.changes(picture(areas=(HexArea("held", ("0102", "0103"), "red"),)))
    assert now == {"h:0103": "red", "h:0101": None}


def test_only_changed_places_are_redrawn() -> None:
    def board(count: int) -> Picture:
        tanks = (Counter("armor", "red", count),) if count else ()
        places = (Place("A", 100, 100, "Alpha", counters=tanks), Place("B", 300, 100, "Beta", owner="red"))
        return Picture("x", 400, 200, places, (), (RED,))

    stock = SharedParts()
    film = AreaFilm(board(0), stock)
    film.changes(board(0))
    now = film.changes(board(2))
    assert list(now) == ["p:A"]
    assert (now["p:A"] or "")[1] == "Alpha: 2 armor"
    assert "v-face0" in stock.defined()
    assert "v-face0" not in stock.defined({"v-face1"})
    assert (film.strength(), film.territory()) == ({"red": 2}, {"red": 1})


def test_drawing_is_split_into_top_level_elements() -> None:
    drawing = '<svg viewBox="0 0 9 9"><rect x="1"/><g><g a="&gt;"/><text>one</text></g></svg>'
    assert list(pieces(drawing)) == ['<rect x="1"/>', '<g><g a="&gt;"/><text>one</text></g>']
    film = DrawnFilm(drawing)
    assert film.facts()["box"] == [0, 0, 9, 9]
    film.changes(drawing)
    assert film.changes(drawing.replace("one", "two")) == {"d:0001": '<g><g a="&gt;"/><text>two</text></g>'}


def test_descriptions_cite_the_rules_of_marks() -> None:
    spent = replace(TANK, tabs=(Tab("S", "spent", rule="DM-2.1f"),))
    film = HexFilm(picture(spent), SharedParts())
    now = film.changes(picture(spent, marks=(HexMark("wreck", "0202", note="wreck", rule="KP-9.91b"),)))
    assert "spent [DM-2.1f]" in (now["c:1"] or "")[2]
    assert (now["m:0202.0"] or "")[1] == "wreck [KP-9.91b]"
    places = (Place("A", 100, 100, "Alpha", badges=(Badge("zone", "RZ", note="zone", rule="DAA-3.09"),)),)
    area = Picture("x", 400, 200, places, (), (RED,))
    assert (AreaFilm(area, SharedParts()).changes(area)["p:A"] or "")[1] == "Alpha: zone [DAA-3.09]"
