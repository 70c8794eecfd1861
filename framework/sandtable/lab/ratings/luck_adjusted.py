"""The score without luck: what an entrant would have scored had the dice come as expected.

Luck (``luck.py``) is nought on average whatever anybody does, so that taking a multiple of it out of a score leaves the
score right on average, and takes out what chance put in. A game counts

    score - b x luck

where luck is the entrant's less his opponent's, and b the multiple that leaves the least spread in the games of these
two in this contest: the sum of score x luck over the sum of luck x luck, both less their means within a lineup. Games
of two who have fewer than ENOUGH of them with a ledger, or in which no dice were read by hits, are left out. An
adjusted score may be a little below 0 or above 1; who won or lost all has none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from sandtable.lab.ratings.results import Cell, Lineup
from sandtable.rules.chance.outcomes import Z95

ENOUGH = 30
"""Fewer games do not tell what luck is worth."""


@dataclass(frozen=True)
class Adjusted:
    """A luck-adjusted score, half its 95 % interval, and the share of the spread of scores that was luck."""

    score: float
    margin: float
    explained: float
    games: int


@dataclass
class _Sums:
    """Sums over games of one lineup; ``points`` are those of the first side, ``product`` points times luck."""

    games: int = 0
    points: float = 0.0
    squares: float = 0.0
    luck: int = 0
    luck_square: int = 0
    product: float = 0.0

    def centred(self) -> tuple[float, float, float]:
        """Return the sums of squares of points and of luck, and of their products, all less the means."""
        return (
            self.squares - self.points * self.points / self.games,
            self.luck_square - self.luck * self.luck / self.games,
            self.product - self.points * self.luck / self.games,
        )


def adjusted(cells: Iterable[Cell]) -> dict[str, Adjusted]:
    """Return the luck-adjusted score of entrants in games for two, over all contests in which luck can be told."""
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
    points = 0.5 if not cell.winner else float(cell.winner == cell.lineup[0][1])
    sums.games += cell.ledgers
    sums.points += points * cell.ledgers
    sums.squares += points * points * cell.ledgers
    sums.luck += cell.luck
    sums.luck_square += cell.luck_square
    sums.product += points * cell.luck


def _adjust(lineups: dict[Lineup, _Sums], totals: dict[str, list[float]]) -> None:
    """Add the games of two entrants in one contest, adjusted, to the ``totals`` of both."""
    centred = {lineup: sums.centred() for lineup, sums in sorted(lineups.items())}
    luck = sum(each[1] for each in centred.values())
    if luck <= 0 or sum(sums.games for sums in lineups.values()) < ENOUGH:
        return
    worth = sum(each[2] for each in centred.values()) / luck
    for lineup, (spread, luck_spread, product) in centred.items():
        sums = lineups[lineup]
        left = max(0.0, spread - 2 * worth * product + worth * worth * luck_spread)
        first = sums.points - worth * sums.luck
        for (_, name), points in zip(lineup, (first, sums.games - first), strict=True):
            total = totals.setdefault(name, [0.0] * 4)
            for place, value in enumerate((sums.games, points, spread, left)):
                total[place] += value
