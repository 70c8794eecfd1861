"""The worked examples of the book, and examples derived from its rules, KH-X01 to KH-X45."""

from itertools import combinations_with_replacement
from typing import Any

import pytest
from tests.plugins.khamsin.cases import (
    ALLIES,
    AT_REZEGH,
    AT_SALEH,
    AXIS,
    FOUR,
    ROWS,
    NewCase,
    actions,
    at_sidi_rezegh,
    field,
    fighting,
    leaves,
    losses,
    mode,
    result,
    retreats,
    share,
)
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.oracle.figures import steps_of

from khamsin.model import events
from khamsin.model.battle_events import (
    ActionCounted,
    AdvantageAssessed,
    AttritionTaken,
    BattleBriefed,
    EngagementDecided,
    FormationWithdrew,
    VehiclesRecovered,
)
from khamsin.model.orders import FieldCompanies, RetreatTo, Withdraw
from khamsin.model.state import Fielded
from sandtable.kernel.records import RollRecord
from sandtable.tabletop.result import PlatoonLosses, ReportBattle, Transfer

Loss = PlatoonLosses


@pytest.mark.rule("KH-2.07", "KH-1.05", "KH-1.06")
def test_x01_formation_record_of_7th_armored() -> None:
    card = board("fixture").formations["7_armd_bde"]
    assert (card.title, card.mobility, card.activation, card.strength) == ("7th Armored Brigade", "motor", 3, 2)
    assert card.options == ("crusader", "a13")


@pytest.mark.rule("KH-2.02", "KH-2.03")
def test_x02_crusader_turn_is_one_day() -> None:
    labels = board("crusader").calendar
    assert len(set(labels)) == board("crusader").turns
    assert "18" in labels[0]
    assert "19" in labels[1]


@pytest.mark.rule("KH-2.08", "KH-2.09")
def test_x03_force_strength_is_the_sum_of_its_formations(new_case: NewCase) -> None:
    case = new_case("21_pz_div el_adem; afrika_div el_adem; inf_cw tobruk", dice={"activation:inf_cw": "6"})
    case.turn(allies="inf_cw el_adem")
    found = case.one(AdvantageAssessed)
    assert (found.favored, found.net) == ("axis", 2)  # 6 against 2 is double, but not 4 times


@pytest.mark.rule("KH-13.01", "KH-13.02", "KH-R28", "KH-12.22")
def test_x04_actions_accept_any_companies_of_the_formation(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, until=FieldCompanies, actions_per_engagement="4")
    kinds = board("fixture").formations["15_pz_div"].options
    for picked in combinations_with_replacement(kinds, 4):
        assert case.why_not(AXIS, field(AXIS, *(f"15_pz_div {each}" for each in picked))[1]) == ""
    assert case.why_not(AXIS, field(AXIS, "15_pz_div rifle", *["15_pz_div panzer"] * 3)[1]) == "KH-13.01"


@pytest.mark.rule("KH-13.03", "KH-13.04", "KH-14.03", "KH-12.22")
def test_x05_total_war_of_5_companies_requires_every_type(new_case: NewCase) -> None:
    commanders = {"sides.axis.commanders": list("abcde"), "sides.allies.commanders": list("fghij")}
    changes = commanders | {
        **{f"forces.formations.{each}.commander": "a" for each in ("15_pz_div", "21_pz_div", "afrika_div")},
        **{f"forces.formations.{each}.commander": "f" for each in ("7_armd_bde", "recon_cw", "inf_cw")},
        "forces.formations.7_armd_bde.strength": 3,
    }
    case = at_sidi_rezegh(
        new_case, *mode("total_war"), actions(5), until=FieldCompanies, changes=changes,
        large_engagements="by_agreement", actions_per_engagement="player_pairs",
    )  # fmt: skip
    kinds = board("fixture").formations["15_pz_div"].options
    legal = [
        picked
        for picked in combinations_with_replacement(kinds, 5)
        if case.why_not(AXIS, field(AXIS, *(f"15_pz_div {each}" for each in picked))[1]) == ""
    ]
    assert sorted(tuple(picked.count(kind) for kind in kinds) for picked in legal) == [
        (1, 1, 3), (1, 2, 2), (1, 3, 1), (2, 1, 2), (2, 2, 1), (3, 1, 1),
    ]  # fmt: skip


