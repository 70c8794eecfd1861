"""The commander: its orders in small positions with one obvious answer, and matches against random."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, NewCase, fighting, result

from khamsin.bots.assault import best_assault
from khamsin.bots.belief import Belief
from khamsin.bots.goal import lead, worths
from khamsin.bots.lines import loads
from khamsin.bots.odds import Troops, engagement, support_of, troops
from khamsin.bots.players import WORST, Aide, Commander
from khamsin.bots.position import Position
from khamsin.model.orders import Advance, Allocate, FieldCompanies, LetGo, RetreatTo, Withdraw, WriteOrders
from khamsin.model.state import KhamsinState
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.views import View
from sandtable.lab.matches.games import GameResult, MatchPlan, play_one
from sandtable.plugin.manager import Rulesets

EMPTY_WELL = "panzer_rgt ridge; guard_battalion west_well; inf_bde ford"
WELLS = "panzer_rgt ridge; rifle_rgt ridge; guard_battalion west_well; armd_bde ford; garrison east_well"


def held(number: str, turns: int) -> Callable[[KhamsinState], object]:
    """Return a tweak under which a victory condition has held for ``turns`` turns."""
    return lambda state: state.held.__setitem__(number, turns)


@pytest.mark.rule("KH-25.01", "KH-25.02")
def test_area_gains_worth_as_its_remaining_turns_decrease(new_case: NewCase) -> None:
    found = []
    for turns in (0, 1, 2):
        case = new_case(WELLS, module="teaching", control="axis: east_well", tweak=held("0", turns))
        found.append(worths(case.game.view("axis"), case.state.board)["east_well"])
    assert found == sorted(set(found))
    late = [new_case(WELLS, module="teaching", turn=8, tweak=held("0", turns)) for turns in (0, 1)]
    few = [worths(case.game.view("axis"), case.state.board)["east_well"] for case in late]
    assert few[0] < few[1]  # 2 turns of 3 are left: only a count that has begun can win


@pytest.mark.rule("KH-25.03", "KH-R111")
def test_lead_is_measured_in_margins(new_case: NewCase) -> None:
    def ahead(control: str) -> int:
        case = new_case(WELLS, module="teaching", control=control)
        return lead(case.game.view("axis"), case.state.board, "axis")

    assert ahead("axis: ford") - ahead("") == 2  # 2 points gained, 2 taken from the enemy, in margins of 2


@pytest.mark.rule("KH-10.01", "KH-11.02")
def test_supply_line_uses_own_areas_then_fewest_captures(new_case: NewCase) -> None:
    case = new_case(WELLS, module="teaching")
    view, board = case.game.view("axis"), case.state.board
    assert loads(view, board, "axis", {"ridge": 4}) == {"ridge": 4, "west_well": 4}
    assert loads(view, board, "axis", {"east_well": 2}) == {"east_well": 2, "ridge": 2, "west_well": 2}


@pytest.mark.rule("KH-6.03", "KH-1.08")
def test_belief_on_turn_1_follows_the_order_of_battle(new_case: NewCase) -> None:
    case = new_case(WELLS, module="teaching", turn=1)
    belief = Belief(case.state.board, "axis")
    view = case.game.view("axis")
    belief.update(view, worths(view, case.state.board))
    assert belief.where["garrison"] == {"east_well": 1000}
    assert belief.strength("east_well") > belief.strength("west_well") == 0


@pytest.mark.rule("KH-6.03")
def test_belief_excludes_observed_areas_without_a_report(new_case: NewCase) -> None:
    case = new_case(WELLS, module="teaching", tweak=reported("ford", side="axis"))
    belief = Belief(case.state.board, "axis")
    view = case.game.view("axis")
    belief.update(view, worths(view, case.state.board))
    assert belief.strength("east_well") == 0  # next to the Ridge, and not reported
    assert belief.strength("ford") > 0


@pytest.mark.rule("KH-16.01", "KH-22.05", "KH-22.09", "KH-12.09")
def test_odds_fall_with_attrition_and_works_and_rise_with_support() -> None:
    fresh, worn = troops(("armor",), 0, 0, supplied=True), troops(("armor",), 31, 0, supplied=True)
    foe = Troops(("armor",))
    assert engagement(fresh, foe, "moving", 0, 2, 0)[0] > engagement(worn, foe, "moving", 0, 2, 0)[0]
    assert engagement(fresh, foe, "moving", 0, 2, 0)[0] > engagement(fresh, foe, "fortified", 1, 2, 0)[0]
    assert engagement(fresh, foe, "moving", 0, 2, support_of(3))[0] > engagement(fresh, foe, "moving", 0, 2, 0)[0]
    infantry = Troops(("infantry",))
    assert (
        engagement(infantry, infantry, "fortified", 1, 4, 0)[0] > engagement(fresh, infantry, "fortified", 1, 4, 0)[0]
    )


def test_commander_takes_an_empty_well_and_guards_its_own(new_case: NewCase) -> None:
    case = new_case(f"rifle_rgt ridge; {EMPTY_WELL}", module="teaching", tweak=reported("ford", side="axis"))
    ordered = moves(case, "axis")
    assert ordered["panzer_rgt"] == "east_well"
    assert "guard_battalion" not in ordered


def test_commander_attacks_a_nearly_lost_well_at_any_odds(new_case: NewCase) -> None:
    def set_situation(state: Any) -> None:
        state.held["1"] = 2
        reported("east_well", "ford", "west_well", side="axis")(state)

    where = (
        "rifle_rgt ridge; panzer_rgt ridge armor=40 general=45; armd_bde west_well; inf_bde ford; garrison east_well"
    )
    case = new_case(where, module="teaching", control="allies: west_well", tweak=set_situation)
    assert moves(case, "axis")["panzer_rgt"] == "west_well"


def test_commander_withdraws_a_formation_near_its_limit(new_case: NewCase) -> None:
    dice = {"activation:15_pz_div": "6"}
    case = new_case("7_armd_bde gabr_saleh armor=60 general=45; inf_cw gabr_saleh; 15_pz_div sidi_rezegh", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    order = answer(case, "allies")
    assert isinstance(order, Withdraw)
    assert order.how == "fighting" or order.leaving == {"7_armd_bde": "precipitous"}


@pytest.mark.rule("KH-19.01", "KH-19.08")
@pytest.mark.parametrize(
    ("wear", "enemies", "how"),
    [(" armor=40 general=40", "7_armd_bde 4_armd_bde 2_nz_div", "fighting"), ("", "7_armd_bde", "stand")],
)
def test_commander_withdraws_an_attacker_without_hope(new_case: NewCase, wear: str, enemies: str, how: str) -> None:
    where = "; ".join(f"{each} gabr_saleh" for each in enemies.split())
    dice = {"activation:15_pz_div": "6"}
    case = new_case(f"15_pz_div sidi_rezegh{wear}; {where}", module="crusader", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    order = answer(case, AXIS)
    assert isinstance(order, Withdraw)
    assert order.how == how


@pytest.mark.rule("KH-19.02", "KH-19.05", "KH-19.08")
@pytest.mark.parametrize(("wear", "let_go"), [("", False), (" armor=40 general=30", True)])
def test_commander_pursues_a_withdrawal_only_if_fresh(new_case: NewCase, wear: str, let_go: bool) -> None:
    dice = {"activation:15_pz_div": "6", "activation:21_pz_div": "6"}
    case = new_case(f"15_pz_div sidi_rezegh{wear}; 21_pz_div sidi_rezegh{wear}; recon_cw gabr_saleh", dice=dice)
    case.turn(fighting(ALLIES), axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=LetGo)
    assert answer(case, AXIS) == LetGo(let_go)


@pytest.mark.rule("KH-13.01", "KH-21.02")
def test_commander_fields_the_freshest_formation_in_every_action(new_case: NewCase) -> None:
    dice = {"activation:15_pz_div": "6", "activation:21_pz_div": "6"}
    where = "15_pz_div sidi_rezegh armor=35; 21_pz_div sidi_rezegh; 7_armd_bde gabr_saleh"
    case = new_case(where, dice=dice, actions_per_engagement="by_strength")
    case.turn(axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=FieldCompanies)
    order = answer(case, "axis")
    assert isinstance(order, FieldCompanies)
    assert {each.formation for each in order.companies} == {"21_pz_div"}


@pytest.mark.rule("KH-20.01")
def test_commander_retreats_a_beaten_force_to_its_own_side(new_case: NewCase) -> None:
    case = new_case(
        "panzer_rgt ridge; inf_bde ford; garrison east_well", module="teaching", dice={"activation:panzer_rgt": "6"}
    )
    case.turn(result("axis", "4-3"), axis="panzer_rgt ford", until=RetreatTo)
    assert answer(case, "allies") == RetreatTo({"inf_bde": "east_well"})


def answer(case: Case, side: str, bot: type[Commander] = Commander) -> Order:
    """Return the commander's legal answer to the pending decision of a side."""
    decision = case.decision(side)
    commander = bot(side, Stream(b"a commander"), case.state.board)
    order: Order = commander.choose(decision, View(side, case.game.view))
    assert decision.options.why_not(order) is None
    return order


