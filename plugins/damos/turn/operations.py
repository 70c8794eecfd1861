"""The operations phase: one activation a call, then what stacks too high is given up (DM-7.0, DM-2.3d)."""

from damos.map.stacking import trim
from damos.model.state import DamosState
from damos.movement.activation import operations as play_activation
from damos.turn.special_rules import has_player_turn
from sandtable.kernel.sequence import Procedure


def operations(state: DamosState) -> Procedure:
    """Play one activation; return True when the phase is over."""
    if not has_player_turn(state, state.phasing_side):  # AGC-4.6.1a
        return True
    done: bool = yield from play_activation(state)
    if done:
        yield from trim(state, state.phasing_side)
    return done
