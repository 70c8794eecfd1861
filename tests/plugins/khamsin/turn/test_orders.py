"""Weather (KH-4), the sequence of phases (KH-3), and the commanders that write orders."""

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase
from tests.plugins.khamsin.procedures import HERE, first_decision, of, position, run, scheduled

from khamsin.model import events, orders
from khamsin.model.cards import Change, Weather
from khamsin.model.events import WeatherSet
from khamsin.turn.orders import weather, write_orders
from khamsin.turn.sequence import SEQUENCE
from sandtable.kernel.events import PhaseBegan

FAR = "7_armd_bde assembly_area"
WEATHER: dict[str, Any] = {
    "weather.first": "clear",
    "weather.table": ["storm", "clear", "clear", "clear", "clear", "storm"],
    "weather.kinds.clear": {"title": "Clear"},
    "weather.kinds.storm": {"title": "Storm", "extra": {"track": 2}, "air": "none", "effects": ["No aircraft fly."]},
}


@pytest.mark.rule("KH-3.04", "KH-4.01", "KH-4.02", "KH-8.09")
def test_weather_is_rolled_each_turn_and_changes_costs(new_case: NewCase) -> None:
    case = new_case(
        f"15_pz_div el_adem; {FAR}", changes=WEATHER, at="start.supply", turn=2, dice={"weather": "1 2"}
    ).play()
    assert case.state.weather == "storm"
    assert case.refuses("axis", "15_pz_div sidi_rezegh gambut") == "KH-8.10"  # 4 and 4 of 4
    case.turn()
    assert case.one(events.WeatherSet).die == 2
    assert case.refuses("axis", "15_pz_div sidi_rezegh gambut") == ""


@pytest.mark.rule("KH-4.02", "KH-7.05")
def test_brief_contains_the_weather(new_case: NewCase) -> None:
    changes = WEATHER | {"weather.kinds.storm.mud": 1}
    case = new_case(
        "15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh",
        changes=changes,
        at="start.supply",
        dice={"weather": "1 1", "activation:*": "6"},
    ).play()
    case.turn(allies="7_armd_bde sidi_rezegh")
    (brief,) = case.briefs()
    assert (brief.weather, brief.mud, brief.effects) == ("storm", 1, ("No aircraft fly.",))


@pytest.mark.rule("KH-3.01", "KH-2.01", "KH-3.05", "KH-3.08", "KH-3.09", "KH-3.11", "KH-3.12", "KH-3.13", "KH-3.14")
def test_turn_phases_follow_the_sequence(new_case: NewCase) -> None:
    case = new_case(f"15_pz_div gambut; {FAR}").submit_whole(axis=orders.WriteOrders(plan="Hold the airfield."))
    begun = [each.phase for each in case.events(PhaseBegan)]
    assert begun == [step.name for step in (*SEQUENCE.turn[5:], *SEQUENCE.turn[:5])]
    assert begun[0] == "action"
    assert SEQUENCE.turn[0].name == "start.supply"
    assert len(case.events(events.ReportIssued)) == 2


@pytest.mark.rule("KH-3.07", "KH-O1")
def test_commander_in_chief_of_each_side_writes_first() -> None:
    places = {"15_pz_div": HERE, "21_pz_div": "el_adem", "inf_cw": "tobruk"}
    state = position(places, orders_by="formation_commanders")
    state.formations["afrika_div"].standing = "lost"
    first = first_decision(write_orders(state))
    assert [(each.side, each.purpose) for each in first.decisions] == [
        (AXIS, "write.axis.Gary"),
        (ALLIES, "write.allies.Bart"),
    ]
    usual = first_decision(write_orders(position(places)))
    assert [each.purpose for each in usual.decisions] == ["write.axis", "write.allies"]


@pytest.mark.rule("KH-2.04", "KH-4.01", "KH-4.02")
def test_scheduled_weather_precedes_first_weather_and_roll() -> None:
    six = ("a", "b", "c", "d", "e", "f")

    def falls(turn: int, first: str = "", table: tuple[str, ...] = six, *changes: Change) -> list[tuple[str, int, str]]:
        state = scheduled(position({}), *changes) if changes else position({})
        state.place_board(replace(state.board, weather=Weather(first, table, {})))
        state.turn = turn
        rolls = {} if changes or (turn == 1 and first) or not table else {"weather": [5]}
        return [(each.weather, each.die, each.rule) for each in of(run(state, weather(state), rolls), WeatherSet)]

    assert falls(1, "fine") == [("fine", 0, "KH-4.01")]
    assert falls(2, "fine") == [("e", 5, "KH-4.01")]
    assert falls(1) == [("e", 5, "KH-4.01")]
    assert falls(2, "fine", ()) == []
    rain, storm = Change(2, "weather", "x", weather="rain"), Change(2, "weather", "y", weather="storm")
    assert falls(2, "fine", six, rain) == [("rain", 0, "KH-2.04")]
    assert falls(2, "fine", six, rain, storm, Change(2, "note", "z")) == [("storm", 0, "KH-2.04")]
