"""Optional parts of a module, and the board that is read from it."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from changing import TAKEN_OUT
from tests.plugins.khamsin.modules import DEFAULTS, SHIPPED, board, built, changed, scenario

from khamsin.model.cards import SIDES, Broken, Chain, Held
from khamsin.setup.reading import read_board
from sandtable.errors import DataError
from sandtable.plugin.scenarios import load_scenario

MAP, FORCES = "map.areas", "forces.formations"
PANZER, LEADER = f"{FORCES}.panzer_rgt", "forces.leaders.brandt"


@pytest.mark.rule("KH-4.02", "KH-7.04", "KH-7.06")
def test_module_without_weather_and_air_tables_has_clear_skies() -> None:
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
def test_turn_labels_follow_the_calendar(first: str, step: int) -> None:
    labels = built({"calendar.first_day": first, "calendar.days": step, "calendar.turns": 200}).calendar
    days = [date.fromisoformat(first) + timedelta(days=step * turn) for turn in range(200)]
    assert labels == tuple(f"{day.day} {day.strftime('%B')} {day.year}" for day in days)


@pytest.mark.rule("KH-8.09")
def test_cost_may_be_one_number_or_one_per_mobility() -> None:
    costs = {"recon": 1, "motor": 2, "semi_motor": 3, "leg": 4}
    module = built({"movement.costs.desert": costs})
    assert module.cost["desert"] == costs
    assert module.cost["road"] == dict.fromkeys(costs, 1)


@pytest.mark.rule("KH-1.08", "KH-R26")
def test_free_formation_may_start_in_any_open_area_of_its_side() -> None:
    assert board("teaching").formations["panzer_rgt"].start == ("ridge", "west_well")
    module = built({"sides.axis.closed": ["ridge"], f"{FORCES}.recon_unit.historical": "west_well"})
    assert module.formations["panzer_rgt"].start == ("west_well",)
    assert module.leaders["brandt"].start == ("west_well",)
    assert module.formations["rifle_rgt"].start == ("ridge",)  # its start names this area


def test_formation_defaults_to_the_first_commander_and_start() -> None:
    gone = {f"{PANZER}.commander": TAKEN_OUT, f"{PANZER}.historical": TAKEN_OUT}
    card = built(gone | {"sides.axis.commanders": ["Ben", "Anna"]}).formations["panzer_rgt"]
    assert (card.commander, card.historical) == ("Ben", "ridge")


@pytest.mark.rule("KH-25.01")
def test_victory_conditions_are_read_in_order() -> None:
    kinds = [type(aim) for aim in board("teaching").victory.conditions]
    assert kinds == [Held, Held, Chain, Chain, Broken, Broken]
    chain = board("teaching").victory.conditions[3]
    assert chain == Chain("allies", "east_well", "ridge", 3, chain.text)


@pytest.mark.rule("KH-2.04")
def test_events_are_grouped_by_turn_in_file_order() -> None:
    events = board("teaching").events
    assert [(turn, [change.kind for change in changes]) for turn, changes in events.items()] == [
        (2, ["note"]),
        (4, ["replacements", "replacements"]),
    ]
    assert [(change.side, change.armor) for change in events[4]] == [("axis", 4), ("allies", 4)]


def test_distances_are_counted_in_connectors() -> None:
    teaching = board("teaching")
    assert teaching.distance("west_well", "east_well") == 2
    assert teaching.distance("ford", "ford") == 0
    assert teaching.around("west_well") == ("ford", "ridge")
    assert teaching.around("west_well", 2) == ("east_well", "ford", "ridge")
    assert teaching.kind_between["ridge", "ford"] == teaching.kind_between["ford", "ridge"] == "desert"


@pytest.mark.rule("KH-R26", "KH-12.09")
def test_fortification_protects_one_side_or_named_formations() -> None:
    crusader = board("crusader_full")
    assert crusader.is_fortified("tobruk", "allies")
    assert not crusader.is_fortified("tobruk", "axis")
    assert crusader.is_fortified("bir_el_gubi", "axis")
    assert crusader.is_fortified("ed_duda", "axis", ("bologna", "pavia"))
    assert not crusader.is_fortified("ed_duda", "axis", ("bologna", "21_pz_div"))
    assert not crusader.is_fortified("ed_duda", "axis")


@pytest.mark.rule("KH-26.06", "KH-O3")
def test_company_points_are_an_option() -> None:
    assert board("teaching").base_points == 1500
    assert board("teaching", base_points="1750").base_points == 1750


def test_module_from_a_log_is_read_unchanged() -> None:
    found = changed({}, "crusader")
    assert read_board(found, DEFAULTS) == board("crusader")
    assert scenario("crusader").digest == found.digest


@pytest.mark.rule("KH-1.02")
def test_user_file_may_extend_a_shipped_module(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    head = '[scenario]\nid = "short"\ntitle = "Short"\nbase = "crusader"\n'
    file.write_text(f"{head}[calendar]\nturns = 9\n", encoding="utf-8")
    module = read_board(load_scenario(str(file), SHIPPED), DEFAULTS)
    assert (module.module, module.turns, module.calendar[-1]) == ("short", 9, "26 November 1941")
    assert module.formations == board("crusader").formations
    file.write_text(f"{head}[calendar]\nturns = 2\n", encoding="utf-8")  # the reinforcement would enter too late
    with pytest.raises(DataError, match=r"formations\.2_sa_div\.enters: is 8, but the campaign has 2 turns"):
        read_board(load_scenario(str(file), SHIPPED), DEFAULTS)
