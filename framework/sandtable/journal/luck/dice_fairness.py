"""Counts of die faces, and Pearson's chi-squared test of whether they come from fair dice."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, gamma, sqrt
from typing import Any

from sandtable.journal.luck.ledger import LuckSide
from sandtable.kernel.records import RollRecord

LEAST_EXPECTED = 5
"""Minimum expected count per face for the test to apply."""


@dataclass(frozen=True)
class Faces:
    """The dice with ``sides`` faces from one source: ``counts`` of the faces 1 to ``sides``.

    ``maker`` is the seat that entered them, "" for the key. With a ``side`` only the dice that are its luck are
    counted. ``chi_squared`` has ``sides`` - 1 degrees of freedom. ``chance`` is the probability that fair dice are at
    least as uneven, None if there are too few dice.
    """

    maker: str
    sides: int
    counts: tuple[int, ...]
    side: str = ""

    @property
    def dice(self) -> int:
        """Number of dice."""
        return sum(self.counts)

    @property
    def chi_squared(self) -> float:
        """The sum of the squared deviations divided by the expected count."""
        expected = self.dice / self.sides
        return sum((count - expected) ** 2 for count in self.counts) / expected

    @property
    def chance(self) -> float | None:
        """The probability that fair dice are at least as uneven, or None if there are too few dice."""
        if self.dice < LEAST_EXPECTED * self.sides:
            return None
        return tail_probability(self.chi_squared, self.sides - 1)

    @property
    def verdict(self) -> str:
        """The result of the test in words."""
        chance = self.chance
        if chance is None:
            return f"too few dice to test: {LEAST_EXPECTED * self.sides} are required"
        if chance >= 0.01:
            return "consistent with fair dice"
        if chance >= 0.0001:
            return f"uneven: fair dice are this uneven only once in {1 / chance:,.0f} such series"
        return f"not fair: fair dice are this uneven only once in {1 / max(chance, 1e-12):.0e} such series"


def faces_of(records: Iterable[Any], whose: LuckSide = lambda _: "") -> list[Faces]:
    """Return the faces of all dice in ``records`` by source and sides, and again by the side of their luck."""
    counts: dict[tuple[str, int, str], Counter[int]] = {}
    for record in records:
        if isinstance(record, RollRecord) and record.dice:
            for side in dict.fromkeys(("", whose(record))):
                counts.setdefault((record.by, record.sides, side), Counter()).update(record.dice)
    return [
        Faces(maker, sides, tuple(found[face] for face in range(1, sides + 1)), side)
        for (maker, sides, side), found in sorted(counts.items())
    ]


def summed(found: Sequence[Faces]) -> list[Faces]:
    """Return ``found`` with the counts of equal source, sides and side added up."""
    totals: dict[tuple[str, int, str], tuple[int, ...]] = {}
    for each in found:
        key = each.maker, each.sides, each.side
        totals[key] = tuple(map(sum, zip(totals.get(key, (0,) * each.sides), each.counts, strict=True)))
    return [Faces(maker, sides, counts, side) for (maker, sides, side), counts in sorted(totals.items())]


def tail_probability(value: float, freedom: int) -> float:
    """Return the probability that chi-squared with ``freedom`` degrees is at least ``value``.

    The formulas are in section 26.4 of Abramowitz and Stegun.
    """
    half = value / 2
    if freedom % 2:
        total, start = erfc(sqrt(half)), 0.5
    else:
        total, start = 0.0, 0.0
    term = start
    while term < freedom / 2:
        total += exp(-half) * half**term / gamma(term + 1)
        term += 1
    return min(1.0, total)
