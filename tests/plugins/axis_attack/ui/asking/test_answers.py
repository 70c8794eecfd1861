"""Answers to questions about a campaign."""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay

from axis_attack.fog.views import view
from axis_attack.forces.force import force_space
from axis_attack.model import orders
from axis_attack.model.events import MissionSelected
from axis_attack.model.orders import PlaceTable
from axis_attack.model.state import AxisState, Battle, Fielded
from axis_attack.model.strength import teams_available
from axis_attack.ui.asking.answers import answer
from axis_attack.ui.draw import draw
from axis_attack.ui.parsing import read_order
from axis_attack.ui.terms import mission_words
from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision
from sandtable.plugin.manifest import Answer

WON = "german won hold_the_line as attacker 5-2"


def told(state: AxisState, text: str, side: str = "german") -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def said(state: AxisState, text: str, side: str = "german") -> str:
    return "\n".join(told(state, text, side).lines)


@pytest.mark.rule("AOA-3.05", "AOA-10.09")
def test_a_platoon_is_told_with_what_it_can_field(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg gutted").state
    assert f"up to {teams_available(state, 'german', 'pg1')} teams" in said(state, "level pg1")
    answer_ = told(state, "level pg2")
    assert answer_.yes is False
    assert "cannot be fielded" in answer_.lines[-1]


@pytest.mark.rule("AOA-3.05", "AOA-3.07", "AOA-7.05")
def test_problems_are_who_is_worn_and_who_cannot_be_fielded(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg gutted; hmg hmg depleted").state
    assert [line.split(" ")[0] for line in told(state, "problems").lines] == ["pg2", "hmg"]
    assert "gutted, bought at full strength: it cannot be fielded" in said(state, "problems")
    assert f"up to {teams_available(state, 'german', 'hmg')} teams" in said(state, "problems")
    state.bound = "german"
    assert {"AOA-3.07", "AOA-3.05", "AOA-7.05"} <= set(told(state, "problems").rules)
    assert said(lay("forces", german="pg1 pg full").state, "problems") == "nothing is amiss"


@pytest.mark.rule("AOA-7.07", "AOA-7.09", "AOA-12.01")
def test_outcomes_are_those_of_the_mission(lay: Lay) -> None:
    lines = said(lay("forces", mission="breakthrough", attacker="german", sector=4).state, "outcomes")
    assert "the German win attacking: breakthrough, next game in sector 5" in lines
    assert "the Soviet win defending: hold, next game in sector 4" in lines
    assert "a draw: hold" in lines
    at_home = lay("forces", mission="encounter", sector=7).state
    assert "the German win: the campaign is won" in said(at_home, "outcomes")
    assert "the Soviet win: advance, next game in sector 6" in said(at_home, "outcomes")


@pytest.mark.rule("AOA-12.03", "AOA-12.04")
def test_the_front_is_told_with_what_each_side_needs(lay: Lay) -> None:
    assert "a stalemate" in said(lay("forces", sector=4).state, "front")
    assert "a minor victory of the German" in said(lay("forces", sector=6).state, "front")


@pytest.mark.rule("AOA-8.01", "AOA-8.07")
def test_chances_of_missions_are_what_the_dice_bring(lay: Lay) -> None:
    """Each of the thirty-six throws is played: every mission comes as often as was told before."""
    before: list[Answer] = []
    found: dict[str, int] = {}
    for german, soviet in product(range(1, 7), repeat=2):
        dice = {"selection:german": str(german), "selection:soviet": str(soviet)}
        asks = (lambda _: None) if before else (lambda state: before.append(told(state, "missions")))
        case = lay("selection", last=WON, dice=dice, tweak=asks).play(until=orders.PlaceTable)
        mission = case.one(MissionSelected).mission
        found[mission] = found.get(mission, 0) + 1
        board = case.state.board
    for mission, number in found.items():
        line = f"{mission_words(mission, board)} {Fraction(number, 36)} ("
        assert any(each.startswith(line) for each in before[0].lines), line


@pytest.mark.rule("AOA-8.01")
def test_while_a_game_is_to_be_fought_its_mission_stands(lay: Lay) -> None:
    answer_ = told(lay("forces", mission="encounter").state, "missions")
    assert answer_.yes is False
    assert "Encounter is chosen" in answer_.lines[0]


def test_what_the_enemy_has_not_shown_changes_no_answer(lay: Lay) -> None:
    """Two campaigns that differ in a Soviet platoon which nobody has seen are one to the Germans."""
    answers = []
    for level in ("full", "gutted"):
        state = lay("forces", soviet=f"t1 tankovy full; s1 strelkovy {level}").state
        answers.append([told(state, text) for text in ("outcomes", "front", "missions", "level pg1", "?")])
        with pytest.raises(PlayError, match="no platoon that you know"):
            told(state, "level s1")
    assert answers[0] == answers[1]


def test_what_can_be_asked_is_listed(lay: Lay) -> None:
    state = lay("forces").state
    names = ["force", "odds", "dice", "level", "outcomes", "front", "missions", "problems"]
    assert [line.split(" ")[0] for line in told(state, "?").lines] == names
    with pytest.raises(PlayError, match="no mission"):
        told(state, "outcomes picnic")


@pytest.mark.rule("AOA-3.02", "AOA-3.07", "AOA-3.17")
def test_what_can_be_fielded_is_listed_and_a_force_is_added_up_before_it_is_chosen(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg full; panzer panzer full; hmg hmg gutted").state
    lines = told(state, "force").lines
    assert any(line.startswith("pg1, ") for line in lines)
    assert any(line.startswith("not hmg") for line in lines)
    right = told(state, "force pg1; pg2 5")
    assert right.yes is True
    space = force_space(state, "german")
    order = orders.ChooseForce([Fielded("pg1", 7), Fielded("pg2", 5)])
    assert right.lines[0].startswith(f"{space.points(order)} points of {space.pool.limit}; ")
    alone = told(state, "force pg1")
    assert (alone.yes, alone.rules) == (False, ("AOA-3.01",))
    assert "tiger" in told(state, "force pg1; tiger 3").lines[0]
    with pytest.raises(PlayError, match="extra"):
        told(state, "force pg1; extra")


@pytest.mark.rule("AOA-3.02")
def test_a_force_that_costs_too_much_is_told_by_how_much(lay: Lay) -> None:
    state = lay("forces", changes={"limit": 500}).state
    wrong = told(state, "force pg1; pg2; panzer; hmg")
    assert (wrong.yes, wrong.rules) == (False, ("AOA-3.02",))
    assert wrong.lines[0].endswith("too many")


@pytest.mark.rule("AOA-5.17", "AOA-R14")
def test_the_odds_are_told_once_both_forces_are_shown(lay: Lay) -> None:
    assert told(lay("forces").state, "odds").yes is False

    def shown(state: AxisState) -> None:
        state.shown = {side: list(roster) for side, roster in state.rosters.items()}

    lines = told(lay("battle", points=(1500, 1300), tweak=shown).state, "odds").lines
    assert lines[0].startswith("by the resolver, in clear weather: German ")
    assert lines[1] == "the Soviet have 200 points less: +2 victory points whoever wins"


@pytest.mark.rule("AOA-11.06", "AOA-11.09", "AOA-11.12")
def test_dice_are_told_with_what_they_need_and_bring(lay: Lay) -> None:
    lines = told(lay("forces", german="pg1 pg gutted; pg2 pg full; panzer panzer depleted").state, "dice").lines
    assert lines[0] == "pg1, combat: 3 or more, gutted to depleted; one die 4 in 6, two dice 32 in 36"
    assert lines[1].startswith("panzer, support: 6 or more, depleted to ")
    assert told(lay("forces", german="pg1 pg full; pg2 pg full").state, "dice").yes is False


@pytest.mark.rule("AOA-3.01", "AOA-3.12")
def test_the_example_of_a_force_names_platoons_of_who_is_asked(lay: Lay) -> None:
    for side, other in (("german", "soviet"), ("soviet", "german")):
        state = lay("forces", mission="breakthrough", attacker=side).state
        hint = str(read_order(Decision(side, "?", force_space(state, side), "AOA-3.01"), "?", state.board))
        named = set(re.findall(r"[a-z0-9_]+", hint))
        assert named & set(state.rosters[side])
        assert not named & set(state.rosters[other])


def test_who_has_built_nothing_and_who_fields_nothing_is_told_so(lay: Lay) -> None:
    state = lay("forces").state
    assert "ask as one of the sides" in told(state, "force", "umpire").lines[0]
    state.rosters["german"] = {}
    assert "not built yet" in told(state, "force").lines[0]


Lay = Callable[..., Any]


def words_of(state: AxisState, text: str, side: str = "german") -> str:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return "\n".join(found.lines)


def forces(lay: Lay, **position: Any) -> tuple[AxisState, Any]:
    state = lay("forces", **position).state
    return state, force_space(state, "german")


def _fought(state: AxisState) -> None:
    state.shown = {side: list(roster) for side, roster in state.rosters.items()}
    fought = Battle(state.turn, state.sector, "encounter", "", "", "german", {"german": 5, "soviet": 2}, "advance")
    state.track.append(fought)


@pytest.mark.rule("AOA-3.17")
def test_the_odds_of_a_game_that_is_over_are_told_to_nobody(lay: Lay) -> None:
    state = lay("battle", points=(1500, 1300), tweak=_fought).state
    assert words_of(state, "odds").startswith("the game is over")


@pytest.mark.rule("AOA-8.07")
def test_the_rows_of_missions_are_told_with_their_chances(lay: Lay) -> None:
    found: list[str] = []

    def ask(state: AxisState) -> None:
        found.append(words_of(state, "missions"))

    lay("selection", last="german won hold_the_line as attacker 5-2", tweak=ask).play(until=PlaceTable)
    assert "10 or more Breakthrough, 8 or 9 Encounter, 7 " in found[0]


def test_a_mission_may_be_cut_short_and_all_are_told_at_once(lay: Lay) -> None:
    state = lay("forces").state
    assert words_of(state, "outcomes hold") == words_of(state, "outcomes hold_the_line")
    assert words_of(state, "outcomes all").count(" in sector ") >= 6


@pytest.mark.rule("AOA-11.06")
def test_dice_are_told_for_as_many_as_a_turn_has(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg gutted; pg2 pg full").state
    assert "3 or more, by dice: 1 67 %, 2 89 %, 3 96 %, 4 99 %" in words_of(state, "dice")


@pytest.mark.rule("AOA-1.10", "AOA-3.02")
def test_a_company_is_added_up_before_it_is_built(lay: Lay) -> None:
    state = lay("forces").state
    state.rosters = {"german": {}, "soviet": {}}
    lines = words_of(state, "force start; drop cars; new howitzers 3")
    assert " are left" in lines
    assert "new, bought with 3, is never above" in lines


def test_what_points_are_left_for_is_told_and_what_would_help(lay: Lay) -> None:
    state, _ = forces(lay, german="pg1 pg full; pg2 pg full; panzer panzer full", balance=(3, 0))
    assert "are left, enough for panzer" in words_of(state, "force pg1; pg2")
    tight, _ = forces(lay, german="pg1 pg full; pg2 pg full", changes={"limit": 400}, balance=(3, 0))
    assert "would do" in words_of(tight, "force pg1; pg2")


def test_more_is_told_of_one_platoon_and_of_a_type_of_ones_list(lay: Lay) -> None:
    state = lay("forces", german="pg1 pg full; pg2 pg gutted").state
    seen = view(state, "german")
    assert "pg2" in str(draw(seen, state.board, "text", "pg2"))
    assert "pg1 (" not in str(draw(seen, state.board, "text", "pg2"))
    assert "teams (points)" in str(draw(seen, state.board, "text", "howitzers"))
    with pytest.raises(PlayError, match="is no platoon that you know"):
        draw(seen, state.board, "text", "elephants")
