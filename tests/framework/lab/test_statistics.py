import math

import pytest

from sandtable.lab.statistics import Spread, elo, interval_of, spread_of, strength
from sandtable.rules.chance.outcomes import wilson


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
def test_wilson_interval_matches_published_values(points: float, games: int, low: float, high: float) -> None:
    found = wilson(points, games)
    assert found is not None
    if games > 1:
        assert found == pytest.approx((low, high), abs=5e-5)
    assert 0 <= found[0] <= points / games <= found[1] <= 1


def test_wilson_interval_without_games_is_none() -> None:
    assert wilson(0, 0) is None


def test_strength_matches_a_large_published_match() -> None:
    found = strength([379, 10170, 21828, 10640, 343])
    assert found is not None
    assert found.normalized_elo == pytest.approx(3.05, abs=0.005)
    assert found.normalized_margin == pytest.approx(2.31, abs=0.005)


def test_strength_matches_a_small_published_match() -> None:
    found = strength([0, 0, 7, 1, 0])
    assert found is not None
    assert found.elo == pytest.approx(21.74, abs=0.005)
    assert (found.elo_high - found.elo_low) / 2 == pytest.approx(40.15, abs=0.005)
    assert found.normalized_elo == pytest.approx(92.86, abs=0.005)
    assert found.normalized_margin == pytest.approx(170.24, abs=0.005)
    assert found.superiority == pytest.approx(0.8575, abs=5e-5)


@pytest.mark.parametrize("pairs", [[0, 0, 0, 1, 0], [0, 0, 9, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 50]])
def test_equal_pairs_give_no_strength(pairs: list[int]) -> None:
    assert strength(pairs) is None


def test_nearly_perfect_score_has_an_infinite_margin() -> None:
    found = strength([0, 0, 0, 1, 1])
    assert found is not None
    assert math.isinf(found.elo_high)


def test_interval_is_computed_from_complete_pairs() -> None:
    """55 % of 180 games whose pairs differ little is certainly more than half, which single games would not show."""
    pairs = [2, 8, 54, 22, 4]  # 99 of 180 points
    found = interval_of(99, 180, [spread_of(pairs)])
    assert found is not None
    assert found.kind == "pairs"
    assert (found.low, found.high) == pytest.approx((0.51135, 0.58865), abs=5e-5)  # 0.55 -+ 1.96 sqrt(0.035 / 90)
    alone = wilson(99, 180)
    assert alone is not None
    assert alone[0] < 0.5 < found.low
    known = strength(pairs)
    assert known is not None
    assert known.superiority > 0.975
    assert (elo(found.low), elo(found.high)) == pytest.approx((known.elo_low, known.elo_high))


@pytest.mark.parametrize(
    ("points", "games", "groups"),
    [
        (3, 6, [[0, 1, 1, 1, 0]]),  # too few pairs
        (40, 40, [[0, 0, 0, 0, 20]]),  # all equal
        (50, 100, [[2, 4, 8, 4, 2]]),  # most games are in no pair, for example with three sides
        (50, 100, []),
    ],
)
def test_interval_without_usable_pairs_is_wilsons(points: float, games: int, groups: list[list[int]]) -> None:
    found = interval_of(points, games, map(spread_of, groups))
    assert found is not None
    assert (*found,) == (*(wilson(points, games) or ()), "games")


def test_interval_uses_a_separate_mean_per_opponent() -> None:
    """Half of all points against a strong and a weak opponent, nearly always the same: the score is known well."""
    found = interval_of(40.5, 80, map(spread_of, [[18, 2, 0, 0, 0], [0, 0, 0, 1, 19]]))
    assert found is not None
    assert found.high - found.low < 0.05
    assert interval_of(0, 0, []) is None


def test_elo_interval_is_asymmetric() -> None:
    known = strength([0, 0, 3, 4, 33])
    assert known is not None
    assert known.elo_high - known.elo > 1.2 * (known.elo - known.elo_low)


def test_interval_of_sets_covers_all_games_of_a_set() -> None:
    """Ten sets of three games with the variance 0.09: 1.96 times the root of 0.9, by ten."""
    found = interval_of(12, 30, [Spread(10, 0.09, 3)])
    assert found is not None
    assert found.kind == "sets"
    assert found.high - 0.4 == pytest.approx(1.959964 * math.sqrt(0.9) / 10)
    few = interval_of(12, 40, [Spread(10, 0.09, 3)])
    assert few is not None
    assert few.kind == "games"
