"""Who has zones: types of units, the Soviets taken unawares, Cossacks; and the rivers of turn 1 (AGC-3, 4.6, 4.8)."""

from damos.model.board import GERMAN, SOVIET
from damos.model.state import DamosState

UNAWARE_TURN = 1


def has_influence(state: DamosState, unit_id: str) -> bool:
    """Tell whether a unit has a zone of influence, demoralisation aside (AGC-3.1a, AGC-3.2a).

    No Soviet unit has on turn 1 (AGC-4.6.1b); all have that stand in the hex of the Cossacks (AGC-4.8a, R-DM-68).
    """
    counter = state.board.counters[unit_id]
    if counter.side == GERMAN:
        return bool(counter.zoi)
    if not has_zones(state, SOVIET):
        return False
    return bool(counter.zoi) or (state.cossacks != "" and state.units[unit_id].hex == state.cossacks)


def has_zones(state: DamosState, side: str) -> bool:
    """Tell whether a side's forces have zones at all: the Soviets have none on turn 1 (AGC-4.6.1b, AGC-4.6.1c)."""
    return side != SOVIET or state.turn > UNAWARE_TURN


def ignores_rivers(state: DamosState, side: str) -> bool:
    """Tell whether rivers do nothing to a side now: the Germans on turn 1 (AGC-4.6.5a, R-DM-66)."""
    return state.turn <= UNAWARE_TURN and (side == GERMAN or state.options["turn1_rivers"] == "both")
