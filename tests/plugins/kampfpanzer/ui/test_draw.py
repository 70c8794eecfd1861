"""The battlefield as seen by a side: the complete map with units, markers and pending plots."""

import re
from typing import Any

import msgspec
import pytest
from hash_seeds import outputs
from tests.plugins.kampfpanzer.positions import installed
from work import lines_run

from kampfpanzer import SIDES
from kampfpanzer.fog.views import view
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP, WAITING, Impact, KampfState, PanicRoll
from kampfpanzer.ui.draw import COLORS, STYLES, draw, path_of, picture_of, powers_of
from sandtable.kernel.dice import KeyedDice
from sandtable.plugin.scenarios import merged, scenario_of
from sandtable.viewer.hexes.drawing.faces import SYMBOLS
from sandtable.viewer.hexes.picture import HexArrow, HexCounter

SCENARIOS = (
    "spain", "czechoslovakia", "bain_tsagan", "poland", "summa", "hannut", "flavion", "arras", "abbeville",
)  # fmt: skip


def opening(scenario: Any = "hannut", **options: str) -> tuple[KampfState, Board]:
    ready = installed().prepare(scenario, options)
    state = ready.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, KampfState)
    return state, ready.board


def placed(units: str, scenario: str = "hannut") -> tuple[KampfState, Board]:
    """Return a state in the panic phase of turn 3 with only these units on the map, such as "1 1903, 94 1905"."""
    state, board = opening(scenario)
    state.turn, state.phase, state.deployed = 3, "panic", list(board.sides)
    for unit_id, hex_ in (row.split() for row in units.split(",")):
        state.units[unit_id].hex, state.units[unit_id].standing = hex_, ON_MAP
    return state, board


def drawn(state: KampfState, board: Board, style: str = "svg", side: str = "umpire") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def counter_of(state: KampfState, board: Board, unit_id: str) -> HexCounter:
    return next(each for each in picture_of(view(state, "umpire"), board).counters if each.id == unit_id)


def arrows(state: KampfState, board: Board) -> list[HexArrow]:
    return list(picture_of(view(state, "umpire"), board).arrows)


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_scenario_is_drawn_completely(scenario: str) -> None:
    state, board = opening(scenario)
    drawing = drawn(state, board)
    numbers = re.findall(r">([0-9]{4})</text>", drawing)
    assert set(board.hexmap.numbers) <= set(numbers)
    for kind in ("slope", "hilltop", "woods", "town"):
        assert f'data-terrain="{kind}"' in drawing
    for kind in ("ford", "bridge", "crest"):
        assert f'data-hexside="{kind}"' in drawing
    for place in board.hexmap.places:
        assert f">{place}</text>" in drawing
    tray = [counter.id for tray in picture_of(view(state, "umpire"), board).trays for counter in tray.counters]
    assert sorted(tray) == sorted(board.units)
    assert max(map(len, drawn(state, board, "text_whole").splitlines())) <= 160


def test_map_shows_set_up_areas_before_deployment() -> None:
    state, board = opening("poland")
    shown = picture_of(view(state, "umpire"), board)
    (area,) = [area for area in shown.areas if area.kind == "set_up"]
    assert (area.owner, area.hexes) == ("germans", board.groups[0].area)
    assert [tray.title for tray in shown.trays] == ["Germans to set up", "Poles to enter at 0101 to 1001 on turn 1"]
    state.deployed = ["germans"]
    assert not [area for area in picture_of(view(state, "umpire"), board).areas if area.kind == "set_up"]


def test_map_marks_objectives_and_exits() -> None:
    state, board = opening("hannut")
    (goal,) = [area for area in picture_of(view(state, "umpire"), board).areas if area.kind == "goal"]
    assert set(goal.hexes) == set(board.hexmap.places["Hill 2"])
    state, board = opening("summa")
    (leave,) = [area for area in picture_of(view(state, "umpire"), board).areas if area.kind == "leave"]
    assert (leave.owner, leave.hexes) == ("russians", board.exits["russians"])