def moves(case: Case, side: str) -> dict[str, str]:
    """Return the goal of each formation that the commander moves."""
    order = answer(case, side)
    assert isinstance(order, WriteOrders)
    return {each: path[-1] for each, path in order.moves.items()}


def seen(case: Case, side: str = "allies") -> Position:
    """Return the position as the commander of a side sees it."""
    return Position(View(side, case.game.view)(), case.state.board, side)


def reported(area: str, *more: str, side: str = "allies", **companies: int) -> Callable[[KhamsinState], object]:
    """Return a tweak that adds enemies in areas to the last report of a side; ``companies`` are those in the first."""

    def report(state: KhamsinState) -> None:
        state.reports[side].turn = 1
        state.reports[side].occupied += [area, *more]
        if companies:
            state.reports[side].seen[area] = dict(companies)

    return report


def test_commander_takes_empty_enemy_areas(new_case: NewCase) -> None:
    case = new_case("7_armd_bde gabr_saleh; 15_pz_div sollum")
    assert case.state.control[moves(case, "allies")["7_armd_bde"]] == "axis"


def test_commander_attacks_a_weaker_reported_force_with_all_neighbors(new_case: NewCase) -> None:
    here = "7_armd_bde gabr_saleh; inf_cw gabr_saleh; afrika_div sidi_rezegh"
    worth = {"victory.score.sidi_rezegh": 12}
    case = new_case(here, tweak=reported("sidi_rezegh", infantry=1), changes=worth)
    best = best_assault(seen(case), ["7_armd_bde", "inf_cw"], [])
    assert best is not None
    assert (best.area, sorted(best.force)) == ("sidi_rezegh", ["7_armd_bde", "inf_cw"])