ONE_KIND = {"forces.formations.15_pz_div.options": ["schuetzen"], "forces.formations.7_armd_bde.strength": 3}
LARGE = {"large_engagements": "by_agreement", "actions_per_engagement": "player_pairs"}


@pytest.mark.rule("KH-14.03")
def test_x06_regiment_with_one_type_fields_only_that_type(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, *mode("total_war"), actions(3), until=FieldCompanies, changes=ONE_KIND, **LARGE)
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div schuetzen"] * 3)[1]) == ""
    assert case.why_not(AXIS, field(AXIS, *["15_pz_div schuetzen"] * 2, "15_pz_div panzer")[1]) != ""


@pytest.mark.rule("KH-15.05", "KH-15.04")
def test_x07_each_linked_table_chooses_its_own_company(new_case: NewCase) -> None:
    changes = {
        "forces.formations.15_pz_div.options": ["schuetzen", "panzer"],
        "forces.formations.7_armd_bde.strength": 3,
    }
    case = at_sidi_rezegh(new_case, *mode("linked"), actions(2), until=FieldCompanies, changes=changes, **LARGE)
    for first in ("schuetzen", "panzer"):
        for second in ("schuetzen", "panzer"):
            assert case.why_not(AXIS, field(AXIS, f"15_pz_div {first}", f"15_pz_div {second}")[1]) == ""


@pytest.mark.rule("KH-15.14", "KH-15.13")
def test_x08_platoon_transfers_to_an_adjacent_linked_table(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, *mode("linked"), actions(3), until=ReportBattle, **LARGE)
    case.game.submit(ReportBattle(case.brief().id, result("axis", "4-3")(case.brief())), "umpire")
    brief = case.brief()
    assert brief.table.number == 2
    platoon = next(iter(brief.platoons("axis")))
    for table, legal in ((3, True), (1, True), (2, False), (4, False)):
        reported = result("axis", "6-1", transfers=(Transfer("axis", platoon, 3, table),))(brief)
        assert (case.why_not("umpire", ReportBattle(brief.id, reported)) == "") is legal
    assert any("KH-15.14" in note and "next turn" in note for note in brief.notes)


@pytest.mark.rule("KH-15.18", "KH-15.19")
def test_x09_two_linked_tables_won_by_less_than_double(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, *mode("linked"), actions(2), result("axis", "5-2"), result("axis", "4-3"), **LARGE)
    decided = case.one(EngagementDecided)
    assert (decided.winner, decided.scale) == ("axis", "more")


@pytest.mark.rule("KH-15.20", "KH-R02", "KH-21.03")
@pytest.mark.parametrize(("second", "ledger"), [("5/10", (7, 8)), ("6/9", (8, 8))])
def test_x10_x11_losses_on_linked_tables_are_averaged(new_case: NewCase, second: str, ledger: tuple[int, int]) -> None:
    results = (result("axis", "5-2", axis="9/6"), result("axis", "4-3", axis=second))
    assert at_sidi_rezegh(new_case, *mode("linked"), actions(2), *results, **LARGE).ledger("15_pz_div") == ledger


