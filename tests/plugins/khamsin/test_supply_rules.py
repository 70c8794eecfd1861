"""Supply (KH-10): who has it, what its lack does, and how long a force can bear it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from khamsin.model import events, orders
from khamsin.model.state import IN_BASE, LOST

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay


@pytest.mark.rule("KH-3.02", "KH-10.01", "KH-10.04", "KH-10.02")
def test_supply_is_checked_at_the_start_of_the_turn_and_a_supply_area_supplies_who_stands_in_it(lay: Lay) -> None:
    case = lay("15_pz_div gambut; inf_cw tobruk supplied=no", at="start.supply", control="axis: tobruk").play()
    assert [(each.side, each.cut) for each in case.events(events.SupplyChecked)] == [("axis", []), ("allies", [])]
    assert case["15_pz_div"].supplied
    assert case["inf_cw"].supplied


@pytest.mark.rule("KH-10.03", "KH-11.02", "KH-R90")
@pytest.mark.parametrize(
    ("control", "enemy", "trace", "supplied"),
    [
        ("", "gabr_saleh", "control_and_unoccupied", True),  # Bir el Gubi - El Adem - Sidi Rezegh - Gambut
        ("allies: el_adem", "gabr_saleh", "control_and_unoccupied", False),
        ("", "sidi_rezegh", "control_and_unoccupied", False),
        ("", "sidi_rezegh", "control_only", True),
        ("allies: bir_el_gubi", "gabr_saleh", "control_and_unoccupied", True),  # where it stands does not matter
        ("allies: gambut", "gabr_saleh", "control_only", False),  # nor does a lost supply area supply anybody
    ],
)
def test_a_line_runs_through_areas_free_of_the_enemy(
    lay: Lay, control: str, enemy: str, trace: str, supplied: bool
) -> None:
    where = f"15_pz_div bir_el_gubi; 7_armd_bde {enemy}"
    case = lay(where, at="start.supply", control=control, supply_trace=trace).play()
    assert case["15_pz_div"].supplied is supplied
    assert case["15_pz_div"].cut == (0 if supplied else 1)


@pytest.mark.rule("KH-R91")
def test_a_line_has_any_length_along_connectors(lay: Lay) -> None:
    case = lay("15_pz_div tobruk; 7_armd_bde gabr_saleh", at="start.supply", control="axis: bir_el_gubi").play()
    assert case["15_pz_div"].supplied  # Tobruk - El Adem - Sidi Rezegh - Gambut, four areas


@pytest.mark.rule("KH-R92", "KH-10.01")
def test_supply_changes_at_no_other_time(lay: Lay) -> None:
    case = lay("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:15_pz_div": "4"})
    case.turn(axis="15_pz_div gabr_saleh", until=orders.Withdraw)
    assert case["15_pz_div"].supplied
    case = lay("21_pz_div el_adem cut=1 supplied=no; 15_pz_div gambut", turn=2)
    case.turn(axis="21_pz_div sidi_rezegh")  # leg until a turn begins in supply
    assert case["21_pz_div"].supplied
    assert case["21_pz_div"].cut == 0


@pytest.mark.rule("KH-10.06", "KH-8.12")
def test_out_of_supply_a_formation_is_leg_until_it_begins_a_turn_in_supply(lay: Lay) -> None:
    case = lay("21_pz_div tobruk supplied=no; 7_armd_bde assembly_area", control="axis: tobruk")
    assert case.refuses("axis", "21_pz_div el_adem") == ""
    assert case.refuses("axis", "21_pz_div el_adem sidi_rezegh") in {"KH-8.12", "KH-8.10", "KH-10.06"}
    case = lay("21_pz_div tobruk; 7_armd_bde assembly_area", control="axis: tobruk")
    assert case.refuses("axis", "21_pz_div el_adem sidi_rezegh") == ""


@pytest.mark.rule("KH-10.07", "KH-9.08")
@pytest.mark.parametrize(("die", "entered"), [("4", False), ("5", True)])
def test_out_of_supply_activation_is_harder_by_one(lay: Lay, die: str, entered: bool) -> None:
    case = lay("15_pz_div sidi_rezegh supplied=no; 7_armd_bde gabr_saleh", dice={"activation:15_pz_div": die})
    case.turn(axis="15_pz_div gabr_saleh", until=orders.Withdraw if entered else None)
    assert case.one(events.ActivationRolled).activated is entered


@pytest.mark.rule("KH-10.05", "KH-5.03")
def test_out_of_supply_there_are_no_replacements(lay: Lay) -> None:
    case = lay(
        "15_pz_div bir_el_gubi armor=5; 21_pz_div gambut armor=5; 7_armd_bde gabr_saleh",
        at="start.supply",
        control="allies: el_adem bir_el_gubi",
    )
    assert case.why_not("axis", orders.Allocate({"21_pz_div": orders.Share(1)})) == ""
    assert case.why_not("axis", orders.Allocate({"15_pz_div": orders.Share(1)})) in {"KH-5.03", "KH-10.05"}


CUT = "15_pz_div bir_el_gubi cut=3 supplied=no; 21_pz_div gambut; 7_armd_bde gabr_saleh"
CLOSED = "allies: el_adem"


@pytest.mark.rule("KH-10.11", "KH-R88")
def test_the_first_check_comes_with_the_fourth_turn_out_of_supply(lay: Lay) -> None:
    case = lay(CUT.replace("cut=3", "cut=0"), at="start.supply", control=CLOSED, dice={"surrender:15_pz_div": "6 6"})
    for turn in (2, 3, 4):
        case.play()
        assert case["15_pz_div"].cut == turn - 1
        assert case.events(events.SurrenderChecked) == []
        case.turn()
    assert (case.state.turn, case["15_pz_div"].cut) == (5, 4)
    assert case.one(events.SurrenderChecked).dice == [6]
    case.turn()
    assert case.one(events.SurrenderChecked).held


@pytest.mark.rule("KH-10.12", "KH-10.13", "KH-10.14", "KH-R87", "KH-R89")
@pytest.mark.parametrize(("dice", "held"), [("5", True), ("4 5", True), ("4 4", False), ("1 2", False)])
def test_it_holds_on_its_activation_number_with_one_re_roll(lay: Lay, dice: str, held: bool) -> None:
    case = lay(CUT, at="start.supply", control=CLOSED, dice={"surrender:15_pz_div": dice}).play()  # needs 4, -1
    assert case.one(events.SurrenderChecked).held is held
    assert (case["15_pz_div"].standing == LOST) is not held
    if not held:
        assert case.one(events.FormationLost).reason in {"surrendered", "broken_up"}


@pytest.mark.rule("KH-R87")
def test_who_breaks_up_may_come_together_in_the_base_instead(lay: Lay) -> None:
    case = lay(
        CUT, at="start.supply", control=CLOSED, dice={"surrender:15_pz_div": "1 1"}, oos_removed="base_area"
    ).play()
    assert case["15_pz_div"].standing == IN_BASE
    assert sum(case.ledger("15_pz_div")) == 120


@pytest.mark.rule("KH-R89")
def test_the_best_of_a_force_may_check_for_all(lay: Lay) -> None:
    where = "15_pz_div bir_el_gubi cut=3 supplied=no; afrika_div bir_el_gubi cut=3 supplied=no; 7_armd_bde gabr_saleh"
    each = lay(
        where, at="start.supply", control=CLOSED, dice={"surrender:15_pz_div": "5", "surrender:afrika_div": "5 5"}
    )
    each.play()
    assert (each["15_pz_div"].standing, each["afrika_div"].standing) == ("map", LOST)
    best = lay(
        where, at="start.supply", control=CLOSED, oos_check_unit="best_in_force", dice={"surrender:*": "5"}
    ).play()
    assert (best["15_pz_div"].standing, best["afrika_div"].standing) == ("map", "map")


@pytest.mark.rule("KH-10.08", "KH-10.09", "KH-10.10", "KH-26.04")
def test_the_brief_tells_the_table_who_is_out_of_supply(lay: Lay) -> None:
    case = lay("15_pz_div sidi_rezegh supplied=no; 7_armd_bde gabr_saleh", dice={"activation:7_armd_bde": "6"})
    case.turn(allies="7_armd_bde sidi_rezegh")
    (brief,) = case.briefs()
    assert not brief.parties["axis"].companies[0].supplied
    assert brief.parties["allies"].companies[0].supplied
    told = " ".join((*brief.parties["axis"].notes, *brief.notes, *brief.effects)).lower()
    assert "half" in told  # vehicles
    assert "firepower" in told
    assert "march" in told or "double" in told or "expedited" in told
    assert {"KH-10.08", "KH-10.09", "KH-10.10"} <= set(brief.rules) or "supply" in told
