"""Moves of both sides against each other: contact, connectors, who gets away; and that no order of listing matters."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.khamsin.rooms import of, ordered, position, run

from khamsin.model.battle_events import EngagementFound
from khamsin.model.events import (
    ActivationRolled,
    AreasInterdicted,
    ControlChanged,
    DoctrineInvoked,
    FormationDivided,
    FormationMoved,
    LeaderMoved,
)
from khamsin.model.state import KhamsinState, Sheet
from khamsin.movement.march import March, Piece, Rules
from khamsin.movement.paths import formation_path
from khamsin.turn.movement import action
from sandtable.kernel.dice import Stream

ACTIVE = {f"activation:{each}": [6] for each in ("15_pz_div", "21_pz_div", "7_armd_bde", "recon_cw", "inf_cw")}


def act(state: KhamsinState, dice: dict[str, list[int]] | None = None, **moves: list[str]) -> list[Any]:
    """Carry out moves, by formation; the formation's side is known by its name."""
    for side in ("axis", "allies"):
        mine = {name[1:]: path for name, path in moves.items() if state.formations[name[1:]].side == side}
        state.sheets[side] = Sheet(moves=mine)
    return run(state, action(state), dice)


def found(happened: list[Any]) -> list[tuple[str, str, str]]:
    return [(each.engagement, each.column, each.stationary) for each in of(happened, EngagementFound)]


def where(state: KhamsinState, *formations: str) -> list[str]:
    return [state.formations[each].area for each in formations]


@pytest.mark.rule("KH-R14", "KH-9.07", "KH-12.07")
def test_two_who_enter_an_empty_area_meet_there_without_a_roll() -> None:
    state = position({"21_pz_div": "el_adem", "7_armd_bde": "gabr_saleh"})
    happened = act(state, _21_pz_div=["el_adem", "sidi_rezegh", "gambut"], _7_armd_bde=["gabr_saleh", "sidi_rezegh"])
    assert not of(happened, ActivationRolled)
    assert found(happened) == [("sidi_rezegh", "moving", "")]
    assert where(state, "21_pz_div", "7_armd_bde") == ["sidi_rezegh", "sidi_rezegh"]
    assert of(happened, EngagementFound)[0].holder == "axis"


@pytest.mark.rule("KH-9.01", "KH-9.06", "KH-8.14", "KH-12.08", "KH-R23")
@pytest.mark.parametrize(("face", "end"), [(2, "gabr_saleh"), (3, "sidi_rezegh")])
def test_an_attack_needs_its_roll_and_stops(face: int, end: str) -> None:
    state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    dice = {"activation:7_armd_bde": [face]}
    happened = act(state, dice, _7_armd_bde=["gabr_saleh", "sidi_rezegh", "el_adem"])
    assert where(state, "7_armd_bde") == [end]
    assert found(happened) == ([("sidi_rezegh", "stationary", "axis")] if face == 3 else [])
    assert state.control["sidi_rezegh"] == "axis"


@pytest.mark.rule("KH-9.05", "KH-R11")
@pytest.mark.parametrize(("reading", "end"), [("stop_before", "bir_el_gubi"), ("cancel_whole_order", "gabr_saleh")])
def test_enemies_on_a_later_leg(reading: str, end: str) -> None:
    state = position({"21_pz_div": "el_adem", "7_armd_bde": "gabr_saleh"}, later_leg=reading)
    happened = act(state, _7_armd_bde=["gabr_saleh", "bir_el_gubi", "el_adem"])
    assert where(state, "7_armd_bde") == [end]
    assert not of(happened, ActivationRolled)
    assert state.control["bir_el_gubi"] == ("allies" if end == "bir_el_gubi" else "axis")


@pytest.mark.rule("KH-12.13", "KH-R17", "KH-R18")
def test_attackers_of_each_other_meet_on_the_connector_if_both_are_activated() -> None:
    for second, expected in ((6, ("gabr_saleh~sidi_rezegh", "moving", "")), (1, ("sidi_rezegh", "stationary", "axis"))):
        state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
        dice = {"activation:7_armd_bde": [6], "activation:15_pz_div": [second]}
        moves = {"_15_pz_div": ["sidi_rezegh", "gabr_saleh"], "_7_armd_bde": ["gabr_saleh", "sidi_rezegh"]}
        happened = act(state, dice, **moves)
        assert found(happened) == [expected]
    assert of(happened, EngagementFound)[0].forces == {"axis": ["15_pz_div"], "allies": ["7_armd_bde"]}


