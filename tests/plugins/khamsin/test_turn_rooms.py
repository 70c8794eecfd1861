"""Rooms of a turn by hand: the schedule, the weather, who breaks up or comes back, activation, honour, assaults."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_changes
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.rooms import of, ordered, position, run

from khamsin.leaders.honour import honour_battle, pay_for_withdrawal
from khamsin.model.battle_events import EngagementFound
from khamsin.model.cards import Change, LeaderCard, Weather
from khamsin.model.events import (
    AreasInterdicted,
    ControlChanged,
    FormationDisabled,
    FormationLost,
    FormationReturned,
    HonourGained,
    SituationChanged,
    SupplyChecked,
    SurrenderChecked,
    WeatherSet,
)
from khamsin.model.state import IN_BASE, ON_MAP, Fielded, KhamsinState, Leader
from khamsin.movement.activation import activate, check, is_success, modifiers, roster
from khamsin.movement.contact import find_engagements
from khamsin.movement.resolution import interdict
from khamsin.supply.supply import sources, stocks_now, supplied_areas
from khamsin.turn.orders import weather
from khamsin.turn.supply import check_supply
from sandtable.tabletop.result import Result

AXIS, ALLIES = "axis", "allies"


def laid(places: dict[str, str], name: str = "fixture", **options: str) -> KhamsinState:
    state = position(places, name)
    state.options = state.options | options
    return state


def scheduled(state: KhamsinState, *changes: Change) -> KhamsinState:
    state.place_board(replace(state.board, events={changes[0].turn: changes}))
    return state


# --- schedule and weather ---


@pytest.mark.rule("KH-2.04")
def test_a_scheduled_change_comes_in_its_turn_and_no_area_with_enemies_changes_hands() -> None:
    changes = (
        Change(2, "control", "a", AXIS, "gabr_saleh"),
        Change(2, "control", "b", AXIS, "assembly_area"),
        Change(2, "control", "c", AXIS, "gambut"),
        Change(2, "weather", "d", weather="rain"),
        Change(2, "air", "e", ALLIES, level="priority"),
    )
    state = scheduled(laid({"7_armd_bde": "assembly_area"}), *changes)
    state.turn = 1
    assert not of(run(state, check_supply(state)), SituationChanged)
    state.turn = 2
    happened = run(state, check_supply(state))
    told = [(each.kind, each.side, each.area, each.value, each.text) for each in of(happened, SituationChanged)]
    assert told == [
        ("control", AXIS, "gabr_saleh", "", "a"),
        ("control", AXIS, "assembly_area", "", "b"),
        ("control", AXIS, "gambut", "", "c"),
        ("weather", "", "", "rain", "d"),
        ("air", ALLIES, "", "priority", "e"),
    ]
    assert [(each.area, each.rule) for each in of(happened, ControlChanged)] == [("gabr_saleh", "KH-2.04")]


@pytest.mark.rule("KH-2.04", "KH-4.01", "KH-4.02")
def test_the_weather_is_scheduled_else_the_first_else_by_a_die() -> None:
    six = ("a", "b", "c", "d", "e", "f")

    def falls(turn: int, first: str = "", table: tuple[str, ...] = six, *changes: Change) -> list[tuple[str, int, str]]:
        state = scheduled(laid({}), *changes) if changes else laid({})
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


# --- supply ---


@pytest.mark.rule("KH-10.01", "KH-10.04", "KH-11.02", "KH-R90")
def test_what_bars_a_supply_line_is_told_area_by_area_as_far_as_it_is_known() -> None:
    state = laid({"15_pz_div": "tobruk", "21_pz_div": "gambut", "7_armd_bde": "el_adem", "inf_cw": "bir_el_gubi"})
    state.control |= {"tobruk": AXIS, "bir_el_gubi": ALLIES}
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert checked.cut == ["15_pz_div"]
    assert checked.stocks == {}
    assert not checked.calculations  # who is at El Adem nobody has reported
    state.reports[AXIS].occupied = ["el_adem"]
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert [(each.name, each.steps) for each in checked.calculations] == [
        ("bars.15_pz_div", (("el_adem: enemies are there", 1, "KH-R90"),))
    ]
    state.control["el_adem"] = ALLIES
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert [each.steps for each in checked.calculations] == [(("el_adem: the enemy's", 1, "KH-11.02"),)]
    state.formations["15_pz_div"].area, state.formations["15_pz_div"].cut = "el_adem", 0
    state.formations["7_armd_bde"].area = "sidi_rezegh"
    state.reports[AXIS].occupied = ["sidi_rezegh", "tobruk"]
    (checked, _) = of(run(state, check_supply(state)), SupplyChecked)
    assert [each.steps for each in checked.calculations] == [
        (("bir_el_gubi: the enemy's", 1, "KH-11.02"), ("sidi_rezegh: enemies are there", 1, "KH-R90"))
    ]


@pytest.mark.rule("KH-10.02", "KH-10.04")
def test_supply_areas_are_opened_and_closed_by_events_and_lasting_ones_have_stocks() -> None:
    state = laid({})
    assert (sources(state, AXIS), sources(state, ALLIES)) == (["gambut"], ["assembly_area", "tobruk"])
    state.supply_on, state.supply_off = ["axis:sollum", "allies:el_adem"], ["axis:gambut", "axis:tobruk"]
    assert (sources(state, AXIS), sources(state, ALLIES)) == (["sollum"], ["assembly_area", "el_adem", "tobruk"])
    state.place_board(replace(state.board, stocks={"sollum": 2}))
    assert stocks_now(state, AXIS) == {"sollum": 1}
    state.stocks = {"axis:sollum": 1, "allies:sollum": 7}
    assert stocks_now(state, AXIS) == {"sollum": 2}
    assert "sollum" in supplied_areas(state, AXIS, {"sollum": 2})
    assert supplied_areas(state, AXIS, {"sollum": 3}) == frozenset()
    state.supply_on.append("axis:fort_capuzzo")
    assert stocks_now(state, AXIS) == {}  # joined by road to one without limit
    state.control["fort_capuzzo"] = ALLIES
    assert stocks_now(state, AXIS) == {"sollum": 2}


@pytest.mark.rule("KH-10.11", "KH-10.12", "KH-10.13", "KH-R87", "KH-R88", "KH-R89")
def test_who_is_cut_off_too_long_checks_by_himself_or_the_best_for_all() -> None:
    places = {"15_pz_div": "tobruk", "21_pz_div": "tobruk", "afrika_div": "tobruk", "7_armd_bde": "el_adem"}

    def checks(dice: dict[str, list[int]], **options: str) -> tuple[list[tuple[str, list[int], bool]], list[str]]:
        state = laid(places, **options)
        state.control |= {"tobruk": AXIS, "el_adem": ALLIES}
        for name, turns in (("15_pz_div", 3), ("21_pz_div", 2), ("afrika_div", 3)):
            state.formations[name].cut, state.formations[name].supplied = turns, False
        happened = run(state, check_supply(state), dice)
        found = [(each.formation, each.dice, each.held) for each in of(happened, SurrenderChecked)]
        return found, [each.formation for each in of(happened, FormationLost) + of(happened, FormationDisabled)]

    # 15th needs 4, the Afrika Division 5, one more without supply
    each = checks({"surrender:15_pz_div": [4, 5], "surrender:afrika_div": [5, 5]})
    assert each == ([("15_pz_div", [4, 5], True), ("afrika_div", [5, 5], False)], ["afrika_div"])
    best = {"oos_check_unit": "best_in_force"}
    assert checks({"surrender:15_pz_div": [5]}, **best) == ([("15_pz_div", [5], True)], [])
    lost = checks({"surrender:15_pz_div": [4, 4]}, **best)
    assert lost == ([("15_pz_div", [4, 4], False)], ["15_pz_div", "afrika_div"])
    assert checks({"surrender:15_pz_div": [1, 1]}, **best, oos_removed="base_area")[1] == ["15_pz_div", "afrika_div"]


@pytest.mark.rule("KH-R87", "KH-22.13", "KH-22.15", "KH-R86")
def test_who_breaks_up_is_brought_to_the_limit_and_comes_back_below_it() -> None:
    for armor, general, more in ((0, 0, 120), (30, 20, 70), (100, 40, 0)):
        state = laid({"15_pz_div": "tobruk"}, oos_removed="base_area")
        state.control |= {"tobruk": AXIS, "el_adem": ALLIES}
        formation = state.formations["15_pz_div"]
        formation.cut, formation.supplied, formation.armor, formation.general = 3, False, armor, general
        (out,) = of(run(state, check_supply(state), {"surrender:15_pz_div": [1, 1]}), FormationDisabled)
        assert (out.general, out.base, out.rule) == (more, "gambut", "KH-R87")
        assert [step[1] for step in out.calculations[0].steps] == [120, more - 120]
        assert not of(run(state, check_supply(state)), FormationReturned)
        formation.general -= 1 if not (armor + general > 120) else 21
        for area, holder, enemy, back in (
            ("gambut", ALLIES, "", False), ("gambut", AXIS, "7_armd_bde", False), ("gambut", AXIS, "", True),
        ):  # fmt: skip
            state.control[area] = holder
            state.formations["7_armd_bde"].standing = ON_MAP if enemy else "lost"
            state.formations["7_armd_bde"].area = area
            returned = of(run(state, check_supply(state)), FormationReturned)
            assert [(it.formation, it.area) for it in returned] == [("15_pz_div", area)] * back
        assert formation.standing != IN_BASE


# --- activation ---


def led(state: KhamsinState, *leaders: LeaderCard, at: str) -> None:
    """Put leaders on the map, all in one area."""
    state.place_board(replace(state.board, leaders={each.id: each for each in leaders}))
    state.leaders = {each.id: Leader(each.side, ON_MAP, at) for each in leaders}


@pytest.mark.rule("KH-9.02", "KH-9.03", "KH-9.08", "KH-9.09", "KH-9.10", "KH-R06", "KH-R07", "KH-R08")
def test_modifiers_of_an_activation_are_those_that_apply() -> None:
    state = laid({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    formation = state.formations["15_pz_div"]
    tired, worn = [("attrition_40", -1)], [("attrition_60", -2)]
    for armor, general, named in ((39, 0, []), (20, 20, tired), (59, 0, tired), (30, 30, worn)):
        formation.armor, formation.general = armor, general
        assert modifiers(state, "15_pz_div") == named
    formation.supplied = False
    assert modifiers(state, "15_pz_div") == [("out_of_supply", -1), ("attrition_60", -2)]
    state.options = state.options | {"activation_stack": "worst_only"}
    assert modifiers(state, "15_pz_div") == [("attrition_60", -2)]
    formation.armor = formation.general = 0
    assert modifiers(state, "15_pz_div") == [("out_of_supply", -1)]
    formation.supplied = True
    led(
        state, LeaderCard("chief", "", AXIS), LeaderCard("corps", "", AXIS, 2, "dak"),
        LeaderCard("strange", "", AXIS, 4, "xxx"), LeaderCard("a_foe", "", ALLIES, 3), LeaderCard("none", "", AXIS, 0),
        at="sidi_rezegh",
    )  # fmt: skip
    assert modifiers(state, "15_pz_div") == [("corps", 2)]
    state.options = state.options | {"leader_stack": "sum"}
    assert modifiers(state, "15_pz_div") == [("chief", 1), ("corps", 2)]
    state.leaders["corps"].standing = "dead"
    assert modifiers(state, "15_pz_div") == [("chief", 1)]
    state.options = state.options | {"leader_at": "destination"}
    assert modifiers(state, "15_pz_div", "gabr_saleh") == []
    assert modifiers(state, "15_pz_div") == [("chief", 1)]
    assert modifiers(state, "15_pz_div", "sidi_rezegh") == [("chief", 1)]
    ordered(state, AXIS, leaders={"chief": ["sidi_rezegh", "gambut", "gabr_saleh"]})
    assert modifiers(state, "15_pz_div", "gabr_saleh") == [("chief", 1)]
    assert modifiers(state, "15_pz_div", "gambut") == []


@pytest.mark.rule("KH-9.01", "KH-9.06", "KH-R05")
def test_a_roll_activates_on_the_number_unless_a_natural_face_decides() -> None:
    def wins(reading: str, die: int, total: int) -> bool:
        return is_success(laid({}, activation_natural=reading), die, total, 4)

    for reading in ("none", "six_succeeds", "one_fails", "both"):
        assert [wins(reading, die, die) for die in (3, 4, 5)] == [False, True, True]
        assert wins(reading, 6, 3) is (reading in {"six_succeeds", "both"})
        assert wins(reading, 1, 4) is (reading not in {"one_fails", "both"})
    state = laid({"15_pz_div": "sidi_rezegh"}, activation_natural="both")
    for die, plus, steps in ((6, -3, [6, -3, 0]), (1, 4, [1, 4, 0]), (6, 0, [6, 0]), (1, 0, [1, 0])):
        total, _ = check(state, "15_pz_div", [("x", plus)], ("total", die, "KH-9.01"))
        assert [step[1] for step in total.steps] == steps
    state = laid({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    for die, activated in ((3, False), (4, True)):
        rolled = activate(state, "15_pz_div", "gabr_saleh", die)
        assert (rolled.activated, rolled.needs, rolled.total, rolled.rule) == (
            activated, 4, die, "KH-9.01" if activated else "KH-9.06",
        )  # fmt: skip
    state.formations["part"] = with_changes(state.formations["15_pz_div"], parent="15_pz_div")
    assert roster(state, AXIS) == ["15_pz_div", "21_pz_div", "afrika_div", "part"]


# --- air ---


@pytest.mark.rule("KH-7.06")
@pytest.mark.parametrize(
    ("needs", "dice", "stopped"), [(1, [], ["gambut", "sollum"]), (4, [4, 3], ["gambut"]), (2, [1, 2], ["sollum"])]
)
def test_an_area_is_interdicted_on_the_number_of_the_module(needs: int, dice: list[int], stopped: list[str]) -> None:
    state = laid({})
    card = replace(board("crusader").air[ALLIES], needs=needs)
    state.place_board(replace(state.board, air={ALLIES: card}))
    ordered(state, ALLIES, interdict=["sollum", "gambut"])
    rolls = {f"interdiction:allies:{area}": [die] for area, die in zip(("gambut", "sollum"), dice, strict=False)}
    (told,) = of(run(state, interdict(state), rolls), AreasInterdicted)
    assert told.stopped == stopped
    totals = {each.name: each.total for each in told.calculations or ()}
    assert totals == {area: die - needs for area, die in zip(("gambut", "sollum"), dice, strict=False)}


# --- honour ---


@pytest.mark.rule("KH-24.06", "KH-24.07", "KH-R62", "KH-R69", "KH-R70")
@pytest.mark.parametrize(
    ("formation", "how", "options", "points"),
    [
        ("7_armd_bde", "stand", {}, []),
        ("7_armd_bde", "fighting", {}, [("Bart", -1, "KH-24.06")]),
        ("7_armd_bde", "precipitous", {}, [("Bart", -1, "KH-24.06"), ("Bart", -1, "KH-24.07")]),
        ("7_armd_bde", "precipitous", {"honor_precip": "only_one"}, [("Bart", -1, "KH-24.06")]),
        ("recon_cw", "precipitous", {}, [("Bart", -1, "KH-24.06")]),
        ("recon_cw", "recon", {"orders_by": "formation_commanders"}, [("Aaron", -1, "KH-24.06")]),
    ],
)
def test_a_withdrawal_costs_who_ordered_it(
    formation: str, how: str, options: dict[str, str], points: list[tuple[str, int, str]]
) -> None:
    state = laid({formation: "gabr_saleh"}, **options)
    gained = of(run(state, pay_for_withdrawal(state, formation, how)), HonourGained)
    assert [(each.player, each.points, each.rule) for each in gained] == points


@pytest.mark.rule("KH-24.01", "KH-24.02", "KH-24.03", "KH-24.08", "KH-R113")
@pytest.mark.parametrize(
    ("source", "auto", "heroes", "rude"),
    [("table", "off", 2, 1), ("resolver", "off", 0, 0), ("resolver", "resolver", 2, 0)],
)
def test_players_gain_points_each_for_his_own(source: str, auto: str, heroes: int, rude: int) -> None:
    state = laid({}, honor_auto=auto)
    fielded = {
        ALLIES: [Fielded("7_armd_bde", "crusader", ""), Fielded("recon_cw", "armoured_car", "Bart")],
        AXIS: [
            Fielded("15_pz_div", "panzer", "Gary"),
            Fielded("15_pz_div", "panzer", "Gary"),
            Fielded("21_pz_div", "panzer", "Jim"),
        ],
    }
    result = Result(AXIS, {AXIS: 6, ALLIES: 0}, source=source, heroic=("Jim", "Gary", "Jim"), unchivalrous=("Bart",))
    gained = of(run(state, honour_battle(state, result, fielded)), HonourGained)
    told = [(each.player, each.points, each.reason) for each in gained]
    own = [("Gary", 6, "points"), ("Gary", 1, "own_troops"), ("Jim", 6, "points")]
    assert [each for each in told if each[2] in {"points", "own_troops"}] == own  # nought is no gain
    assert told.count(("Jim", 2, "heroism")) == heroes
    assert told.count(("Gary", 2, "heroism")) == heroes // 2
    assert told.count(("Bart", -5, "conduct")) == rude


# --- contact ---


@pytest.mark.rule("KH-12.01", "KH-12.06", "KH-R24", "KH-R25", "KH-R26")
@pytest.mark.parametrize(
    ("moved", "assault", "found"),
    [
        ((), "", None),
        ((), "15_pz_div", ("stationary", ALLIES)),
        ((), "7_armd_bde", ("stationary", AXIS)),
        (("15_pz_div",), "", ("stationary", ALLIES)),
        (("15_pz_div", "7_armd_bde"), "", ("moving", "")),
    ],
)
def test_who_stands_still_is_attacked_and_two_who_stand_need_an_assault(
    moved: tuple[str, ...], assault: str, found: tuple[str, str] | None
) -> None:
    guns = {"afrika_div": "bir_el_gubi", "recon_cw": "bir_el_gubi"}  # no fight: one of them only bombards
    state = laid({"15_pz_div": "fort_capuzzo", "7_armd_bde": "fort_capuzzo", **guns})
    state.formations["afrika_div"].strength = 0
    for each in moved:
        state.formations[each].path = ["sollum", "fort_capuzzo"]
    if assault:
        ordered(state, state.formations[assault].side, moves={assault: ["fort_capuzzo"]})
    told = [(each.column, each.stationary) for each in of(run(state, find_engagements(state, {})), EngagementFound)]
    if found == ("stationary", AXIS):
        found = ("fortified", AXIS)  # the fort is the Axis's
    assert told == ([found] if found else [])
    for each in ("15_pz_div", "7_armd_bde"):
        state.formations[each].strength = 0
        assert run(state, find_engagements(state, {})) == []
