from collections.abc import Sequence
from math import log10, sqrt

import pytest

from sandtable.kernel.dice import Stream
from sandtable.lab.ratings.elo import Meeting, ratings
from sandtable.lab.ratings.sets import TableSets
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


def test_entrant_with_only_wins_or_only_losses_has_no_rating() -> None:
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


def luce_games(strengths: Sequence[float], sets: int, stream: Stream) -> TableSets:
    """Return sets in which each game has one winner, with odds of 10^(Elo/400)."""
    odds = [round(1e6 * 10 ** (each / 400)) for each in strengths]
    table = TableSets(tuple("abcdefg"[: len(strengths)]))
    for number in range(sets):
        for _ in strengths:
            drawn, winner = stream.below(sum(odds)), 0
            while drawn >= odds[winner]:
                drawn -= odds[winner]
                winner += 1
            table.add(number, [table.unit * (place == winner) for place in range(len(odds))])
    return table


@pytest.mark.full
@pytest.mark.parametrize("strengths", [(120.0, 0.0, -120.0), (200.0, 100.0, 50.0, 0.0, -50.0, -100.0, -200.0)])
def test_ratings_of_many_sides_match_the_planted_strengths(strengths: tuple[float, ...]) -> None:
    """The 95 % intervals contain the true rating in 92 to 97.5 % of 100 repetitions, for each player."""
    inside = total = 0
    for number in range(100):
        table = luce_games(strengths, 60, Stream(b"%d" % number))
        for name, rating in ratings(table.names, {}, [table]).items():
            assert rating is not None
            truth = strengths[table.names.index(name)]
            inside += rating.low <= truth <= rating.high
            total += 1
    assert 0.92 <= inside / total <= 0.975


def test_two_sides_as_a_table_have_the_ratings_of_their_pairs() -> None:
    results = [(2, 0), (1, 1), (2, 1), (0, 0), (1, 2), (2, 2), (2, 0), (1, 0), (2, 1), (0, 1)]
    table = TableSets(("a", "b"))
    pairs = [0] * 5
    for number, halves in enumerate(results):
        pairs[sum(halves)] += 1
        for half in halves:
            table.add(number, [half * table.unit // 2, (2 - half) * table.unit // 2])
    points = sum(map(sum, results)) / 2
    by_pairs = ratings(["a", "b"], {("a", "b"): Meeting(20, points, pairs)})["a"]
    by_sets = ratings(["a", "b"], {}, [table])["a"]
    assert by_pairs is not None
    assert by_sets is not None
    assert (by_sets.elo, by_sets.low, by_sets.high) == pytest.approx((by_pairs.elo, by_pairs.low, by_pairs.high))


def test_ratings_predict_the_ratio_of_shares() -> None:
    """Shares of 4 : 2 : 1 in every set are 120.4 Elo apart: 400 log10(2)."""
    table = TableSets(("a", "b", "c"))
    for number in range(30):
        for _ in range(3):
            table.add(number, [table.unit * 4 // 7, table.unit * 2 // 7, table.unit // 7])
    found = ratings(["a", "b", "c"], {}, [table])
    elo = [rating.elo for rating in found.values() if rating]
    assert [elo[0] - elo[1], elo[1] - elo[2]] == pytest.approx([400 * log10(2)] * 2, abs=0.1)


def test_sides_without_a_share_are_not_compared() -> None:
    """B and c beat a equally often and meet nowhere else: each of their games with both at 0 says nothing of them."""
    table = TableSets(("a", "b", "c", "d"))
    for number in range(20):
        for winner in (0, 1, 2, 0):
            table.add(number, [table.unit * (place == winner) for place in range(4)])
    found = ratings(["a", "b", "c", "d"], {}, [table])
    assert found["d"] is None
    assert found["a"] is not None
    assert found["b"] is not None
    assert found["a"].elo - found["b"].elo == pytest.approx(400 * log10(2))
    assert found["b"].elo == pytest.approx(found["c"].elo)  # type: ignore[union-attr]  # c won as often
