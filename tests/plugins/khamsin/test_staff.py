"""The commander: what he orders in small positions, and how he fares against random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from khamsin.bots.assault import best_assault
from khamsin.bots.players import WORST, Aide, Commander
from khamsin.bots.position import Position
from khamsin.model.orders import Advance, Allocate, LetGo, RetreatTo, Withdraw, WriteOrders
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.views import View
from sandtable.lab.matches.games import GameResult, MatchPlan, play_one
from sandtable.plugin.manager import Rulesets

if TYPE_CHECKING:
    from tests.plugins.khamsin.cases import Case
    from tests.plugins.khamsin.conftest import Lay

    from khamsin.model.state import KhamsinState


def answer(case: Case, side: str, who: type[Commander] = Commander) -> Order:
    """Return the commander's answer to the question that is open for a side; it must be allowed."""
    decision = case.decision(side)
    commander = who(side, Stream(b"a commander"), case.state.board)
    order: Order = commander.choose(decision, View(side, case.game.view))
    assert decision.options.why_not(order) is None
    return order


def moves(case: Case, side: str) -> dict[str, str]:
    """Return where the commander sends whom."""
    order = answer(case, side)
    assert isinstance(order, WriteOrders)
    return {each: path[-1] for each, path in order.moves.items()}


def seen(case: Case, side: str = "allies") -> Position:
    """Return the position as the commander of a side has it before him."""
    return Position(View(side, case.game.view)(), case.state.board, side)


def reported(area: str, **companies: int) -> object:
    """Return what makes the last report of the Commonwealth tell of enemies in an area."""

    def tell(state: KhamsinState) -> None:
        state.reports["allies"].occupied.append(area)
        if companies:
            state.reports["allies"].seen[area] = dict(companies)

    return tell


def test_open_ground_of_the_enemys_is_taken(lay: Lay) -> None:
    case = lay("7_armd_bde gabr_saleh; 15_pz_div sollum")
    assert case.state.control[moves(case, "allies")["7_armd_bde"]] == "axis"


def test_he_attacks_what_is_reported_and_weaker_with_all_that_stands_next_to_it(lay: Lay) -> None:
    here = "7_armd_bde gabr_saleh; inf_cw gabr_saleh; afrika_div sidi_rezegh"
    worth = {"victory.score.sidi_rezegh": 12}
    case = lay(here, tweak=reported("sidi_rezegh", infantry=1), changes=worth)
    best = best_assault(seen(case), ["7_armd_bde", "inf_cw"], [])
    assert best is not None
    assert (best.area, sorted(best.force)) == ("sidi_rezegh", ["7_armd_bde", "inf_cw"])


def test_he_does_not_attack_what_is_far_stronger(lay: Lay) -> None:
    case = lay("7_armd_bde gabr_saleh; afrika_div sidi_rezegh", tweak=reported("sidi_rezegh", infantry=12))
    assert moves(case, "allies").get("7_armd_bde") != "sidi_rezegh"


def test_who_must_rest_rests(lay: Lay) -> None:
    case = lay("7_armd_bde gabr_saleh regroup; 15_pz_div sollum")
    assert "7_armd_bde" not in moves(case, "allies")


def test_replacements_go_to_the_most_worn(lay: Lay) -> None:
    case = lay(
        "7_armd_bde gabr_saleh armor=30; recon_cw assembly_area armor=9; 15_pz_div sollum", at="start.replacements"
    )
    order = answer(case, "allies")
    assert isinstance(order, Allocate)
    assert list(order.shares) == ["7_armd_bde"]
    assert order.shares["7_armd_bde"].armor > 0
    assert not order.shares["7_armd_bde"].moving


def test_in_imagined_games_only_the_most_worn_is_given_replacements(lay: Lay) -> None:
    worn = "7_armd_bde gabr_saleh armor=30; inf_cw gabr_saleh general=20"
    case = lay(f"{worn}; 15_pz_div sollum", at="start.replacements")
    usual, quick = answer(case, "allies"), answer(case, "allies", Aide)
    assert isinstance(usual, Allocate)
    assert isinstance(quick, Allocate)
    assert len(usual.shares) > len(quick.shares) == WORST


def test_reconnaissance_gets_out_of_the_way_and_others_stand(lay: Lay) -> None:
    dice = {"activation:15_pz_div": "6"}
    case = lay("recon_cw gabr_saleh armor=31; 15_pz_div sidi_rezegh", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    order = answer(case, "allies")
    assert isinstance(order, Withdraw)
    assert order.leaving == {"recon_cw": "recon"}
    assert answer(case, "axis") == Withdraw()


def test_the_kinds_of_answers_are_all_his_own() -> None:
    """None of these is left to chance."""
    from khamsin.bots.answers import ANSWERS  # noqa: PLC0415 - only here

    assert {Withdraw, LetGo, RetreatTo, Advance, Allocate} <= set(ANSWERS)


def match(scenario: str, games: int) -> list[GameResult]:
    plan = MatchPlan("khamsin", ("commander", "random"), games, "staff", scenario)
    prepared = Rulesets().load("khamsin").prepare(scenario)
    return [play_one(prepared, plan, number) for number in range(games)]


@pytest.mark.full
def test_he_wins_most_of_a_few_campaigns() -> None:
    assert sum(each.outcome == each.first for each in match("crusader", 12)) >= 9


@pytest.mark.slow
def test_he_beats_random_in_eighty_five_of_a_hundred_paired_campaigns() -> None:
    wins = [each.first for each in match("crusader", 100) if each.outcome == each.first]
    assert len(wins) >= 85
    assert min(wins.count("axis"), wins.count("allies")) >= 40
