import math

import pytest

from sandtable.arena.statistics import strength
from sandtable.rules.outcomes import wilson


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),  # values of Wilson's interval from published tables
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (95, 100, 0.8882, 0.9785),
        (0.5, 1, 0.0, 1.0),
    ],
)
def test_wilson(points: float, games: int, low: float, high: float) -> None:
    found = wilson(points, games)
    assert found is not None
    if games > 1:
        assert found == pytest.approx((low, high), abs=5e-5)
    assert 0 <= found[0] <= points / games <= found[1] <= 1


def test_no_games_have_no_interval() -> None:
    assert wilson(0, 0) is None


def test_strength_of_a_large_match() -> None:
    found = strength([379, 10170, 21828, 10640, 343])
    assert found is not None
    assert found.normalised_elo == pytest.approx(3.05, abs=0.005)
    assert found.normalised_margin == pytest.approx(2.31, abs=0.005)


def test_strength_of_a_small_match() -> None:
    found = strength([0, 0, 7, 1, 0])
    assert found is not None
    assert found.elo == pytest.approx(21.74, abs=0.005)
    assert (found.elo_high - found.elo_low) / 2 == pytest.approx(40.15, abs=0.005)
    assert found.normalised_elo == pytest.approx(92.86, abs=0.005)
    assert found.normalised_margin == pytest.approx(170.24, abs=0.005)
    assert found.superiority == pytest.approx(0.8575, abs=5e-5)


@pytest.mark.parametrize("pairs", [[0, 0, 0, 1, 0], [0, 0, 9, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 50]])
def test_pairs_that_are_all_alike_tell_nothing(pairs: list[int]) -> None:
    assert strength(pairs) is None


def test_nearly_all_won_has_an_endless_margin_but_no_crash() -> None:
    found = strength([0, 0, 0, 1, 1])
    assert found is not None
    assert math.isinf(found.elo_high)
