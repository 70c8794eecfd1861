"""What a newcomer types and is told: short ways to write lines, what fire comes to, what the battle is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.positions import FRENCH
from tests.plugins.kampfpanzer.plotting.test_deployment import begun, prepared

from kampfpanzer import SCENARIOS
from kampfpanzer.fire.echoes import echo_of_fire
from kampfpanzer.fog.views import view as view_of
from kampfpanzer.model.events import FireResolved, PanicPlotted, TurnCleared
from kampfpanzer.model.orders import GroupFire
from kampfpanzer.model.state import ON_MAP, KampfState
from kampfpanzer.plotting.deployment_sheet import deploy_sheet
from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation
from kampfpanzer.plotting.typed.heads import lines_of
from kampfpanzer.ui.aims import aims
from kampfpanzer.ui.draw import draw
from kampfpanzer.ui.menus import words
from kampfpanzer.ui.narrate import narrate_event
from sandtable.errors import IllegalOrder
from sandtable.kernel.events import Calculation, TurnBegan
from sandtable.viewer.style import paper

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Lay


def opened(scenario: str = "") -> KampfState:
    """Return a game that waits for the first side to set up."""
    state = begun(prepared(scenario) if scenario else None).state
    assert isinstance(state, KampfState)
    return state


KEYS, TYPES = ["42", "43", "47", "54"], ["A10", "37mm", "PzII"]


# --- whom a line is about ---


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("42 0619", ["42 0619"]),
        ("42: 0619", ["42: 0619"]),
        ("A10 42 0619", ["42 0619"]),
        ("a10 42: 0619", ["42: 0619"]),
        ("42, 43: A4", ["42: A4", "43: A4"]),
        ("42,43 N 0908", ["42: N 0908", "43: N 0908"]),
        ("42+54 -", ["42: -", "54: -"]),
        ("42-47 A4", ["42: A4", "43: A4", "47: A4"]),
        ("42-43, 54: A4", ["42: A4", "43: A4", "54: A4"]),
        ("96, 42: A4", ["96: A4", "42: A4"]),
        ("94-99 A4", ["94: A4"]),
        ("42-42 A4", ["42: A4"]),
        ("43 - 60 A4", ["43: A4", "47: A4", "54: A4"]),
        ("43-42 A4", ["43: A4"]),
        ("42, 42: A4", ["42: A4"]),
        ("A10 goal", ["A10 goal"]),
        ("goal", ["goal"]),
    ],
)
def test_several_units_are_named_at_once(typed: str, meant: list[str]) -> None:
    assert list(lines_of(KEYS, TYPES, typed)) == meant


@pytest.mark.rule("KP-3.2b")
def test_what_begins_with_no_number_is_told_as_that(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0520")
    sheet = plot_sheet(Situation(case.state, FRENCH))
    assert "begins with the number of a unit" in sheet.refusals({"goal": "D1"})["goal"].reason
    assert "no unit of this number" in sheet.refusals({"9": "D1"})["9"].reason


# --- where it is to go ---


def read(case: Case, unit: str, text: str) -> str:
    sheet = plot_sheet(Situation(case.state, FRENCH))
    assert sheet.read is not None
    return str(sheet.read(unit, text))


@pytest.mark.rule("KP-6.0c", "KP-5.1a")
def test_a_goal_stands_for_the_cheapest_way(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0520", woods="0506")
    assert read(case, "1", "to 0508") == "D1"
    assert read(case, "1", "go to 0505") in ("B1 A1 F1", "F1 A1 B1")  # around the wood
    with pytest.raises(IllegalOrder, match="points away"):
        read(case, "1", "to 0523")
    with pytest.raises(IllegalOrder, match="is in 0507 already"):
        read(case, "1", "to 0507")
    with pytest.raises(IllegalOrder, match="no hex of this map"):
        read(case, "1", "to 9999")


@pytest.mark.rule("KP-12.2b", "R-KP-17", "KP-14.0f", "KP-14.0g")
def test_who_goes_nowhere_by_himself_and_who_is_still_to_come(lay: Lay) -> None:
    case = lay(
        french="146 0507; 29 aboard 146; 38 0905 A; 2 enters 0101/0901/1301 turn 1", germans="94 0520", woods="0901"
    )
    for unit in ("29", "38"):
        with pytest.raises(IllegalOrder, match="does not move of its own"):
            read(case, unit, "to 0509")
    assert read(case, "2", "to 1301") == "1301"
    assert read(case, "2", "to 1304") == "1301 D3"
    assert read(case, "2", "to 0901") == "0901"
    assert read(case, "2", "to 0101") == "0101"
    with pytest.raises(IllegalOrder, match=r"0922 is 24 points away"):  # three of them for the wood
        read(case, "2", "to 0922")


@pytest.mark.rule("KP-8.2a", "KP-8.3a", "KP-7.0c")
def test_only_who_has_a_zone_is_in_the_way(lay: Lay) -> None:
    ways = {
        "94 0605": False,
        "94 0605 D1": True,
        "138 0605": True,
        "138 0605; 115 aboard 138": True,
        "138 0605; 112 aboard 138": False,
        "94 enters 0605": True,
    }
    for germans, straight in ways.items():
        assert (read(lay(french="1 0507; 2 0604", germans=germans), "1", "to 0503") == "A4") == straight, germans
    with pytest.raises(IllegalOrder, match="finds no way to 0505"):
        read(lay(french="1 0507", germans="138 0505"), "1", "to 0505")
    with pytest.raises(IllegalOrder, match="finds no way to 0505"):  # from zone to zone
        read(lay(french="1 0506", germans="94 0404; 95 0604; 96 0605"), "1", "to 0505")


@pytest.mark.rule("KP-8.0b", "KP-8.0e")
def test_a_way_keeps_out_of_zones_that_would_stop_it(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0505")
    assert read(case, "1", "to 0503") not in ("A4", "A2")
    assert read(case, "1", "to 0506") == "A1"  # it may end in one


# --- setting up ---


@pytest.mark.rule("KP-9.4b", "KP-13.0a")
def test_facing_and_trench_stand_in_any_order() -> None:
    sheet = deploy_sheet(opened(), FRENCH)
    assert sheet.read is not None
    assert sheet.read("35", "0101 entrenched F") == "0101 F entrenched"
    assert sheet.read("35", "0101 ent f") == sheet.read("35", "0101 F entrenched")


@pytest.mark.rule("KP-14.0a")
def test_who_is_still_to_be_set_up_is_not_told_to_enter() -> None:
    state = opened("abbeville")
    answer = prepared("abbeville").installed.answer(view_of(state, "british"), state.board, "problems")
    assert answer is not None
    assert answer.lines[0] == "A10 42: is still to be set up"
    assert answer.rules == ("KP-14.0a",)


def test_before_the_first_turn_the_map_shows_where_there_is_to_be_set_up() -> None:
    state = opened("abbeville")
    state.units["42"].hex, state.units["42"].standing = "0619", ON_MAP
    state.deployed.append("british")
    told = drawn(state, "germans", 160)
    assert "\n01 " in told  # 3001 to 3006, and the hill: not just where the British stand
    assert " 30 31 " in told


def drawn(state: KampfState, side: str, columns: int) -> str:
    with paper(columns):
        told = draw(view_of(state, side), state.board, "text")
    assert told is not None
    return told


def test_a_margin_brings_no_further_strip(lay: Lay) -> None:
    state = opened("abbeville")
    for unit, hex_ in (("42", "0411"), ("94", "3003")):
        state.units[unit].hex, state.units[unit].standing = hex_, ON_MAP
    state.deployed.extend(["british", "germans"])
    told = drawn(state, "germans", 100)
    heads = [line for line in told.splitlines() if line.startswith("      ") and line.split()[0].isdigit()]
    assert len(set(heads)) == 1


# --- what the battle is about ---


@pytest.mark.rule("KP-14.0j", "KP-14.9.4")
def test_the_board_tells_how_the_game_is_won_and_how_it_stands() -> None:
    state = opened("abbeville")
    told = list(aims(view_of(state, "british"), state.board))
    assert len(told) == 1
    assert told[0].startswith("Victory: the British, if fewer than 3 undisrupted combat units (no trucks, no carriers)")
    assert told[0].endswith("of the Germans are on Hill 3 as turn 10 ends; else the Germans")
    state.turn = 4
    state.units["112"].hex, state.units["112"].standing = "0807", ON_MAP
    assert list(aims(view_of(state, "british"), state.board))[1] == "So far: British 0, Germans 1 on Hill 3"
    assert "Figures: attack and weapon" in drawn(state, "british", 100)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_tells_how_it_is_won(scenario: str) -> None:
    state = opened(scenario)
    state.turn = 1
    for line in aims(view_of(state, state.board.sides[0]), state.board):
        assert "{" not in line
        assert len(line) < 250


@pytest.mark.rule("KP-14.9.4")
def test_the_end_tells_what_was_counted() -> None:
    board = opened("abbeville").board
    steps = tuple((each, 1, "KP-14.9.4") for each in ("95", "96", "112"))
    asked = Calculation("needed.germans", (("the scenario asks for", 3, "KP-14.9.4"),))
    event = TurnCleared(calculations=(Calculation("undisrupted.germans", steps), asked))
    assert narrate_event(event, board) == "it is counted: Germans undisrupted on Hill 3: 3; asked of Germans: 3."
    assert narrate_event(TurnCleared(), board) == ""


@pytest.mark.rule("KP-11.22c")
def test_who_panics_and_comes_nowhere_is_told_with_how_many_points() -> None:
    board = opened("abbeville").board
    assert narrate_event(PanicPlotted("98", "D", 1, ""), board) == (
        "PzII 98 will run south, but comes nowhere with 1 point."
    )


def test_a_place_is_looked_at_by_its_name() -> None:
    state = opened("abbeville")
    told = draw(view_of(state, "british"), state.board, "text", "hill 3")
    assert told is not None
    assert told.startswith("Hill 3: 0606 0607 0608 0706")
    assert "the Germans: nobody" in told


# --- what fire comes to ---


@pytest.mark.rule("KP-9.0e", "KP-9.7a")
def test_a_line_of_fire_tells_its_target_and_the_sum_with_all_that_say_the_same(lay: Lay) -> None:
    case = lay(french="1 0507; 2 0508", germans="94 0510")
    situation = Situation(case.state, FRENCH)
    alone = echo_of_fire(situation, "1", {"1": "N 0510"})
    assert alone == "at PzII 94, 5 - 3 = 2: D3 1/6, D2 1/3, D1 1/3, P 1/6"
    both = echo_of_fire(situation, "1", {"1": "N 0510", "2": "N 0510"})
    assert both.startswith("at PzII 94 with 2, 5+5 - 3 = 7: D3 ")
    assert echo_of_fire(situation, "2", {"1": "N 0510", "2": "N 0510"}).startswith(
        "at PzII 94 with 1, 5+5 - 3 = 7: D3 "
    )
    assert echo_of_fire(situation, "1", {"1": "N 0510", "2": "N 0510/94"}) == alone
    assert echo_of_fire(situation, "1", {"1": "N 0510/94"}) == alone
    assert echo_of_fire(situation, "1", {"1": "P 0510"}) == ""
    assert echo_of_fire(situation, "1", {"1": "N 0511"}) == echo_of_fire(situation, "1", {"1": "N 0510/999"}) == ""
    case = lay(french="1 0507; 6 0508", germans="112 0512; 115 0512 A")
    situation = Situation(case.state, FRENCH)
    assert echo_of_fire(situation, "1", {"1": "N 0512"}) == "at Inf-Ge 112 and 37mm 115, 5 - 12 = -7: too weak"
    assert echo_of_fire(situation, "6", {"6": "N 0512/115"}) == "at 37mm 115, 2 - 4 = -2: D1 1/3, P 2/3"


@pytest.mark.rule("KP-9.11a")
def test_a_menu_of_groups_tells_what_each_attack_comes_to(lay: Lay) -> None:
    case = lay(french="1 0507; 2 0508", germans="94 0510")
    case.state.plots.update({"1": "N 0510", "2": "N 0510"})
    seen = view_of(case.state, FRENCH)
    told = words(GroupFire([["1"], ["2"]]), seen, case.state.board)
    assert told == (
        "fire: S35 1 (5 - 3 = 2: D3 1/6, D2 1/3, D1 1/3, P 1/6); S35 2 (5 - 3 = 2: D3 1/6, D2 1/3, D1 1/3, P 1/6)"
    )


@pytest.mark.rule("KP-9.13a")
def test_a_unit_tells_who_could_fire_at_it(lay: Lay) -> None:
    case = lay(french="1 0507", germans="94 0517")
    told = draw(view_of(case.state, FRENCH), case.state.board, "text", "94")
    assert told is not None
    assert "  in range and sight: no enemy\n  in range and sight of: S35 1" in told


def test_the_last_turn_is_told_as_that() -> None:
    board = opened("abbeville").board
    assert narrate_event(TurnBegan(10), board) == "turn 10, the last."
    assert narrate_event(TurnBegan(9), board) is None


@pytest.mark.rule("KP-9.7a")
def test_a_superiority_beyond_the_table_is_told_with_its_column() -> None:
    fire = FireResolved(["42", "43"], ["115"], "0809", [8, 8], 4, 0, "", 8, 2, "D4")
    told = narrate_event(fire, opened("abbeville").board)
    assert told is not None
    assert told.endswith("8+8 against 4, superiority +12, column +8, die 2: D4.")