@pytest.mark.rule("KH-R19")
@pytest.mark.parametrize(("reading", "force"), [("all_in_direction", 2), ("single_formation", 1)])
def test_who_fights_on_a_connector(reading: str, force: int) -> None:
    places = {"15_pz_div": "sidi_rezegh", "21_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}
    state = position(places, connector_force=reading)
    there, back = ["sidi_rezegh", "gabr_saleh"], ["gabr_saleh", "sidi_rezegh"]
    dice = {each: ACTIVE[each] for each in ACTIVE if each.partition(":")[2] in places}
    happened = act(state, dice, _15_pz_div=there, _21_pz_div=there, _7_armd_bde=back)
    (engagement,) = of(happened, EngagementFound)
    assert engagement.forces["axis"] == ["15_pz_div", "21_pz_div"][:force]
    assert engagement.origins["15_pz_div"] == "sidi_rezegh"


@pytest.mark.rule("KH-R17", "KH-R15")
@pytest.mark.parametrize(
    ("reading", "engagement"), [("same_step", []), ("any_time_in_turn", [("bir_el_gubi~gabr_saleh", "moving", "")])]
)
def test_a_connector_used_both_ways_at_different_times(reading: str, engagement: list[Any]) -> None:
    places = {"15_pz_div": "bir_el_gubi", "recon_cw": "sollum"}
    state = position(places, connector_test=reading, occupied_snapshot="live")
    scouts = ["sollum", "fort_capuzzo", "gabr_saleh", "bir_el_gubi"]
    happened = act(state, _15_pz_div=["bir_el_gubi", "gabr_saleh", "sidi_rezegh"], _recon_cw=scouts)
    assert found(happened) == engagement
    ends = ["bir_el_gubi", "gabr_saleh"] if engagement else ["sidi_rezegh", "bir_el_gubi"]
    assert where(state, "15_pz_div", "recon_cw") == ends


@pytest.mark.rule("KH-R16", "KH-R12")
@pytest.mark.parametrize(
    ("escape", "vacated", "ends", "engagements"),
    [
        ("leaves_first", "enter_and_stop", ["gambut", "sidi_rezegh"], []),
        ("leaves_first", "continue_if_mp", ["gambut", "el_adem"], []),
        ("caught_if_activated", "enter_and_stop", ["sidi_rezegh"] * 2, [("sidi_rezegh", "stationary", "axis")]),
    ],
)
def test_who_is_ordered_away_from_an_attack(escape: str, vacated: str, ends: list[str], engagements: list[Any]) -> None:
    places = {"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}
    state = position(places, escape=escape, vacated_target=vacated)
    dice = {"activation:7_armd_bde": [3]}
    out = ["sidi_rezegh", "gambut"]
    happened = act(state, dice, _15_pz_div=out, _7_armd_bde=["gabr_saleh", "sidi_rezegh", "el_adem"])
    assert where(state, "15_pz_div", "7_armd_bde") == ends
    assert found(happened) == engagements


@pytest.mark.rule("KH-R09")
def test_whoever_is_certain_to_leave_calls_for_no_roll_if_occupation_is_live() -> None:
    for reading, rolls in (("start_of_action", 1), ("live", 0)):
        state = position({"15_pz_div": "sidi_rezegh", "7_armd_bde": "gabr_saleh"}, occupied_snapshot=reading)
        dice = {"activation:7_armd_bde": [3]} if rolls else {}
        happened = act(state, dice, _15_pz_div=["sidi_rezegh", "gambut"], _7_armd_bde=["gabr_saleh", "sidi_rezegh"])
        assert len(of(happened, ActivationRolled)) == rolls
        assert state.control["sidi_rezegh"] == "allies"


@pytest.mark.rule("KH-R13")
def test_by_the_clock_the_quicker_one_is_through_before() -> None:
    for reading, met in (("leg_step", True), ("mp_clock", False)):
        state = position({"afrika_div": "el_adem", "recon_cw": "gabr_saleh"}, move_resolution=reading)
        through = ["gabr_saleh", "sidi_rezegh", "gambut"]
        happened = act(state, _afrika_div=["el_adem", "sidi_rezegh"], _recon_cw=through)
        assert bool(found(happened)) == met
        assert where(state, "recon_cw") == ["sidi_rezegh" if met else "gambut"]


@pytest.mark.rule("KH-7.06", "KH-7.07", "KH-R109", "KH-8.10")
@pytest.mark.parametrize(("face", "end"), [(3, "sollum"), (4, "sidi_azeiz")])
def test_an_interdicted_area_is_cross_country(face: int, end: str) -> None:
    state = position({"15_pz_div": "sidi_rezegh"}, "crusader")
    ordered(state, "allies", interdict=["gasr_el_arid"])
    tracks = ["sidi_rezegh", "gasr_el_arid", "sidi_azeiz", "bardia", "sollum"]
    ordered(state, "axis", moves={"15_pz_div": tracks})
    (flown,) = of(run(state, action(state), {"interdiction:allies:gasr_el_arid": [face]}), AreasInterdicted)
    assert (flown.areas, flown.stopped) == ({"gasr_el_arid": face}, ["gasr_el_arid"] if face == 4 else [])
    assert where(state, "15_pz_div") == [end]


@pytest.mark.rule("KH-20.07", "KH-20.08", "KH-20.09", "KH-20.10", "KH-R72", "KH-R73")
def test_a_german_formation_pays_at_its_first_connector() -> None:
    state = position({"15_pz_div": "sidi_rezegh"})
    formation = state.formations["15_pz_div"]
    formation.regroup, formation.recovered = True, 4
    happened = act(state, _15_pz_div=["sidi_rezegh", "gambut", "sollum"])
    assert [(each.general, each.armor) for each in of(happened, DoctrineInvoked)] == [(10, 4)]
    assert (formation.general, formation.armor, formation.doctrine) == (10, 4, True)
    assert where(state, "15_pz_div") == ["sollum"]


@pytest.mark.rule("KH-7.02", "KH-R117")
def test_a_part_stays_in_the_fortress_and_is_met_there() -> None:
    state = position({"inf_cw": "tobruk", "21_pz_div": "el_adem"})
    ordered(state, "allies", moves={"inf_cw": ["tobruk", "el_adem"]}, detach={"inf_cw": 1})
    ordered(state, "axis")
    happened = run(state, action(state), {"activation:inf_cw": [3]})
    assert not of(happened, FormationDivided)
    happened = run(state, action(state), {"activation:inf_cw": [4]})
    assert [each.piece for each in of(happened, FormationDivided)] == ["inf_cw_2"]
    assert [(state.formations[each].area, state.formations[each].strength) for each in ("inf_cw", "inf_cw_2")] == [
        ("el_adem", 1),
        ("tobruk", 1),
    ]


@pytest.mark.rule("KH-R106", "KH-R104")
def test_a_leader_goes_in_with_a_formation_and_gets_away_alone() -> None:
    state = position({"15_pz_div": "sidi_rezegh", "rommel": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    ordered(state, "axis", leaders={"rommel": ["sidi_rezegh", "gabr_saleh"]})
    run(state, action(state))
    assert state.leaders["rommel"].area == "sidi_rezegh"
    path = ["sidi_rezegh", "gabr_saleh"]
    ordered(state, "axis", moves={"15_pz_div": path}, leaders={"rommel": path})
    run(state, action(state), {"activation:15_pz_div": [3]})  # and the leader's 1
    assert state.leaders["rommel"].area == "gabr_saleh"
    state = position({"15_pz_div": "gambut", "rommel": "sidi_rezegh", "7_armd_bde": "gabr_saleh"})
    happened = act(state, _7_armd_bde=["gabr_saleh", "sidi_rezegh"])
    assert [each.path for each in of(happened, LeaderMoved)] == [["sidi_rezegh", "gambut"]]


# --- whatever the order ---

PIECES = ("15_pz_div", "21_pz_div", "afrika_div", "7_armd_bde", "recon_cw", "inf_cw")
AREAS = ("sidi_rezegh", "el_adem", "gambut", "fort_capuzzo", "gabr_saleh", "bir_el_gubi", "assembly_area", "sollum")
READINGS = {
    "move_resolution": ("leg_step", "mp_clock"),
    "occupied_snapshot": ("start_of_action", "live"),
    "escape": ("leaves_first", "caught_if_activated"),
    "connector_test": ("same_step", "any_time_in_turn"),
    "connector_force": ("all_in_direction", "single_formation"),
    "vacated_target": ("enter_and_stop", "continue_if_mp"),
}


@pytest.mark.full
@pytest.mark.rule("KH-3.09", "KH-R13", "KH-11.01", "KH-11.05")
@given(st.data())
def test_no_order_of_listing_matters_and_nobody_is_lost(data: st.DataObject) -> None:
    chosen: dict[str, Any] = {name: data.draw(st.sampled_from(tokens), name) for name, tokens in READINGS.items()}
    homes = data.draw(st.permutations(AREAS))
    places = dict(zip(PIECES, homes, strict=False))
    stream = Stream(data.draw(st.binary(min_size=4, max_size=8), "moves"))
    state = position(places, **chosen)
    paths = {each: formation_path(state, each).sample(stream) for each in PIECES}
    dice = {f"activation:{each}": [stream.below(6) + 1] for each in PIECES}
    order = data.draw(st.permutations(PIECES))
    results = []
    for row in (PIECES, order):
        state = position(places, **chosen)
        state.formations = {each: state.formations[each] for each in row}
        for side in ("axis", "allies"):
            moves = {each: paths[each] for each in row if state.formations[each].side == side}
            state.sheets[side] = Sheet(moves=moves)
        results.append((run(state, action(state), dice, spare=True), state))
    (first, one), (second, other) = results
    assert first == second
    assert (one.control, one.engagements) == (other.control, other.engagements)
    _check_the_course(one, first, paths)


def _check_the_course(state: KhamsinState, happened: list[Any], paths: dict[str, list[str]]) -> None:
    """Check what holds by any reading: moves are beginnings of orders, and enemies in one area are engaged there."""
    engaged = {each for event in of(happened, EngagementFound) for force in event.forces.values() for each in force}
    for each, formation in state.formations.items():
        went = formation.path or [paths[each][0]]
        assert went == paths[each][: len(went)]
        assert formation.area == went[-1]
        foes = [one for one, it in state.formations.items() if it.area == formation.area and it.side != formation.side]
        if foes and each not in engaged:
            assert all(one in engaged for one in foes)
    for event in of(happened, ControlChanged):
        assert any(move.area == event.area for move in of(happened, FormationMoved))


@pytest.mark.rule("KH-R13", "KH-R99", "KH-8.11")
@pytest.mark.parametrize("clock", [True, False])
def test_by_the_clock_legs_take_their_part_of_the_day_and_without_it_a_unit_each(clock: bool) -> None:
    """One point of six is two units of twelve, two of four six, one of two six, four of one the whole day."""
    costs = {("b", "c"): 1, ("c", "d"): 2, ("e", "f"): 2, ("f", "g"): 2, ("h", "i"): 1, ("j", "k"): 4}
    pieces = [
        Piece("entering", "axis", ["", "a"], 4, 1),
        Piece("recon", "axis", ["b", "c", "d"], 6, 1),
        Piece("motor", "axis", ["e", "f", "g"], 4, 1),
        Piece("semi", "axis", ["h", "i"], 2, 1),
        Piece("leg", "axis", ["j", "k"], 1, 1),
    ]
    rules = Rules(clock=clock, live=False, goes_on=False, caught=False, single=False, any_time=False)
    march = March(pieces, {"axis": set(), "allies": set()}, {}, lambda _, a, b: costs[a, b], rules)
    march.run()
    ticks = [[each.id for each in tick.crossings] for tick in march.ticks]
    if clock:
        assert ticks == [["entering"], ["recon"], ["motor", "recon", "semi"], ["leg", "motor"]]
    else:
        assert ticks == [["entering", "leg", "motor", "recon", "semi"], ["motor", "recon"]]
    assert [each.spent for each in march.pieces] == [0, 4, 4, 3, 1]
