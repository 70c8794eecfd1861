"""The boundaries of the theater of operations, and the marsh."""

from typing import Any

import pytest
from tests.plugins.damos.cases import activate
from tests.plugins.damos.conftest import Stage
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import opening

from damos.map.boundaries import is_open, is_past_marsh, must_leave, why_no_move
from damos.model.orders import Step
from damos.model.state import DamosState


def rule_against(state: DamosState, side: str, start: str, hex_: str) -> str:
    refusal = why_no_move(state, side, start, hex_)
    return "" if refusal is None else refusal.rule


# --- the area ---


@pytest.mark.rule("AGC-1.3a", "AGC-1.3d", "AGC-1.3f", "AGC-1.3g")
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
def test_the_area_beyond_the_marsh_is_open_to_both_sides(side: str) -> None:
    state = opening()
    state.control["3001"] = GERMAN
    assert {hex_ for hex_ in state.board.hexmap.numbers if is_open(state, side, hex_)} == state.board.area


@pytest.mark.rule("AGC-1.3h", "R-DM-49")
def test_the_combined_game_has_no_boundaries() -> None:
    state = opening(combined_game="on")
    assert all(is_open(state, side, hex_) for side in (GERMAN, SOVIET) for hex_ in state.board.hexmap.numbers)


# --- the marsh ---


@pytest.mark.rule("AGC-1.3b", "AGC-1.3d", "R-DM-55")
def test_the_germans_stay_north_of_the_marsh_until_they_pass_it(stage: Stage) -> None:
    state = stage("3122 g-3pz; 3218 g-4pz").state
    assert not is_past_marsh(state)
    assert rule_against(state, GERMAN, "3122", "3222") == "AGC-1.3b"
    assert rule_against(state, GERMAN, "3218", "3317") == "AGC-1.3d"
    assert rule_against(state, GERMAN, "3218", "3319") == "AGC-1.3a"
    assert rule_against(state, GERMAN, "3218", "3217") == ""
    state.units["g-4pz"].hex = "3217"
    assert is_past_marsh(state)
    assert rule_against(state, GERMAN, "3122", "3222") == rule_against(state, GERMAN, "3217", "3317") == ""


@pytest.mark.rule("AGC-1.3b", "AGC-1.3d", "AGC-1.3g", "R-DM-55")
@pytest.mark.parametrize(("position", "more", "step"), [
    ("3122 g-3pz", {"marsh_boundary": "free"}, "3222"), ("3218 g-3pz", {"marsh_boundary": "free"}, "3318"),
    ("3218 g-4pz", {"control": {GERMAN: "3217"}}, "3318"), ("3218 g-3pz; 2811 g-4pz", {}, "3318"),
    ("3122 s-4rc", {"side": SOVIET}, "3222"), ("3122 s-49rd", {"side": SOVIET}, "3123"),
    ("3122 g-267", {"marsh_boundary": "free"}, "3123"),
])  # fmt: skip
def test_the_marsh_and_the_south_are_open(stage: Stage, position: str, more: dict[str, Any], step: str) -> None:
    """They are open by option, after the Germans have passed the marsh, and always to the Soviets."""
    case = stage(position, **more)
    assert case.go(activate(position.split()[1].rstrip(";"))).allows(Step(step))


@pytest.mark.rule("AGC-1.3a", "AGC-1.3b", "AGC-1.3d", "AGC-1.3g", "R-DM-55")
@pytest.mark.parametrize(("position", "step", "rule"), [
    ("3122 g-267", "3123", "AGC-1.3b"), ("3218 g-3pz", "3318", "AGC-1.3d"), ("2524 g-3pz", "2423", "AGC-1.3a"),
    ("2524 s-13mc", "2423", "AGC-1.3a"), ("2317 s-13mc", "2318", "AGC-1.3a"),
])  # fmt: skip
def test_a_step_across_a_boundary_is_refused(stage: Stage, position: str, step: str, rule: str) -> None:
    unit = position.split()[1]
    case = stage(position, side=GERMAN if unit.startswith("g-") else SOVIET).go(activate(unit))
    assert case.why_not(Step(step)) == rule
    assert case.refuses(Step(step))


@pytest.mark.rule("AGC-1.3c", "R-DM-71")
def test_a_unit_in_the_marsh_leaves_it_by_the_shortest_path(stage: Stage) -> None:
    state = stage("3222 g-3pz; 3122 g-4pz").state
    assert must_leave(state, GERMAN) == ["3222"]
    assert rule_against(state, GERMAN, "3222", "3122") == ""
    assert rule_against(state, GERMAN, "3222", "3221") == "AGC-1.3c"
    deep = "3423"
    out = [near for near in state.board.around[deep] if rule_against(state, GERMAN, deep, near) == ""]
    far = {hex_: min(state.board.hexmap.range_hexes(hex_, each) for each in _open(state)) for hex_ in (deep, *out)}
    assert out
    assert all(far[near] == far[deep] - 1 for near in out)
    case = stage("3123 g-267").go(activate("g-267"))
    assert [case.allows(Step(hex_)) for hex_ in ("3122", "3124", "3223")] == [True, False, False]


def _open(state: DamosState) -> list[str]:
    board = state.board
    return [hex_ for hex_ in board.area if hex_ not in board.marsh and hex_ not in board.extension]
