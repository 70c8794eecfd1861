"""Attrition by platoons (KH-21), recovery and what attrition does (KH-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import AXIS, Case, field, losses, result

from khamsin.model.battle_events import ActionCounted, AttritionTaken, VehiclesRecovered
from sandtable.tabletop.result import PlatoonLosses

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

PANZER, ENEMY = "15_pz_div sidi_rezegh", "7_armd_bde gabr_saleh"
Loss = PlatoonLosses


def attacked(lay: Lay, marks: str = "", more: str = "", **rest: Any) -> Case:
    dice = {"activation:7_armd_bde": "6"} | rest.pop("dice", {})
    return lay(f"{PANZER} {marks}; {ENEMY}; {more}", dice=dice, **rest)


def fought(case: Case, *told: Any, company: str = "panzer") -> Case:
    number = int(case.state.options["actions_per_engagement"])
    return case.turn(field(AXIS, *[f"15_pz_div {company}"] * number), *told, allies="7_armd_bde sidi_rezegh")


def counted(
    lay: Lay, lost: dict[str, Loss], company: str = "panzer", winner: str = "axis", **rest: Any
) -> tuple[int, int]:
    """Return the attrition of 15th Panzer for such losses in one action; nothing is recovered."""
    case = fought(attacked(lay, **rest), losses(winner, "4-3", axis=lost), company=company)
    return case.ledger("15_pz_div")


@pytest.mark.rule(
    "KH-21.01", "KH-21.04", "KH-21.05", "KH-21.06", "KH-21.07", "KH-21.08", "KH-21.09", "KH-21.12", "KH-21.13"
)
@pytest.mark.parametrize(
    ("company", "lost", "expected"),
    [
        ("panzer", {"afv.0": Loss(destroyed=1)}, (1, 0)),
        ("panzer", {"afv.0": Loss(destroyed=4, lost=True)}, (6, 0)),
        ("panzer", {"light_afv.0": Loss(destroyed=3, lost=True)}, (1, 3)),
        ("panzer", {"infantry.0": Loss(destroyed=3)}, (0, 0)),  # 4 of 7 are not below half
        ("panzer", {"infantry.0": Loss(destroyed=4)}, (0, 1)),
        ("panzer", {"infantry.0": Loss(destroyed=5, routed=2, lost=True)}, (0, 3)),
        ("panzer", {"gun.0": Loss(destroyed=4, lost=True)}, (0, 3)),
        ("panzer", {"gun.0": Loss(destroyed=2)}, (0, 0)),  # half is not below half
        ("panzer", {"artillery.0": Loss(destroyed=3)}, (0, 1)),
        ("panzer_grenadier", {"independent.0": Loss(destroyed=1)}, (0, 1)),
        ("panzer_grenadier", {"independent.0": Loss(destroyed=2)}, (0, 2)),
    ],
)
def test_what_each_loss_costs(lay: Lay, company: str, lost: dict[str, Loss], expected: tuple[int, int]) -> None:
    assert counted(lay, lost, company) == expected


@pytest.mark.rule("KH-R79")
def test_an_independent_tank_counts_in_both_ledgers(lay: Lay) -> None:
    assert counted(lay, {"independent.0": Loss(destroyed=1)}, "panzer") == (1, 1)


@pytest.mark.rule("KH-R75")
@pytest.mark.parametrize(("reading", "armor"), [("whole_platoon", 6), ("destroyed_only", 4)])
def test_vehicles_of_a_platoon_that_counts_as_lost(lay: Lay, reading: str, armor: int) -> None:
    assert counted(lay, {"afv.0": Loss(destroyed=2, routed=2, lost=True)}, afv_count=reading) == (armor, 0)


@pytest.mark.rule("KH-R76", "KH-21.06")
@pytest.mark.parametrize(("reading", "armor"), [("none", 0), ("one_armor_each", 2)])
def test_light_vehicles_of_a_platoon_that_is_left(lay: Lay, reading: str, armor: int) -> None:
    assert counted(lay, {"light_afv.0": Loss(destroyed=2)}, light_single=reading) == (armor, 0)


@pytest.mark.rule("KH-R77", "KH-21.07", "KH-21.08")
@pytest.mark.parametrize(("reading", "general"), [("exclusive", 3), ("cumulative", 4)])
def test_a_lost_platoon_is_not_below_half_besides(lay: Lay, reading: str, general: int) -> None:
    assert counted(lay, {"infantry.0": Loss(destroyed=7, lost=True)}, half_and_lost=reading) == (0, general)


@pytest.mark.rule("KH-21.02", "KH-21.03", "KH-R02", "KH-R03")
@pytest.mark.parametrize(
    ("round_", "scope", "expected"),
    [
        ("ceil", "per_ledger", (6, 8)),
        ("nearest", "per_ledger", (5, 8)),
        ("floor", "per_ledger", (5, 7)),
        ("ceil", "total", (6, 7)),  # 13 in all: 5.25 and 7.75
        ("nearest", "total", (5, 8)),
    ],
)
def test_the_average_of_the_actions(lay: Lay, round_: str, scope: str, expected: tuple[int, int]) -> None:
    case = attacked(lay, actions_per_engagement="4", avg_round=round_, avg_round_scope=scope)
    rows = [("allies", "6-1", "8/14"), ("axis", "4-3", "4/3"), ("allies", "4-3", "4/6"), ("axis", "4-3", "5/8")]
    fought(case, *(result(winner, score, axis=lost) for winner, score, lost in rows))
    assert case.ledger("15_pz_div") == expected


# --- recovery ---

TANKS = {"afv.0": Loss(destroyed=4, lost=True), "afv.1": Loss(destroyed=2)}


@pytest.mark.rule("KH-22.01", "KH-22.02", "KH-22.03", "KH-22.04", "KH-R80", "KH-R82", "KH-21.10", "KH-21.11")
@pytest.mark.parametrize(("winner", "recovered"), [("axis", 3), ("allies", 1)])
def test_lost_vehicles_may_be_recovered(lay: Lay, winner: str, recovered: int) -> None:
    case = attacked(lay, dice={"recovery:*": "1+4+5+6+5+2"})
    fought(case, losses(winner, "4-3", axis=TANKS))
    found = case.one(VehiclesRecovered, side="axis")
    assert (found.needs, found.recovered) == (5 if winner == "axis" else 6, recovered)
    assert case.ledger("15_pz_div") == (8 - recovered, 0)
    assert case["15_pz_div"].recovered == recovered


@pytest.mark.rule("KH-R80", "KH-22.03")
@pytest.mark.parametrize(("reading", "needs"), [("area", [6, 6]), ("won_that_table", [5, 6])])
def test_who_controls_the_area_in_the_end_or_who_won_that_table(lay: Lay, reading: str, needs: list[int]) -> None:
    case = attacked(lay, actions_per_engagement="2", recovery_control=reading)
    fought(case, losses("axis", "4-3", axis=TANKS), losses("allies", "6-1", axis=TANKS))
    assert [each.needs for each in case.events(VehiclesRecovered, side="axis")] == needs


@pytest.mark.rule("KH-R80", "KH-22.03")
@pytest.mark.parametrize(("score", "needs"), [("4-3", 6), ("5-2", 6), ("6-1", 5)])
def test_on_a_connector_only_who_storms_recovers_as_a_holder(lay: Lay, score: str, needs: int) -> None:
    case = attacked(lay, dice={"activation:15_pz_div": "6", "recovery:*": "1+1+1+1+1+1"})
    told = field(AXIS, "15_pz_div panzer"), losses("axis", score, axis=TANKS)
    case.turn(*told, axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh")
    assert case.one(VehiclesRecovered, side="axis").needs == needs


@pytest.mark.rule("KH-R80", "KH-22.03", "KH-18.14")
def test_who_holds_the_area_and_has_left_it_recovers_as_nobody_does(lay: Lay) -> None:
    """Even points with both moving: the area stays with the Axis, and neither force is there any more."""
    case = lay("15_pz_div el_adem; 7_armd_bde gabr_saleh", actions_per_engagement="2")
    told = losses("axis", "4-3", axis=TANKS), losses("allies", "4-3")
    fielded = field(AXIS, "15_pz_div panzer", "15_pz_div panzer")
    case.turn(fielded, *told, axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi")
    assert case.control("bir_el_gubi") == "axis"
    assert case.one(VehiclesRecovered, side="axis").needs == 6


@pytest.mark.rule("KH-R81", "KH-22.02")
def test_recovery_comes_before_the_average(lay: Lay) -> None:
    case = attacked(lay, actions_per_engagement="2", dice={"recovery:*": "6+6 1+1"})
    lost = {"afv.0": Loss(destroyed=2)}
    fought(case, losses("axis", "6-1", axis=lost), losses("axis", "6-1", axis=lost))
    assert case.ledger("15_pz_div") == (1, 0)
    assert [(each.armor, each.general) for each in case.events(ActionCounted, side="axis")] == [(0, 0), (2, 0)]


@pytest.mark.rule("KH-R82", "KH-R83", "KH-22.04")
def test_light_vehicles_are_recovered_up_to_what_they_cost(lay: Lay) -> None:
    case = attacked(lay, dice={"recovery:*": "6+6+6"})
    fought(case, losses("axis", "6-1", axis={"light_afv.0": Loss(destroyed=3, lost=True)}))
    assert case.ledger("15_pz_div") == (0, 3)


@pytest.mark.rule("KH-22.02")
def test_recovery_dice_may_come_from_the_table(lay: Lay) -> None:
    case = fought(attacked(lay), losses("axis", "6-1", axis={"afv.0": Loss(destroyed=2)}, recovery={"axis": (6, 4)}))
    assert case.rolls("recovery") == []
    assert case.ledger("15_pz_div") == (1, 0)


@pytest.mark.rule("KH-21.14", "KH-21.01")
def test_attrition_adds_up_over_the_campaign(lay: Lay) -> None:
    case = fought(attacked(lay, "armor=3 general=4"), result("axis", "6-1", axis="2/5"))
    assert case.ledger("15_pz_div") == (5, 9)
    taken = case.one(AttritionTaken, formation="15_pz_div")
    assert (taken.armor, taken.general) == (2, 5)


# --- what it does ---


def fielded(lay: Lay, marks: str) -> Any:
    case = fought(attacked(lay, marks))
    return case.briefs()[0].parties["axis"].companies[0]


@pytest.mark.rule("KH-22.05", "KH-22.06", "KH-22.07", "KH-R84", "KH-R85", "KH-21.15")
@pytest.mark.parametrize(
    ("marks", "less"), [("armor=14", 0), ("armor=15", 1), ("armor=29 general=9", 1), ("armor=30", 2)]
)
def test_armor_attrition_takes_vehicles_from_platoons(lay: Lay, marks: str, less: int) -> None:
    company = fielded(lay, marks)
    whole = fielded(lay, "")
    assert company.afv_less == less
    for each, full in zip(company.platoons, whole.platoons, strict=True):
        if each.kind in {"afv", "light_afv"} and not each.independent:
            assert each.teams == each.fielded == full.teams - less
            assert each.points == full.points * (full.teams - less) // full.teams
        else:
            assert each == full


@pytest.mark.rule("KH-22.09", "KH-22.11", "KH-22.12", "KH-R78")
@pytest.mark.parametrize(
    ("marks", "stand"), [("general=59", False), ("general=60", True), ("armor=30 general=30", True)]
)
def test_at_sixty_every_platoon_deploys_a_stand_less(lay: Lay, marks: str, stand: bool) -> None:
    company = fielded(lay, marks)
    whole = fielded(lay, "")
    assert company.stand_less is stand
    assert not (stand and company.afv_less)
    for each, full in zip(company.platoons, whole.platoons, strict=True):
        assert (each.teams, each.points) == (full.teams, full.points)  # paid in full
        assert each.fielded == full.fielded - (stand and not each.independent)


@pytest.mark.rule("KH-R78", "KH-22.11")
def test_the_missing_stand_counts_as_lost_for_half_strength(lay: Lay) -> None:
    case = attacked(lay, "general=60")
    fought(case, losses("axis", "6-1", axis={"infantry.0": Loss(destroyed=3)}))  # 3 of 7 are left
    assert case["15_pz_div"].general == 61


@pytest.mark.rule("KH-21.02", "KH-R29")
def test_each_formation_bears_what_its_own_companies_lost(lay: Lay) -> None:
    changes = {"forces.formations.7_armd_bde.strength": 6}
    case = attacked(lay, more="21_pz_div sidi_rezegh", changes=changes, actions_per_engagement="2")
    case.turn(
        field(AXIS, "15_pz_div panzer", "21_pz_div panzer"),
        result("axis", "6-1", axis="2/3"),
        result("axis", "6-1", axis="5/7", allies="2/2"),
        allies="7_armd_bde sidi_rezegh",
    )
    assert (case.ledger("15_pz_div"), case.ledger("21_pz_div")) == ((2, 3), (5, 7))
    assert case.ledger("7_armd_bde") == (1, 1)
    assert case.at("7_armd_bde") != "sidi_rezegh"
