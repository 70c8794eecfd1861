"""Sets of games of one table with more than two sides: the shares of its players, and how they vary between sets.

A set has one dice seed, and every player has every seat once. Its games are not independent, so the spread of results
is that of whole sets. All counts are integers, so they do not depend on the order of the games.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from sandtable.kernel.play.endings import WHOLE
from sandtable.lab.statistics import ENOUGH_PAIRS, Spread

Matrix = list[list[float]]


@dataclass
class TableSets:
    """The games of the players ``names``.

    ``totals`` are their shares of all ``games``. ``sums`` and ``products`` are those of complete ``sets``: each
    player's share of a set, and the products of two of them. ``waiting`` holds, by number of the set, the number of
    games and the shares so far. A share of 1 counts ``unit``.
    """

    names: tuple[str, ...]
    games: int = 0
    sets: int = 0
    totals: list[int] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    products: list[list[int]] = field(default_factory=list)
    waiting: dict[int, tuple[int, list[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with zeros."""
        size = len(self.names)
        self.unit = WHOLE * lcm(*range(1, size + 1))
        self.totals, self.sums = [0] * size, [0] * size
        self.products = [[0] * size for _ in self.names]

    def add(self, number: int, shares: Sequence[int]) -> None:
        """Count a game of set ``number`` with the players' ``shares``."""
        size = len(self.names)
        self.games += 1
        self.totals = [total + share for total, share in zip(self.totals, shares, strict=True)]
        games, before = self.waiting.pop(number, (0, [0] * size))
        own = [one + other for one, other in zip(before, shares, strict=True)]
        if games + 1 < size:
            self.waiting[number] = (games + 1, own)
            return
        self.sets += 1
        self.sums = [total + share for total, share in zip(self.sums, own, strict=True)]
        for row, share in zip(self.products, own, strict=True):
            row[:] = [each + share * other for each, other in zip(row, own, strict=True)]

    def points(self) -> list[float]:
        """Return each player's points in all games."""
        return [total / self.unit for total in self.totals]

    def spread_of(self, name: str) -> Spread:
        """Return the spread of the player's score in a set."""
        index, size = self.names.index(name), len(self.names)
        return Spread(self.sets, self._covariance(index, index) / size**2 if self.sets else 0.0, size)

    def covariance(self) -> Matrix | None:
        """Return the covariance of the players' points in a set, or None if there are too few sets to estimate it."""
        places = range(len(self.names))
        if self.sets < ENOUGH_PAIRS or not any(self._covariance(each, each) for each in places):
            return None
        return [[self._covariance(one, other) for other in places] for one in places]

    def _covariance(self, one: int, other: int) -> float:
        exact = self.sets * self.products[one][other] - self.sums[one] * self.sums[other]
        return float(Fraction(exact, (self.sets * self.unit) ** 2))
