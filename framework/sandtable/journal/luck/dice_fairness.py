"""How often each face fell, and whether fair dice fall so: Pearson's chi-squared test."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, gamma, sqrt
from typing import Any

from sandtable.journal.luck.ledger import Whose
from sandtable.kernel.records import RollRecord

LEAST_EXPECTED = 5
"""So often each face must be expected, or the test says nothing."""


@dataclass(frozen=True)
class Faces:
    """The dice of one maker with so many ``sides``: ``counts`` of the faces 1 to ``sides``.

    ``maker`` is who entered them, "" for the key. With a ``side`` they are only those that are its luck.
    ``chi_squared`` has ``sides`` - 1 degrees of freedom; ``chance`` is how likely fair dice fall as unevenly, None
    where there are too few to tell.
    """

    maker: str
    sides: int
    counts: tuple[int, ...]
    side: str = ""

    @property
    def dice(self) -> int:
        """How many dice there were."""
        return sum(self.counts)

    @property
    def chi_squared(self) -> float:
        """The sum of the squared deviations over what is expected."""
        expected = self.dice / self.sides
        return sum((count - expected) ** 2 for count in self.counts) / expected

    @property
    def chance(self) -> float | None:
        """The chance that fair dice fall at least as unevenly."""
        if self.dice < LEAST_EXPECTED * self.sides:
            return None
        return chance_of(self.chi_squared, self.sides - 1)

    @property
    def verdict(self) -> str:
        """What that means, in words."""
        chance = self.chance
        if chance is None:
            return f"too few dice to tell: {LEAST_EXPECTED * self.sides} are wanted"
        if chance >= 0.01:
            return "as fair dice fall"
        if chance >= 0.0001:
            return f"uneven: fair dice do so once in {1 / chance:,.0f} such series"
        return f"not fair dice: they do so once in {1 / max(chance, 1e-12):.0e} such series"


def faces_of(records: Iterable[Any], whose: Whose = lambda _: "") -> list[Faces]:
    """Return the faces of all dice in ``records``, by who made them and by sides; again by ``whose`` luck they are."""
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
    """Return the same with those of one maker, kind and side added up."""
    totals: dict[tuple[str, int, str], tuple[int, ...]] = {}
    for each in found:
        key = each.maker, each.sides, each.side
        totals[key] = tuple(map(sum, zip(totals.get(key, (0,) * each.sides), each.counts, strict=True)))
    return [Faces(maker, sides, counts, side) for (maker, sides, side), counts in sorted(totals.items())]


def chance_of(value: float, freedom: int) -> float:
    """Return the chance that chi-squared with ``freedom`` degrees is ``value`` or more (Abramowitz and Stegun 26.4)."""
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
