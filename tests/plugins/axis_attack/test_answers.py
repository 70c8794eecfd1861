"""What the rules say to a question about a campaign: levels, the front, the next mission, from what a side sees."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest

from axis_attack.fog.views import view
from axis_attack.model import orders
from axis_attack.model.events import MissionSelected
from axis_attack.model.state import AxisState
from axis_attack.model.strength import teams_available
from axis_attack.ui.asking.answers import answer
from axis_attack.ui.terms import mission_words
from sandtable.errors import PlayError

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

    from sandtable.plugin.manifest import Answer

WON = "german won hold_the_line as attacker 5-2"


def told(state: AxisState, text: str, side: str = "german") -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def said(state: AxisState, text: str, side: str = "german") -> str:
    return "\n".join(told(state, text, side).lines)


# --- platoons ---


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


# --- the front ---


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


# --- the next mission ---


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


# --- who asks ---


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