def test_counter_shows_its_printed_figures() -> None:
    state, board = opening()
    ids = {
        name: next(unit_id for unit_id, kind in board.units.items() if kind == name) for name in board.units.values()
    }
    for unit_id in ids.values():
        state.units[unit_id].hex, state.units[unit_id].standing = "1905", ON_MAP
    found = {name: counter_of(state, board, unit_id) for name, unit_id in ids.items()}
    assert (found["S35"].symbol, found["S35"].corners) == ("tank", ("5A", "15", "[4]", "12"))
    assert (found["PzIVE"].letter, found["PzIVE"].corners) == ("t", ("5M", "10", "[4]", "10"))
    assert (found["25mm"].symbol, found["25mm"].corners) == ("gun", ("2A", "5", "4", ""))
    assert (found["APC"].symbol, found["APC"].corners) == ("apc", ("", "", "[3]", "18"))
    assert (found["Inf-Ge"].name, found["Inf-Ge"].corners) == ("Inf", ("6R", "12", "8", "1"))


def test_every_counter_type_has_a_symbol() -> None:
    symbols = set()
    for scenario in SCENARIOS:
        state, board = opening(scenario)
        trays = picture_of(view(state, "umpire"), board).trays
        symbols |= {counter.symbol for tray in trays for counter in tray.counters}
    assert symbols == {"tank", "apc", "truck", "gun", "howitzer", "infantry"}
    assert symbols <= SYMBOLS.keys()


def test_counters_show_condition_facing_and_carrier() -> None:
    state, board = placed("146 1903, 26 1903, 35 1904, 94 1905")
    state.units["26"].carrier, state.units["35"].facing = "146", "E"
    state.units["94"].disruption, state.units["94"].panicked = 2, True
    state.units["35"].pinned, state.units["35"].pending, state.units["35"].pending_pin = True, 1, True
    state.fired, state.frozen = ["94"], ["35"]
    assert counter_of(state, board, "26").aboard == "146"
    gun, tank = counter_of(state, board, "35"), counter_of(state, board, "94")
    assert (gun.facing, [tab.sign for tab in gun.tabs]) == ("E", ["P"])
    assert gun.note == "to suffer D1, to be pinned, will be overrun"
    assert ([tab.sign for tab in tank.tabs], tank.note) == (["D2", "!"], "has fired")
    text = drawn(state, board, "text")
    assert "!Gt94" in text
    assert "+Fa146" in text
    assert "1903 Inf 26      4R 10 5 1      aboard 146" in text


def test_map_shows_markers() -> None:
    state, board = placed("1 1903")
    state.entrenchments, state.wrecks, state.wrecks_due = {"1903": "french"}, ["1905"], ["1905", "1906"]
    state.impacts = [Impact("1", "1808", "L", ["1807", "1808"]), Impact("1", "1810", "T", ["1810"])]
    marks = picture_of(view(state, "umpire"), board).marks
    assert [(mark.kind, mark.hex, mark.note) for mark in marks] == [
        ("entrenchment", "1903", "entrenchment of the French"),
        ("wreck", "1905", "wreck"),
        ("wreck", "1906", "wreck after this phase"),
        ("impact", "1808", "loose H fire of 1"),
        ("impact", "1810", "tight H fire of 1"),
    ]
    assert marks[3].spread == ("1807", "1808")
    drawing = drawn(state, board)
    assert [drawing.count(f'data-mark="{kind}"') for kind in ("entrenchment", "wreck", "impact")] == [2, 3, 3]


def test_plots_are_drawn_until_they_are_carried_out() -> None:
    state, board = placed("1 1903, 2 1905, 94 1910, 95 1912")
    state.plots = {"1": "D2 C1", "2": "N 1910", "94": "P 1905", "95": "M"}
    move, fire, watch = (
        HexArrow("move", "french", ("1903", "1904", "1905", "2005")),
        HexArrow("fire", "french", ("1905", "1910")),
        HexArrow("watch", "germans", ("1910", "1905")),
    )
    expected = {
        "panic": [move, fire, watch],
        "combat": [move, watch],
        "movement": [watch],
        "recovery": [],
        "": [],
    }
    for phase, shown in expected.items():
        state.phase = phase
        assert arrows(state, board) == shown, phase
    state.phase, state.fired = "movement", ["94"]
    assert arrows(state, board) == []
    state.phase, state.panic_plots = "panic_plot", {"1": "A1", "94": ""}
    assert arrows(state, board) == [HexArrow("move", "french", ("1903", "1902"))]
    assert counter_of(state, board, "1").order == "A1"


def test_plot_path_lists_each_hex() -> None:
    _, board = opening()
    assert path_of("0702", "D2 S3 C1", board) == ("0702", "0703", "0704", "0804")
    assert path_of("0702", "D1 VD", board) == ("0702", "0703", "0704", "0705")
    assert path_of("", "0501 D1", board) == ("0501", "0502")
    assert path_of("0102", "A5", board) == ("0102", "0101")


