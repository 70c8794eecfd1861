from math import log10, sqrt

import pytest

from sandtable.kernel.dice import Stream
from sandtable.lab.ratings.elo import Meeting, ratings
from sandtable.lab.statistics import elo, strength


def test_two_ratings_differ_as_their_score_implies() -> None:
    pairs = (10, 40, 100, 60, 20)
    points = sum(count * half / 2 for half, count in enumerate(pairs))
    found = ratings(["a", "b"], {("a", "b"): Meeting(460, points, pairs)})
    one, other = found["a"], found["b"]
    assert one is not None
    assert other is not None
    assert one.elo == pytest.approx(-other.elo)
    assert one.elo - other.elo == pytest.approx(elo(points / 460))
    known = strength(pairs)
    assert known is not None
    assert 2 * (one.high - one.low) == pytest.approx(known.elo_high - known.elo_low, rel=0.01)


def test_ratings_match_the_planted_strengths() -> None:
    made = {"a": 120.0, "b": 30.0, "c": -50.0, "d": -100.0}
    meetings = {}
    names = list(made)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            expected = 1 / (1 + 10 ** ((made[other] - made[one]) / 400))
            meetings[one, other] = Meeting(1000, 1000 * expected, (0,) * 5)
    for name, found in ratings(names, meetings).items():
        assert found is not None
        assert found.elo == pytest.approx(made[name], abs=1e-6)
        assert (found.high - found.low) / 2 == pytest.approx(
            9.6, rel=0.15
        )  # 1.96 * 173.7 * sqrt(0.75 / (4 * 1000 * 0.235))


def test_expected_points_equal_won_points() -> None:
    meetings = {
        ("a", "b"): Meeting(10, 7.0, (0,) * 5),
        ("b", "c"): Meeting(6, 3.5, (0,) * 5),
        ("c", "a"): Meeting(8, 2.0, (0,) * 5),
    }
    found = {name: each.elo for name, each in ratings(["a", "b", "c"], meetings).items() if each}
    won = dict.fromkeys(found, 0.0)
    expected = dict.fromkeys(found, 0.0)
    for (one, other), meeting in meetings.items():
        share = 1 / (1 + 10 ** ((found[other] - found[one]) / 400))
        won[one] += meeting.points
        won[other] += meeting.games - meeting.points
        expected[one] += meeting.games * share
        expected[other] += meeting.games * (1 - share)
    assert won == pytest.approx(expected)
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)


def test_all_wins_or_all_losses_have_no_rating() -> None:
    meetings = {
        ("a", "b"): Meeting(10, 6.0, (0,) * 5),
        ("a", "winner"): Meeting(10, 0.0, (5, 0, 0, 0, 0)),
        ("b", "loser"): Meeting(10, 10.0, (0, 0, 0, 0, 5)),
    }
    found = ratings(["winner", "a", "b", "loser", "absent"], meetings)
    assert [name for name, each in found.items() if each is None] == ["winner", "loser", "absent"]
    assert found["a"] is not None
    assert found["a"].elo == pytest.approx(200 * log10(1.5))


@pytest.mark.parametrize("meetings", [{}, {("a", "b"): Meeting(4, 4.0, (0, 0, 0, 0, 2))}])
def test_players_without_information_are_unrated(meetings: dict[tuple[str, str], Meeting]) -> None:
    assert ratings(["a", "b"], meetings) == {"a": None, "b": None}


def test_players_in_a_circle_of_wins_are_rated() -> None:
    meetings = {
        ("a", "b"): Meeting(2, 2.0, (0, 0, 0, 0, 1)),
        ("b", "c"): Meeting(2, 2.0, (0, 0, 0, 0, 1)),
        ("a", "c"): Meeting(2, 0.0, (1, 0, 0, 0, 0)),
    }
    found = ratings(["a", "b", "c"], meetings)
    assert [each.elo for each in found.values() if each] == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.full
def test_elo_intervals_cover_95_percent() -> None:
    stream, inside, tests = Stream(b"coverage"), 0, 400
    truth = 200 * log10(0.6 / 0.4)
    for _ in range(tests):
        pairs = [0] * 5
        for _ in range(60):
            pairs[2 * (stream.below(10) < 6) + 2 * (stream.below(10) < 6)] += 1
        points = sum(count * half / 2 for half, count in enumerate(pairs))
        found = ratings(["a", "b"], {("a", "b"): Meeting(120, points, pairs)})["a"]
        assert found is not None
        inside += found.low <= truth <= found.high
    assert abs(inside / tests - 0.95) < 4 * sqrt(0.95 * 0.05 / tests)
