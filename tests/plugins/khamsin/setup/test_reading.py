"""Optional parts of a module, and how a module becomes a board."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from tests.plugins.khamsin.modules import SHIPPED, TAKEN_OUT, USUAL, board, built, changed, scenario

from khamsin.model.cards import SIDES, Broken, Chain, Held
from khamsin.setup.reading import read_board
from sandtable.errors import DataError
from sandtable.plugin.scenarios import load_scenario

MAP, FORCES = "map.areas", "forces.formations"
PANZER, LEADER = f"{FORCES}.panzer_rgt", "forces.leaders.brandt"


@pytest.mark.rule("KH-4.02", "KH-7.04", "KH-7.06")
def test_without_tables_of_them_skies_are_clear_and_empty() -> None:
    fixture = board("fixture")
    assert fixture.weather.first == ""
    assert set(fixture.weather.table) == {"clear"}
    assert all(fixture.air[side].level == "none" and not fixture.air[side].interdictions for side in SIDES)
    assert fixture.calendar[:2] == ("turn 1", "turn 2")
    assert fixture.events == {}
    assert fixture.guides == {}


@pytest.mark.rule("KH-2.02")
@pytest.mark.parametrize("first", ["1941-11-18", "1940-02-27", "1943-12-31", "1900-02-28", "2000-02-28"])
@pytest.mark.parametrize("step", [1, 7, 31])
def test_days_are_counted_as_the_calendar_does(first: str, step: int) -> None:
    labels = built({"calendar.first_day": first, "calendar.days": step, "calendar.turns": 200}).calendar
    days = [date.fromisoformat(first) + timedelta(days=step * turn) for turn in range(200)]
    assert labels == tuple(f"{day.day} {day.strftime('%B')} {day.year}" for day in days)


@pytest.mark.rule("KH-8.09")
def test_costs_are_for_all_mobilities_or_for_each() -> None:
    costs = {"recon": 1, "motor": 2, "semi_motor": 3, "leg": 4}
    module = built({"movement.costs.desert": costs})
    assert module.cost["desert"] == costs
    assert module.cost["road"] == dict.fromkeys(costs, 1)


@pytest.mark.rule("KH-1.08", "KH-R26")
def test_who_is_free_may_begin_anywhere_that_is_open_to_his_side() -> None:
    assert board("teaching").formations["panzer_rgt"].start == ("ridge", "west_well")
    module = built({"sides.axis.closed": ["ridge"], f"{FORCES}.recon_unit.historical": "west_well"})
    assert module.formations["panzer_rgt"].start == ("west_well",)
    assert module.leaders["brandt"].start == ("west_well",)
    assert module.formations["rifle_rgt"].start == ("ridge",)  # named by itself


def test_a_formation_without_a_commander_or_a_history_has_the_first_of_each() -> None:
    gone = {f"{PANZER}.commander": TAKEN_OUT, f"{PANZER}.historical": TAKEN_OUT}
    card = built(gone | {"sides.axis.commanders": ["Ben", "Anna"]}).formations["panzer_rgt"]
    assert (card.commander, card.historical) == ("Ben", "ridge")


@pytest.mark.rule("KH-25.01")
def test_conditions_of_each_kind_are_read_in_order() -> None:
    kinds = [type(aim) for aim in board("teaching").victory.conditions]
    assert kinds == [Held, Held, Chain, Chain, Broken, Broken]
    chain = board("teaching").victory.conditions[3]
    assert chain == Chain("allies", "east_well", "ridge", 3, chain.text)


@pytest.mark.rule("KH-2.04")
def test_events_are_grouped_by_turn_in_the_order_of_the_file() -> None:
    events = board("teaching").events
    assert [(turn, [change.kind for change in changes]) for turn, changes in events.items()] == [
        (2, ["note"]),
        (4, ["replacements", "replacements"]),
    ]
    assert [(change.side, change.armor) for change in events[4]] == [("axis", 4), ("allies", 4)]


def test_distances_and_surroundings_are_counted_in_connectors() -> None:
    teaching = board("teaching")
    assert teaching.distance("west_well", "east_well") == 2
    assert teaching.distance("ford", "ford") == 0
    assert teaching.around("west_well") == ("ford", "ridge")
    assert teaching.around("west_well", 2) == ("east_well", "ford", "ridge")
    assert teaching.kind_between["ridge", "ford"] == teaching.kind_between["ford", "ridge"] == "desert"


@pytest.mark.rule("KH-R26", "KH-12.09")
def test_fortifications_are_for_one_side_fortresses_included_or_for_who_has_works_there() -> None:
    crusader = board("crusader_full")
    assert crusader.is_fortified("tobruk", "allies")
    assert not crusader.is_fortified("tobruk", "axis")
    assert crusader.is_fortified("bir_el_gubi", "axis")
    assert crusader.is_fortified("ed_duda", "axis", ("bologna", "pavia"))
    assert not crusader.is_fortified("ed_duda", "axis", ("bologna", "21_pz_div"))
    assert not crusader.is_fortified("ed_duda", "axis")


@pytest.mark.rule("KH-26.06", "KH-O3")
def test_the_points_of_a_company_are_an_option() -> None:
    assert board("teaching").base_points == 1500
    assert board("teaching", base_points="1750").base_points == 1750


def test_a_module_that_stood_in_a_log_is_read_as_well() -> None:
    found = changed({}, "crusader")
    assert read_board(found, USUAL) == board("crusader")
    assert scenario("crusader").digest == found.digest


@pytest.mark.rule("KH-1.02")
def test_a_file_of_ones_own_may_lie_over_a_shipped_module(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    head = '[scenario]\nid = "short"\ntitle = "Short"\nbase = "crusader"\n'
    file.write_text(f"{head}[calendar]\nturns = 9\n", encoding="utf-8")
    module = read_board(load_scenario(str(file), SHIPPED), USUAL)
    assert (module.module, module.turns, module.calendar[-1]) == ("short", 9, "26 November 1941")
    assert module.formations == board("crusader").formations
    file.write_text(f"{head}[calendar]\nturns = 2\n", encoding="utf-8")  # the reinforcement would come too late
    with pytest.raises(DataError, match=r"formations\.2_sa_div\.enters: is 8, but the campaign has 2 turns"):
        read_board(load_scenario(str(file), SHIPPED), USUAL)
