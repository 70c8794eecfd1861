"""Estimates of how a single combat ends, for players and bots. The rules do not use them."""

from functools import cache
from itertools import product
from typing import NamedTuple

from damos.model.tables import column_of, combat_result, dice_of, lp_rank

CERTAIN = 100
OVERWHELMING = 12
"""Ratio to one at which the defender is eliminated without a roll (AGC-4.6.2a)."""


class Strength(NamedTuple):
    """Strength points after terrain, and the modifier of the roll."""

    points: int
    modifier: int = 0


@cache
def win_chance(attack: Strength, defense: Strength) -> int:
    """Return the probability in percent that the attacker wins; the defender wins ties (R-DM-12)."""
    if attack.points >= OVERWHELMING * max(1, defense.points):
        return CERTAIN
    suffered = _ranks(defense)
    won = throws = 0
    for inflicted, count in _ranks(attack):
        for on_attacker, other_count in suffered:
            throws += count * other_count
            won += count * other_count * (inflicted > on_attacker)
    return CERTAIN * won // throws


def _ranks(side: Strength) -> list[tuple[int, int]]:
    """Return the losses that a side may inflict, as indexes of their ladder, each with its number of rolls."""
    column = column_of(side.points)
    return [
        (lp_rank(combat_result(column, total + side.modifier)), count)
        for total, count in _throws(dice_of(max(1, side.points)))
    ]


@cache
def _throws(dice: int) -> tuple[tuple[int, int], ...]:
    """Return the totals of ``dice`` dice, each with its number of rolls."""
    totals = [sum(each) for each in product(range(1, 7), repeat=dice)]
    return tuple((total, totals.count(total)) for total in sorted(set(totals)))