@pytest.mark.rule("KH-21.02", "KH-21.03", "KH-R01", "KH-R02", "KH-R03")
def test_x12_x13_attrition_of_15th_panzer_and_7th_armored(new_case: NewCase) -> None:
    kinds = ["panzer", "panzer", "panzer_grenadier", "panzer_engineer"]
    companies = field(AXIS, *(f"15_pz_div {each}" for each in kinds))
    fought = [result(winner, score, axis=axis, allies=allies) for winner, score, axis, allies in ROWS]
    case = at_sidi_rezegh(new_case, companies, *fought, **FOUR)
    taken = {each.formation: (each.armor, each.general) for each in case.events(AttritionTaken)}
    assert taken == {"7_armd_bde": (6, 5), "15_pz_div": (6, 8)}
    assert (sum(taken["7_armd_bde"]), sum(taken["15_pz_div"])) == (11, 14)
    armor = sum(int(allies.partition("/")[0]) for *_, allies in ROWS)
    assert (armor, -(-armor // 4)) == (21, 6)  # the book prints 31 and 8 for the same lines
    assert steps_of(case.one(AttritionTaken, side=AXIS), "general") == (
        *((f"15_pz_div, action {number}", lost, "KH-21.01") for number, lost in enumerate((14, 3, 6, 8), 1)),
        ("average over 4", -23, "KH-21.02"),
    )


@pytest.mark.rule("KH-18.09", "KH-18.10", "KH-R51", "KH-18.03")
def test_x14_x15_outcome_and_retreat_of_15th_panzer(new_case: NewCase) -> None:
    fought = [result(winner, score) for winner, score, *_ in ROWS]
    case = at_sidi_rezegh(new_case, *fought, until=RetreatTo, **FOUR)
    assert case.why_not(AXIS, RetreatTo({"15_pz_div": "gabr_saleh"})) != ""  # by the example: not an area of the enemy
    case.play(retreats(AXIS, f15_pz_div="gambut"))
    decided = case.one(EngagementDecided)
    assert (decided.points, decided.winner, decided.scale) == ({"allies": 16, "axis": 12}, "allies", "more")
    assert [amount for _, amount, _ in steps_of(decided, "points.allies")] == [6, 3, 4, 3]
    assert steps_of(decided, "double") == (("allies", 16, "KH-18.03"), ("axis, doubled", -24, "KH-18.04"))
    assert case.control("sidi_rezegh") == "allies"
    assert case["15_pz_div"].regroup
    assert case["7_armd_bde"].regroup
    assert not case["7_armd_bde"].overwhelmed
    literal = at_sidi_rezegh(new_case, *fought, until=RetreatTo, retreat_dest="not_occupied", **FOUR)
    assert literal.why_not(AXIS, RetreatTo({"15_pz_div": "gabr_saleh"})) == ""  # by the rule: not occupied


@pytest.mark.rule("KH-18.02", "KH-18.03")
def test_x16_points_of_an_action_sum_to_seven(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, until=ReportBattle)
    (brief,) = case.briefs()
    for first, second in [(a, b) for a in range(8) for b in range(8)]:
        reported = result("axis" if first > second else "allies", f"{max(first, second)}-{min(first, second)}")(brief)
        legal = case.why_not("umpire", ReportBattle(brief.id, reported)) == ""
        assert legal is ({first, second} in ({6, 1}, {5, 2}, {4, 3})), (first, second)


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.07", "KH-22.09", "KH-22.11")
@pytest.mark.parametrize(
    ("marks", "tanks", "foot"),
    [("", (4, 4), 7), ("armor=15", (3, 3), 7), ("armor=30", (2, 2), 7), ("general=60", (4, 3), 6)],
)
def test_x17_x18_attrition_reduces_platoons(new_case: NewCase, marks: str, tanks: tuple[int, int], foot: int) -> None:
    case = at_sidi_rezegh(new_case, field(AXIS, "15_pz_div panzer"), panzer=marks)
    platoons = case.briefs()[0].platoons("axis").values()
    tank = next(each for each in platoons if each.kind == "afv" and not each.independent)
    rifles = next(each for each in platoons if each.kind == "infantry")
    assert (tank.teams, tank.fielded) == tanks
    assert (rifles.teams, rifles.fielded) == (7, foot)


@pytest.mark.rule("KH-26.07", "KH-R45")
def test_x19_higher_base_raises_the_bonus(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, base_points="1750")
    assert case.briefs()[0].parties["axis"].points == 1750 + 60


@pytest.mark.rule("KH-1.07", "KH-26.01")
def test_x20_units_of_another_scale_are_mapped_to_companies(new_case: NewCase) -> None:
    case = at_sidi_rezegh(
        new_case,
        field(AXIS, "15_pz_div panzer", "15_pz_div panzer_grenadier", "15_pz_div panzer_grenadier"),
        actions_per_engagement="3",
    )
    assert [each.parties["axis"].companies[0].type for each in case.briefs()] == [
        "panzer",
        "panzer_grenadier",
        "panzer_grenadier",
    ]


@pytest.mark.rule("KH-16.03", "KH-16.04", "KH-16.05", "KH-16.06")
@pytest.mark.parametrize(
    ("own", "enemy", "points"),
    [(3, 2, 1), (2, 1, 2), (5, 2, 2), (4, 1, 3), (6, 1, 4), (7, 1, 4), (1, 1, 0), (3, 3, 0), (12, 2, 4)],
)
def test_x21_strength_ratio_gives_advantage(new_case: NewCase, own: int, enemy: int, points: int) -> None:
    changes = {"forces.formations.15_pz_div.strength": own, "forces.formations.7_armd_bde.strength": enemy}
    assert at_sidi_rezegh(new_case, changes=changes).one(AdvantageAssessed).net == points


@pytest.mark.rule("KH-16.14", "KH-16.07", "KH-16.05", "KH-17.04", "KH-17.05")
def test_x22_net_advantage_of_4_points_gives_bonus_and_rerolls(new_case: NewCase) -> None:
    changes = {"forces.formations.7_armd_bde.strength": 3, "forces.formations.15_pz_div.strength": 1}
    case = new_case(
        "15_pz_div gabr_saleh; 7_armd_bde bir_el_gubi; recon_cw assembly_area",
        dice={"activation:*": "6 6"}, changes=changes, control="allies: bir_el_gubi", actions_per_engagement="2",
    )  # fmt: skip
    case.turn(
        field(ALLIES, Fielded("7_armd_bde", "crusader", bonus=True), Fielded("7_armd_bde", "a13")),
        allies="7_armd_bde gabr_saleh; recon_cw gabr_saleh",
    )
    assert case.one(AdvantageAssessed).net == 4
    assert [(each.parties["allies"].points, each.parties["allies"].rerolls) for each in case.briefs()] == [
        (1650, 2),
        (1550, 2),
    ]
    found = case.one(AdvantageAssessed)
    assert steps_of(found, "points.allies") == (
        ("strength, 4 times the enemy's", 3, "KH-16.05"),
        ("connectors", 1, "KH-16.07"),
    )
    assert steps_of(found, "strength.allies") == (("7_armd_bde", 3, "KH-2.09"), ("recon_cw", 1, "KH-2.09"))
    assert steps_of(found, "net") == (("allies", 4, "KH-16.10"), ("axis", 0, "KH-16.10"))
    first, _ = case.events(BattleBriefed)
    assert steps_of(first, "points.allies") == (
        ("company", 1500, "KH-17.02"),
        ("strategic advantage", 50, "KH-17.04"),
        ("significant advantage", 100, "KH-17.05"),
    )
    assert steps_of(first, "rerolls.allies") == (("net advantage", 4, "KH-16.14"), ("minus 2", -2, "KH-16.14"))


@pytest.mark.rule("KH-16.10")
def test_x23_x24_only_the_net_advantage_counts(new_case: NewCase) -> None:
    one = at_sidi_rezegh(new_case, panzer="overwhelmed assimilating")
    assert (one.one(AdvantageAssessed).net, one.briefs()[0].parties["axis"].rerolls) == (1, 0)
    assert one.briefs()[0].parties["axis"].points == 1550
    same = at_sidi_rezegh(new_case, panzer="assimilating")
    assert (same.one(AdvantageAssessed).favored, same.briefs()[0].parties["axis"].points) == ("", 1500)


@pytest.mark.rule("KH-14.04", "KH-14.05", "KH-R36")
def test_x25_number_of_flights_for_a_base_of_4400_points(new_case: NewCase) -> None:
    changes: dict[str, Any] = {
        "forces.formations.15_pz_div.strength": 4, "forces.formations.7_armd_bde.strength": 1,
        "air.axis": {"level": "limited", "engagements": 1},
    }  # fmt: skip
    companies = field(AXIS, Fielded("15_pz_div", "panzer", air=True, bonus=True))
    case = at_sidi_rezegh(
        new_case, *mode("total_war"), actions(1), companies, changes=changes, base_points="4400", **LARGE
    )
    party = case.briefs()[0].parties["axis"]
    assert (party.flights, party.rerolls) == (2, 2)


@pytest.mark.rule("KH-9.01", "KH-9.02", "KH-9.08", "KH-9.09")
@pytest.mark.parametrize(("die", "activated"), [(4, False), (5, True), (6, True)])
def test_x26_activation_with_modifiers_requires_5(new_case: NewCase, die: int, activated: bool) -> None:
    where = f"{AT_REZEGH} supplied=no armor=20 general=20; rommel sidi_rezegh; {AT_SALEH}"
    case = new_case(where, dice={"activation:15_pz_div": str(die)})
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    rolled = case.one(events.ActivationRolled)
    assert (rolled.activated, rolled.total) == (activated, die - 1)
    assert steps_of(rolled, "total") == (
        ("die", die, "KH-9.01"),
        ("out_of_supply", -1, "KH-9.08"),
        ("attrition_40", -1, "KH-9.09"),
        ("rommel", 1, "KH-9.02"),
    )


@pytest.mark.rule("KH-9.05", "KH-R11")
def test_x27_enemy_on_a_later_leg_stops_the_move(new_case: NewCase) -> None:
    case = new_case(f"15_pz_div el_adem; {AT_SALEH}").turn(axis="15_pz_div bir_el_gubi gabr_saleh")
    assert (case.at("15_pz_div"), case.found()) == ("bir_el_gubi", [])


@pytest.mark.rule("KH-8.11")
def test_x28_one_connector_is_always_affordable(new_case: NewCase) -> None:
    case = new_case("afrika_div fort_capuzzo; 7_armd_bde tobruk")
    assert case.refuses(AXIS, "afrika_div assembly_area gabr_saleh") != ""
    case.turn(axis="afrika_div assembly_area")
    assert case.at("afrika_div") == "assembly_area"


@pytest.mark.rule("KH-8.10")
def test_x29_two_connectors_are_affordable_and_a_third_is_not(new_case: NewCase) -> None:
    case = new_case("15_pz_div bir_el_gubi; 7_armd_bde assembly_area")
    assert case.refuses(AXIS, "15_pz_div el_adem sidi_rezegh") == ""  # 2 and 2
    case = new_case("15_pz_div bir_el_gubi; 7_armd_bde assembly_area", control="axis: tobruk")
    assert case.refuses(AXIS, "15_pz_div el_adem sidi_rezegh gambut") == "KH-8.10"


@pytest.mark.rule("KH-10.11", "KH-R88")
def test_x30_surrender_is_checked_on_the_4th_turn_out_of_supply(new_case: NewCase) -> None:
    where = "15_pz_div bir_el_gubi; 7_armd_bde gabr_saleh"
    case = new_case(where, at="start.supply", control="allies: el_adem", dice={"surrender:15_pz_div": "6"}).play()
    checks = []
    for _ in range(4):
        checks.append((case.state.turn, len(case.events(events.SurrenderChecked))))
        if len(checks) < 4:
            case.turn()
    assert checks == [(2, 0), (3, 0), (4, 0), (5, 1)]


@pytest.mark.rule("KH-22.02", "KH-22.03", "KH-22.04")
@pytest.mark.parametrize(("winner", "recovered"), [("axis", 3), ("allies", 1)])
def test_x31_winner_recovers_vehicles_on_a_lower_roll(new_case: NewCase, winner: str, recovered: int) -> None:
    lost = {"afv.0": Loss(destroyed=3), "afv.1": Loss(destroyed=3)}
    case = at_sidi_rezegh(
        new_case, field(AXIS, "15_pz_div panzer"), losses(winner, "4-3", axis=lost), dice={"recovery:*": "1+4+5+6+5+2"}
    )
    assert case.ledger("15_pz_div") == (6 - recovered, 0)
    found, holds = case.one(VehiclesRecovered), ("in control of the area", -1, "KH-22.03")
    assert steps_of(found, "needs") == (("standard", 6, "KH-22.02"), *([holds] if winner == AXIS else []))
    assert steps_of(found, "recovered") == (("successful dice", recovered, "KH-22.04"),)
    assert steps_of(case.one(ActionCounted, side=AXIS), "armor")[-1][1:] == (-recovered, "KH-22.04")
    (roll,) = [each for each in case.game.records if isinstance(each, RollRecord) and "recovery:axis" in each.label]
    assert sorted(map(roll.units.count, set(roll.units))) == [3, 3]


@pytest.mark.rule("KH-21.04", "KH-21.05", "KH-21.06", "KH-21.07", "KH-21.08", "KH-21.09")
def test_x32_losses_of_platoons_add_up(new_case: NewCase) -> None:
    tanks = {"afv.0": Loss(destroyed=4, lost=True), "light_afv.0": Loss(destroyed=3, lost=True)}
    others = {
        "infantry.0": Loss(destroyed=4),
        "gun.0": Loss(destroyed=4, lost=True),
        "independent.0": Loss(destroyed=1),
    }
    reported = losses("axis", "4-3", axis=tanks | others)
    case = at_sidi_rezegh(new_case, field(AXIS, "15_pz_div panzer_grenadier"), reported)
    assert case.ledger("15_pz_div") == (4 + 2 + 1, 3 + 1 + 3 + 1)
    counted = case.one(ActionCounted, side=AXIS)
    armor, general = steps_of(counted, "armor"), steps_of(counted, "general")
    assert [step[1:] for step in armor] == [(4, "KH-21.04"), (2, "KH-21.05"), (1, "KH-21.06")]
    assert sorted(step[1:] for step in general) == [
        (1, "KH-21.07"), (1, "KH-21.09"), (3, "KH-21.06"), (3, "KH-21.08"),
    ]  # fmt: skip
    assert {what.split()[0] for what, _, _ in (*armor, *general)} <= set(case.briefs()[0].platoons(AXIS))
    lost = tanks | {"afv.1": Loss(destroyed=1)}  # a tank of a second platoon adds one
    case = at_sidi_rezegh(new_case, field(AXIS, "15_pz_div panzer"), losses("axis", "4-3", axis=lost))
    assert case.ledger("15_pz_div") == (8, 3)


@pytest.mark.rule("KH-19.04", "KH-19.05", "KH-19.06", "KH-19.07", "KH-R60")
def test_x33_defender_wins_a_fighting_withdrawal(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, fighting(AXIS), result("axis", "4-3", axis="5/4", allies="5/4"))
    assert (case.ledger("15_pz_div"), case.ledger("7_armd_bde")) == ((3, 2), (5, 4))
    assert case.control("sidi_rezegh") == "allies"
    assert case.at("15_pz_div") != "sidi_rezegh"
    assert (case["15_pz_div"].regroup, case["7_armd_bde"].regroup) == (False, False)
    counted = case.one(ActionCounted, side=AXIS)
    for name in ("armor", "general"):
        assert steps_of(counted, name)[-1] == ("halved for the winner of a withdrawal", -2, "KH-19.04")


@pytest.mark.rule("KH-19.07")
def test_x34_attacker_wins_a_fighting_withdrawal_by_double(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, fighting(AXIS), result("allies", "6-1", axis="5/4", allies="5/4"))
    assert (case.ledger("15_pz_div"), case.ledger("7_armd_bde")) == ((5, 4), (3, 2))
    assert (case["15_pz_div"].regroup, case["7_armd_bde"].regroup) == (True, False)


@pytest.mark.rule("KH-19.10", "KH-24.06", "KH-24.07", "KH-19.09", "KH-19.11", "KH-R63", "KH-R64")
@pytest.mark.parametrize(("choice", "ledger"), [("general", (0, 9)), ("armor", (9, 0)), ("split_evenly", (4, 5))])
def test_x35_precipitous_withdrawal_costs_attrition_and_honor(
    new_case: NewCase, choice: str, ledger: tuple[int, int]
) -> None:
    withdrawal = leaves(AXIS, "precipitous", "15_pz_div")
    case = at_sidi_rezegh(new_case, withdrawal, dice={"withdrawal:15_pz_div": "3+5"}, precip_attrition_type=choice)
    assert (case.ledger("15_pz_div"), case["15_pz_div"].regroup, case.state.honor["Gary"]) == (ledger, True, -2)
    rolled = (("die", 3, "KH-19.10"), ("die", 5, "KH-19.10"), ("plus 1", 1, "KH-19.10"))
    for name, points in zip(("armor", "general"), ledger, strict=True):
        rest = (("in the other ledger", points - 9, "KH-R63"),) if points < 9 else ()
        assert steps_of(case.one(FormationWithdrew), name) == ((*rolled, *rest) if points else ())


@pytest.mark.rule("KH-19.16", "KH-19.17", "KH-19.14", "KH-19.15", "KH-24.06", "KH-24.07")
def test_x36_recon_withdrawal_costs_3_and_honor(new_case: NewCase) -> None:
    case = new_case("recon_cw gabr_saleh; 15_pz_div sidi_rezegh", dice={"activation:15_pz_div": "4"})
    case.turn(leaves(ALLIES, "recon", "recon_cw"), axis="15_pz_div gabr_saleh")
    assert (case.ledger("recon_cw"), case["recon_cw"].regroup, case.state.honor["Bart"]) == ((0, 3), False, -1)


EVEN = (result("axis", "4-3"), result("allies", "4-3"))


@pytest.mark.rule("KH-18.13")
def test_x37_even_result_with_both_moving(new_case: NewCase) -> None:
    case = new_case("15_pz_div el_adem; 7_armd_bde gabr_saleh", actions_per_engagement="2")
    case.turn(*EVEN, axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi")
    assert "bir_el_gubi" not in case.at("15_pz_div", "7_armd_bde")
    assert case.control("bir_el_gubi") == "axis"
    assert case["15_pz_div"].regroup
    assert case["7_armd_bde"].regroup


@pytest.mark.rule("KH-18.11")
def test_x38_even_result_against_a_stationary_force(new_case: NewCase) -> None:
    case = at_sidi_rezegh(new_case, *EVEN, actions_per_engagement="2")
    assert case.at("15_pz_div") == "sidi_rezegh"
    assert case.at("7_armd_bde") != "sidi_rezegh"
    assert case["15_pz_div"].regroup
    assert case["7_armd_bde"].regroup


@pytest.mark.rule("KH-12.17", "KH-12.18", "KH-12.19")
@pytest.mark.parametrize(("score", "at"), [("5-2", "gabr_saleh"), ("6-1", "sidi_rezegh")])
def test_x39_x40_connector_winner_advances_only_on_6_to_1(new_case: NewCase, score: str, at: str) -> None:
    case = new_case(f"{AT_REZEGH}; 21_pz_div sidi_rezegh; {AT_SALEH}", dice={"activation:*": "6 6"})
    case.turn(result("allies", score), axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh")
    assert case.at("7_armd_bde") == at
    driven = at == "sidi_rezegh"
    assert [case[each].area != "sidi_rezegh" for each in ("15_pz_div", "21_pz_div")] == [driven, driven]
    assert case["21_pz_div"].regroup is driven


@pytest.mark.rule("KH-20.08", "KH-20.09", "KH-20.10", "KH-R72", "KH-R73")
def test_x41_moving_instead_of_regrouping_costs_attrition(new_case: NewCase) -> None:
    case = new_case("15_pz_div sidi_rezegh regroup recovered=4; 7_armd_bde assembly_area", turn=5)
    ledgers = [
        case.turn(axis=way).ledger("15_pz_div")
        for way in ("15_pz_div gambut", "15_pz_div sidi_rezegh", "", "15_pz_div gambut")
    ]
    assert ledgers == [(4, 10), (4, 20), (4, 20), (4, 20)]


@pytest.mark.rule("KH-5.14")
def test_x42_pool_formation_assimilates_3_points(new_case: NewCase) -> None:
    case = new_case("7_armd_bde assembly_area armor=9 general=9; 15_pz_div gambut", at="start.supply")
    case.play(share(ALLIES, f7_armd_bde="2/1"))
    assert (case.ledger("7_armd_bde"), case["7_armd_bde"].assimilating) == ((7, 8), True)


@pytest.mark.rule("KH-5.06", "KH-5.15")
def test_x43_moving_formation_pays_double_for_1_point(new_case: NewCase) -> None:
    case = new_case("7_armd_bde assembly_area armor=9 general=9; 15_pz_div gambut", at="start.supply")
    assert case.why_not(ALLIES, share(ALLIES, f7_armd_bde="2/0 moving")[1]) == "KH-5.15"
    case.play(share(ALLIES, f7_armd_bde="1/0 moving"))
    assert (case.ledger("7_armd_bde"), case.one(events.ReplacementsGiven).paid_armor) == ((8, 9), 2)


@pytest.mark.rule("KH-24.01", "KH-24.02", "KH-24.03")
def test_x44_heroic_winner_gains_9_points_of_honor(new_case: NewCase) -> None:
    company = field(AXIS, Fielded("15_pz_div", "panzer", "Gary"))
    assert at_sidi_rezegh(new_case, company, result("axis", "6-1", heroic=("Gary",))).state.honor["Gary"] == 9


@pytest.mark.rule("KH-6.03", "KH-6.04", "KH-6.05", "KH-6.06", "KH-6.07")
@pytest.mark.parametrize(
    ("observer", "occupied", "seen"), [("15_pz_div", True, 0), ("15_pz_div recon", True, 2), ("rommel", False, 0)]
)
def test_x45_observation_by_motor_recon_and_leader(new_case: NewCase, observer: str, occupied: bool, seen: int) -> None:
    piece, _, recon = observer.partition(" ")
    changes = {"forces.formations.15_pz_div.mobility": "recon"} if recon else {}
    case = new_case(f"{piece} sidi_rezegh; {AT_SALEH}", changes=changes).turn()
    report = case.one(events.ReportIssued, side="axis")
    assert (report.occupied == ["gabr_saleh"]) is occupied
    assert sum(sum(each.values()) for each in report.seen.values()) == seen
