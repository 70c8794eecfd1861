"""The die for a leader who is a casualty (KH-23.02 to KH-23.05)."""

from khamsin.model.cards import ENEMY
from khamsin.model.events import CharacterHit
from khamsin.model.state import KhamsinState
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure

KILLED_ON, WOUNDED_UP_TO = 1, 3


def days_of(face: int) -> int:
    """Return the d3 of a face (KH-R107)."""
    return (face + 1) // 2


def roll_casualty(state: KhamsinState, leader_id: str, die: int = 0, days: int = 0) -> Procedure:
    """Roll a leader's fate: 1 killed, 2 or 3 out for a d3 of whole turns, else nothing; dice given are not rolled.

    ``days`` is the d3 (KH-R107).
    """
    side = state.leaders[leader_id].side
    if not die:
        (die,) = yield Roll(1, 6, f"casualty:{leader_id}", "KH-23.02", side=side, favours=side)
    if die == KILLED_ON:
        yield CharacterHit(leader_id, side, die, "killed")
    elif die > WOUNDED_UP_TO:
        yield CharacterHit(leader_id, side, die, "minor", rule="KH-23.05")
    else:
        if not days:
            (face,) = yield Roll(1, 6, f"wound:{leader_id}", "KH-23.03", side=side, favours=ENEMY[side])
            days = days_of(face)
        yield CharacterHit(leader_id, side, die, "wounded", days, state.turn + days + 1, "KH-23.03")
