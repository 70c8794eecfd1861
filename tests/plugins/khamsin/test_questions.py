"""Purposes of decisions, and logs that lack openings."""

import re
from collections import Counter
from typing import Any

import pytest
from cutting import cut_after, openings_in, questions_in
from tests.plugins.khamsin.cases import AXIS, NewCase, at_sidi_rezegh, fighting, result
from tests.plugins.khamsin.games import played
from tests.plugins.khamsin.oracle.figures import pieces_of

import khamsin
from khamsin.model.orders import FieldCompanies, LetGo, RetreatTo, Withdraw
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.format.openings import key_of
from sandtable.journal.record import play_recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import PURPOSE, UMPIRE, Order
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import AnsweredQuestion
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.tabletop.result import ReportBattle


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return Installed("khamsin", khamsin, "here").prepare("teaching")


@pytest.fixture(scope="module")
def data(prepared: Prepared) -> bytes:
    """Return a game with hidden dice."""
    names, key = name_seats(prepared, {}), key_from_seed("parts")
    dice = make_dice("host", key)
    return play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice)).data


def unfinished(data: bytes) -> bytes:
    """Return a log at its last question, where the key is not revealed yet."""
    return cut_after(data, questions_in(data)[-2])


def without(data: bytes, to: str) -> Log:
    """Return the log without the openings for ``to``."""
    gone = {line for line in openings_in(data) if (key_of(line) or (0, ""))[1] == to}
    return parse_log(b"".join(line for line in data.splitlines(keepends=True) if line not in gone), "log")


def test_verify_reports_missing_openings_of_the_umpire(data: bytes, prepared: Prepared) -> None:
    assert verify(parse_log(unfinished(data), "log"), prepared).verdict == "verified so far"
    verdict = verify(without(unfinished(data), UMPIRE), prepared)
    assert (verdict.verdict, verdict.first_difference) == ("not proven", None)
    assert any(item.startswith("openings for umpire of record") for item in verdict.missing)
    assert "the game is not finished" in verdict.note
    assert verdict.closed


@pytest.mark.parametrize("side", ["axis", "allies"])
def test_verify_reports_missing_openings_of_a_side(data: bytes, prepared: Prepared, side: str) -> None:
    part = unfinished(slice_log(parse_log(data, "log"), prepared, side))
    assert verify(parse_log(part, "log"), prepared, side=side).verdict == "verified so far"
    verdict = verify(without(part, side), prepared, side=side)
    assert (verdict.verdict, verdict.first_difference) == ("not proven", None)
    assert any(item.startswith(f"openings for {side} of record") for item in verdict.missing)
    assert "the game is not finished" in verdict.note
    assert verdict.closed


def decisions_of(game: Game) -> list[tuple[OrderRecord[Order], AnsweredQuestion]]:
    """Return the orders of a game with the decisions that they answered."""
    found: list[tuple[Any, Any]] = [(each, each.asked) for each in game.records if isinstance(each, OrderRecord)]
    return found


@pytest.mark.rule("KH-1.01", "KH-12.05", "KH-18.02")
def test_battle_report_is_refused_for_another_mission(new_case: NewCase) -> None:
    hold, breakthrough = (
        at_sidi_rezegh(new_case, until=ReportBattle, dice={"type:sidi_rezegh": die}) for die in ("1", "5")
    )
    brief, other = hold.brief(), breakthrough.brief()
    assert brief.id == other.id
    assert brief.mission != other.mission
    result_of = result(AXIS, "4-3")
    recorded = ReportBattle.of(brief, result_of(brief))
    assert breakthrough.rejects("umpire", recorded) == "KH-18.02"
    hold.game.submit(recorded, "umpire")
    breakthrough.game.submit(ReportBattle(other.id, result_of(other)), "umpire")  # without the digest of a brief


@pytest.mark.rule("KH-18.02")
def test_decision_purposes_name_engagement_and_action(new_case: NewCase) -> None:
    purposes = {
        Withdraw: {"withdraw.sidi_rezegh.axis", "withdraw.sidi_rezegh.allies"},
        FieldCompanies: {"field.sidi_rezegh.axis", "field.sidi_rezegh.allies"},
        ReportBattle: {"report.sidi_rezegh.1"},
        RetreatTo: {"retreat.sidi_rezegh.axis"},
    }
    for until, expected in purposes.items():
        case = at_sidi_rezegh(new_case, result("allies", "4-3"), until=until)
        assert {each.purpose for each in case.pending} == expected
    case = at_sidi_rezegh(new_case, fighting(AXIS), until=LetGo)
    assert [each.purpose for each in case.pending] == ["let_go.sidi_rezegh"]


@pytest.mark.full
@pytest.mark.parametrize("seed", ["wadi", "dune"])
@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
def test_decision_purposes_are_unique_within_a_phase(module: str, seed: str) -> None:
    for options in ({}, {"large_engagements": "by_agreement", "actions_per_engagement": "player_pairs"}):
        _, game = played(module, seed, **options)
        decisions = [each for _, each in decisions_of(game)]
        assert all(PURPOSE.fullmatch(each.decision.purpose) for each in decisions)
        places = Counter((each.turn, each.place) for each in decisions)
        assert not {place for place, number in places.items() if number > 1}


@pytest.mark.full
@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize("module", ["teaching", "fixture", "crusader"])
def test_public_decision_purpose_names_no_piece(module: str) -> None:
    for options in ({}, {"company_selection": "attacker_first", "engagement_order": "umpire_order"}):
        _, game = played(module, **options)
        for record, decision in decisions_of(game):
            if not record.secret:
                assert pieces_of(game).isdisjoint(re.split("[.:]", decision.decision.purpose))
