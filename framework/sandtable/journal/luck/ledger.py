"""The luck ledger: each roll of a game compared with its expected result.

**What luck is.** If the dice of a roll are read one by one (``needs``: die i hits at ``needs[i]`` or less), the luck of
the roll is its hits minus the expected hits, the sum of needs[i] / sides. If they are not, but the rules state which
side a high face favors (``Roll.favors``), a die counts (face - 1) / (sides - 1): from 0, the worst, to 1, the best,
like a miss and a hit; one half is expected. This does not judge play: whatever was done before the roll, its luck
averages zero. Other rolls are listed with the total of their faces, but belong to no side.

**Which side it belongs to.** The side that the roll favors, as the rules state while a game is played or rerun. If they
state none, a roll for hits belongs to the side that rolled, according to the label ``turn/phase/purpose/number``:

1. the one side that may see a secret roll;
2. a side or power that is named in the purpose (``battle:north``);
3. otherwise the side or power that the phase is named for (``italy.combat``), or its only opponent if the purpose
   names defense (``defence.TOB``).

A roll to which none of this applies belongs to no side. Luck is counted in thousandths of a hit and is exact.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import RollRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Prepared

DEFENSE_WORDS = ("defence", "defense", "defender", "defend")

_BETWEEN_WORDS = re.compile(r"[.:]")

LuckSide = Callable[[RollRecord], str]
"""A function that returns the side whose luck a roll is, or "" if it belongs to no side."""


@dataclass(frozen=True)
class LuckEntry:
    """A roll with its result and expected result, in hits (``by_hits``) or as the total of faces.

    ``side`` is the side whose luck it is, or "". ``deviation`` is the standard deviation of such a roll, ``span`` the
    difference between the best and the worst result of one die.
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
        """The result minus the expected result."""
        return self.came - self.expected

    @property
    def luck(self) -> Fraction:
        """The surplus in hits: the best face of a die counts as a hit, the worst as a miss."""
        return self.surplus / self.span

    @property
    def sigmas(self) -> float | None:
        """The surplus in standard deviations, or None if the result was certain."""
        return float(self.surplus) / self.deviation if self.deviation else None


def entry(roll: RollRecord, number: int, side: str) -> LuckEntry:
    """Return the entry of ``roll``, record ``number`` of its log, as the luck of ``side``."""
    sides, count = roll.sides, len(roll.dice)
    if roll.needs:
        hitting = [min(max(need, 0), sides) for need in roll.needs]
        came = sum(map(int.__le__, roll.dice, roll.needs))
        expected = Fraction(sum(hitting), sides)
        variance = Fraction(sum(each * (sides - each) for each in hitting), sides * sides)
        return LuckEntry(
            number, roll.label, side, count, by_hits=True, came=came, expected=expected, deviation=sqrt(variance)
        )
    expected = Fraction(count * (sides + 1), 2)
    variance = Fraction(count * (sides * sides - 1), 12)
    what = (number, roll.label, side, count, False, sum(roll.dice), expected)
    return LuckEntry(*what, sqrt(variance), sides - 1)


def luck_side_of(ruleset: Ruleset, favors: Mapping[str, str]) -> LuckSide:
    """Return the function that gives the side of a roll's luck; ``favors`` is what the rules stated, by label."""
    sides = ruleset.viewers
    known: dict[str, str] = {}

    def by_label(label: str) -> str:
        _, phase, purpose, _ = label.split("/", 3)
        words = _BETWEEN_WORDS.split(purpose)
        named = _named(words, ruleset, sides)
        if named:
            return named
        phasing = _named(_BETWEEN_WORDS.split(phase), ruleset, sides)
        if phasing and len(sides) == 2 and any(word in DEFENSE_WORDS for word in words):
            return sides[1] if phasing == sides[0] else sides[0]
        return phasing

    def luck_side(roll: RollRecord) -> str:
        if (stated := favors.get(roll.label)) is not None:
            return stated
        if not roll.needs or roll.side:
            return roll.side if roll.needs else ""
        label = roll.label.rpartition("/")[0].partition("/")[2]
        if label not in known:
            known[label] = by_label(roll.label)
        return known[label]

    return luck_side


def _named(words: Iterable[str], ruleset: Ruleset, sides: Iterable[str]) -> str:
    """Return the one side that ``words`` name directly or by one of its powers, or "" for none or several."""
    found = {ruleset.side_of(word) for word in words if word in ruleset.seats or word in sides} - {UMPIRE}
    return found.pop() if len(found) == 1 else ""


def ledger(records: Iterable[Any], luck_side: LuckSide) -> list[LuckEntry]:
    """Return an entry for each roll among ``records``; rolls without dice are skipped."""
    return [
        entry(record, record.n, luck_side(record))
        for record in records
        if record.__class__ is RollRecord and record.dice
    ]


def luck_of_rolls(game: Game, prepared: Prepared) -> list[tuple[int, str, float, float]]:
    """Return the luck of each roll of ``game``: record, side, hits above the expectation, and standard deviations."""
    entries = ledger(game.records, luck_side_of(prepared.ruleset, game.favors))
    return [(each.record, each.side, float(each.luck), each.sigmas or 0.0) for each in entries]


def luck_milli(records: Iterable[Any], luck_side: LuckSide) -> dict[str, int]:
    """Return the luck of every side that had any, in thousandths of a hit, as stored in a row of results."""
    surplus: dict[tuple[str, int], int] = {}
    for record in records:
        if record.__class__ is RollRecord and record.dice and (side := luck_side(record)):
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
    """Return the luck of entrants, summed over the sides they play; {} if no side had any."""
    if not luck:
        return {}
    found = dict.fromkeys(lineup.values(), 0)
    for side, each in luck.items():
        if side in lineup:
            found[lineup[side]] += each
    return found
