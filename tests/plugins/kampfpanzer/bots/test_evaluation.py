"""Evaluation of positions by the search bot, compared with the victory conditions of each scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.plugins.kampfpanzer.positions import boundaries, played, shipped

from kampfpanzer import SCENARIOS
from kampfpanzer.bots.evaluation import evaluate
from kampfpanzer.model.state import DESTROYED, ON_MAP, KampfState

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Stage


def prospects_of(case: Case, side: str) -> int:
    found: int = evaluate(case.state, case.state.board)[side]
    return found


def states(scenario: str, seed: str, *names: str) -> list[KampfState]:
    """Return the states at the boundaries of a game between two bots, given in the order of the sides."""
    first, second = names
    return list(boundaries(played(scenario, f"prospects/{seed}", (first, second))))


# ---------------------------------------------------------------- invariants


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_prospects_sum_to_1000_and_leave_the_state_unchanged(scenario: str) -> None:
    whole = states(scenario, "whole", "captain", "random")
    assert len(whole) > 20
    for state in whole:
        before = msgspec.msgpack.encode(state)
        found = evaluate(state, state.board)
        assert tuple(found) == state.board.sides
        assert sum(found.values()) == 1000
        assert all(10 <= share <= 990 for share in found.values())
        assert msgspec.msgpack.encode(state) == before
        assert evaluate(state, state.board) == found


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_prospects_never_fall_when_an_enemy_is_destroyed(scenario: str) -> None:
    better = 0
    for state in states(scenario, "losses", "captain", "captain")[3::7]:
        before = evaluate(state, state.board)
        for unit_id, unit in state.units.items():
            if unit.standing != ON_MAP or state.board.kinds[unit.kind].is_vehicle:
                continue
            enemy = state.board.enemy_of(unit.side)
            hex_, unit.hex, unit.standing = unit.hex, "", DESTROYED
            after = evaluate(state, state.board)
            assert after[enemy] >= before[enemy], (unit_id, unit)
            better += after[enemy] > before[enemy]
            unit.hex, unit.standing = hex_, ON_MAP
    assert better


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_prospects_never_rise_when_an_own_unit_is_disrupted(scenario: str) -> None:
    for state in states(scenario, "losses", "captain", "captain")[3::7]:
        before = evaluate(state, state.board)
        for unit in state.units.values():
            if unit.standing == ON_MAP and not unit.disruption:
                unit.disruption = 2
                assert evaluate(state, state.board)[unit.side] <= before[unit.side]
                unit.disruption = 0


# ---------------------------------------------------------------- victory conditions


def test_prospects_are_even_for_equal_forces_on_the_objective(stage: Stage) -> None:
    case = stage("spain", nationalists="26 2138", republicans="63 2340", turn=8)
    for unit in case.state.units.values():
        unit.kind = "Inf-Fr"
    assert evaluate(case.state, case.state.board) == {"nationalists": 500, "republicans": 500}


def test_prospects_are_swapped_with_the_sides(stage: Stage) -> None:
    ahead = stage("spain", nationalists="26 2138; 27 2139", republicans="63 2340", turn=8)
    behind = stage("spain", nationalists="26 2340", republicans="63 2138; 64 2139", turn=8)
    for unit in (*ahead.state.units.values(), *behind.state.units.values()):
        unit.kind = "Inf-Fr"
    assert prospects_of(ahead, "nationalists") == prospects_of(behind, "republicans") > 600


@pytest.mark.parametrize(
    ("scenario", "side", "better", "worse"),
    [
        ("spain", "nationalists", {"nationalists": "26 2138; 27 2139"}, {"nationalists": "26 2138; 27 3030"}),
        ("spain", "republicans", {"republicans": "63 2138; 64 2139"}, {"republicans": "63 2138; 64 2139 D1"}),
        ("czechoslovakia", "czechs", {"out": "122 123 124"}, {"out": "122"}),
        ("bain_tsagan", "russians", {"russians": "81 0938"}, {"russians": "81 0938", "japanese": "26 0939"}),
        ("poland", "poles", {"lost": "94 95 96"}, {"lost": "94"}),
        ("summa", "russians", {"out": "69 70 71 72"}, {"lost": "69 70 71 72"}),
        ("hannut", "germans", {"germans": "105 2220"}, {"germans": "105 1050"}),
        ("arras", "british", {"british": "63 2341"}, {"british": "63 2341 D3"}),
        ("abbeville", "germans", {"germans": "112 0807; 113 0808; 114 0806"}, {"germans": "112 0807"}),
    ],
)  # fmt: skip
def test_prospects_rise_with_progress_toward_victory(
    stage: Stage, scenario: str, side: str, better: dict[str, str], worse: dict[str, str]
) -> None:
    empty = dict.fromkeys(shipped(scenario).board.sides, "")
    good, bad = (stage(scenario, turn=9, **(empty | rest)) for rest in (better, worse))
    assert prospects_of(good, side) > prospects_of(bad, side)
    assert prospects_of(good, side) + prospects_of(good, good.state.board.enemy_of(side)) == 1000


def test_prospects_of_a_lead_grow_as_the_end_approaches(stage: Stage) -> None:
    shares = [
        prospects_of(stage("spain", nationalists="26 2138; 27 2139", republicans="63 3054", turn=turn), "nationalists")
        for turn in (2, 6, 10)
    ]
    assert 500 < shares[0] < shares[1] < shares[2] < 1000


def test_prospects_ignore_units_that_arrive_too_late(stage: Stage) -> None:
    near, far = (
        stage("spain", nationalists="26 2138", republicans="63 2133", turn=turn) for turn in (5, 10)
    )  # infantry, 5 hexes away
    alone = stage("spain", nationalists="26 2138", republicans="", turn=10)
    assert prospects_of(near, "republicans") > prospects_of(far, "republicans")
    assert prospects_of(far, "republicans") < 300
    assert prospects_of(alone, "republicans") < 300


def test_breakthrough_prospects_require_every_condition(stage: Stage) -> None:
    eight = "6 7 8 9 10 11 12 13"
    nothing = stage("flavion", french="", germans="", turn=10)
    destroyed = stage("flavion", french="", germans="", lost=eight, turn=10)
    assert prospects_of(destroyed, "germans") == prospects_of(nothing, "germans") < 100


@pytest.mark.rule("KP-14.2.7")
def test_prospects_of_a_failed_exit_are_half_if_it_is_a_draw(stage: Stage) -> None:
    bloodless = stage("czechoslovakia", germans="", czechs="", turn=10)
    bloody = stage("czechoslovakia", germans="", czechs="", lost="91 92 94 95 96 97", turn=10)
    assert prospects_of(bloodless, "czechs") < 100
    assert 500 < prospects_of(bloody, "czechs") < 600


# ---------------------------------------------------------------- outcomes of games


@pytest.mark.full
def test_prospects_favor_the_eventual_winner_at_mid_game() -> None:
    shares = []
    for scenario in ("abbeville", "czechoslovakia", "arras"):
        for seed in ("1", "2"):
            for names in (("captain", "random"), ("random", "captain")):
                game = played(scenario, f"prospects/{seed}", names)
                found = states(scenario, seed, *names)
                middle = found[len(found) // 2]
                shares.append(evaluate(middle, middle.board).get(game.state.outcome, 500))
    assert sum(shares) / len(shares) > 600
