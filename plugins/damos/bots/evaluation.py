"""Who will win a campaign that is broken off (AGC-5.0), and how a single combat is likely to end."""

from functools import cache
from itertools import product
from typing import NamedTuple

from damos.model.board import Board
from damos.model.state import ON_MAP, DamosState
from damos.model.tables import GERMAN, SOVIET, column_of, combat_result, dice_of, lp_rank
from damos.turn.victory import hexes_beside
from sandtable.board.hexes.grid import range_hexes

PACE_HEXES = 2
"""So far a spearhead comes in a turn, on average of campaigns."""
SPEARHEAD = 4
"""The nearest so many German units tell how far they have come."""
AHEAD, AT_THE_END = 3, 12
"""How much more the Germans are worth while it would be their victory now, and on the last turn."""


def evaluate(state: DamosState, board: Board) -> dict[str, int]:
    """Return the share of each side in the game, in thousandths."""
    away = board.hexmap.axial
    goal = away[board.victory.objective]
    strength = {GERMAN: 1, SOVIET: 1}
    ways: list[int] = []
    for unit in state.units.values():
        if unit.standing == ON_MAP:
            strength[unit.side] += unit.sp
            if unit.side == GERMAN:
                ways.append(range_hexes(away[unit.hex], goal))
    if not ways:  # nobody has been set up
        return {GERMAN: 500, SOVIET: 500}
    left = max(board.last_turn - state.turn, 0)
    spearhead = sorted(ways)[:SPEARHEAD]
    german = strength[GERMAN] * (PACE_HEXES * left + 2)
    soviet = strength[SOVIET] * (sum(spearhead) // len(spearhead) + 1)
    held = state.control.get(board.victory.objective) == GERMAN
    if held or len(hexes_beside(state)) >= board.victory.adjacent:
        german *= AHEAD if left else AT_THE_END
    share = min(max(1000 * german**2 // (german**2 + soviet**2), 5), 995)
    return {GERMAN: share, SOVIET: 1000 - share}


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
