"""What a roll may come to, and how likely each is: whole-number weights, exact."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Roll

MOST_OUTCOMES = 4_096


class TooLarge(SandtableError):
    """There is too much to walk through."""


class Outcome(NamedTuple):
    """``weight`` of the roll's ``total(roll)`` ways come to this; ``faces`` stand for all of them."""

    weight: int
    faces: tuple[int, ...]


def total(roll: Roll) -> int:
    """Return how many ways the dice of ``roll`` can fall."""
    return int(roll.sides**roll.dice)


def outcomes(roll: Roll) -> list[Outcome]:
    """Return what ``roll`` may come to, as far as it matters: the weights sum to ``total(roll)``.

    Where only the number of hits matters (``pooled``), that; where dice are read by ``needs``, which of them hit; and
    otherwise every face of every die. Raises TooLarge when that is too much.
    """
    if roll.needs and roll.pooled:
        return list(_pooled(roll))
    ways = 2**roll.dice if roll.needs else total(roll)
    if ways > MOST_OUTCOMES:
        raise TooLarge(f"{roll.dice}d{roll.sides} for {roll.purpose} can fall in {ways} ways")
    if roll.needs:
        return list(_singly(roll))
    return [Outcome(1, faces) for faces in product(range(1, roll.sides + 1), repeat=roll.dice)]


def _pooled(roll: Roll) -> Iterator[Outcome]:
    """Yield one outcome for each number of hits, none first."""
    sides = roll.sides
    ways = [1]
    for need in roll.needs:
        hit = min(max(need, 0), sides)
        ways = [
            before * (sides - hit) + fewer * hit for before, fewer in zip([*ways, 0], [0, *ways], strict=True)
        ]
    for hits, weight in enumerate(ways):
        if weight:
            yield Outcome(weight, _faces(roll, hits))


def _faces(roll: Roll, hits: int) -> tuple[int, ...]:
    """Return faces with so many hits: dice that cannot miss first, then the others in their order."""
    sure = [place for place, need in enumerate(roll.needs) if need >= roll.sides]
    open_ = [place for place, need in enumerate(roll.needs) if 0 < need < roll.sides]
    chosen = {*sure, *open_[: hits - len(sure)]}
    return tuple(1 if place in chosen else roll.sides for place in range(roll.dice))


def _singly(roll: Roll) -> Iterator[Outcome]:
    """Yield one outcome for each set of dice that hit."""
    hit = [min(max(need, 0), roll.sides) for need in roll.needs]
    for pattern in product((True, False), repeat=roll.dice):
        weight = 1
        for hits, ways in zip(pattern, hit, strict=True):
            weight *= ways if hits else roll.sides - ways
        if weight:
            yield Outcome(weight, tuple(1 if hits else roll.sides for hits in pattern))
