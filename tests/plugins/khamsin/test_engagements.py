"""From contact to the table: kinds of engagement (KH-12), companies (KH-13), advantages (KH-16), points (KH-17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, actions, field, result

from khamsin.model.battle_events import (
    AdvantageReckoned,
    CompaniesFielded,
    EngagementDecided,
    EngagementFound,
    MissionSet,
)
from khamsin.model.orders import FieldCompanies, SetActions
from khamsin.model.state import Fielded
from sandtable.tabletop.result import ReportBattle

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

PANZER, ENEMY = "15_pz_div sidi_rezegh", "7_armd_bde gabr_saleh"
MEETING = "15_pz_div el_adem; 7_armd_bde gabr_saleh"


def attacked(lay: Lay, panzer: str = "", enemy: str = "", more: str = "", **rest: Any) -> Case:
    """Lay the attack of 7th Armoured on 15th Panzer at Sidi Rezegh, with all dice of activation high."""
    dice = {"activation:7_armd_bde": "6"} | rest.pop("dice", {})
    return lay(f"{PANZER} {panzer}; {ENEMY} {enemy}; {more}", dice=dice, **rest)


def fought(case: Case, *told: Any, **rest: Any) -> Case:
    return case.turn(*told, allies="7_armd_bde sidi_rezegh", **rest)


# --- kinds ---

COLUMNS = {
    "moving": ["Free for All"] * 2 + ["Encounter"] * 3 + ["The Cauldron"],
    "stationary": ["Hold the Line"] * 2 + ["No Retreat"] * 2 + ["Breakthrough", "Hasty Assault"],
    "fortified": ["Trench Fight"] * 2 + ["The Big Push"] * 3 + ["Breakout"],
}


@pytest.mark.rule("KH-12.04", "KH-12.06", "KH-12.07", "KH-12.08", "KH-12.09", "KH-R26")
@pytest.mark.parametrize(("column", "die"), [(column, die) for column in COLUMNS for die in range(1, 7)])
def test_the_table_of_missions(lay: Lay, column: str, die: int) -> None:
    dice = {"type:*": str(die)} | ({} if column == "moving" else {"activation:7_armd_bde": "6"})
    start = {"moving": "el_adem", "stationary": "sidi_rezegh", "fortified": "fort_capuzzo"}[column]
    case = lay(f"15_pz_div {start}; {ENEMY}", dice=dice)
    target = "bir_el_gubi" if column == "moving" else start
    case.turn(axis="15_pz_div bir_el_gubi" if column == "moving" else "", allies=f"7_armd_bde {target}")
    mission = COLUMNS[column][die - 1]
    assert case.mission == mission.lower().replace(" ", "_") or case.mission == mission
    assert case.one(EngagementFound).column == column
    assert [each.mission for each in case.briefs()] == [case.mission]


@pytest.mark.rule("KH-12.05", "KH-2.11", "KH-12.02", "KH-1.10", "KH-12.21")
def test_all_actions_have_one_kind_and_two_players_each(lay: Lay) -> None:
    case = fought(attacked(lay, dice={"type:*": "5"}, actions_per_engagement="3"))
    briefs = case.briefs()
    assert [(each.action, each.actions) for each in briefs] == [(1, 3), (2, 3), (3, 3)]
    assert len({each.mission for each in briefs}) == 1
    assert all(each.parties[side].player for each in briefs for side in (AXIS, ALLIES))
    assert len({each.id for each in briefs}) == 3


@pytest.mark.rule("KH-R27", "KH-12.20", "KH-12.21")
@pytest.mark.parametrize(("weaker", "number"), [(1, 1), (2, 2), (5, 4)])
def test_the_weaker_force_sets_the_number_of_actions_up_to_four(lay: Lay, weaker: int, number: int) -> None:
    changes = {"forces.formations.7_armd_bde.strength": weaker, "forces.formations.15_pz_div.strength": 6}
    case = fought(attacked(lay, changes=changes, actions_per_engagement="by_strength"))
    assert len(case.briefs()) == number
    assert case.one(MissionSet).number == number


@pytest.mark.rule("KH-R27", "KH-12.20", "KH-12.21")
def test_or_the_umpire_counts_pairs_of_players(lay: Lay) -> None:
    case = fought(attacked(lay, actions_per_engagement="player_pairs"), until=SetActions)
    umpire = case.asked[0]
    assert umpire.side == "umpire"
    assert not umpire.options.is_legal(SetActions(0))
    assert not umpire.options.is_legal(SetActions(5))  # four players a side
    case.play(actions(4))
    assert len(case.briefs()) == 4


@pytest.mark.rule("KH-12.10", "KH-R33", "KH-12.11", "KH-R32")
@pytest.mark.parametrize(
    ("axis", "reading", "defender"),
    [
        ("panzer", "intel_class", "axis"),  # armour against armour
        ("panzer_grenadier", "intel_class", ""),
        ("panzer", "exact_type", ""),  # no squadron of Crusaders is a panzer company
    ],
)
def test_who_stood_still_defends_against_his_like(lay: Lay, axis: str, reading: str, defender: str) -> None:
    case = attacked(lay, company_type_key=reading)
    fought(case, field(AXIS, f"15_pz_div {axis}"), field(ALLIES, "7_armd_bde crusader"))
    (brief,) = case.briefs()
    assert brief.flags == ("defensive_battle",)
    assert brief.defender == defender
    assert brief.attacker == ("allies" if defender else "")
    assert brief.parties["axis"].stationary
    assert not brief.parties["allies"].stationary


@pytest.mark.rule("KH-12.10", "KH-R33")
def test_with_both_moving_the_table_rolls_for_attacker(lay: Lay) -> None:
    (brief,) = lay(MEETING).turn(axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi").briefs()
    assert (brief.attacker, brief.defender) == ("", "")


@pytest.mark.rule("KH-12.14", "KH-12.15", "KH-R22")
def test_a_fight_on_a_connector_is_a_free_for_all_with_a_road(lay: Lay) -> None:
    case = attacked(lay, dice={"activation:15_pz_div": "6"}).turn(
        axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh"
    )
    assert case.one(MissionSet).die == 0
    (brief,) = case.briefs()
    assert brief.mission.lower().replace("_", " ") == "free for all"
    assert brief.table.road
    assert "The mission's defender lays a road between two opposite edges, last of all (KH-12.15)." in brief.notes
    weaker = attacked(lay, dice={"activation:15_pz_div": "6"}, connector_road_by="weaker_side").turn(
        axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh"
    )
    (brief,) = weaker.briefs()
    assert any("Commonwealth" in note for note in brief.notes)


@pytest.mark.rule("KH-12.03", "KH-3.11")
def test_the_order_of_work(lay: Lay) -> None:
    case = fought(attacked(lay))
    names = [type(each).__name__ for each in case.happened()]
    work = [
        "EngagementFound",
        "MissionSet",
        "CompaniesFielded",
        "BattleBriefed",
        "BattleFought",
        "EngagementDecided",
        "AttritionTaken",
    ]
    assert [name for name in dict.fromkeys(names) if name in work[:6]] == work[:6]
    assert names.index("FormationRetreated") > names.index("EngagementDecided")


@pytest.mark.rule("KH-12.23", "KH-18.03", "KH-2.12")
def test_all_actions_together_decide(lay: Lay) -> None:
    case = fought(
        attacked(lay, actions_per_engagement="3"),
        result("axis", "6-1"),
        result("allies", "6-1"),
        result("allies", "4-3"),
    )
    decided = case.one(EngagementDecided)
    assert (decided.points, decided.winner) == ({"allies": 11, "axis": 10}, "allies")


# --- companies ---


@pytest.mark.rule("KH-13.01", "KH-13.02", "KH-R28", "KH-12.22")
def test_a_company_is_an_option_of_its_formation(lay: Lay) -> None:
    case = fought(attacked(lay, actions_per_engagement="4"), until=FieldCompanies)
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div panzer"] * 4)[1]) == ""
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div panzer", "15_pz_div panzer_engineer"] * 2)[1]) == ""
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div rifle"] * 4)[1]) == "KH-13.01"
    assert case.why_not(AXIS, field(AXIS, *["21_pz_div panzer"] * 4)[1]) != ""  # is not there
    assert case.why_not(AXIS, field(AXIS, "15_pz_div panzer")[1]) != ""  # one for each action


@pytest.mark.rule("KH-R28")
def test_strength_may_be_the_most_that_a_formation_fields(lay: Lay) -> None:
    changes = {"forces.formations.7_armd_bde.strength": 6}
    case = attacked(
        lay, more="21_pz_div sidi_rezegh", changes=changes, actions_per_engagement="4", strength_caps_actions="yes"
    )
    fought(case, until=FieldCompanies)
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div panzer"] * 4)[1]) in {"KH-R28", "KH-13.01"}
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div panzer"] * 3, "21_pz_div panzer")[1]) == ""


@pytest.mark.rule("KH-R29")
@pytest.mark.parametrize(
    ("reading", "three_one", "two_two"),
    [("free", True, True), ("spread_evenly", False, True), ("proportional", False, True)],
)
def test_which_formation_fields_which_company(lay: Lay, reading: str, three_one: bool, two_two: bool) -> None:
    changes = {"forces.formations.7_armd_bde.strength": 6}
    case = attacked(
        lay, more="21_pz_div sidi_rezegh", changes=changes, actions_per_engagement="4", action_allocation=reading
    )
    fought(case, until=FieldCompanies)
    for number, allowed in ((3, three_one), (2, two_two)):
        rows = [f"{'15_pz_div' if each < number else '21_pz_div'} panzer" for each in range(4)]
        assert (case.why_not(AXIS, field(AXIS, *rows)[1]) == "") is allowed


@pytest.mark.rule("KH-R31", "KH-17.01", "KH-1.11")
def test_both_choose_at_once_and_in_secret_or_the_attacker_first(lay: Lay) -> None:
    case = fought(attacked(lay), until=FieldCompanies)
    assert sorted(each.side for each in case.asked) == [ALLIES, AXIS]
    case = fought(attacked(lay, company_selection="attacker_first"), until=FieldCompanies)
    assert [each.side for each in case.asked] == [ALLIES]  # who moved in
    case.game.submit(next(iter(case.asked[0].options.values())), ALLIES)
    assert [each.side for each in case.asked] == [AXIS]
    assert case.events(CompaniesFielded, side=ALLIES)


# --- advantages ---


def strengths(axis: int, allies: int) -> dict[str, Any]:
    return {"forces.formations.15_pz_div.strength": axis, "forces.formations.7_armd_bde.strength": allies}


def computed(lay: Lay, own: int, enemy: int, **options: str) -> AdvantageReckoned:
    return fought(attacked(lay, changes=strengths(own, enemy), **options)).one(AdvantageReckoned)


@pytest.mark.rule("KH-16.03", "KH-16.04", "KH-16.05", "KH-16.06", "KH-2.09")
@pytest.mark.parametrize(
    ("own", "enemy", "points"),
    [
        (3, 2, 1),
        (2, 1, 2),
        (5, 2, 2),
        (4, 1, 3),
        (6, 1, 4),
        (7, 1, 4),
        (1, 1, 0),
        (3, 3, 0),
        (12, 2, 4),
        (7, 2, 2),
        (8, 2, 3),
    ],
)
def test_strength_gives_points_by_the_highest_tier(lay: Lay, own: int, enemy: int, points: int) -> None:
    found = computed(lay, own, enemy)
    assert (found.favoured, found.net) == ("axis" if points else "", points)


@pytest.mark.rule("KH-R42")
@pytest.mark.parametrize(("own", "points"), [(2, 3), (4, 6), (6, 10)])
def test_or_by_all_tiers(lay: Lay, own: int, points: int) -> None:
    assert computed(lay, own, 1, adv_tiers="cumulative").net == points


@pytest.mark.rule("KH-16.07", "KH-R43")
@pytest.mark.parametrize(("second", "points"), [("fort_capuzzo", 2), ("assembly_area", 1)])
def test_who_came_in_over_two_connectors_has_a_point(lay: Lay, second: str, points: int) -> None:
    where = f"15_pz_div gabr_saleh; 7_armd_bde bir_el_gubi; recon_cw {second}; inf_cw {second}"
    dice = {"activation:7_armd_bde": "6", "activation:recon_cw": "6", "activation:inf_cw": "1"}
    if second == "assembly_area":  # only those of the assembly area come, all by one connector
        dice = {"activation:7_armd_bde": "1", "activation:recon_cw": "6", "activation:inf_cw": "6"}
    case = lay(where, dice=dice, control="allies: bir_el_gubi fort_capuzzo")
    case.turn(allies="7_armd_bde gabr_saleh; recon_cw gabr_saleh; inf_cw gabr_saleh")
    found = case.one(AdvantageReckoned)
    assert sum(value for _, value in found.points["allies"]) == points - 1


@pytest.mark.rule("KH-16.07", "KH-R43")
def test_who_was_there_already_has_none_for_those_who_came_to_him_over_two(lay: Lay) -> None:
    where = "15_pz_div gabr_saleh; 21_pz_div sidi_rezegh; afrika_div bir_el_gubi; 7_armd_bde fort_capuzzo"
    case = lay(where, dice={"activation:7_armd_bde": "6"}, control="allies: fort_capuzzo")
    case.turn(axis="21_pz_div gabr_saleh; afrika_div gabr_saleh", allies="7_armd_bde gabr_saleh")
    assert {case.at(each) for each in ("15_pz_div", "21_pz_div", "afrika_div")} == {"gabr_saleh"}
    assert "connectors" not in dict(case.one(AdvantageReckoned).points["axis"])


@pytest.mark.rule("KH-16.08", "KH-R44", "KH-18.08", "KH-16.02")
def test_who_overwhelmed_has_a_point_once_in_the_next_turn(lay: Lay) -> None:
    case = attacked(lay, "overwhelmed", more="21_pz_div sidi_rezegh overwhelmed", changes=strengths(1, 4))
    found = fought(case).one(AdvantageReckoned)
    assert sum(value for _, value in found.points["axis"]) == 1


@pytest.mark.rule("KH-16.01", "KH-16.10", "KH-16.09")
def test_points_add_up_and_only_the_difference_counts(lay: Lay) -> None:
    case = attacked(lay, "overwhelmed assimilating", changes=strengths(3, 2))
    found = fought(case).one(AdvantageReckoned)  # 1 for strength and 1 for the victory, against 1
    assert (found.favoured, found.net) == ("axis", 1)
    assert sum(value for _, value in found.points["allies"]) == 1


# --- points and tables ---

NET = {1: (1550, 1550, 0), 2: (1550, 1650, 0), 3: (1550, 1650, 1), 4: (1550, 1650, 2)}


@pytest.mark.rule(
    *("KH-16.11", "KH-16.12", "KH-16.13", "KH-16.14", "KH-16.15"), *("KH-17.02", "KH-17.04", "KH-17.05", "KH-1.11")
)
@pytest.mark.parametrize(("own", "enemy", "net"), [(3, 2, 1), (2, 1, 2), (4, 1, 3), (6, 1, 4)])
def test_net_advantage_gives_points_and_re_rolls(lay: Lay, own: int, enemy: int, net: int) -> None:
    case = attacked(lay, changes=strengths(own, enemy), actions_per_engagement="2")
    bonus = [Fielded("15_pz_div", "panzer"), Fielded("15_pz_div", "panzer", bonus=net > 1)]
    fought(case, field(AXIS, *bonus))
    usual, extra, rerolls = NET[net]
    assert [each.parties["axis"].points for each in case.briefs()] == [usual, extra]
    assert {each.parties["axis"].rerolls for each in case.briefs()} == {rerolls}
    assert {(each.parties["allies"].points, each.parties["allies"].rerolls) for each in case.briefs()} == {(1500, 0)}
    assert sum(each.points for each in case.briefs()[1].platoons("axis").values()) <= extra


@pytest.mark.rule("KH-R120", "KH-R121", "KH-17.02")
@pytest.mark.parametrize(("axis", "allies"), [("0", "0"), ("12", "0"), ("0", "7")])
def test_a_bid_makes_each_company_larger_by_tens_of_points(lay: Lay, axis: str, allies: str) -> None:
    case = fought(attacked(lay, changes=strengths(2, 1), bid_axis=axis, bid_allies=allies))
    (brief,) = case.briefs()
    assert brief.parties["axis"].points == 1550 + 10 * int(axis)  # a net advantage of 2 brings 50
    assert brief.parties["allies"].points == 1500 + 10 * int(allies)


@pytest.mark.rule("KH-17.05", "KH-17.03", "KH-17.06")
def test_the_bonus_goes_to_one_action_the_one_with_the_command_team(lay: Lay) -> None:
    case = attacked(lay, changes=strengths(2, 1), more="rommel sidi_rezegh", actions_per_engagement="2")
    fought(case, until=FieldCompanies)

    def rule(*rows: tuple[bool, bool]) -> str:
        return case.why_not(
            AXIS,
            FieldCompanies([Fielded("15_pz_div", "panzer", command=command, bonus=bonus) for command, bonus in rows]),
        )

    assert rule((True, True), (False, False)) == ""
    assert rule((True, False), (False, True)) == "KH-17.06"
    assert rule((True, True), (True, False)) == "KH-17.03"
    assert rule((False, False), (False, False)) in {"KH-17.03", "KH-17.06"}
    assert rule((True, True), (False, True)) in {"KH-17.05", "KH-17.06"}


@pytest.mark.rule("KH-17.03", "KH-23.01")
def test_the_command_team_is_named_in_its_brief(lay: Lay) -> None:
    case = attacked(lay, more="rommel sidi_rezegh", actions_per_engagement="2")
    fought(case, field(AXIS, Fielded("15_pz_div", "panzer"), Fielded("15_pz_div", "panzer", command=True)))
    first, second = (each.parties["axis"] for each in case.briefs())
    assert (first.command, first.characters) == ((), ())
    assert [each.lower() for each in second.command] == ["rommel"]
    assert [each.lower() for each in second.characters] == ["rommel"]


@pytest.mark.rule("KH-16.16", "KH-R47")
def test_re_rolls_may_be_traded_for_a_move(lay: Lay) -> None:
    case = attacked(lay, changes=strengths(4, 1))
    fought(case, until=FieldCompanies)
    assert case.why_not(ALLIES, field(ALLIES, Fielded("7_armd_bde", "crusader", trade=True))[1]) == "KH-16.16"
    case.play(field(AXIS, Fielded("15_pz_div", "panzer", bonus=True, trade=True)))
    party = case.briefs()[0].parties["axis"]
    assert party.traded
    case = fought(attacked(lay, changes=strengths(4, 1), reroll_scope="any_die"))
    assert case.briefs()[0].parties["axis"].rerolls == 1


@pytest.mark.rule("KH-17.07", "KH-17.08", "KH-O4", "KH-17.09")
@pytest.mark.parametrize(("small", "points"), [("no", 1500), ("yes", 1200)])
def test_tables(lay: Lay, small: str, points: int) -> None:
    changes = strengths(2, 2) | {"guides": {"desert": "Sparse ground."}}
    (brief,) = fought(attacked(lay, changes=changes, small_table=small)).briefs()
    assert (brief.table.width, brief.table.depth) in ([(6, 4)] if small == "no" else [(4, 4), (6, 3)])
    assert brief.table.small is (small == "yes")
    assert brief.parties["allies"].points == points
    assert brief.table.guide == "Sparse ground."


def bonus_points(lay: Lay, **options: str) -> list[int]:
    case = attacked(lay, changes=strengths(2, 1), actions_per_engagement="2", **options)
    fought(case, field(AXIS, Fielded("15_pz_div", "panzer"), Fielded("15_pz_div", "panzer", bonus=True)))
    return [each.parties["axis"].points for each in case.briefs()]


@pytest.mark.rule("KH-26.06", "KH-26.07", "KH-R45", "KH-R46", "KH-O3")
@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"base_points": "1750"}, [1810, 1925]),  # 58.3 is 60, 116.7 is 115
        ({"base_points": "1750", "points_rounding": "nearest_10"}, [1810, 1930]),
        ({"base_points": "1750", "points_rounding": "floor"}, [1808, 1924]),
        ({"base_points": "1750", "significant_scales": "fixed_100"}, [1810, 1910]),
        ({"base_points": "1500", "significant_scales": "fixed_100"}, [1550, 1650]),
    ],
)
def test_a_higher_base_raises_the_bonus_by_as_much(lay: Lay, options: dict[str, str], points: list[int]) -> None:
    assert bonus_points(lay, **options) == points


@pytest.mark.rule("KH-7.04", "KH-7.05")
def test_air_support_goes_where_it_is_sent(lay: Lay) -> None:
    changes = {"air.axis": {"level": "limited", "engagements": 1}}
    case = attacked(lay, changes=changes, actions_per_engagement="1")
    fought(case, field(AXIS, Fielded("15_pz_div", "panzer", air=True)))
    assert case.briefs()[0].parties["axis"].air == "limited"
    assert case.briefs()[0].parties["allies"].air == "none"
    case = fought(attacked(lay), until=FieldCompanies)
    assert case.why_not(AXIS, field(AXIS, Fielded("15_pz_div", "panzer", air=True))[1]) in {"KH-7.04", "KH-7.05"}


@pytest.mark.rule("KH-1.01", "KH-1.03", "KH-1.12", "KH-18.02")
def test_a_brief_is_complete_and_only_what_fits_it_is_taken(lay: Lay) -> None:
    case = fought(attacked(lay), until=ReportBattle)
    (brief,) = case.briefs()
    assert (brief.turn, brief.place, brief.mode) == (2, "sidi_rezegh", "ordinary")
    axis = brief.parties["axis"]
    assert (axis.companies[0].parent, axis.companies[0].nation.lower(), axis.companies[0].skill) == (
        "15_pz_div",
        "german",
        "veteran",
    )

    def rule(found: Any) -> str:
        return case.rejects("umpire", ReportBattle(brief.id, found(brief)))

    assert rule(result("axis", "5-3")) != ""
    assert rule(result("axis", "3-4")) != ""
    assert rule(result("axis", "6-1", axis="999/0")) != ""
    assert case.rejects("umpire", ReportBattle("other", result("axis", "6-1")(brief))) != ""
    case.play(result("axis", "6-1"))