def test_commander_does_not_attack_a_far_stronger_force(new_case: NewCase) -> None:
    case = new_case("7_armd_bde gabr_saleh; afrika_div sidi_rezegh", tweak=reported("sidi_rezegh", infantry=12))
    assert moves(case, "allies").get("7_armd_bde") != "sidi_rezegh"


def test_commander_keeps_a_regrouping_formation_in_place(new_case: NewCase) -> None:
    case = new_case("7_armd_bde gabr_saleh regroup; 15_pz_div sollum")
    assert "7_armd_bde" not in moves(case, "allies")


def test_commander_gives_replacements_to_the_most_worn_formation(new_case: NewCase) -> None:
    case = new_case(
        "7_armd_bde gabr_saleh armor=30; recon_cw assembly_area armor=9; 15_pz_div sollum", at="start.replacements"
    )
    order = answer(case, "allies")
    assert isinstance(order, Allocate)
    assert list(order.shares) == ["7_armd_bde"]
    assert order.shares["7_armd_bde"].armor > 0
    assert not order.shares["7_armd_bde"].moving


def test_aide_gives_replacements_only_to_the_most_worn(new_case: NewCase) -> None:
    worn = "7_armd_bde gabr_saleh armor=30; inf_cw gabr_saleh general=20"
    case = new_case(f"{worn}; 15_pz_div sollum", at="start.replacements")
    usual, quick = answer(case, "allies"), answer(case, "allies", Aide)
    assert isinstance(usual, Allocate)
    assert isinstance(quick, Allocate)
    assert len(usual.shares) > len(quick.shares) == WORST


def test_commander_withdraws_reconnaissance_and_holds_with_others(new_case: NewCase) -> None:
    dice = {"activation:15_pz_div": "6"}
    case = new_case("recon_cw gabr_saleh general=61; 15_pz_div sidi_rezegh", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    order = answer(case, "allies")
    assert isinstance(order, Withdraw)
    assert order.leaving == {"recon_cw": "recon"}
    assert answer(case, "axis") == Withdraw()


def test_commander_can_answer_each_reactive_decision() -> None:
    from khamsin.bots.answers import ANSWERS  # noqa: PLC0415 - only here

    assert {Withdraw, LetGo, RetreatTo, Advance, Allocate} <= set(ANSWERS)


def match(scenario: str, games: int) -> list[GameResult]:
    plan = MatchPlan("khamsin", ("commander", "random"), games, "staff", scenario)
    prepared = Rulesets().load("khamsin").prepare(scenario)
    return [play_one(prepared, plan, number) for number in range(games)]


@pytest.mark.full
def test_commander_beats_random_in_9_of_12_campaigns() -> None:
    assert sum(each.outcome == each.first for each in match("crusader", 12)) >= 9


@pytest.mark.slow
def test_commander_beats_random_in_85_of_100_paired_campaigns() -> None:
    wins = [each.first for each in match("crusader", 100) if each.outcome == each.first]
    assert len(wins) >= 85
    assert min(wins.count("axis"), wins.count("allies")) >= 40
