"""The situation report that a player gets by mail."""

import pytest
from tests.plugins.khamsin.games import SIDES, crusader, played

from khamsin.fog.views import view
from khamsin.model.cards import ENEMY
from khamsin.model.state import IN_BASE, LOST
from khamsin.ui.draw import draw
from khamsin.ui.report import report


def told(side: str, **changes: str) -> str:
    state, board = crusader()
    for key, standing in changes.items():
        state.formations[key].standing = standing
    return report(view(state, side), board)


def section(text: str, title: str) -> str:
    """Return the lines under a heading."""
    _, _, rest = text.partition(f"\n{title}\n{'-' * len(title)}\n")
    return rest.partition("\n\n")[0]


@pytest.mark.rule("KH-3.14", "KH-6.01")
def test_a_report_begins_with_the_day_and_the_weather() -> None:
    lines = told("axis").splitlines()
    assert lines[0].startswith("Operation Crusader: situation report")
    assert lines[0].endswith("for the Axis")
    assert lines[2].startswith("Turn 3 of 21, 20 November 1941")
    assert lines[2].endswith("Weather: Clear.")


def test_formations_stand_with_area_strength_attrition_and_what_binds_them() -> None:
    row = section(told("axis"), "Formations")
    assert "  15_pz_div     Gambut         3  leg            22 + 30  = 52" in row
    assert "OUT OF SUPPLY, 2 turns running; must regroup" in row
    assert "a vehicle less" in row
    assert "activation -1" in row


def test_who_is_off_the_map_is_told_with_the_reason() -> None:
    text = told("axis", ariete=IN_BASE, savona=LOST)
    absent = section(text, "Off the map")
    assert "ariete: Ariete Division, strength 3: ineffective, in the base" in absent
    assert "savona: Savona Division, strength 2: out of the campaign" in absent
    assert "ariete" not in section(text, "Formations")


def test_own_orders_and_plan_are_in_it_and_not_the_enemy_s() -> None:
    orders = section(told("axis"), "Orders of this turn")
    assert "21_pz_div: Gambut - Gasr el Arid" in orders
    assert "air interdiction: Tobruk" in orders
    assert "plan: Hold the ring" in orders
    assert "To Tobruk" not in told("axis")


@pytest.mark.rule("KH-6.02", "KH-6.03", "KH-6.04", "KH-6.05")
def test_intelligence_is_what_the_side_was_told() -> None:
    known = section(told("axis"), "Intelligence")
    assert "As of the end of turn 2" in known
    assert "Bir el Gubi: enemy formations (no reconnaissance)" in known
    assert "Gabr Saleh: 3 armour and 2 infantry companies" in known
    assert "Gambut: engagement, won by the Axis, by double or more (Axis 5, Commonwealth 2)" in known
    assert "the way between El Adem and Tobruk: engagement that ended without a fight" in known


def test_engagements_of_the_turn_name_own_troops_and_count_the_enemy_s() -> None:
    fight = section(told("axis"), "Engagements of this turn")
    assert "Sidi Rezegh: Encounter, 1 of 2 actions fought" in fight
    assert "Axis: 90th Light Afrika Division; 3 infantry companies at contact" in fight
    assert "Commonwealth: 2 armour companies at contact" in fight
    assert "attrition: 90th Light Afrika Division 0 + 3" in fight


@pytest.mark.rule("KH-6.07", "KH-6.08")
@pytest.mark.parametrize("side", SIDES)
def test_no_formation_or_leader_of_the_enemy_is_named(side: str) -> None:
    state, board = crusader()
    text = report(view(state, side), board).partition("\nHonour\n")[0]
    strangers = [card.title for card in board.formations.values() if card.side == ENEMY[side]]
    strangers += [key for key, card in board.leaders.items() if card.side == ENEMY[side]]
    assert [each for each in strangers if each in text] == []


def test_the_umpire_s_report_has_both_sides_under_their_own_headings() -> None:
    text = told("umpire")
    assert "Formations of the Axis\n" in text
    assert "Formations of the Commonwealth\n" in text
    assert "15th Panzer Division" in text
    assert "7th Armoured Brigade" in text


@pytest.mark.rule("KH-25.01")
def test_conditions_of_victory_and_points_so_far_are_told() -> None:
    state, board = crusader()
    state.held["0"] = 2
    victory = section(report(view(state, "axis"), board), "Victory")
    assert "(2 of 4 turns)" in victory.replace("\n      ", " ")
    assert "points now by area: Axis 18, Commonwealth 5" in victory.replace("\n      ", " ")


@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
@pytest.mark.parametrize("style", ["report", "text"])
def test_no_line_is_longer_than_a_hundred_columns(module: str, style: str) -> None:
    prepared, game = played(module)
    for side in (*SIDES, "umpire"):
        drawing = draw(view(game.state, side), prepared.board, style)
        assert drawing is not None
        assert max(map(len, drawing.splitlines())) <= 100
        assert "The game is over" in drawing


def test_nothing_that_a_terminal_would_obey_comes_through() -> None:
    state, board = crusader()
    state.sheets["axis"].plan = "red \x1b[31m"
    assert "\x1b" not in report(view(state, "axis"), board)
