"""The boundaries of the theatre, the marsh on the way, and what they come to at the end: who has won."""

import pytest
from tests.plugins.damos.conftest import Stage
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import opening

from damos.map.boundaries import is_open, is_past_marsh, must_leave, why_no_move
from damos.model.state import DamosState
from damos.turn.victory import hexes_beside, verdict


def rule_against(state: DamosState, side: str, start: str, hex_: str) -> str:
    refusal = why_no_move(state, side, start, hex_)
    return "" if refusal is None else refusal.rule


# --- the area ---


@pytest.mark.rule("AGC-1.3a", "AGC-1.3f", "AGC-1.3d", "AGC-1.3g")
def test_the_area_is_as_the_rules_draw_it() -> None:
    state = opening()
    state.control["3001"] = GERMAN
    for side in (GERMAN, SOVIET):
        assert all(
            is_open(state, side, hex_) for hex_ in ["2422", "2525", "2317", "2212", "3218", "3317", "3716", "3701"]
        )
        assert not any(
            is_open(state, side, hex_) for hex_ in ["2423", "2424", "2318", "2213", "2101", "3319", "3717", "3801"]
        )


@pytest.mark.rule("AGC-1.3h", "R-DM-49")
def test_in_the_combined_game_nothing_is_closed() -> None:
    state = opening(combined_game="on")
    assert all(is_open(state, side, hex_) for side in (GERMAN, SOVIET) for hex_ in state.board.hexmap.numbers)


# --- the marsh ---


@pytest.mark.rule("AGC-1.3b", "AGC-1.3d", "R-DM-55")
def test_the_germans_go_north_of_the_marsh_until_they_are_beyond_it(stage: Stage) -> None:
    state = stage("3122 g-3pz; 3218 g-4pz").state
    assert not is_past_marsh(state)
    assert rule_against(state, GERMAN, "3122", "3222") == "AGC-1.3b"
    assert rule_against(state, GERMAN, "3218", "3317") == "AGC-1.3d"
    assert rule_against(state, GERMAN, "3218", "3319") == "AGC-1.3a"
    assert rule_against(state, GERMAN, "3218", "3217") == ""
    state.units["g-4pz"].hex = "3217"
    assert is_past_marsh(state)
    assert rule_against(state, GERMAN, "3122", "3222") == rule_against(state, GERMAN, "3217", "3317") == ""


@pytest.mark.rule("AGC-1.3b", "R-DM-55")
def test_once_beyond_it_they_stay_free_while_the_ground_is_theirs(stage: Stage) -> None:
    state = stage("3218 g-4pz", control={GERMAN: "3217"}).state
    assert is_past_marsh(state)


@pytest.mark.rule("R-DM-55")
def test_by_option_the_marsh_is_open(stage: Stage) -> None:
    state = stage("3122 g-3pz", marsh_boundary="free").state
    assert rule_against(state, GERMAN, "3122", "3222") == ""
    assert rule_against(state, GERMAN, "3218", "3317") == ""


@pytest.mark.rule("AGC-1.3b", "AGC-1.3g")
def test_it_never_was_closed_to_the_soviets(stage: Stage) -> None:
    assert rule_against(stage("3122 s-4rc").state, SOVIET, "3122", "3222") == ""


@pytest.mark.rule("AGC-1.3c")
def test_who_was_driven_into_the_marsh_leaves_it_by_the_shortest_way(stage: Stage) -> None:
    state = stage("3222 g-3pz; 3122 g-4pz").state
    assert must_leave(state, GERMAN) == ["3222"]
    assert rule_against(state, GERMAN, "3222", "3122") == ""
    assert rule_against(state, GERMAN, "3222", "3221") == "AGC-1.3c"
    deep = "3423"
    out = [near for near in state.board.around[deep] if rule_against(state, GERMAN, deep, near) == ""]
    far = {hex_: min(state.board.hexmap.range_hexes(hex_, each) for each in _open(state)) for hex_ in (deep, *out)}
    assert out
    assert all(far[near] == far[deep] - 1 for near in out)


def _open(state: DamosState) -> list[str]:
    board = state.board
    return [hex_ for hex_ in board.area if hex_ not in board.marsh and hex_ not in board.extension]


# --- the end ---


RING = "2602 g-3pz; 2802 g-4pz; 2703 g-10pz; 2601 g-17pz; 2801 g-18pz"


@pytest.mark.rule("AGC-5.0a", "AGC-5.0b", "AGC-5.0c", "AGC-5.0d", "R-DM-77")
def test_the_four_endings(stage: Stage) -> None:
    held = stage("2705 g-3pz", control={GERMAN: "2702"}).state
    assert verdict(held) == (GERMAN, "moscow_held", "AGC-5.0a"), "nobody need be there"
    assert verdict(stage(german=RING).state) == (GERMAN, "moscow_isolated", "AGC-5.0b")
    gates = stage("2703 g-3pz; 2602 g-4pz!").state
    assert verdict(gates) == (GERMAN, "gates", "AGC-5.0c")
    assert verdict(stage("2703 g-3pz g-4pz").state) == (SOVIET, "substantial", "AGC-5.0d"), "one hex only"


@pytest.mark.rule("R-DM-77")
def test_beside_moscow_units_count_or_control(stage: Stage) -> None:
    for token, count in (("occupied_by_german_units", 1), ("controlled", 3)):
        state = stage("2703 g-3pz", control={GERMAN: "2703 2602 2802"}, minor_victory=token).state
        assert len(hexes_beside(state)) == count


@pytest.mark.rule("AGC-5.0e", "R-DM-49")
def test_one_city_of_four_does_not_win_the_combined_game(stage: Stage) -> None:
    state = stage("2705 g-3pz", control={GERMAN: "2702"}, combined_game="on").state
    assert verdict(state) == (SOVIET, "substantial", "AGC-5.0e")


@pytest.mark.rule("AGC-5.0a")
def test_the_short_game_is_about_smolensk(stage: Stage) -> None:
    state = stage("2705 g-3pz", scenario="smolensk", control={GERMAN: "2811"}).state
    assert verdict(state).ending == "objective_held"
