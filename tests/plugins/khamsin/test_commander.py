"""What any club player would do: small positions with one plain answer, and what the commander reckons with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, fighting, result
from tests.plugins.khamsin.test_staff import answer, moves

from khamsin.bots.belief import Belief
from khamsin.bots.goal import lead, worths
from khamsin.bots.lines import loads
from khamsin.bots.odds import Troops, engagement, support_of, troops
from khamsin.model.orders import FieldCompanies, LetGo, RetreatTo, Withdraw

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.plugins.khamsin.conftest import Lay

    from khamsin.model.state import KhamsinState

EMPTY_WELL = "panzer_rgt ridge; guard_battalion west_well; inf_bde ford"
WELLS = "panzer_rgt ridge; rifle_rgt ridge; guard_battalion west_well; armd_bde ford; garrison east_well"


def held(number: str, turns: int) -> Callable[[KhamsinState], object]:
    """Return what makes a condition of victory hold for so many turns already."""
    return lambda state: state.held.__setitem__(number, turns)


# --- what areas are worth ---


@pytest.mark.rule("KH-25.01", "KH-25.02")
def test_an_area_is_worth_the_more_the_fewer_turns_it_still_wants(lay: Lay) -> None:
    found = []
    for turns in (0, 1, 2):
        case = lay(WELLS, module="teaching", control="axis: east_well", tweak=held("0", turns))
        found.append(worths(case.game.view("axis"), case.state.board)["east_well"])
    assert found == sorted(set(found))
    late = [lay(WELLS, module="teaching", turn=8, tweak=held("0", turns)) for turns in (0, 1)]
    few = [worths(case.game.view("axis"), case.state.board)["east_well"] for case in late]
    assert few[0] < few[1]  # of three turns two are left: who has begun can still win


@pytest.mark.rule("KH-25.03", "KH-R111")
def test_who_is_ahead_is_counted_in_margins(lay: Lay) -> None:
    def ahead(control: str) -> int:
        case = lay(WELLS, module="teaching", control=control)
        return lead(case.game.view("axis"), case.state.board, "axis")

    assert ahead("axis: ford") - ahead("") == 2  # two points more for us, two less for him, by margins of two


@pytest.mark.rule("KH-10.01", "KH-11.02")
def test_a_line_runs_by_own_ground_and_is_opened_where_least_is_to_be_taken(lay: Lay) -> None:
    case = lay(WELLS, module="teaching")
    view, board = case.game.view("axis"), case.state.board
    assert loads(view, board, "axis", {"ridge": 4}) == {"ridge": 4, "west_well": 4}
    assert loads(view, board, "axis", {"east_well": 2}) == {"east_well": 2, "ridge": 2, "west_well": 2}


# --- the enemy ---


@pytest.mark.rule("KH-6.03", "KH-1.08")
def test_on_the_first_turn_the_order_of_battle_is_believed(lay: Lay) -> None:
    case = lay(WELLS, module="teaching", turn=1)
    belief = Belief(case.state.board, "axis")
    view = case.game.view("axis")
    belief.update(view, worths(view, case.state.board))
    assert belief.where["garrison"] == {"east_well": 1000}
    assert belief.strength("east_well") > belief.strength("west_well") == 0


@pytest.mark.rule("KH-6.03")
def test_who_was_looked_for_in_vain_is_not_believed_there(lay: Lay) -> None:
    def told(state: Any) -> None:
        state.reports["axis"].turn, state.reports["axis"].occupied = 1, ["ford"]

    case = lay(WELLS, module="teaching", tweak=told)
    belief = Belief(case.state.board, "axis")
    view = case.game.view("axis")
    belief.update(view, worths(view, case.state.board))
    assert belief.strength("east_well") == 0  # next to the Ridge, and not reported
    assert belief.strength("ford") > 0


# --- chances ---


@pytest.mark.rule("KH-16.01", "KH-22.05", "KH-22.09", "KH-12.09")
def test_chances_fall_with_wear_and_works_and_rise_with_advantage() -> None:
    fresh, worn = troops(("armour",), 0, 0, supplied=True), troops(("armour",), 31, 0, supplied=True)
    foe = Troops(("armour",))
    assert engagement(fresh, foe, "moving", 0, 2, 0)[0] > engagement(worn, foe, "moving", 0, 2, 0)[0]
    assert engagement(fresh, foe, "moving", 0, 2, 0)[0] > engagement(fresh, foe, "fortified", 1, 2, 0)[0]
    assert engagement(fresh, foe, "moving", 0, 2, support_of(3))[0] > engagement(fresh, foe, "moving", 0, 2, 0)[0]
    infantry = Troops(("infantry",))
    assert (
        engagement(infantry, infantry, "fortified", 1, 4, 0)[0] > engagement(fresh, infantry, "fortified", 1, 4, 0)[0]
    )


# --- plain answers ---


def test_the_empty_well_is_taken_and_the_own_one_is_not_left(lay: Lay) -> None:
    def told(state: Any) -> None:
        state.reports["axis"].turn, state.reports["axis"].occupied = 1, ["ford"]

    case = lay(f"rifle_rgt ridge; {EMPTY_WELL}", module="teaching", tweak=told)
    ordered = moves(case, "axis")
    assert ordered["panzer_rgt"] == "east_well"
    assert "guard_battalion" not in ordered


def test_on_the_last_turn_but_one_of_a_well_lost_it_is_attacked_at_any_odds(lay: Lay) -> None:
    def told(state: Any) -> None:
        state.held["1"] = 2
        state.reports["axis"].turn, state.reports["axis"].occupied = 1, ["east_well", "ford", "west_well"]

    where = (
        "rifle_rgt ridge; panzer_rgt ridge armor=40 general=45; armd_bde west_well; inf_bde ford; garrison east_well"
    )
    case = lay(where, module="teaching", control="allies: west_well", tweak=told)
    assert moves(case, "axis")["panzer_rgt"] == "west_well"


def test_who_would_be_broken_leaves_the_fight_to_the_others(lay: Lay) -> None:
    dice = {"activation:15_pz_div": "6"}
    case = lay("7_armd_bde gabr_saleh armor=60 general=45; inf_cw gabr_saleh; 15_pz_div sidi_rezegh", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    order = answer(case, "allies")
    assert isinstance(order, Withdraw)
    assert order.how == "fighting" or order.leaving == {"7_armd_bde": "precipitous"}


@pytest.mark.rule("KH-19.01", "KH-19.08")
@pytest.mark.parametrize(
    ("wear", "enemies", "how"),
    [(" armor=40 general=40", "7_armd_bde 4_armd_bde 2_nz_div", "fighting"), ("", "7_armd_bde", "stand")],
)
def test_who_came_in_and_has_no_hope_withdraws(lay: Lay, wear: str, enemies: str, how: str) -> None:
    where = "; ".join(f"{each} gabr_saleh" for each in enemies.split())
    dice = {"activation:15_pz_div": "6"}
    case = lay(f"15_pz_div sidi_rezegh{wear}; {where}", module="crusader", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    order = answer(case, AXIS)
    assert isinstance(order, Withdraw)
    assert order.how == how


@pytest.mark.rule("KH-19.02", "KH-19.05", "KH-19.08")
@pytest.mark.parametrize(("wear", "let_go"), [("", False), (" armor=40 general=30", True)])
def test_who_withdraws_is_pursued_by_the_fresh_and_strong(lay: Lay, wear: str, let_go: bool) -> None:
    dice = {"activation:15_pz_div": "6", "activation:21_pz_div": "6"}
    case = lay(f"15_pz_div sidi_rezegh{wear}; 21_pz_div sidi_rezegh{wear}; recon_cw gabr_saleh", dice=dice)
    case.turn(fighting(ALLIES), axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=LetGo)
    assert answer(case, AXIS) == LetGo(let_go)


@pytest.mark.rule("KH-13.01", "KH-21.02")
def test_the_freshest_fights_all_actions(lay: Lay) -> None:
    dice = {"activation:15_pz_div": "6", "activation:21_pz_div": "6"}
    where = "15_pz_div sidi_rezegh armor=35; 21_pz_div sidi_rezegh; 7_armd_bde gabr_saleh"
    case = lay(where, dice=dice, actions_per_engagement="by_strength")
    case.turn(axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=FieldCompanies)
    order = answer(case, "axis")
    assert isinstance(order, FieldCompanies)
    assert {each.formation for each in order.companies} == {"21_pz_div"}


@pytest.mark.rule("KH-20.01")
def test_a_beaten_force_goes_where_its_side_is(lay: Lay) -> None:
    case = lay(
        "panzer_rgt ridge; inf_bde ford; garrison east_well", module="teaching", dice={"activation:panzer_rgt": "6"}
    )
    case.turn(result("axis", "4-3"), axis="panzer_rgt ford", until=RetreatTo)
    assert answer(case, "allies") == RetreatTo({"inf_bde": "east_well"})
    assert AXIS
