"""What each question is about, and that an answer to one is none to another."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import AXIS, fighting, result
from tests.plugins.khamsin.figures import pieces_of, played
from tests.plugins.khamsin.test_examples import at_sidi_rezegh

from khamsin.model.orders import FieldCompanies, LetGo, RetreatTo, Withdraw
from sandtable.kernel.decisions import PURPOSE
from sandtable.kernel.records import OrderRecord
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

    from sandtable.kernel.decisions import Order
    from sandtable.kernel.play.game import Game
    from sandtable.kernel.questions import AnsweredQuestion


def asked_in(game: Game) -> list[tuple[OrderRecord[Order], AnsweredQuestion]]:
    """Return the orders of a game with the questions that they answered."""
    found: list[tuple[Any, Any]] = [(each, each.asked) for each in game.records if isinstance(each, OrderRecord)]
    return found


@pytest.mark.rule("KH-1.01", "KH-12.05", "KH-18.02")
def test_a_report_of_one_mission_is_no_answer_to_another(lay: Lay) -> None:
    hold, breakthrough = (at_sidi_rezegh(lay, until=ReportBattle, dice={"type:sidi_rezegh": die}) for die in ("1", "5"))
    brief, other = hold.brief(), breakthrough.brief()
    assert brief.id == other.id
    assert brief.mission != other.mission
    told = result(AXIS, "4-3")
    recorded = ReportBattle.of(brief, told(brief))
    assert breakthrough.rejects("umpire", recorded) == "KH-18.02"
    hold.game.submit(recorded, "umpire")
    breakthrough.game.submit(ReportBattle(other.id, told(other)), "umpire")  # by hand, and of format 1


@pytest.mark.rule("KH-18.02")
def test_a_report_names_engagement_and_action(lay: Lay) -> None:
    purposes = {
        Withdraw: {"withdraw.sidi_rezegh.axis", "withdraw.sidi_rezegh.allies"},
        FieldCompanies: {"field.sidi_rezegh.axis", "field.sidi_rezegh.allies"},
        ReportBattle: {"report.sidi_rezegh.1"},
        RetreatTo: {"retreat.sidi_rezegh.axis"},
    }
    for until, expected in purposes.items():
        case = at_sidi_rezegh(lay, result("allies", "4-3"), until=until)
        assert {each.purpose for each in case.asked} == expected
    case = at_sidi_rezegh(lay, fighting(AXIS), until=LetGo)
    assert [each.purpose for each in case.asked] == ["let_go.sidi_rezegh"]


@pytest.mark.parametrize("seed", ["wadi", "dune"])
@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
def test_no_two_questions_of_a_phase_have_one_purpose(module: str, seed: str) -> None:
    for readings in ({}, {"large_engagements": "by_agreement", "actions_per_engagement": "player_pairs"}):
        _, game = played(module, seed, readings)
        asked = [each for _, each in asked_in(game)]
        assert all(PURPOSE.fullmatch(each.decision.purpose) for each in asked)
        places = Counter((each.turn, each.place) for each in asked)
        assert not {place for place, number in places.items() if number > 1}


@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
def test_the_label_of_an_open_question_names_no_piece(module: str) -> None:
    for readings in ({}, {"company_selection": "attacker_first", "engagement_order": "umpire_order"}):
        _, game = played(module, "wadi", readings)
        for record, asked in asked_in(game):
            if not record.secret:
                assert pieces_of(game).isdisjoint(re.split("[.:]", asked.decision.purpose))
