"""Activation (KH-9) and leaders on the map (KH-8.15, KH-9.02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import Case, result, retreat

from khamsin.model import events
from khamsin.model.orders import Withdraw

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

PANZER = "15_pz_div sidi_rezegh"
ENEMY = "7_armd_bde gabr_saleh"


def attack(lay: Lay, die: str, marks: str = "", people: str = "", **more: Any) -> Case:
    case = lay(f"{PANZER} {marks}; {ENEMY}; {people}", dice={"activation:15_pz_div": die}, **more)
    return case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)


def entered(case: Case) -> bool:
    return case.one(events.ActivationRolled).activated


@pytest.mark.rule("KH-9.01", "KH-8.13", "KH-8.14", "KH-3.08", "KH-R04")
@pytest.mark.parametrize(("die", "in_"), [("3", False), ("4", True), ("6", True)])
def test_a_formation_enters_on_its_activation_number(lay: Lay, die: str, in_: bool) -> None:
    case = attack(lay, die)
    assert entered(case) is in_
    assert case.at("15_pz_div") == ("gabr_saleh" if in_ else "sidi_rezegh")
    assert (case.found() == ["gabr_saleh"]) is in_


@pytest.mark.rule("KH-9.06", "KH-8.16", "KH-R23")
def test_who_fails_stays_and_is_stationary(lay: Lay) -> None:
    case = lay(
        f"{PANZER}; {ENEMY}; recon_cw gabr_saleh", dice={"activation:15_pz_div": "3", "activation:7_armd_bde": "3"}
    )
    case.turn(axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh", until=Withdraw)
    found = case.state.engagements["sidi_rezegh"]
    assert (found.column, found.stationary) == ("stationary", "axis")
    assert not case["15_pz_div"].moved


@pytest.mark.rule("KH-9.04", "KH-2.05")
def test_one_roll_serves_the_whole_formation_and_each_has_its_own(lay: Lay) -> None:
    case = lay(
        f"{PANZER}; 21_pz_div sidi_rezegh; {ENEMY}", dice={"activation:15_pz_div": "4", "activation:21_pz_div": "3"}
    )
    case.turn(axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=Withdraw)
    assert len(case.rolls("activation")) == 2
    assert case.at("15_pz_div", "21_pz_div") == "gabr_saleh sidi_rezegh"


@pytest.mark.rule("KH-R118", "KH-9.04")
def test_those_activated_fight_as_one_force_without_the_rest(lay: Lay) -> None:
    case = lay(
        f"{PANZER}; 21_pz_div bir_el_gubi; {ENEMY}", dice={"activation:15_pz_div": "4", "activation:21_pz_div": "3"}
    )
    case.turn(axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", until=Withdraw)
    assert case.state.engagements["gabr_saleh"].forces["axis"] == ["15_pz_div"]


@pytest.mark.rule("KH-9.05", "KH-8.14", "KH-R11")
@pytest.mark.parametrize(("reading", "at"), [("stop_before", "bir_el_gubi"), ("cancel_whole_order", "el_adem")])
def test_only_the_first_area_can_be_an_enemys(lay: Lay, reading: str, at: str) -> None:
    case = lay(f"15_pz_div el_adem; {ENEMY}", later_leg=reading).turn(axis="15_pz_div bir_el_gubi gabr_saleh")
    assert case.at("15_pz_div") == at
    assert case.events(events.ActivationRolled) == []


@pytest.mark.rule("KH-9.07")
def test_no_roll_is_made_for_an_empty_area(lay: Lay) -> None:
    case = lay(f"15_pz_div el_adem; {ENEMY}")
    case.turn(axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi", until=Withdraw)
    assert case.rolls("activation") == []
    assert case.found() == ["bir_el_gubi"]


@pytest.mark.rule("KH-9.09", "KH-9.10", "KH-22.08", "KH-22.10", "KH-21.14", "KH-21.15", "KH-R84")
@pytest.mark.parametrize(
    ("attrition", "minus"),
    [("armor=39", 0), ("armor=20 general=20", -1), ("general=59", -1), ("armor=1 general=59", -2), ("general=119", -2)],
)
def test_attrition_makes_it_harder(lay: Lay, attrition: str, minus: int) -> None:
    case = attack(lay, "5", attrition)
    assert case.one(events.ActivationRolled).total == 5 + minus
    assert entered(case) is (5 + minus >= 4)


@pytest.mark.rule("KH-9.08", "KH-9.09", "KH-R06")
@pytest.mark.parametrize(("reading", "total"), [("sum", 3), ("worst_only", 4)])
def test_modifiers_add_up(lay: Lay, reading: str, total: int) -> None:
    case = attack(lay, "6", "supplied=no general=60", activation_stack=reading)
    assert case.one(events.ActivationRolled).total == total


@pytest.mark.rule("KH-9.02", "KH-9.03", "KH-R06")
def test_a_leader_in_the_area_helps(lay: Lay) -> None:
    assert entered(attack(lay, "3", people="rommel sidi_rezegh"))
    assert not entered(attack(lay, "3", people="rommel gambut"))
    other = {"forces.leaders.rommel.corps": "xx", "forces.formations.afrika_div.corps": "xx"}
    assert not entered(attack(lay, "3", people="rommel sidi_rezegh", changes=other))  # of another corps only
    assert (
        attack(lay, "6", "general=60", "rommel sidi_rezegh", activation_stack="worst_only")
        .one(events.ActivationRolled)
        .total
        == 5
    )  # 6 -2 +1: penalties only are weighed


BAYERLEIN: dict[str, Any] = {
    "forces.leaders.bayerlein": {"title": "Bayerlein", "side": "axis", "bonus": 2, "free": True}
}


@pytest.mark.rule("KH-R07", "KH-9.02")
@pytest.mark.parametrize(("reading", "total"), [("best_one", 5), ("sum", 6)])
def test_of_several_leaders_the_best_helps(lay: Lay, reading: str, total: int) -> None:
    people = "rommel sidi_rezegh; bayerlein sidi_rezegh"
    case = attack(lay, "3", people=people, changes=BAYERLEIN, leader_stack=reading)
    assert case.one(events.ActivationRolled).total == total


@pytest.mark.rule("KH-R08", "KH-R106")
@pytest.mark.parametrize(("reading", "total"), [("origin", 4), ("destination", 3)])
def test_a_leader_helps_where_the_formation_starts_or_where_it_goes(lay: Lay, reading: str, total: int) -> None:
    case = attack(lay, "3", people="rommel sidi_rezegh", leader_at=reading)
    assert case.one(events.ActivationRolled).total == total


@pytest.mark.rule("KH-R05")
@pytest.mark.parametrize(
    ("reading", "die", "marks", "in_"),
    [
        ("none", "6", "supplied=no general=60", False),
        ("six_succeeds", "6", "supplied=no general=60", True),
        ("one_fails", "1", "", False),
        ("none", "1", "", True),
        ("both", "1", "", False),
        ("both", "6", "supplied=no general=60", True),
    ],
)
def test_natural_dice(lay: Lay, reading: str, die: str, marks: str, in_: bool) -> None:
    number = {"forces.formations.15_pz_div.activation": 4 if marks else 2}
    people = "" if marks else "rommel sidi_rezegh"  # 1 + 1 is enough for 2
    assert entered(attack(lay, die, marks, people, changes=number, activation_natural=reading)) is in_


# --- leaders move ---


@pytest.mark.rule("KH-8.15")
def test_a_leader_moves_like_recon(lay: Lay) -> None:
    case = lay("15_pz_div tobruk; rommel tobruk; 7_armd_bde assembly_area", control="axis: tobruk")
    assert case.refuses("axis", "rommel el_adem sidi_rezegh gambut sollum") == ""  # 1, 2, 2, 1
    assert case.refuses("axis", "rommel el_adem sidi_rezegh gambut sollum fort_capuzzo") != ""
    case.turn(axis="rommel el_adem sidi_rezegh gambut")
    assert case.at("rommel") == "gambut"


@pytest.mark.rule("KH-R106")
@pytest.mark.parametrize(("die", "at"), [("4", "gabr_saleh"), ("3", "sidi_rezegh")])
def test_he_enters_an_enemys_area_only_with_an_activated_formation(lay: Lay, die: str, at: str) -> None:
    case = lay(f"{PANZER}; rommel sidi_rezegh; {ENEMY}", dice={"activation:15_pz_div": "3" if die == "4" else "2"})
    case.turn(axis="15_pz_div gabr_saleh; rommel gabr_saleh", until=Withdraw)
    assert case.at("rommel") == at
    alone = lay(f"{PANZER}; rommel sidi_rezegh; {ENEMY}").turn(axis="rommel gabr_saleh")
    assert alone.at("rommel") == "sidi_rezegh"


@pytest.mark.rule("KH-R104", "KH-8.15")
def test_an_enemy_who_comes_displaces_a_leader_who_is_alone(lay: Lay) -> None:
    where = "rommel sidi_rezegh; 15_pz_div gambut; 7_armd_bde gabr_saleh"
    case = lay(where).turn(allies="7_armd_bde sidi_rezegh")
    assert case.at("rommel") == "gambut"
    assert case.control("sidi_rezegh") == "allies"
    for die, gone in (("3", True), ("4", False)):
        case = lay(where, leader_alone="captured_on_1_3", dice={"capture:rommel": die}).turn(
            allies="7_armd_bde sidi_rezegh"
        )
        assert (case.state.leaders["rommel"].standing == "dead") is gone


@pytest.mark.rule("KH-R104", "KH-23.02")
def test_with_nobody_to_reach_he_rolls_as_a_casualty(lay: Lay) -> None:
    case = lay("rommel sidi_rezegh; 7_armd_bde gabr_saleh", dice={"casualty:rommel": "1"})
    case.turn(allies="7_armd_bde sidi_rezegh")
    assert case.state.leaders["rommel"].standing == "dead"


@pytest.mark.rule("KH-R105")
def test_a_leader_retreats_with_his_force(lay: Lay) -> None:
    case = lay(f"{PANZER}; rommel sidi_rezegh; {ENEMY}", dice={"activation:7_armd_bde": "6"})
    case.turn(result("allies", "4-3"), retreat("axis", f15_pz_div="gambut"), allies="7_armd_bde sidi_rezegh")
    assert case.at("15_pz_div", "rommel") == "gambut gambut"
