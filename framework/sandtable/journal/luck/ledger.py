"""The luck ledger: each roll of a game against what it could be expected to come to.

**What is luck.** Where the dice of a roll are read one by one (``needs``: die i hits at ``needs[i]`` or less), the luck
of the roll is its hits less the hits expected, the sum of needs[i] / sides. Where they are not, but the rules say for
whom a high face is good (``Roll.favours``), a die counts (face - 1) / (sides - 1): from 0, the worst, to 1, the best,
as a miss and a hit do; one half is expected. That is no opinion: whatever was done before the roll, its luck is nought
on average. Other rolls are listed with the total of their faces, but are nobody's luck.

**Whose it is.** Of the side that the roll favours, as the rules say while a game is played or run again. Where they say
nothing, a roll for hits belongs to the side that rolled, as the label ``turn/phase/purpose/number`` tells it:

1. the one side that may see a secret roll;
2. a side or power that is named in the purpose (``battle:north``);
3. otherwise the side or power that the phase is named for (``italy.combat``), or its only opponent where the purpose
   says defence (``defence.TOB``).

A roll of which none of this is true is nobody's. Luck is counted in thousandths of a hit and is exact.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import RollRecord
from sandtable.kernel.ruleset import Ruleset

DEFENCE = ("defence", "defense", "defender", "defend")

_BETWEEN_WORDS = re.compile(r"[.:]")

Whose = Callable[[RollRecord], str]
"""Tells the side whose luck a roll is, "" for nobody."""


@dataclass(frozen=True)
class LuckEntry:
    """One roll: what it came to and what was expected, in hits (``by_hits``) or as the total of faces.

    ``side`` is whose luck it is, "" for nobody; ``deviation`` the standard deviation of such a roll, ``span`` what one
    die may come to more than its least.
    """

    record: int
    label: str
    side: str
    dice: int
    by_hits: bool
    came: int
    expected: Fraction
    deviation: float
    span: int = 1

    @property
    def surplus(self) -> Fraction:
        """What came more than expected."""
        return self.came - self.expected

    @property
    def luck(self) -> Fraction:
        """The surplus in hits: a die that shows its best face is a hit, one that shows its worst a miss."""
        return self.surplus / self.span

    @property
    def sigmas(self) -> float | None:
        """The surplus in standard deviations; None where chance had no part in it."""
        return float(self.surplus) / self.deviation if self.deviation else None


def entry(roll: RollRecord, number: int, side: str) -> LuckEntry:
    """Return the entry of ``roll``, record ``number`` of its log, the luck of ``side``."""
    sides, count = roll.sides, len(roll.dice)
    if roll.needs:
        ways = [min(max(need, 0), sides) for need in roll.needs]
        came = sum(map(int.__le__, roll.dice, roll.needs))
        expected = Fraction(sum(ways), sides)
        variance = Fraction(sum(way * (sides - way) for way in ways), sides * sides)
        return LuckEntry(
            number, roll.label, side, count, by_hits=True, came=came, expected=expected, deviation=sqrt(variance)
        )
    expected = Fraction(count * (sides + 1), 2)
    variance = Fraction(count * (sides * sides - 1), 12)
    what = (number, roll.label, side, count, False, sum(roll.dice), expected)
    return LuckEntry(*what, sqrt(variance), sides - 1)


def whose_luck(ruleset: Ruleset, favours: Mapping[str, str]) -> Whose:
    """Return whose luck rolls are in a game of ``ruleset``; ``favours`` is what its rules said, by label."""
    sides = ruleset.viewers
    known: dict[str, str] = {}

    def by_label(label: str) -> str:
        _, phase, purpose, _ = label.split("/", 3)
        words = _BETWEEN_WORDS.split(purpose)
        named = _named(words, ruleset, sides)
        if named:
            return named
        phasing = _named(_BETWEEN_WORDS.split(phase), ruleset, sides)
        if phasing and len(sides) == 2 and any(word in DEFENCE for word in words):
            return sides[1] if phasing == sides[0] else sides[0]
        return phasing

    def whose(roll: RollRecord) -> str:
        if (said := favours.get(roll.label)) is not None:
            return said
        if not roll.needs or roll.side:
            return roll.side if roll.needs else ""
        label = roll.label.rpartition("/")[0].partition("/")[2]
        if label not in known:
            known[label] = by_label(roll.label)
        return known[label]

    return whose


def _named(words: Iterable[str], ruleset: Ruleset, sides: Iterable[str]) -> str:
    """Return the one side that ``words`` name, or whose power they name; "" for none or several."""
    found = {ruleset.side_of(word) for word in words if word in ruleset.seats or word in sides} - {UMPIRE}
    return found.pop() if len(found) == 1 else ""


def ledger(records: Iterable[Any], whose: Whose) -> list[LuckEntry]:
    """Return an entry for each roll among ``records``; a roll of no dice is none."""
    return [
        entry(record, record.n, whose(record)) for record in records if record.__class__ is RollRecord and record.dice
    ]


def luck_milli(records: Iterable[Any], whose: Whose) -> dict[str, int]:
    """Return the luck of every side that had any, in thousandths of a hit; what a row of results holds."""
    surplus: dict[tuple[str, int], int] = {}
    for record in records:
        if record.__class__ is RollRecord and record.dice and (side := whose(record)):
            sides, needs = record.sides, record.needs
            if needs:
                expected = sum([need if 0 < need < sides else sides if need > 0 else 0 for need in needs])
                key, more = (side, sides), sum(map(int.__le__, record.dice, needs)) * sides - expected
            else:
                key, more = (side, 2 * (sides - 1)), 2 * sum(record.dice) - len(record.dice) * (sides + 1)
            surplus[key] = surplus.get(key, 0) + more
    sums: dict[str, Fraction] = {}
    for (side, parts), each in sorted(surplus.items()):
        sums[side] = sums.get(side, Fraction(0)) + Fraction(each, parts)
    return {side: round(1000 * each) for side, each in sums.items()}


def by_entrant(luck: Mapping[str, int], lineup: Mapping[str, str]) -> dict[str, int]:
    """Return the luck of entrants, each being lucky on all sides for which he sits; {} where nobody had any."""
    if not luck:
        return {}
    found = dict.fromkeys(lineup.values(), 0)
    for side, each in luck.items():
        if side in lineup:
            found[lineup[side]] += each
    return found
