"""Answers to queries about a campaign, from what a side knows."""

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS
from tests.plugins.khamsin.rooms import desert, wells

from khamsin.fog.views import view
from khamsin.model.forces import on_map
from khamsin.model.state import KhamsinState, Report
from khamsin.movement.orders_sheet import orders_space
from khamsin.movement.paths import formation_path
from khamsin.supply.supply import supplied_areas
from khamsin.ui.asking.answers import answer
from sandtable.errors import PlayError
from sandtable.kernel.options import Sheet
from sandtable.plugin.manifest import Answer


def told(state: KhamsinState, text: str, side: str = AXIS) -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def said(state: KhamsinState, text: str, side: str = AXIS) -> str:
    return "\n".join(told(state, text, side).lines)


@pytest.mark.rule("KH-10.02", "KH-10.03", "KH-11.02")
def test_supply_is_what_the_rules_find_with_the_line() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    names = state.board.names
    for area in state.board.areas:
        answer_ = told(state, f"supply {area}")
        assert answer_.yes is (area in supplied_areas(state, AXIS)), area
    assert "in supply by" in said(state, "supply 15_pz_div")
    assert names["sidi_rezegh"] in said(state, "supply Sidi Rezegh")


@pytest.mark.rule("KH-10.01", "KH-11.02")
def test_what_bars_a_line_is_told() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    for near in state.board.neighbours["sidi_rezegh"]:
        state.control[near] = ALLIES
    lines = said(state, "supply 15_pz_div")
    assert told(state, "supply 15_pz_div").yes is False
    assert "barred by " in lines
    assert "(the enemy's)" in lines
    assert "at its last check it was in supply" in lines


@pytest.mark.rule("KH-8.10", "KH-8.11")
def test_ways_are_those_that_may_be_ordered() -> None:
    """Every area: yes goes with a path that the space of orders takes; whoever is told no finds no path there."""
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    space = formation_path(state, "15_pz_div")
    ends = {path[-1] for path in space.values()}
    for area in state.board.areas:
        if area != "sidi_rezegh":
            assert told(state, f"path 15_pz_div {area}").yes is (area in ends), area
    listed = said(state, "reach 15_pz_div")
    assert all(state.board.names[area] in listed for area in ends - {"sidi_rezegh"})


@pytest.mark.rule("KH-9.01", "KH-6.03")
def test_where_enemies_are_reported_the_chance_of_activation_is_told() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    near = state.board.neighbours["sidi_rezegh"][0]
    assert "activated on" not in said(state, f"path 15_pz_div {near}")
    state.reports[AXIS] = Report(1, [near])
    lines = said(state, f"path 15_pz_div {near}")
    number = state.board.formations["15_pz_div"].activation
    assert f"activated on {number} or more" in lines
    assert told(state, f"path 15_pz_div {near}").rules[0] == "KH-9.01"
    assert "(enemies)" in said(state, "reach 15_pz_div")


@pytest.mark.rule("KH-20.05")
def test_who_must_regroup_is_told_so() -> None:
    state = desert(**{"7_armd_bde": "gabr_saleh"})
    state.formations["7_armd_bde"].regroup = True
    answer_ = told(state, "reach 7_armd_bde", ALLIES)
    assert (answer_.yes, answer_.rules) == (False, ("KH-20.05",))


@pytest.mark.rule("KH-22.08", "KH-22.09")
def test_companies_are_told_with_wear_and_what_it_does() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    state.formations["15_pz_div"].general = 45
    answer_ = told(state, "companies 15th Panzer Division")
    assert "attrition 0 armor and 45 general; in supply" in answer_.lines[0]
    assert answer_.rules == ("KH-22.08",)


@pytest.mark.rule("KH-6.03", "KH-R10")
def test_enemies_who_are_not_reported_change_no_answer() -> None:
    """Two campaigns that differ only in where the enemy stands, unreported, are one to the Axis."""
    questions = ["supply 15_pz_div", "reach 15_pz_div", "companies 15_pz_div", "path 15_pz_div gabr_saleh"]
    answers = []
    for area in ("gabr_saleh", "maddalena"):
        state = desert(**{"15_pz_div": "sidi_rezegh", "7_armd_bde": area})
        answers.append([told(state, text) for text in questions])
    assert answers[0] == answers[1]
    assert "not known to you" in said(desert(**{"15_pz_div": "sidi_rezegh"}), "reach 15_pz_div")


def test_of_the_enemy_nothing_is_told() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    for text in ("supply 7_armd_bde", "companies 7_armd_bde", "path 7_armd_bde gabr_saleh"):
        with pytest.raises(PlayError, match="no formation of yours"):
            told(state, text)
    assert told(state, "companies 7_armd_bde", "umpire").lines
    assert on_map(state, ALLIES) == ["7_armd_bde"]


def test_what_can_be_asked_is_listed() -> None:
    lines = told(desert(**{"15_pz_div": "sidi_rezegh"}), "?").lines
    assert [line.split(" ")[0] for line in lines] == ["supply", "path", "reach", "companies", "problems"]
    assert lines[0].startswith("supply 15_pz_div ")
    assert answer(view(desert(), AXIS), desert().board, "hold") is None


@pytest.mark.rule("KH-22.08", "KH-11.02")
def test_problems_are_who_is_cut_off_worn_or_next_to_reported_enemies() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh", "21_pz_div": "bardia"})
    assert said(state, "problems") == "nothing is amiss"
    state.formations["15_pz_div"].general = 45
    state.formations["21_pz_div"].supplied = False
    state.reports[AXIS].occupied = ["gambut"]
    lines = said(state, "problems")
    assert "15th Panzer Division at Sidi Rezegh: attrition 0 armor and 45 general: activation -1" in lines
    assert "21st Panzer Division at Bardia: OUT OF SUPPLY" in lines


@pytest.mark.rule("KH-8.10", "KH-9.01")
def test_a_line_of_the_sheet_says_where_it_ends_what_it_costs_and_whether_it_attacks() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    moves = orders_space(state, AXIS).fields["moves"]
    assert isinstance(moves, Sheet)
    assert moves.echo is not None
    path = ["sidi_rezegh", "gabr_saleh"]
    assert moves.echo("15_pz_div", {"15_pz_div": path}).endswith("points"), "who is not reported is not told of"
    state.reports[AXIS].occupied = ["gabr_saleh"]
    told_ = moves.echo("15_pz_div", {"15_pz_div": path})
    assert told_.startswith("ends in Gabr Saleh, ")
    assert "enemies reported in Gabr Saleh: activated on " in told_


def test_questions_take_the_beginning_of_a_name_and_tell_what_they_want() -> None:
    state = wells(panzer_rgt="ridge")
    for text in ("reach panzer", "path panzer ford", "path panzer the ford", "supply panzer", "companies panz"):
        assert answer(view(state, AXIS), state.board, text) is not None
    with pytest.raises(PlayError, match="begin with guard_battalion"):
        answer(view(state, AXIS), state.board, "path ford ford")
    away = wells()
    for formation in away.formations.values():
        formation.standing = "undeployed"
    listed = answer(view(away, AXIS), away.board, "?")
    assert listed is not None
    assert "…" not in "\n".join(listed.lines)
