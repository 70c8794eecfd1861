"""The luck-adjusted score: an estimate of an entrant's score with average dice.

Luck (``luck.py``) is zero on average whatever the players do. Subtracting a multiple of it from a score keeps the mean
of the score and removes variance that the dice caused. A game counts

    score - b x luck

Here luck is the entrant's minus the opponent's. b is the multiple that minimizes the variance over the games of both
entrants in this contest: the sum of score x luck over the sum of luck x luck, both minus their means within a lineup.
Games of two entrants are left out if fewer than ENOUGH of them have a ledger, or if none of their dice count hits. An
adjusted score may be a little below 0 or above 1. An entrant that won or lost everything has no adjusted score.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from sandtable.lab.ratings.results import Cell, Lineup
from sandtable.rules.chance.outcomes import Z95

ENOUGH = 30
"""Minimum number of games from which the effect of luck is estimated."""


@dataclass(frozen=True)
class Adjusted:
    """A luck-adjusted score, half its 95 % interval, and the share of the variance of scores that luck explains."""

    score: float
    margin: float
    explained: float
    games: int


@dataclass
class _Sums:
    """Sums over games of one lineup. ``points`` are those of the first side, ``product`` is points times luck."""

    games: int = 0
    points: float = 0.0
    squares: float = 0.0
    luck: int = 0
    luck_square: int = 0
    product: float = 0.0

    def centered(self) -> tuple[float, float, float]:
        """Return the centered sums of squares of points and of luck, and of their products."""
        return (
            self.squares - self.points * self.points / self.games,
            self.luck_square - self.luck * self.luck / self.games,
            self.product - self.points * self.luck / self.games,
        )


def adjusted(cells: Iterable[Cell]) -> dict[str, Adjusted]:
    """Return the luck-adjusted scores of entrants in games for two, over all contests with measurable luck."""
    meetings: dict[tuple[int, tuple[str, ...]], dict[Lineup, _Sums]] = {}
    for cell in cells:
        if cell.ledgers and len(cell.lineup) == len({name for _, name in cell.lineup}) == 2:
            key = (cell.contest, tuple(sorted(name for _, name in cell.lineup)))
            _count(meetings.setdefault(key, {}).setdefault(cell.lineup, _Sums()), cell)
    totals: dict[str, list[float]] = {}
    for _, lineups in sorted(meetings.items()):
        _adjust(lineups, totals)
    return {
        name: Adjusted(points / games, Z95 * sqrt(left) / games, 1 - left / spread, round(games))
        for name, (games, points, spread, left) in totals.items()
        if left > 0
    }


def _count(sums: _Sums, cell: Cell) -> None:
    points = float(cell.share(cell.lineup[0][1]))
    sums.games += cell.ledgers
    sums.points += points * cell.ledgers
    sums.squares += points * points * cell.ledgers
    sums.luck += cell.luck
    sums.luck_square += cell.luck_square
    sums.product += points * cell.luck


def _adjust(lineups: dict[Lineup, _Sums], totals: dict[str, list[float]]) -> None:
    """Add the adjusted games of two entrants in one contest to the ``totals`` of both."""
    centered = {lineup: sums.centered() for lineup, sums in sorted(lineups.items())}
    luck = sum(each[1] for each in centered.values())
    if luck <= 0 or sum(sums.games for sums in lineups.values()) < ENOUGH:
        return
    worth = sum(each[2] for each in centered.values()) / luck
    for lineup, (spread, luck_spread, product) in centered.items():
        sums = lineups[lineup]
        left = max(0.0, spread - 2 * worth * product + worth * worth * luck_spread)
        first = sums.points - worth * sums.luck
        for (_, name), points in zip(lineup, (first, sums.games - first), strict=True):
            total = totals.setdefault(name, [0.0] * 4)
            for index, value in enumerate((sums.games, points, spread, left)):
                total[index] += value
