"""How a single combat is likely to end: what players reckon with; the rules do not ask for it."""

from functools import cache
from itertools import product
from typing import NamedTuple

from damos.model.tables import column_of, combat_result, dice_of, lp_rank

CERTAIN = 100
OVERWHELMING = 12
"""At so many to one the defender is eliminated without a throw (AGC-4.6.2a)."""


class Strength(NamedTuple):
    """Strength points as the ground changes them, and the modifier of the throw."""

    points: int
    modifier: int = 0


@cache
def win_chance(attack: Strength, defence: Strength) -> int:
    """Return in how many of a hundred combats the attacker wins; a tie is the defender's (R-DM-12)."""
    if attack.points >= OVERWHELMING * max(1, defence.points):
        return CERTAIN
    suffered = _ranks(defence)
    won = throws = 0
    for inflicted, ways in _ranks(attack):
        for on_attacker, other_ways in suffered:
            throws += ways * other_ways
            won += ways * other_ways * (inflicted > on_attacker)
    return CERTAIN * won // throws


def _ranks(side: Strength) -> list[tuple[int, int]]:
    """Return what a side may inflict, as places on the ladder of loss points, each with its number of throws."""
    column = column_of(side.points)
    return [
        (lp_rank(combat_result(column, total + side.modifier)), ways)
        for total, ways in _throws(dice_of(max(1, side.points)))
    ]


@cache
def _throws(dice: int) -> tuple[tuple[int, int], ...]:
    """Return the totals of so many dice, each with its number of throws."""
    totals = [sum(each) for each in product(range(1, 7), repeat=dice)]
    return tuple((total, totals.count(total)) for total in sorted(set(totals)))
