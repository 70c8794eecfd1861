"""Evaluation of an unfinished campaign (AGC-5.0)."""

from damos.model.board import Board
from damos.model.state import ON_MAP, DamosState
from damos.model.tables import GERMAN, SOVIET
from damos.turn.victory import hexes_beside
from sandtable.hexes import range_hexes

PACE_HEXES = 2
"""Hexes that a spearhead advances per turn, the average of campaigns."""
SPEARHEAD = 4
"""Number of German units nearest to the objective that measure the advance."""
AHEAD, AT_THE_END = 3, 12
"""Factors of the German share if the game would now end in a German victory: before the last turn, and on it."""


def evaluate(state: DamosState, board: Board) -> dict[str, int]:
    """Return the share of each side in the game, in thousandths."""
    away = board.hexmap.axial
    goal = away[board.victory.objective]
    strength = {GERMAN: 1, SOVIET: 1}
    distances: list[int] = []
    for unit in state.units.values():
        if unit.standing == ON_MAP:
            strength[unit.side] += unit.sp
            if unit.side == GERMAN:
                distances.append(range_hexes(away[unit.hex], goal))
    if not distances:  # no unit has been set up
        return {GERMAN: 500, SOVIET: 500}
    left = max(board.last_turn - state.turn, 0)
    spearhead = sorted(distances)[:SPEARHEAD]
    german = strength[GERMAN] * (PACE_HEXES * left + 2)
    soviet = strength[SOVIET] * (sum(spearhead) // len(spearhead) + 1)
    held = state.control.get(board.victory.objective) == GERMAN
    if held or len(hexes_beside(state)) >= board.victory.adjacent:
        german *= AHEAD if left else AT_THE_END
    share = min(max(1000 * german**2 // (german**2 + soviet**2), 5), 995)
    return {GERMAN: share, SOVIET: 1000 - share}