def test_trays_hold_units_off_the_map() -> None:
    state, board = placed("94 1905", "czechoslovakia")
    state.units["122"].standing, state.units["123"].standing = DESTROYED, EXITED
    titles = [tray.title for tray in picture_of(view(state, "umpire"), board).trays]
    assert "Czechs destroyed" in titles
    assert "Czechs that have left the map" in titles
    assert "Germans to enter at 3653 on turn 3" in titles
    assert "Czechs to enter at 0954 on turn 1 (delayed)" in titles
    assert state.units["124"].standing == WAITING


def test_header_shows_turn_phase_and_viewer() -> None:
    state, board = placed("1 1903")
    state.panic["french"] = PanicRoll(3, ["3", "9"])
    lines = drawn(state, board, "text", "french").splitlines()
    assert lines[0].startswith("KampfPanzer: Hannut, 13 May 1940 ")
    assert lines[0].endswith("Turn 3 — panic (seen by the French)")
    assert "Length: 10 turns" in lines
    assert "Panic level of the French: 3; rolled 3 this turn, hexes ending in 3, 9" in lines
    state.outcome, state.ending = "french", "majority"
    lines = drawn(state, board, "text").splitlines()
    assert lines[0].endswith("Turn 3: the game is over (seen by the umpire)")
    assert "The game is over: victory for the French (majority)." in lines


@pytest.mark.full
def test_every_side_has_its_own_color_and_letter() -> None:
    assert set(SIDES) == set(COLORS)
    for scenario in SCENARIOS:
        _, board = opening(scenario)
        first, second = powers_of(board)
        assert first.letter != second.letter
        assert first.color != second.color


def test_text_map_shows_the_occupied_part_or_everything() -> None:
    state, board = placed("1 1903, 94 1910")
    part, whole = drawn(state, board, "text"), drawn(state, board, "text_whole")
    assert whole.splitlines()[2].split() == [f"{column:02}" for column in range(1, 40)]
    assert 2 * len(part.splitlines()) < len(whole.splitlines())
    assert "Ft1" in part
    assert "Gt94" in part
    assert len(drawn(state, board, "svg_part")) < len(drawn(state, board, "svg")) // 2


def test_draw_returns_none_for_an_unknown_style() -> None:
    state, board = opening()
    assert draw(view(state, "french"), board, "oil on canvas") is None
    assert set(STYLES) == {"svg", "svg_part", "text", "text_whole"}


def test_picture_is_small_and_cheap_to_draw() -> None:
    state, board = opening("flavion")
    hexes = iter(board.hexmap.numbers[::40])
    for unit in state.units.values():
        unit.hex, unit.standing = next(hexes), ON_MAP
    state.turn, state.phase, state.plots = 1, "plot", dict.fromkeys(state.units, "D2 C2")
    assert len(drawn(state, board)) < 1_000_000
    assert lines_run(lambda: drawn(state, board)) < 4_000_000  # measured: 1 million lines (0.05 s)


def test_markup_in_a_user_scenario_is_escaped() -> None:
    nasty = "<script>alert(1)</script>"
    data = merged(
        installed().scenario("hannut").data, {"scenario": {"title": nasty}, "forces": {"french": {"title": "Fr <b>"}}}
    )
    state, board = opening(scenario_of(data, "own.toml", own=True))
    drawing = drawn(state, board)
    assert "<script" not in drawing
    assert "<b>" not in drawing
    assert "&lt;script&gt;" in drawing


def test_drawing_does_not_change_the_state() -> None:
    state, board = placed("1 1903, 94 1910")
    before = msgspec.msgpack.encode(state)
    for style in STYLES:
        assert drawn(state, board, style) == drawn(state, board, style)
    assert msgspec.msgpack.encode(state) == before


SCRIPT = """
import sys
from test_draw import STYLES, drawn, placed
state, board = placed("1 1903, 2 1904, 94 1910, 146 1905, 26 1905")
state.plots = {"1": "D2", "94": "N 1904"}
for style in STYLES:
    sys.stdout.write(drawn(state, board, style))
"""


@pytest.mark.full
def test_drawings_do_not_depend_on_the_hash_seed() -> None:
    (output,) = outputs(SCRIPT, __file__)
    assert len(output) > 100_000
