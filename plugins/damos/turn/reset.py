"""The reset phase: all units of the phasing side are fresh again (DM-11.0a)."""

from damos.model.events import UnitsReset
from damos.model.state import DamosState
from damos.turn.special_rules import has_player_turn
from sandtable.kernel.sequence import Procedure


def reset(state: DamosState) -> Procedure:
    """Reset the phasing side; whoever of the other reacted stays spent through its own player turn (DM-11.0b)."""
    if has_player_turn(state, state.phasing_side):
        yield UnitsReset(state.phasing_side)
