"""Elo of a field of players: the Bradley-Terry ratings under which each would have scored what he did.

A player's expected score against another is 1 / (1 + 10^(-d/400)), d the difference of their ratings. The ratings are
those that make expected and won points equal for everyone; their mean is 0. The 95 % intervals come from the spread of
the pairs of games that was seen (a pair has the same dice, so its two games are no two independent ones), or, where too
few pairs were played, from that of single games.

Who won all or lost all has no rating: any big enough number would do. So only players are rated who form one group in
which everybody took points from somebody, round about: the largest such group, and the first where two are as large.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import NamedTuple

from sandtable.lab.statistics import ENOUGH_PAIRS, pair_moments
from sandtable.rules.chance.outcomes import Z95

_SCALE = 400 / log(10)
_ROUNDS, _CLOSE, _LONGEST_STEP = 200, 1e-10, 2.0


class Meeting(NamedTuple):
    """What two players did against each other: games, points of the first, and his pairs by half points, 0 to 4."""

    games: int
    points: float
    pairs: Sequence[int]


@dataclass(frozen=True)
class Rating:
    """Elo, the mean of those rated being 0, and the ends of its 95 % interval."""

    elo: float
    low: float
    high: float


Matrix = list[list[float]]


def ratings(players: Sequence[str], meetings: Mapping[tuple[str, str], Meeting]) -> dict[str, Rating | None]:
    """Return the rating of each of ``players``, None for who cannot be rated; ``meetings`` are by (first, second)."""
    rated = _largest_group(players, meetings)
    found: dict[str, Rating | None] = dict.fromkeys(players)
    if len(rated) < 2:
        return found
    place = {name: number for number, name in enumerate(rated)}
    inside = {
        (place[one], place[other]): meeting
        for (one, other), meeting in sorted(meetings.items())
        if one in place and other in place and meeting.games
    }
    strengths, inverse = _fitted(len(rated), inside)
    spread = _spread(len(rated), strengths, inside)
    errors = _product(_product(inverse, spread), inverse)
    for name, number in place.items():
        middle, margin = strengths[number], Z95 * sqrt(max(0.0, errors[number][number]))
        found[name] = Rating(*(_SCALE * value for value in (middle, middle - margin, middle + margin)))
    return found


def _largest_group(players: Sequence[str], meetings: Mapping[tuple[str, str], Meeting]) -> list[str]:
    """Return the largest group in which everybody can be reached from everybody by "took points from"."""
    met = {name for pair in meetings for name in pair}
    names = [name for name in dict.fromkeys(players) if name in met]
    place = {name: number for number, name in enumerate(names)}
    reach = [1 << number for number in range(len(names))]
    for (one, other), meeting in meetings.items():
        if meeting.points > 0:
            reach[place[one]] |= 1 << place[other]
        if meeting.points < meeting.games:
            reach[place[other]] |= 1 << place[one]
    for middle in range(len(names)):
        for start in range(len(names)):
            if reach[start] >> middle & 1:
                reach[start] |= reach[middle]
    groups = [
        [name for name in names if reach[number] >> place[name] & 1 and reach[place[name]] >> number & 1]
        for number in range(len(names))
    ]
    return max(groups, key=len, default=[])


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > 0 else 1 - 1 / (1 + exp(difference))


def _fitted(players: int, meetings: Mapping[tuple[int, int], Meeting]) -> tuple[list[float], Matrix]:
    """Return the ratings in natural units, and the inverse of the information about them."""
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
    """Return how the points won would vary from one such tournament to the next."""
    matrix = [[0.0] * players for _ in range(players)]
    for (one, other), meeting in meetings.items():
        expected = _expected(strengths[one] - strengths[other])
        pairs, _, spread = pair_moments(meeting.pairs)
        seen = pairs >= ENOUGH_PAIRS and spread > 0
        single = 2 * spread if seen else expected * (1 - expected)
        _add(matrix, one, other, meeting.games * single)
    return matrix


def _add(matrix: Matrix, one: int, other: int, value: float) -> None:
    matrix[one][one] += value
    matrix[other][other] += value
    matrix[one][other] -= value
    matrix[other][one] -= value


def _inverted(matrix: Matrix) -> Matrix:
    """Return the inverse, by Gauss and Jordan; ``matrix`` is symmetric and positive."""
    size = len(matrix)
    rows = [[*row, *(float(place == number) for place in range(size))] for number, row in enumerate(matrix)]
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
