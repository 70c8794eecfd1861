"""Elo ratings of a field of players: the Bradley-Terry ratings that best explain the scores.

A player's expected score against another is 1 / (1 + 10^(-d/400)), where d is the difference between their ratings. The
ratings make expected and won points equal for every player; their mean is 0. The 95 % intervals come from the observed
spread of pairs of games (a pair has the same dice, so its two games are not independent). If too few pairs were played,
they come from the spread of single games.

A game of n sides is n (n - 1) / 2 comparisons: a player with the share s takes s / (n - 1) points from each of the
others. Together they count as one game, and two players of it are expected to have shares in the proportion
1 : 10^(d/400). A pair without any share is not compared. The intervals come from the spread of sets of such games.

A player that won or lost everything has no rating: any number that is large enough would fit. Only the largest group of
players is rated in which each can be reached from each by "took points from". If two groups are equally large, the
first is rated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log, sqrt
from typing import NamedTuple

from sandtable.lab.ratings.sets import Matrix, TableSets
from sandtable.lab.statistics import ENOUGH_PAIRS, Pairs, pair_moments
from sandtable.rules.chance.outcomes import Z95

_SCALE = 400 / log(10)
_ROUNDS, _CLOSE, _LONGEST_STEP = 200, 1e-10, 2.0


class Meeting(NamedTuple):
    """The results of two players: games, points of the first, and complete pairs by the first one's points."""

    games: float
    points: float
    pairs: Pairs = ()


@dataclass(frozen=True)
class Rating:
    """An Elo rating and its 95 % interval. The mean of all rated players is 0."""

    elo: float
    low: float
    high: float


def ratings(
    players: Sequence[str], meetings: Mapping[tuple[str, str], Meeting], tables: Sequence[TableSets] = ()
) -> dict[str, Rating | None]:
    """Return the rating of each of ``players``, None if unrated.

    ``meetings`` are those in games for two sides, by (first, second). ``tables`` hold the games for more sides.
    """
    compared = _compared(meetings, tables)
    rated = _largest_group(players, compared)
    found: dict[str, Rating | None] = dict.fromkeys(players)
    if len(rated) < 2:
        return found
    index = {name: number for number, name in enumerate(rated)}
    inside, two_sided = (_indexed(each, index) for each in (compared, meetings))
    strengths, inverse = _fitted(len(rated), inside)
    spread = _spread(len(rated), strengths, two_sided)
    for table in tables:
        _add_table(spread, strengths, table, index)
    errors = _product(_product(inverse, spread), inverse)
    for name, number in index.items():
        middle, margin = strengths[number], Z95 * sqrt(max(0.0, errors[number][number]))
        found[name] = Rating(*(_SCALE * value for value in (middle, middle - margin, middle + margin)))
    return found


def _compared(
    meetings: Mapping[tuple[str, str], Meeting], tables: Sequence[TableSets]
) -> dict[tuple[str, str], Meeting]:
    """Return all comparisons of two players, those of games for more than two sides included."""
    found = dict(sorted(meetings.items()))
    for table in tables:
        others, points = len(table.names) - 1, table.points()
        for (one, own), (other, its) in combinations(zip(table.names, points, strict=True), 2):
            before = found.get((one, other), Meeting(0, 0.0))
            games, won = before.games + (own + its) / others, before.points + own / others
            if own or its:
                found[one, other] = Meeting(games, won)
    return found


def _indexed(meetings: Mapping[tuple[str, str], Meeting], index: Mapping[str, int]) -> dict[tuple[int, int], Meeting]:
    """Return the meetings of rated players, by their ``index``."""
    return {
        (index[one], index[other]): meeting
        for (one, other), meeting in sorted(meetings.items())
        if one in index and other in index and meeting.games
    }


def _largest_group(players: Sequence[str], meetings: Mapping[tuple[str, str], Meeting]) -> list[str]:
    """Return the largest group in which each player can be reached from each by "took points from"."""
    met = {name for pair in meetings for name in pair}
    names = [name for name in dict.fromkeys(players) if name in met]
    index = {name: number for number, name in enumerate(names)}
    reach = [1 << number for number in range(len(names))]
    for (one, other), meeting in meetings.items():
        if meeting.points > 0:
            reach[index[one]] |= 1 << index[other]
        if meeting.points < meeting.games:
            reach[index[other]] |= 1 << index[one]
    for middle in range(len(names)):
        for start in range(len(names)):
            if reach[start] >> middle & 1:
                reach[start] |= reach[middle]
    groups = [
        [name for name in names if reach[number] >> index[name] & 1 and reach[index[name]] >> number & 1]
        for number in range(len(names))
    ]
    return max(groups, key=len, default=[])


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > 0 else 1 - 1 / (1 + exp(difference))


