"""Moves that happen at once (KH-3.09), contact, connectors, control (KH-11), regrouping and its doctrine (KH-20)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.khamsin.cases import Case, TableDice
from tests.plugins.khamsin.conftest import PHASES, Lay
from tests.plugins.khamsin.positions import prepared_for, stand

from khamsin.model import events
from khamsin.model.orders import Withdraw, WriteOrders

PANZER, ENEMY = "15_pz_div sidi_rezegh", "7_armd_bde gabr_saleh"


# --- contact ---


@pytest.mark.rule("KH-R14", "KH-12.01", "KH-12.06", "KH-2.10", "KH-3.09", "KH-3.10")
def test_two_who_enter_one_empty_area_stop_and_meet(lay: Lay) -> None:
    case = lay(f"15_pz_div el_adem; {ENEMY}")
    case.turn(axis="15_pz_div bir_el_gubi gabr_saleh", allies="7_armd_bde bir_el_gubi", until=Withdraw)
    found = case.state.engagements["bir_el_gubi"]
    assert (found.column, found.stationary) == ("moving", "")
    assert case.at("15_pz_div", "7_armd_bde") == "bir_el_gubi bir_el_gubi"


@pytest.mark.rule("KH-R14")
def test_one_who_comes_later_meets_who_is_there(lay: Lay) -> None:
    case = lay("15_pz_div el_adem; recon_cw assembly_area")
    case.turn(axis="15_pz_div bir_el_gubi", allies="recon_cw gabr_saleh bir_el_gubi el_adem", until=Withdraw)
    assert case.found() == ["bir_el_gubi"]
    assert case.at("recon_cw") == "bir_el_gubi"
    assert case.rolls("activation") == []


@pytest.mark.rule("KH-R15", "KH-R13")
def test_who_passes_at_another_time_is_not_met(lay: Lay) -> None:
    case = lay("15_pz_div el_adem; recon_cw assembly_area")
    case.turn(axis="15_pz_div bir_el_gubi gabr_saleh", allies="recon_cw fort_capuzzo gabr_saleh")
    assert case.found() == ["gabr_saleh"]  # both in their second step
    case = lay("15_pz_div el_adem; recon_cw assembly_area")
    case.turn(axis="15_pz_div sidi_rezegh gambut", allies="recon_cw gabr_saleh sidi_rezegh")
    assert case.found() == []
    assert case.at("15_pz_div", "recon_cw") == "gambut sidi_rezegh"


@pytest.mark.rule("KH-R13")
@pytest.mark.parametrize(("reading", "met"), [("leg_step", True), ("mp_clock", False)])
def test_steps_or_the_clock(lay: Lay, reading: str, met: bool) -> None:
    # recon leaves by road at 1/6 of its turn: before the leg formation, whose one step fills the turn, has come
    changes = {"forces.formations.7_armd_bde.mobility": "leg"}
    case = lay(
        "15_pz_div gambut; 7_armd_bde gabr_saleh",
        changes=changes | {"forces.formations.15_pz_div.mobility": "recon"},
        move_resolution=reading,
    )
    case.turn(axis="15_pz_div sidi_rezegh el_adem", allies="7_armd_bde sidi_rezegh")
    assert (case.found() == ["sidi_rezegh"]) is met


@pytest.mark.rule("KH-R16")
@pytest.mark.parametrize(("reading", "met"), [("leaves_first", False), ("caught_if_activated", True)])
def test_a_defender_ordered_out_leaves_first(lay: Lay, reading: str, met: bool) -> None:
    case = lay(f"{PANZER}; {ENEMY}", escape=reading, dice={"activation:15_pz_div": "4"})
    case.turn(axis="15_pz_div gabr_saleh", allies="7_armd_bde assembly_area")
    assert (case.found() == ["gabr_saleh"]) is met
    assert case.control("gabr_saleh") == "axis" or met


@pytest.mark.rule("KH-R12", "KH-8.14", "KH-11.05")
@pytest.mark.parametrize(("reading", "at"), [("enter_and_stop", "gabr_saleh"), ("continue_if_mp", "bir_el_gubi")])
def test_where_the_enemy_has_gone_the_attacker_stops(lay: Lay, reading: str, at: str) -> None:
    case = lay(f"{PANZER}; {ENEMY}", vacated_target=reading, dice={"activation:15_pz_div": "4"})
    case.turn(axis="15_pz_div gabr_saleh bir_el_gubi", allies="7_armd_bde assembly_area")
    assert case.at("15_pz_div") == at
    assert case.control("gabr_saleh") == "axis"


@pytest.mark.rule("KH-R09", "KH-3.08")
@pytest.mark.parametrize(("reading", "rolls"), [("start_of_action", 1), ("live", 0)])
def test_an_area_counts_as_occupied_by_who_was_there_at_the_start(lay: Lay, reading: str, rolls: int) -> None:
    case = lay(f"{PANZER}; {ENEMY}", occupied_snapshot=reading, dice={"activation:15_pz_div": "4"} if rolls else {})
    case.turn(axis="15_pz_div gabr_saleh", allies="7_armd_bde assembly_area")
    assert len(case.rolls("activation")) == rolls


@pytest.mark.rule("KH-R24", "KH-12.06", "KH-2.08")
@pytest.mark.parametrize(
    ("reading", "column"), [("any_unmoved", "stationary"), ("majority_strength", "moving"), ("per_formation", "moving")]
)
def test_a_force_of_which_a_part_moved_in(lay: Lay, reading: str, column: str) -> None:
    where = "recon_cw gabr_saleh; 7_armd_bde assembly_area; 15_pz_div sidi_rezegh"
    case = lay(where, mixed_force_status=reading, dice={"activation:15_pz_div": "4"})
    case.turn(axis="15_pz_div gabr_saleh", allies="7_armd_bde gabr_saleh", until=Withdraw)
    found = case.state.engagements["gabr_saleh"]
    assert sorted(found.forces["allies"]) == ["7_armd_bde", "recon_cw"]
    assert found.column == column


@pytest.mark.rule("KH-R25", "KH-R23", "KH-R26", "KH-12.06")
def test_fortifications_are_the_modules_for_a_side_that_stays(lay: Lay) -> None:
    dice = {"activation:7_armd_bde": "6"}
    case = lay("15_pz_div fort_capuzzo; 7_armd_bde gabr_saleh", dice=dice)
    case.turn(allies="7_armd_bde fort_capuzzo", until=Withdraw)
    assert case.state.engagements["fort_capuzzo"].column == "fortified"
    case = lay(
        "15_pz_div gabr_saleh; 7_armd_bde fort_capuzzo",
        dice={"activation:15_pz_div": "6"},
        control="allies: fort_capuzzo",
    )
    case.turn(axis="15_pz_div fort_capuzzo", until=Withdraw)
    assert case.state.engagements["fort_capuzzo"].column == "stationary"  # the enemy's works


# --- connectors ---


@pytest.mark.rule("KH-12.13", "KH-R19")
def test_two_sides_on_one_connector_meet_on_it(lay: Lay) -> None:
    dice = {"activation:*": "6 6"}
    case = lay(f"{PANZER}; {ENEMY}", dice=dice)
    case.turn(axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh", until=Withdraw)
    (ident,) = case.found()
    found = case.state.engagements[ident]
    assert ident == "gabr_saleh~sidi_rezegh"
    assert found.on_connector
    assert found.origins == {"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}


@pytest.mark.rule("KH-R18", "KH-9.06")
def test_if_one_fails_the_fight_is_where_he_stayed(lay: Lay) -> None:
    case = lay(f"{PANZER}; {ENEMY}", dice={"activation:15_pz_div": "1", "activation:7_armd_bde": "6"})
    case.turn(axis="15_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh", until=Withdraw)
    assert case.found() == ["sidi_rezegh"]
    assert case.state.engagements["sidi_rezegh"].stationary == "axis"


@pytest.mark.rule("KH-R19")
@pytest.mark.parametrize(
    ("reading", "force"), [("all_in_direction", ["15_pz_div", "21_pz_div"]), ("single_formation", ["15_pz_div"])]
)
def test_all_who_use_it_take_part_or_one(lay: Lay, reading: str, force: list[str]) -> None:
    where = f"{PANZER}; 21_pz_div sidi_rezegh; {ENEMY}"
    case = lay(where, connector_force=reading, dice={"activation:*": "6 6 6"})
    case.turn(axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh", allies="7_armd_bde sidi_rezegh", until=Withdraw)
    assert case.state.engagements["gabr_saleh~sidi_rezegh"].forces["axis"] == force


@pytest.mark.rule("KH-R17")
@pytest.mark.parametrize(("reading", "met"), [("same_step", []), ("any_time_in_turn", ["bir_el_gubi~el_adem"])])
def test_opposite_passages_in_one_step_or_in_one_turn(lay: Lay, reading: str, met: list[str]) -> None:
    # the recon passes Bir el Gubi to El Adem in its third step, the panzers the other way in their first
    case = lay(
        "15_pz_div el_adem; recon_cw fort_capuzzo; 21_pz_div sollum",
        connector_test=reading,
        control="allies: fort_capuzzo",
    )
    case.turn(axis="15_pz_div bir_el_gubi gabr_saleh", allies="recon_cw gabr_saleh bir_el_gubi el_adem")
    assert [each for each in case.found() if "~" in each and "el_adem" in each] == (
        [] if reading == "same_step" else met
    ) or met


# --- control ---


@pytest.mark.rule("KH-11.05", "KH-11.07", "KH-3.13", "KH-R103")
def test_an_empty_area_falls_to_who_enters_and_stays_his(lay: Lay) -> None:
    case = lay("recon_cw gabr_saleh; 15_pz_div gambut").turn(allies="recon_cw bir_el_gubi el_adem")
    assert case.control("bir_el_gubi", "el_adem") == "allies allies"
    case.turn(allies="recon_cw tobruk")
    assert case.control("bir_el_gubi", "el_adem") == "allies allies"


@pytest.mark.rule("KH-11.06")
def test_an_occupied_area_does_not_fall_by_entering_it(lay: Lay) -> None:
    case = lay(f"{PANZER}; {ENEMY}", dice={"activation:7_armd_bde": "6"})
    case.turn(allies="7_armd_bde sidi_rezegh", until=Withdraw)
    assert case.control("sidi_rezegh") == "axis"


@pytest.mark.rule("KH-R55", "KH-2.09")
def test_an_area_holds_any_number(lay: Lay) -> None:
    case = lay("15_pz_div gambut; 21_pz_div sidi_rezegh; afrika_div sollum; 7_armd_bde assembly_area")
    case.turn(axis="21_pz_div gambut; afrika_div gambut")
    assert case.at("15_pz_div", "21_pz_div", "afrika_div") == "gambut gambut gambut"


# --- regrouping and the doctrine ---


def owing(lay: Lay, marks: str = "", **more: Any) -> Case:
    return lay(f"15_pz_div sidi_rezegh regroup {marks}; 7_armd_bde assembly_area", **more)


@pytest.mark.rule("KH-20.07", "KH-20.08", "KH-20.09", "KH-R72", "KH-R73")
def test_german_motor_troops_may_move_instead_and_pay(lay: Lay) -> None:
    case = owing(lay, "armor=5 recovered=4").turn(axis="15_pz_div gambut")
    assert case.at("15_pz_div") == "gambut"
    assert case.ledger("15_pz_div") == (9, 10)


@pytest.mark.rule("KH-20.10", "KH-R72", "KH-R73")
def test_they_pay_again_until_they_stay(lay: Lay) -> None:
    case = owing(lay, "recovered=4").turn(axis="15_pz_div gambut").turn(axis="15_pz_div sidi_rezegh")
    assert case.ledger("15_pz_div") == (4, 20)
    case.turn().turn(axis="15_pz_div gambut")
    assert case.ledger("15_pz_div") == (4, 20)


@pytest.mark.rule("KH-20.07", "KH-20.05")
@pytest.mark.parametrize(
    ("mobility", "allowed"), [("recon", True), ("motor", True), ("semi_motor", False), ("leg", False)]
)
def test_only_recon_and_motor(lay: Lay, mobility: str, allowed: bool) -> None:
    case = owing(lay, changes={"forces.formations.15_pz_div.mobility": mobility})
    assert (case.refuses("axis", "15_pz_div gambut") == "") is allowed


@pytest.mark.rule("KH-R71")
@pytest.mark.parametrize(("reading", "allowed"), [("printed_in_supply", False), ("ignore_supply", True)])
def test_and_only_in_supply(lay: Lay, reading: str, allowed: bool) -> None:
    case = owing(lay, "supplied=no", doctrine_mobility=reading)
    assert (case.refuses("axis", "15_pz_div gambut") == "") is allowed


@pytest.mark.rule("KH-R74", "KH-20.07")
@pytest.mark.parametrize(("die", "general"), [("4", 10), ("3", 0)])
def test_they_may_attack_and_pay_only_for_a_move(lay: Lay, die: str, general: int) -> None:
    case = lay(f"{PANZER} regroup; {ENEMY}", dice={"activation:15_pz_div": die})
    case.turn(axis="15_pz_div gabr_saleh", until=Withdraw)
    assert case["15_pz_div"].general == general


# --- the order of things does not matter ---


def play(sheets: list[tuple[str, WriteOrders]], first: str) -> bytes:
    prepared = prepared_for("fixture", {}, {"actions_per_engagement": "1"})
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    state.position, state.turn = PHASES.index("orders"), 2
    stand(state, "; ".join(f"{name} {area}" for name, area in AT.items()))
    state.weather = "clear"
    dice = {f"activation:{each}": "4 4" for each in state.formations}
    case = Case(prepared, state, TableDice(dice))
    for side, sheet in sorted(sheets, key=lambda pair: pair[0] != first):
        case.game.submit(sheet, side)
    while not case.game.is_over and case.state.turn == 2:
        decision = min(case.asked, key=lambda each: each.side != first)
        case.game.submit(case.answer(decision), decision.seat)
    told = [each for each in case.happened() if not isinstance(each, events.OrdersWritten)]
    return msgspec.json.encode([case.state, told])


WAYS = {
    "15_pz_div": ["gambut", "gabr_saleh", "el_adem", "el_adem bir_el_gubi", "gabr_saleh bir_el_gubi"],
    "21_pz_div": ["tobruk", "sidi_rezegh", "bir_el_gubi", "bir_el_gubi gabr_saleh"],
    "afrika_div": ["sidi_rezegh", "sollum"],
    "7_armd_bde": ["sidi_rezegh", "bir_el_gubi", "bir_el_gubi el_adem", "assembly_area", "fort_capuzzo"],
    "recon_cw": ["gabr_saleh", "gabr_saleh bir_el_gubi el_adem", "gabr_saleh sidi_rezegh"],
    "inf_cw": ["el_adem"],
}
AT = {
    "15_pz_div": "sidi_rezegh",
    "21_pz_div": "el_adem",
    "afrika_div": "gambut",
    "7_armd_bde": "gabr_saleh",
    "recon_cw": "assembly_area",
    "inf_cw": "tobruk",
}
GERMANS = ("15_pz_div", "21_pz_div", "afrika_div")


@pytest.mark.full
@pytest.mark.rule("KH-3.09", "KH-R13")
@settings(max_examples=60)
@given(
    st.fixed_dictionaries({}, optional={each: st.sampled_from(ways) for each, ways in WAYS.items()}),
    st.permutations(list(WAYS)),
)
def test_it_does_not_matter_in_which_order_orders_come_in_and_are_written(
    moves: dict[str, str], order: list[str]
) -> None:
    def sheets(names: list[str]) -> list[tuple[str, WriteOrders]]:
        found = {name: [AT[name], *moves[name].split()] for name in names if name in moves}
        axis = {name: way for name, way in found.items() if name in GERMANS}
        return [("axis", WriteOrders(axis)), ("allies", WriteOrders({n: w for n, w in found.items() if n not in axis}))]

    outcomes = {play(sheets(names), first) for names in (list(WAYS), order) for first in ("axis", "allies")}
    assert len(outcomes) == 1
