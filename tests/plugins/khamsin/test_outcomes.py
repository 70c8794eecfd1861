"""Outcomes (KH-18), retreats and surrender (KH-20), advances, fights on connectors (KH-12.16 to KH-12.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, advance, field, result, retreat

from khamsin.engagement.outcome import is_times, scale_of
from khamsin.fog.views import view
from khamsin.model.battle_events import EngagementDecided, FormationAdvanced, FormationRetreated
from khamsin.model.events import FormationLost
from khamsin.model.orders import Advance, OrderEngagements, RetreatTo

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

PANZER, ENEMY = "15_pz_div sidi_rezegh", "7_armd_bde gabr_saleh"
EVEN = (result("axis", "4-3"), result("allies", "4-3"))
DOUBLE = (result("allies", "5-2"), result("allies", "5-2"), result("allies", "4-3"))


def attacked(lay: Lay, more: str = "", marks: str = "", **rest: Any) -> Case:
    dice = {"activation:7_armd_bde": "6"} | rest.pop("dice", {})
    return lay(f"{PANZER} {marks}; {ENEMY}; {more}", dice=dice, **rest)


def fought(case: Case, *told: Any, **rest: Any) -> Case:
    return case.turn(*told, allies="7_armd_bde sidi_rezegh", **rest)


def regroups(case: Case, *names: str) -> list[bool]:
    return [case[name].regroup for name in names]


@pytest.mark.rule("KH-18.01", "KH-18.04", "KH-18.05", "KH-18.06", "KH-18.08", "KH-20.01")
def test_a_double_victory(lay: Lay) -> None:
    case = fought(attacked(lay), result("allies", "5-2"), retreat(AXIS, f15_pz_div="gambut"))
    decided = case.one(EngagementDecided)
    assert (decided.winner, decided.scale) == ("allies", "double")
    assert case.control("sidi_rezegh") == "allies"
    assert case.at("15_pz_div", "7_armd_bde") == "gambut sidi_rezegh"
    assert regroups(case, "15_pz_div", "7_armd_bde") == [True, False]
    assert case["7_armd_bde"].overwhelmed
    assert not case["15_pz_div"].overwhelmed


@pytest.mark.rule("KH-18.04", "KH-R41")
def test_exactly_double_is_double(lay: Lay) -> None:
    case = fought(attacked(lay, actions_per_engagement="3"), *DOUBLE)
    decided = case.one(EngagementDecided)
    assert (decided.points, decided.scale) == ({"allies": 14, "axis": 7}, "double")


@pytest.mark.rule("KH-R40")
def test_points_against_none_are_overwhelming() -> None:
    assert scale_of({"axis": 1, "allies": 0}, "axis") == "double"
    assert is_times({"axis": 1, "allies": 0}, "axis", 6)


@pytest.mark.rule("KH-18.09", "KH-18.10")
def test_a_victory_by_less(lay: Lay) -> None:
    case = fought(attacked(lay), result("axis", "4-3"), retreat(ALLIES, f7_armd_bde="gabr_saleh"))
    assert case.one(EngagementDecided).scale == "more"
    assert case.control("sidi_rezegh") == "axis"
    assert case.at("15_pz_div", "7_armd_bde") == "sidi_rezegh gabr_saleh"
    assert regroups(case, "15_pz_div", "7_armd_bde") == [True, True]
    assert case.events(FormationAdvanced) == []


@pytest.mark.rule("KH-18.11", "KH-18.12")
def test_even_points_against_who_stood_still(lay: Lay) -> None:
    case = fought(attacked(lay, actions_per_engagement="2"), *EVEN)
    assert case.one(EngagementDecided).winner == ""
    assert case.at("15_pz_div") == "sidi_rezegh"
    assert case["7_armd_bde"].area != "sidi_rezegh"
    assert case.control("sidi_rezegh") == "axis"
    assert regroups(case, "15_pz_div", "7_armd_bde") == [True, True]


@pytest.mark.rule("KH-18.13", "KH-18.14", "KH-18.12", "KH-R53")
@pytest.mark.parametrize(("holder", "asked"), [("axis", "allies"), ("allies", "axis")])
def test_even_points_with_both_moving(lay: Lay, holder: str, asked: str) -> None:
    case = lay("15_pz_div el_adem; 7_armd_bde gabr_saleh", control=f"{holder}: bir_el_gubi", actions_per_engagement="2")
    case.turn(*EVEN, axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi", until=RetreatTo)
    assert [each.side for each in case.asked] == [asked]  # who does not hold the area goes first
    case.play()
    assert "bir_el_gubi" not in case.at("15_pz_div", "7_armd_bde")
    assert case.control("bir_el_gubi") == holder
    assert regroups(case, "15_pz_div", "7_armd_bde") == [True, True]


@pytest.mark.rule("KH-R114", "KH-18.02")
@pytest.mark.parametrize(("reading", "score"), [("one_plus_lost", "1-1"), ("three_three", "3-3")])
def test_a_draw_at_the_table(lay: Lay, reading: str, score: str) -> None:
    case = lay("15_pz_div el_adem; 7_armd_bde gabr_saleh", draw_vp=reading)
    case.turn(result("draw", score), axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi")
    assert case.one(EngagementDecided).winner == ""


@pytest.mark.rule("KH-R30", "KH-18.06", "KH-2.13")
@pytest.mark.parametrize(("reading", "spared"), [("none", (0, 0)), ("share_average", (4, 6))])
def test_who_fielded_nothing_shares_the_retreat(lay: Lay, reading: str, spared: tuple[int, int]) -> None:
    case = attacked(lay, "21_pz_div sidi_rezegh", unfielded_attrition=reading)
    fought(case, field(AXIS, "15_pz_div panzer"), result("allies", "4-3", axis="4/6"))
    assert (case.ledger("15_pz_div"), case.ledger("21_pz_div")) == ((4, 6), spared)
    assert regroups(case, "15_pz_div", "21_pz_div") == [True, True]
    assert "sidi_rezegh" not in case.at("15_pz_div", "21_pz_div")


# --- retreats ---


def retreating(lay: Lay, more: str = "", **rest: Any) -> Case:
    return fought(attacked(lay, more, **rest), result("allies", "4-3"), until=RetreatTo)


@pytest.mark.rule("KH-20.01", "KH-20.02", "KH-R52")
def test_a_retreat_goes_next_door_where_no_enemy_is(lay: Lay) -> None:
    case = retreating(lay, "recon_cw el_adem", retreat_dest="not_occupied")
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "gambut"})) == ""
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "gabr_saleh"})) == ""
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) == "KH-20.02"
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "sollum"})) in {"KH-20.01", "KH-20.02"}
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "sidi_rezegh"})) in {"KH-20.01", "KH-20.02"}


@pytest.mark.rule("KH-R122", "KH-6.08")
def test_what_is_barred_is_not_offered_and_that_is_all_that_is_told_of_who_bars_it(lay: Lay) -> None:
    """Neither the retreat nor its question names who is next door: reports and records are silent about him."""
    alone, barred = (retreating(lay, more, retreat_dest="not_occupied") for more in ("", "recon_cw el_adem"))
    assert alone.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) == ""
    assert barred.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) == "KH-20.02"
    (asked,) = barred.asked
    assert asked.tells == "KH-R122"
    assert (asked.prompt, asked.purpose) == (alone.asked[0].prompt, alone.asked[0].purpose)
    assert "recon_cw" not in str(view(barred.state, AXIS))


@pytest.mark.rule("KH-R51", "KH-11.05")
def test_it_may_enter_an_enemys_area_and_takes_it_or_it_may_not(lay: Lay) -> None:
    case = retreating(lay, retreat_dest="not_occupied")
    case.play(retreat(AXIS, f15_pz_div="gabr_saleh"))
    assert case.control("gabr_saleh") == "axis"
    case = retreating(lay)
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "gabr_saleh"})) in {"KH-R51", "KH-20.02"}
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) == ""


@pytest.mark.rule("KH-R52")
def test_it_may_have_to_go_towards_supply_or_back(lay: Lay) -> None:
    case = retreating(lay, retreat_direction="toward_supply")
    if case.asks(RetreatTo):
        assert case.why_not(AXIS, RetreatTo({"15_pz_div": "el_adem"})) in {"KH-R52", "KH-20.01", "KH-20.02"}
    case.play()
    assert case.at("15_pz_div") == "gambut"
    case = fought(attacked(lay, retreat_direction="back"), result("axis", "4-3"))
    assert case.at("7_armd_bde") == "gabr_saleh"


@pytest.mark.rule("KH-20.03", "KH-20.04", "KH-12.01")
def test_with_nowhere_to_go_it_surrenders(lay: Lay) -> None:
    where = "15_pz_div tobruk; 7_armd_bde el_adem; inf_cw el_adem"
    case = lay(where, dice={"activation:7_armd_bde": "6"}, control="axis: tobruk")
    case.turn(result("allies", "4-3"), allies="7_armd_bde tobruk")
    assert case.one(FormationLost).reason == "surrendered"
    assert case["15_pz_div"].standing == "lost"
    assert case.refuses(AXIS, "15_pz_div el_adem") != ""


@pytest.mark.rule("KH-R105", "KH-20.03")
def test_a_leader_with_who_surrenders_rolls_as_a_casualty(lay: Lay) -> None:
    where = "15_pz_div tobruk; rommel tobruk; 7_armd_bde el_adem; inf_cw el_adem"
    for dice, standing in (
        ({"capture:rommel": "3"}, "dead"),
        ({"capture:rommel": "4", "casualty:rommel": "1"}, "dead"),
    ):
        # who is not taken is alone among enemies (KH-R104)
        case = lay(where + "; 21_pz_div gambut", dice={"activation:7_armd_bde": "6"} | dice, control="axis: tobruk")
        case.turn(result("allies", "4-3"), allies="7_armd_bde tobruk")
        assert case.state.leaders["rommel"].standing == standing


@pytest.mark.rule("KH-R54")
@pytest.mark.parametrize(("reading", "allowed"), [("per_formation", True), ("together", False)])
def test_formations_of_a_force_may_part(lay: Lay, reading: str, allowed: bool) -> None:
    case = retreating(lay, "21_pz_div sidi_rezegh", retreat_split=reading)
    order = RetreatTo({"15_pz_div": "gambut", "21_pz_div": "el_adem"})
    assert (case.why_not(AXIS, order) == "") is allowed
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "gambut", "21_pz_div": "gambut"})) == ""


@pytest.mark.rule("KH-R50", "KH-R56")
def test_all_outcomes_come_before_all_retreats(lay: Lay) -> None:
    where = "15_pz_div sidi_rezegh; 21_pz_div el_adem; 7_armd_bde gabr_saleh; inf_cw tobruk"
    dice = {"activation:*": "6 6"}
    case = lay(where, dice=dice)
    case.turn(
        result("allies", "4-3"), result("axis", "4-3"), allies="7_armd_bde sidi_rezegh; inf_cw el_adem", until=RetreatTo
    )
    assert case.found() == ["el_adem", "sidi_rezegh"]
    assert case.control("el_adem", "sidi_rezegh") == "allies axis"
    case.play()
    names = [type(each).__name__ for each in case.happened()]
    last = max(place for place, name in enumerate(names) if name == "EngagementDecided")
    assert last < names.index("FormationRetreated")
    case = lay(where, dice=dice, engagement_order="umpire_order")
    case.turn(
        result("allies", "4-3"),
        result("axis", "4-3"),
        allies="7_armd_bde sidi_rezegh; inf_cw el_adem",
        until=OrderEngagements,
    )
    assert case.asked[0].side == "umpire"
    case.play(("umpire", OrderEngagements(["sidi_rezegh", "el_adem"])))
    first = next(each for each in case.events(FormationRetreated))
    assert first.formation == "7_armd_bde"


# --- advances ---


@pytest.mark.rule("KH-18.07", "KH-R49", "KH-R48")
def test_the_overwhelming_winner_may_advance(lay: Lay) -> None:
    case = fought(
        attacked(lay, "21_pz_div el_adem"), result("allies", "6-1"), retreat(AXIS, f15_pz_div="el_adem"), until=Advance
    )
    assert case.why_not(ALLIES, Advance({"7_armd_bde": "el_adem"})) in {
        "KH-18.07",
        "KH-R48",
        "KH-R49",
    }  # the enemy is there
    assert case.why_not(ALLIES, Advance({"7_armd_bde": "tobruk"})) != ""
    case.play(advance(ALLIES, f7_armd_bde="gambut"))
    assert case.at("7_armd_bde") == "gambut"
    assert case.control("gambut", "sidi_rezegh") == "allies allies"


@pytest.mark.rule("KH-R48")
@pytest.mark.parametrize(("reading", "allowed"), [("whole_force", False), ("per_formation", True)])
def test_as_a_whole_or_each_by_itself(lay: Lay, reading: str, allowed: bool) -> None:
    case = attacked(lay, "recon_cw gabr_saleh", dice={"activation:*": "6"}, advance_scope=reading)
    case.turn(
        result("allies", "6-1"),
        retreat(AXIS, f15_pz_div="el_adem"),
        allies="7_armd_bde sidi_rezegh; recon_cw sidi_rezegh",
        until=Advance,
    )
    assert (case.why_not(ALLIES, Advance({"recon_cw": "gambut"})) == "") is allowed
    assert case.why_not(ALLIES, Advance({"recon_cw": "gambut", "7_armd_bde": "gambut"})) == ""
    assert case.why_not(ALLIES, Advance()) == ""


# --- connectors ---


def on_the_road(lay: Lay, *told: Any, more: str = "", **rest: Any) -> Case:
    case = attacked(lay, more, dice={"activation:15_pz_div": "6"}, **rest)
    return case.turn(*told, axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh")


@pytest.mark.rule("KH-12.16", "KH-12.17", "KH-R21")
@pytest.mark.parametrize("score", ["4-3", "5-2"])
def test_both_fall_back_from_a_connector(lay: Lay, score: str) -> None:
    case = on_the_road(lay, result("allies", score))
    assert case.at("15_pz_div", "7_armd_bde") == "sidi_rezegh gabr_saleh"
    assert case.control("sidi_rezegh", "gabr_saleh") == "axis allies"
    assert regroups(case, "15_pz_div", "7_armd_bde") == ([True, True] if score == "4-3" else [True, False])


@pytest.mark.rule("KH-12.18", "KH-12.19", "KH-R20")
@pytest.mark.parametrize(
    ("score", "reading", "taken"), [("6-1", "six", True), ("5-2", "six", False), ("5-2", "two", True)]
)
def test_an_overwhelming_winner_takes_the_area_of_the_loser(lay: Lay, score: str, reading: str, taken: bool) -> None:
    case = on_the_road(lay, result("allies", score), more="21_pz_div sidi_rezegh", connector_overwhelm_ratio=reading)
    assert case.control("sidi_rezegh") == ("allies" if taken else "axis")
    assert case.at("7_armd_bde") == ("sidi_rezegh" if taken else "gabr_saleh")
    assert ("sidi_rezegh" not in case.at("15_pz_div", "21_pz_div")) is taken
    assert case["21_pz_div"].regroup is taken


@pytest.mark.rule("KH-12.18", "KH-20.01")
def test_who_storms_is_not_driven_from_the_area_that_he_left(lay: Lay) -> None:
    where = "15_pz_div sidi_rezegh; 21_pz_div bir_el_gubi; 7_armd_bde gabr_saleh; recon_cw gabr_saleh"
    case = lay(where, dice={"activation:*": "6 6 6"})
    case.turn(
        result("axis", "4-3"),  # 21st Panzer takes Gabr Saleh
        result("allies", "6-1"),  # but 7th Armoured is on the road to Sidi Rezegh
        axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh",
        allies="7_armd_bde sidi_rezegh",
    )
    assert case.found() == ["gabr_saleh", "gabr_saleh~sidi_rezegh"]
    assert case.control("gabr_saleh") == "axis"
    assert case.at("7_armd_bde") == "sidi_rezegh"
    assert [each.formation for each in case.events(FormationRetreated)].count("7_armd_bde") == 0


@pytest.mark.rule("KH-R21")
def test_after_a_fight_on_a_connector_nobody_need_regroup(lay: Lay) -> None:
    case = on_the_road(lay, result("allies", "4-3"), connector_regroup="none")
    assert regroups(case, "15_pz_div", "7_armd_bde") == [False, False]


@pytest.mark.rule("KH-20.05", "KH-20.06", "KH-18.06")
def test_who_regroups_stays_a_turn_and_fights_as_usual(lay: Lay) -> None:
    case = fought(attacked(lay), result("axis", "5-2"), retreat(ALLIES, f7_armd_bde="gabr_saleh"))
    assert case["7_armd_bde"].regroup
    assert case.refuses(ALLIES, "7_armd_bde sidi_rezegh") == "KH-20.05"
    case.turn()
    assert not case["7_armd_bde"].regroup
    assert case.refuses(ALLIES, "7_armd_bde sidi_rezegh") == ""
    fought_again = attacked(lay, marks="regroup")
    fought(fought_again, result("axis", "6-1"))
    assert fought_again.at("15_pz_div") == "sidi_rezegh"


@pytest.mark.rule("KH-22.13", "KH-22.14", "KH-21.14", "KH-R84")
@pytest.mark.parametrize(("general", "out"), [(115, True), (114, False)])
def test_a_formation_worn_out_goes_to_its_base(lay: Lay, general: int, out: bool) -> None:
    case = fought(attacked(lay, marks=f"general={general}"), result("axis", "6-1", axis="2/3"))
    assert (case["15_pz_div"].standing == "base") is out
    if out:
        assert case.at("15_pz_div") == "gambut"
        assert case.refuses(AXIS, "15_pz_div sollum") != ""
