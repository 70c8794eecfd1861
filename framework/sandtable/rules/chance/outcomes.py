"""The outcomes of a roll with their exact integer weights, and the confidence interval of a sampled score."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import NamedTuple

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Roll

MAX_OUTCOMES = 4_096
Z95 = 1.959963984540054
"""Half the width of the interval that contains 95 % of a normal distribution, in standard deviations."""


class TooLarge(SandtableError):
    """The tree is too large to walk through."""


class Outcome(NamedTuple):
    """One outcome of a roll: ``weight`` of its ``total(roll)`` dice combinations; ``faces`` represent all of them."""

    weight: int
    faces: tuple[int, ...]


def total(roll: Roll) -> int:
    """Return the number of combinations of the dice of ``roll``."""
    return int(roll.sides**roll.dice)


def outcomes(roll: Roll) -> tuple[Outcome, ...]:
    """Return the distinct outcomes of ``roll``; their weights sum to ``total(roll)``.

    If only the number of hits matters (``pooled``), there is one for each number. If dice are read by ``needs``, there
    is one for each set of dice that hit. If neither is set, there is one for each combination of faces. Raises TooLarge
    if there are too many.
    """
    return _outcomes(roll.dice, roll.sides, roll.needs, roll.pooled)


@lru_cache(maxsize=1_024)
def _outcomes(dice: int, sides: int, needs: tuple[int, ...], pooled: bool) -> tuple[Outcome, ...]:  # noqa: FBT001 - a key of the cache
    if needs and pooled:
        return tuple(_pooled(sides, needs))
    ways = 2**dice if needs else sides**dice
    if ways > MAX_OUTCOMES:
        raise TooLarge(f"{dice}d{sides} has {ways} distinct outcomes")
    if needs:
        return tuple(_singly(sides, needs))
    return tuple(Outcome(1, faces) for faces in product(range(1, sides + 1), repeat=dice))


def _pooled(sides: int, needs: tuple[int, ...]) -> Iterator[Outcome]:
    """Yield one outcome for each number of hits, in ascending order."""
    ways = [1]
    for need in needs:
        hit = min(max(need, 0), sides)
        ways = [miss * (sides - hit) + one_less * hit for miss, one_less in zip([*ways, 0], [0, *ways], strict=True)]
    for hits, weight in enumerate(ways):
        if weight:
            yield Outcome(weight, _faces(sides, needs, hits))


def _faces(sides: int, needs: tuple[int, ...], hits: int) -> tuple[int, ...]:
    """Return faces with ``hits`` hits: first the dice that cannot miss, then the others in order."""
    sure = [place for place, need in enumerate(needs) if need >= sides]
    able = [place for place, need in enumerate(needs) if 0 < need < sides]
    hitting = {*sure, *able[: hits - len(sure)]}
    return tuple(1 if place in hitting else sides for place in range(len(needs)))


def _singly(sides: int, needs: tuple[int, ...]) -> Iterator[Outcome]:
    """Yield one outcome for each set of dice that hit."""
    hit = [min(max(need, 0), sides) for need in needs]
    for pattern in product((True, False), repeat=len(needs)):
        weight = 1
        for hits, ways in zip(pattern, hit, strict=True):
            weight *= ways if hits else sides - ways
        if weight:
            yield Outcome(weight, tuple(1 if hits else sides for hits in pattern))


def wilson(points: float, games: int) -> tuple[float, float] | None:
    """Return Wilson's 95 % interval of a score, or None if ``games`` is 0.

    The score is ``points`` (a draw counts half) out of ``games``. The result is a safe estimate, because the true
    interval is narrower in two cases. One is draws. The other is pairs of games with the same dice and sides swapped,
    in which an advantage of a side helps each player once.
    """
    if games <= 0:
        return None
    score, square = points / games, Z95 * Z95
    middle = (score + square / (2 * games)) / (1 + square / games)
    half = Z95 / (1 + square / games) * sqrt(score * (1 - score) / games + square / (4 * games * games))
    low = 0.0 if points == 0 else max(0.0, middle - half)
    high = 1.0 if points == games else min(1.0, middle + half)
    return low, high