def _fitted(players: int, meetings: Mapping[tuple[int, int], Meeting]) -> tuple[list[float], Matrix]:
    """Return the ratings in natural units, and the inverse of their information matrix."""
    strengths = [0.0] * players
    inverse: Matrix = []
    for _ in range(_ROUNDS):
        slope = [0.0] * players
        information = [[1 / players] * players for _ in range(players)]
        for (one, other), meeting in meetings.items():
            expected = _expected(strengths[one] - strengths[other])
            surplus = meeting.points - meeting.games * expected
            slope[one] += surplus
            slope[other] -= surplus
            _add(information, one, other, meeting.games * expected * (1 - expected))
        inverse = _inverted(information)
        steps = [sum(map(float.__mul__, row, slope)) for row in inverse]
        longest = max(map(abs, steps))
        shrink = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        strengths = [value + shrink * step for value, step in zip(strengths, steps, strict=True)]
        if longest < _CLOSE:
            break
    middle = sum(strengths) / players
    return [value - middle for value in strengths], inverse


def _spread(players: int, strengths: Sequence[float], meetings: Mapping[tuple[int, int], Meeting]) -> Matrix:
    """Return the covariance of the points won, over repetitions of such a tournament."""
    matrix = [[0.0] * players for _ in range(players)]
    for (one, other), meeting in meetings.items():
        expected = _expected(strengths[one] - strengths[other])
        pairs, _, spread = pair_moments(meeting.pairs)
        has_spread = pairs >= ENOUGH_PAIRS and spread > 0
        single = 2 * spread if has_spread else expected * (1 - expected)
        _add(matrix, one, other, meeting.games * single)
    return matrix


def _add_table(matrix: Matrix, strengths: Sequence[float], table: TableSets, index: Mapping[str, int]) -> None:
    """Add the covariance of the points that the rated players of ``table`` took from each other."""
    places = [place for place, name in enumerate(table.names) if name in index]
    rated = [index[table.names[place]] for place in places]
    own = [strengths[each] for each in rated]
    observed = table.covariance()
    if observed is None:
        shares = [[table.games * each for each in row] for row in _one_winner(own)]
    else:
        sets = table.games / len(table.names)
        shares = [[sets * observed[one][other] for other in places] for one in places]
    surplus = _surplus_by_share(own, len(table.names) - 1)
    points = _product(_product(surplus, shares), [list(column) for column in zip(*surplus, strict=True)])
    for one, row in zip(rated, points, strict=True):
        for other, value in zip(rated, row, strict=True):
            matrix[one][other] += value


def _surplus_by_share(strengths: Sequence[float], others: int) -> Matrix:
    """Return how much each player's points exceed the expected ones, for each point that each player has.

    A player takes its share from the others, and of the shares of two each is expected to take a part.
    """
    found: Matrix = []
    for place, own in enumerate(strengths):
        row = [-_expected(own - other) / others for other in strengths]
        row[place] = (len(strengths) - 1) / others + sum(row) - row[place]
        found.append(row)
    return found


def _one_winner(strengths: Sequence[float]) -> Matrix:
    """Return the covariance of shares in a game that one player wins, by the ratings: the largest possible one."""
    best = max(strengths, default=0.0)
    odds = [exp(each - best) for each in strengths]
    chances = [each / sum(odds) for each in odds]
    return [
        [(one == other) * mine - mine * its for other, its in enumerate(chances)] for one, mine in enumerate(chances)
    ]


def _add(matrix: Matrix, one: int, other: int, value: float) -> None:
    matrix[one][one] += value
    matrix[other][other] += value
    matrix[one][other] -= value
    matrix[other][one] -= value


def _inverted(matrix: Matrix) -> Matrix:
    """Return the inverse by Gauss-Jordan elimination. ``matrix`` is symmetric and positive definite."""
    size = len(matrix)
    rows = [[*row, *(float(index == number) for index in range(size))] for number, row in enumerate(matrix)]
    for column in range(size):
        best = max(range(column, size), key=lambda number: abs(rows[number][column]))
        rows[column], rows[best] = rows[best], rows[column]
        top = rows[column][column]
        rows[column] = [value / top for value in rows[column]]
        pivot = rows[column]
        for number in range(size):
            factor = rows[number][column]
            if number != column and factor:
                rows[number] = [value - factor * lead for value, lead in zip(rows[number], pivot, strict=True)]
    return [row[size:] for row in rows]


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in one]
