"""The odds of a battle, exact for small forces: the weakest units are lost first, and neither side retreats.

Probabilities are whole numbers out of ``WHOLE``. In large forces every second unit represents two.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

WHOLE = 1 << 20
SIDES = 6
MAX_CELLS = 200
"""Maximum product of the sizes of both forces; larger forces are thinned out."""


class Odds(NamedTuple):
    """The probability that the attack wins, and the average numbers of units left, in thousandths of a unit."""

    wins: int
    attackers: int
    defenders: int


def odds(attack: Sequence[int], defense: Sequence[int]) -> Odds:
    """Return the odds of a battle. ``attack`` and ``defense`` have the highest face that hits, for each unit.

    For large forces they are an approximation: half of the units fight, repeatedly, until ``MAX_CELLS`` suffices.
    """
    a, d = sorted(attack), sorted(defense)
    scale = 1
    while len(a) * len(d) > MAX_CELLS:
        a, d, scale = a[1::2] or a[-1:], d[1::2] or d[-1:], scale * 2
    wins, attackers, defenders = _fought(tuple(a), tuple(d))
    return Odds(wins, attackers * scale, defenders * scale)


@lru_cache(maxsize=4096)
def _fought(a: tuple[int, ...], d: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the fields of Odds, by going through all pairs of losses in increasing order."""
    hits_a, hits_d = _hits(a), _hits(d)
    mass = [[0] * (len(d) + 1) for _ in range(len(a) + 1)]
    mass[0][0] = WHOLE
    for i in range(len(a)):
        for j in range(len(d)):
            here = mass[i][j]
            if not here:
                continue
            mine, theirs = hits_a[i], hits_d[j]
            moving = WHOLE - (mine[0] * theirs[0] >> 20)
            for killed, chance in enumerate(mine):
                share = here * chance // moving
                row = min(j + killed, len(d))
                for lost, other in enumerate(theirs):
                    if killed or lost:
                        mass[min(i + lost, len(a))][row] += share * other >> 20
    wins = sum(mass[i][len(d)] for i in range(len(a)))
    left = sum(mass[i][len(d)] * (len(a) - i) for i in range(len(a)))
    foes = sum(mass[len(a)][j] * (len(d) - j) for j in range(len(d)))
    return wins, left * 1000 >> 20, foes * 1000 >> 20


def _hits(faces: tuple[int, ...]) -> list[list[int]]:
    """Return, for each number of losses, the probabilities that the remaining units score 0, 1, 2, … hits."""
    chances = [[WHOLE]]
    for face in reversed(faces):
        last = chances[-1]
        spread = [0] * (len(last) + 1)
        for hits, chance in enumerate(last):
            spread[hits] += chance * (SIDES - face) // SIDES
            spread[hits + 1] += chance * face // SIDES
        chances.append(spread)
    return chances[:0:-1]
