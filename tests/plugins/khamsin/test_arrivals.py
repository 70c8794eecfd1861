"""Arrivals, weather, scheduled changes (KH-2, KH-3, KH-4), and what a campaign is made of (KH-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.modules import TAKEN_OUT, board
from tests.plugins.khamsin.positions import installed, shipped

from khamsin.fog.views import view
from khamsin.model import events, orders
from khamsin.model.state import ON_MAP, WAITING
from khamsin.turn.sequence import SEQUENCE
from khamsin.ui.terms import remarks
from sandtable.kernel.events import PhaseBegan

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

COMING: dict[str, Any] = {
    "forces.formations.21_pz_div.start": TAKEN_OUT,
    "forces.formations.21_pz_div.enters": 3,
    "forces.formations.21_pz_div.entries": ["sollum", "gambut"],
    "map.areas.sollum.entry": "axis",
}
ONE_WAY = COMING | {"forces.formations.21_pz_div.entries": ["sollum"]}
FAR = "7_armd_bde assembly_area"


@pytest.mark.rule("KH-4.03", "KH-4.04", "KH-1.09", "KH-11.03", "KH-3.03", "KH-3.04")
def test_a_reinforcement_arrives_on_its_turn_in_its_area(lay: Lay) -> None:
    case = lay(f"21_pz_div waiting; {FAR}", changes=COMING, at="start.supply", turn=2).play()
    assert case["21_pz_div"].standing == WAITING
    case.turn()
    assert case.one(events.FormationArrived).area == "sollum"
    names = [type(each).__name__ for each in case.happened()]
    assert names.index("SupplyChecked") < names.index("FormationArrived") < names.index("WeatherSet")


@pytest.mark.rule("KH-4.09")
def test_it_moves_on_the_turn_of_its_arrival(lay: Lay) -> None:
    case = lay(f"21_pz_div waiting; {FAR}", changes=COMING, at="start.supply", turn=3).play()
    case.turn(axis="21_pz_div gambut sidi_rezegh")
    assert case.at("21_pz_div") == "sidi_rezegh"
    case = lay(
        "21_pz_div waiting; 7_armd_bde fort_capuzzo",
        changes=COMING,
        at="start.supply",
        turn=3,
        control="allies: fort_capuzzo",
        dice={"activation:21_pz_div": "4"},
    ).play()
    case.turn(axis="21_pz_div fort_capuzzo", until=orders.Withdraw)
    assert case.found() == ["fort_capuzzo"]


@pytest.mark.rule("KH-4.05", "KH-R97")
def test_a_closed_entry_sends_it_to_another_that_is_open(lay: Lay) -> None:
    case = lay(f"21_pz_div waiting; {FAR}", changes=COMING, at="start.supply", turn=3, control="allies: sollum")
    if case.asks(orders.EnterBy):
        assert case.why_not("axis", orders.EnterBy({"21_pz_div": "gambut"})) == ""
        assert case.why_not("axis", orders.EnterBy({"21_pz_div": "sollum"})) in {"KH-4.04", "KH-4.05", "KH-R97"}
        assert case.why_not("axis", orders.EnterBy({})) != ""  # it may not prefer to wait
    case.play()
    assert case.at("21_pz_div") == "gambut"


def delayed(lay: Lay, enemy: str = "7_armd_bde sollum", **more: Any) -> Any:
    return lay(
        f"21_pz_div waiting; {enemy}", changes=ONE_WAY, at="start.supply", turn=3, control="allies: sollum", **more
    ).play()


@pytest.mark.rule("KH-4.06")
def test_without_an_open_entry_it_waits_a_turn(lay: Lay) -> None:
    case = delayed(lay)
    assert case["21_pz_div"].standing == WAITING
    assert case.one(events.FormationDelayed).formation == "21_pz_div"
    assert case.refuses("axis", "21_pz_div sollum") != ""


@pytest.mark.rule("KH-4.06", "KH-4.07")
def test_who_waits_is_told_from_when_on_it_may_come_in_by_force(lay: Lay) -> None:
    case = delayed(lay)
    campaign = case.state.board
    enters, waits = campaign.formations["21_pz_div"].enters, "delayed: waits for Sollum"
    seen = view(case.state, "axis").formations["21_pz_div"]
    told = [remarks("21_pz_div", seen, campaign, enters + later) for later in (0, 1)]
    assert told == [[waits], [f"{waits}, or comes in by force"]]


@pytest.mark.rule("KH-4.07", "KH-R98")
@pytest.mark.parametrize(("die", "entered"), [("4", True), ("3", False)])
def test_after_the_wait_it_may_assault_its_area(lay: Lay, die: str, entered: bool) -> None:
    case = delayed(lay, dice={"activation:21_pz_div": die}).turn()
    assert case["21_pz_div"].standing == WAITING
    assert case.refuses("axis", "21_pz_div sollum gambut") != ""
    case.turn(axis="21_pz_div sollum", until=orders.Withdraw if entered else None)
    assert (case.found() == ["sollum"]) is entered
    assert (case["21_pz_div"].standing == ON_MAP) is entered


@pytest.mark.rule("KH-4.07", "KH-R99")
def test_into_an_empty_area_it_needs_no_die(lay: Lay) -> None:
    case = delayed(lay, FAR).turn()
    assert case["21_pz_div"].standing == WAITING
    case.turn(axis="21_pz_div sollum")
    assert case.at("21_pz_div") == "sollum"
    assert case.control("sollum") == "axis"


@pytest.mark.rule("KH-4.08")
def test_after_the_wait_it_enters_as_usual_if_the_area_is_its_own_again(lay: Lay) -> None:
    case = lay(
        f"21_pz_div waiting; 15_pz_div gambut; {FAR}",
        changes=ONE_WAY,
        at="start.supply",
        turn=3,
        control="allies: sollum",
    ).play()
    case.turn(axis="15_pz_div sollum")
    assert case.at("21_pz_div") == "sollum"
    assert case.refuses("axis", "21_pz_div gambut") == ""


WEATHER: dict[str, Any] = {
    "weather.first": "clear",
    "weather.table": ["storm", "clear", "clear", "clear", "clear", "storm"],
    "weather.kinds.clear": {"title": "Clear"},
    "weather.kinds.storm": {"title": "Storm", "extra": {"track": 2}, "air": "none", "effects": ["No aircraft fly."]},
}


@pytest.mark.rule("KH-3.04", "KH-4.01", "KH-4.02", "KH-8.09")
def test_weather_is_rolled_once_a_turn_and_does_what_the_module_says(lay: Lay) -> None:
    case = lay(f"15_pz_div el_adem; {FAR}", changes=WEATHER, at="start.supply", turn=2, dice={"weather": "1 2"}).play()
    assert case.state.weather == "storm"
    assert case.refuses("axis", "15_pz_div sidi_rezegh gambut") == "KH-8.10"  # 4 and 4 of 4
    case.turn()
    assert case.one(events.WeatherSet).die == 2
    assert case.refuses("axis", "15_pz_div sidi_rezegh gambut") == ""


@pytest.mark.rule("KH-4.02", "KH-7.05")
def test_the_brief_tells_the_table_the_weather(lay: Lay) -> None:
    changes = WEATHER | {"weather.kinds.storm.mud": 1}
    case = lay(
        "15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh",
        changes=changes,
        at="start.supply",
        dice={"weather": "1 1", "activation:*": "6"},
    ).play()
    case.turn(allies="7_armd_bde sidi_rezegh")
    (brief,) = case.briefs()
    assert (brief.weather, brief.mud, brief.effects) == ("storm", 1, ("No aircraft fly.",))


@pytest.mark.rule("KH-2.04", "KH-2.03")
def test_changes_of_the_situation_come_at_the_start_of_their_turn(lay: Lay) -> None:
    changes = {
        "events": [
            {"turn": 3, "kind": "supply_on", "side": "axis", "area": "bir_el_gubi", "text": "Dumps."},
            {"turn": 3, "kind": "control", "side": "allies", "area": "sollum", "text": "A landing."},
            {"turn": 3, "kind": "note", "text": "News."},
        ]
    }
    case = lay(
        "15_pz_div bir_el_gubi; 7_armd_bde gabr_saleh", changes=changes, at="start.supply", control="allies: el_adem"
    ).play()
    assert not case["15_pz_div"].supplied
    case.turn()
    assert [each.text for each in case.events(events.SituationChanged)] == ["Dumps.", "A landing.", "News."]
    assert case["15_pz_div"].supplied
    assert case.control("sollum") == "allies"


@pytest.mark.rule("KH-3.01", "KH-2.01", "KH-3.05", "KH-3.08", "KH-3.09", "KH-3.11", "KH-3.12", "KH-3.13", "KH-3.14")
def test_the_phases_of_a_turn_come_in_this_order(lay: Lay) -> None:
    case = lay(f"15_pz_div gambut; {FAR}").hand_in(axis=orders.WriteOrders(plan="Hold the airfield."))
    begun = [each.phase for each in case.events(PhaseBegan)]
    assert begun == [step.name for step in (*SEQUENCE.turn[5:], *SEQUENCE.turn[:5])]
    assert begun[0] == "action"
    assert SEQUENCE.turn[0].name == "start.supply"
    assert len(case.events(events.ReportIssued)) == 2


@pytest.mark.rule("KH-1.08", "KH-1.04", "KH-2.05")
def test_a_side_deploys_where_the_module_leaves_a_choice(lay: Lay) -> None:
    case = lay("", at="setup.deploy", turn=0, tweak=lambda state: None)
    free = shipped("teaching").board.formations
    assert all(card.start or card.enters for card in free.values())
    while case.asks(orders.Deploy):
        decision = case.asked[0]
        deployed = next(iter(decision.options.values()))
        wrong = {**deployed.areas, **dict.fromkeys(list(deployed.areas)[:1], "tobruk")}
        assert not decision.options.is_legal(orders.Deploy(wrong, deployed.leaders)) or not deployed.areas
        assert not decision.options.is_legal(orders.Deploy(deployed.areas, {"rommel": "tobruk"}))
        case.game.submit(deployed, decision.seat)
    assert len(case.events(events.SideDeployed)) == 2


@pytest.mark.rule("KH-1.02", "KH-1.05", "KH-1.06", "KH-1.07", "KH-1.12", "KH-1.13", "KH-26.03", "KH-2.02", "KH-26.05")
def test_a_module_is_data(lay: Lay) -> None:
    found = {name: shipped(name).board for name in ("crusader", "teaching", "fixture")}
    assert {each.ruleset.id for each in map(shipped, found)} == {"khamsin"}
    for each in found.values():
        for card in each.formations.values():
            assert card.options or card.bombards
            assert all(option in each.companies for option in card.options)
            assert each.nations[card.nation].side == card.side
    assert found["crusader"].turns == 21
    assert all(nation.lists for nation in found["crusader"].nations.values())
    assert installed().manifest.hidden


@pytest.mark.rule("KH-11.01", "KH-11.04", "KH-10.04", "KH-25.01")
def test_every_area_has_one_controller_from_the_start() -> None:
    for name in ("crusader", "teaching", "fixture"):
        assert set(board(name).control) == set(board(name).areas)
        assert set(board(name).control.values()) <= {"axis", "allies"}
