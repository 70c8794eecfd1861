"""What a roll may come to, and how likely each is: whole-number weights, exact; of samples, how sure their share is."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import NamedTuple

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Roll

MOST_OUTCOMES = 4_096
Z95 = 1.959963984540054
"""Half the width of the interval that holds 95 % of a normal distribution, in standard deviations."""


class TooLarge(SandtableError):
    """There is too much to walk through."""


class Outcome(NamedTuple):
    """``weight`` of the roll's ``total(roll)`` ways come to this; ``faces`` stand for all of them."""

    weight: int
    faces: tuple[int, ...]


def total(roll: Roll) -> int:
    """Return how many ways the dice of ``roll`` can fall."""
    return int(roll.sides**roll.dice)


def outcomes(roll: Roll) -> tuple[Outcome, ...]:
    """Return what ``roll`` may come to, as far as it matters: the weights sum to ``total(roll)``.

    Where only the number of hits matters (``pooled``), that; where dice are read by ``needs``, which of them hit; and
    otherwise every face of every die. Raises TooLarge when that is too much.
    """
    return _outcomes(roll.dice, roll.sides, roll.needs, roll.pooled)


@lru_cache(maxsize=1_024)
def _outcomes(dice: int, sides: int, needs: tuple[int, ...], pooled: bool) -> tuple[Outcome, ...]:  # noqa: FBT001 - a key of the cache
    if needs and pooled:
        return tuple(_pooled(sides, needs))
    ways = 2**dice if needs else sides**dice
    if ways > MOST_OUTCOMES:
        raise TooLarge(f"{dice}d{sides} can fall in {ways} ways that differ")
    if needs:
        return tuple(_singly(sides, needs))
    return tuple(Outcome(1, faces) for faces in product(range(1, sides + 1), repeat=dice))


def _pooled(sides: int, needs: tuple[int, ...]) -> Iterator[Outcome]:
    """Yield one outcome for each number of hits, none first."""
    ways = [1]
    for need in needs:
        hit = min(max(need, 0), sides)
        ways = [miss * (sides - hit) + one_less * hit for miss, one_less in zip([*ways, 0], [0, *ways], strict=True)]
    for hits, weight in enumerate(ways):
        if weight:
            yield Outcome(weight, _faces(sides, needs, hits))


def _faces(sides: int, needs: tuple[int, ...], hits: int) -> tuple[int, ...]:
    """Return faces with so many hits: dice that cannot miss, then the others in their order."""
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
    """Return Wilson's 95 % interval of a score: ``points`` (a draw is half a one) out of ``games``; None for no games.

    Draws make the true interval narrower than this, and so do pairs of games with the same dice and sides swapped (what
    favours a side, favours both players once): the interval is on the safe side.
    """
    if games <= 0:
        return None
    score, square = points / games, Z95 * Z95
    middle = (score + square / (2 * games)) / (1 + square / games)
    half = Z95 / (1 + square / games) * sqrt(score * (1 - score) / games + square / (4 * games * games))
    low = 0.0 if points == 0 else max(0.0, middle - half)
    high = 1.0 if points == games else min(1.0, middle + half)
    return low, high
