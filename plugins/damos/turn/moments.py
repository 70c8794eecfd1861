"""What the exclusive rules do at moments of a turn that the series names: its opening, player turns, activations."""

from damos.model.state import DamosState
from damos.movement.pause import begin_pause, choose_pause, look_at_smolensk
from damos.turn.cossacks import name_cossacks
from damos.turn.rail_conversion import extend_rails
from damos.turn.special_rules import demand_attacks
from sandtable.kernel.sequence import Procedure


def open_turn(state: DamosState) -> Procedure:
    """Begin a turn: pauses, then the Cossacks (AGC-4.7a, AGC-4.3.1h, AGC-4.8a)."""
    yield from begin_pause(state)
    yield from choose_pause(state)
    yield from name_cossacks(state)


def open_player_turn(state: DamosState) -> Procedure:
    """Begin a player turn: attacks may be demanded (AGC-4.6.3a)."""
    yield from demand_attacks(state)


def open_strategic(state: DamosState) -> Procedure:
    """Begin a strategic movement phase: the railways come first (AGC-4.3.1d)."""
    yield from extend_rails(state)


def after_activation(state: DamosState) -> Procedure:
    """See what an activation has set off (AGC-4.7a)."""
    yield from look_at_smolensk(state)
