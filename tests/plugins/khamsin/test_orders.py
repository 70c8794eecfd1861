"""Orders (KH-3, KH-8): what may be written, and what no order can ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS

from khamsin.model import events
from khamsin.model.orders import WriteOrders

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

FAR = "7_armd_bde assembly_area"


@pytest.mark.rule("KH-3.06", "KH-3.07", "KH-8.16")
def test_both_sides_write_orders_at_once_and_in_secret(lay: Lay) -> None:
    case = lay(f"15_pz_div gambut; {FAR}")
    assert sorted(each.side for each in case.asked) == [ALLIES, AXIS]
    assert all(each.secret for each in case.asked)
    case.game.submit(WriteOrders({"15_pz_div": ["gambut", "sollum"]}), AXIS)
    assert case.at("15_pz_div") == "gambut"
    case.game.submit(WriteOrders(), ALLIES)
    case.play()
    assert case.at("15_pz_div") == "sollum"


@pytest.mark.rule("KH-R116", "KH-8.16", "KH-R115")
def test_who_has_no_order_holds_and_who_has_one_does_it(lay: Lay) -> None:
    case = lay(f"15_pz_div gambut; 21_pz_div gambut; {FAR}")
    case.hand_in(axis=WriteOrders({"15_pz_div": ["gambut", "sollum"]}, plan="Nobody moves."))
    assert case.at("15_pz_div", "21_pz_div") == "sollum gambut"
    assert [each.formation for each in case.events(events.FormationMoved)] == ["15_pz_div"]


@pytest.mark.rule("KH-8.01", "KH-8.02", "KH-8.03", "KH-8.04", "KH-8.10")
@pytest.mark.parametrize(
    ("mobility", "costs"),
    [
        ("recon", (True, True, True)),
        ("motor", (True, True, False)),
        ("semi_motor", (True, False, False)),
        ("leg", (True, False, False)),
    ],
)
def test_mobility_gives_movement_points(lay: Lay, mobility: str, costs: tuple[bool, ...]) -> None:
    case = lay(
        f"15_pz_div tobruk; {FAR}", changes={"forces.formations.15_pz_div.mobility": mobility}, control="axis: tobruk"
    )
    ways = ["el_adem", "el_adem sidi_rezegh", "el_adem sidi_rezegh gambut"]  # 1, 3 and 5 points
    assert tuple(case.refuses(AXIS, f"15_pz_div {way}") == "" for way in ways) == costs


@pytest.mark.rule("KH-8.10", "KH-8.09")
def test_the_module_sets_what_connectors_cost(lay: Lay) -> None:
    changes: dict[str, Any] = {
        "movement.costs": {"road": 1, "track": {"recon": 2, "motor": 3, "semi_motor": 2, "leg": 2}, "x_country": 4}
    }
    case = lay(f"15_pz_div el_adem; {FAR}", changes=changes)
    assert case.refuses(AXIS, "15_pz_div sidi_rezegh gambut") == "KH-8.10"
    assert case.refuses(AXIS, "15_pz_div sidi_rezegh") == ""


@pytest.mark.rule("KH-8.11")
@pytest.mark.parametrize("mobility", ["leg", "semi_motor"])
def test_one_connector_can_always_be_crossed(lay: Lay, mobility: str) -> None:
    changes = {"forces.formations.15_pz_div.mobility": mobility}
    case = lay("15_pz_div fort_capuzzo; 7_armd_bde tobruk", changes=changes)
    assert case.refuses(AXIS, "15_pz_div assembly_area") == ""  # 4 points
    assert case.refuses(AXIS, "15_pz_div assembly_area gabr_saleh") in {"KH-8.10", "KH-8.11"}
    assert case.refuses(AXIS, "15_pz_div gabr_saleh sidi_rezegh") in {"KH-8.10", "KH-8.11"}


@pytest.mark.rule("KH-2.01", "KH-3.06", "KH-9.05")
@pytest.mark.parametrize(
    "text",
    [
        "15_pz_div tobruk",  # no connector
        "15_pz_div nowhere",
        "7_armd_bde gabr_saleh",  # the enemy's
        "30_corps gambut",
    ],
)
def test_orders_that_cannot_be(lay: Lay, text: str) -> None:
    case = lay(f"15_pz_div gambut; {FAR}")
    assert case.refuses(AXIS, text) != ""


@pytest.mark.rule("KH-22.15", "KH-20.04", "KH-3.06")
def test_who_is_out_has_no_orders(lay: Lay) -> None:
    case = lay(f"15_pz_div lost; 21_pz_div base armor=80 general=60; afrika_div gambut; {FAR}")
    assert case.refuses(AXIS, "15_pz_div gambut sollum") != ""
    assert case.refuses(AXIS, "21_pz_div sollum") != ""
    assert case.rejects(AXIS, WriteOrders({"21_pz_div": ["gambut", "sollum"]})) != ""


@pytest.mark.rule("KH-R10", "KH-3.06", "KH-6.08")
@pytest.mark.parametrize("where", ["7_armd_bde gabr_saleh", "7_armd_bde assembly_area"])
def test_an_order_is_not_judged_by_enemies_that_its_writer_cannot_know(lay: Lay, where: str) -> None:
    case = lay(f"15_pz_div el_adem; {where}")
    assert case.refuses(AXIS, "15_pz_div bir_el_gubi gabr_saleh") == ""


@pytest.mark.rule("KH-R10")
def test_known_enemies_may_close_a_path_on_a_later_leg(lay: Lay) -> None:
    def told(state: Any) -> None:
        state.reports["axis"].occupied = ["gabr_saleh"]

    case = lay("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", order_validation="reject_known", tweak=told)
    assert case.refuses(AXIS, "15_pz_div el_adem bir_el_gubi") == ""
    assert case.refuses(AXIS, "15_pz_div gabr_saleh") == ""  # the first area it would enter
    case = lay("15_pz_div el_adem; 7_armd_bde gabr_saleh", order_validation="reject_known", tweak=told)
    assert case.refuses(AXIS, "15_pz_div bir_el_gubi gabr_saleh") in {"KH-9.05", "KH-R10"}


@pytest.mark.rule("KH-20.05", "KH-18.08")
def test_who_must_regroup_has_no_order(lay: Lay) -> None:
    case = lay("7_armd_bde gabr_saleh regroup; 15_pz_div gambut")
    assert case.refuses(ALLIES, "7_armd_bde assembly_area") == "KH-20.05"
    assert case.refuses(ALLIES, "") == ""


@pytest.mark.rule("KH-7.03")
def test_nations_may_be_kept_apart(lay: Lay) -> None:
    changes: dict[str, Any] = {
        "coordination": {"apart": [["german", "italian"]]},
        "forces.nations.italian": {"title": "Italian", "side": "axis"},
        "forces.formations.afrika_div.nation": "italian",
        "replacements.german.nations": ["german", "italian"],
    }
    case = lay(f"15_pz_div gambut; afrika_div sollum; {FAR}", changes=changes)
    assert case.refuses(AXIS, "15_pz_div sollum") == "KH-7.03"
    assert case.refuses(AXIS, "15_pz_div sidi_rezegh; afrika_div gambut") == ""


@pytest.mark.rule("KH-7.01", "KH-7.02", "KH-R117")
def test_a_formation_is_divided_only_by_its_fortress(lay: Lay) -> None:
    case = lay("inf_cw tobruk; 7_armd_bde gabr_saleh; 15_pz_div gambut")
    assert (
        case.why_not(ALLIES, WriteOrders({"7_armd_bde": ["gabr_saleh", "assembly_area"]}, detach={"7_armd_bde": 1}))
        != ""
    )
    assert case.why_not(ALLIES, WriteOrders({"inf_cw": ["tobruk", "el_adem"]}, detach={"inf_cw": 2})) != ""  # all of it
    case.hand_in(allies=WriteOrders({"inf_cw": ["tobruk", "el_adem"]}, detach={"inf_cw": 1}))
    divided = case.one(events.FormationDivided)
    assert case.at("inf_cw", divided.piece) == "el_adem tobruk"
    assert (case["inf_cw"].strength, case[divided.piece].strength) == (1, 1)
    assert case[divided.piece].parent == "inf_cw"
    case.turn(allies="inf_cw tobruk")
    assert case["inf_cw"].strength == 2
    assert divided.piece not in case.state.formations or case[divided.piece].standing == "lost"


@pytest.mark.rule("KH-7.06", "KH-7.07", "KH-R109")
def test_an_interdicted_area_costs_as_much_as_open_country(lay: Lay) -> None:
    changes = {"air.allies": {"level": "limited", "engagements": 1, "interdictions": 1, "needs": 4}}
    where = f"15_pz_div el_adem; {FAR}"
    case = lay(where, changes=changes, dice={"interdiction:allies:sidi_rezegh": "4"})
    assert case.why_not(ALLIES, WriteOrders(interdict=["sidi_rezegh", "gambut"])) in {"KH-7.06", "KH-R109"}
    assert case.why_not(AXIS, WriteOrders(interdict=["gabr_saleh"])) in {"KH-7.06", "KH-R109"}
    path = ["el_adem", "sidi_rezegh", "gambut"]
    case.hand_in(axis=WriteOrders({"15_pz_div": path}), allies=WriteOrders(interdict=["sidi_rezegh"]))
    assert case.one(events.AreasInterdicted).stopped == ["sidi_rezegh"]
    assert case.at("15_pz_div") == "sidi_rezegh"  # 4 of 4 points for the first connector
    case = lay(where, changes=changes, dice={"interdiction:allies:sidi_rezegh": "3"})
    case.hand_in(axis=WriteOrders({"15_pz_div": path}), allies=WriteOrders(interdict=["sidi_rezegh"]))
    assert case.at("15_pz_div") == "gambut"


@pytest.mark.rule("KH-O1", "KH-3.06", "KH-3.07")
def test_each_commander_may_order_his_own_formations(lay: Lay) -> None:
    case = lay(f"15_pz_div gambut; {FAR}", orders_by="formation_commanders")
    assert case.asks(WriteOrders, AXIS)
    assert case.refuses(AXIS, "15_pz_div sollum") == ""
    case.turn(axis="15_pz_div sollum")
    assert case.at("15_pz_div") == "sollum"


@pytest.mark.rule("KH-3.06")
def test_a_refused_sheet_changes_nothing(lay: Lay) -> None:
    case = lay(f"15_pz_div gambut; {FAR}")
    assert case.rejects(AXIS, WriteOrders({"15_pz_div": ["gambut", "tobruk"]})) != ""
    assert case.rejects(AXIS, WriteOrders({"15_pz_div": ["sollum", "gambut"]})) != ""  # it stands elsewhere
    assert case.rejects(AXIS, WriteOrders({"15_pz_div": ["gambut", "sollum", "sollum"]})) != ""
