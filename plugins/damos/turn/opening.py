"""The opening of a game turn: bookkeeping, and what the exclusive rules ask at its beginning (AGC-4.4a, AGC-4.8a)."""

from damos.model.events import TurnOpened
from damos.model.state import DamosState
from damos.movement.pause import begin_pause, choose_pause
from damos.turn.cossacks import name_cossacks
from sandtable.kernel.sequence import Procedure


def opening(state: DamosState) -> Procedure:
    """Clear the marks of the turn before; then pauses and the Cossacks (AGC-4.7a, AGC-4.3.1h, AGC-4.8a)."""
    yield TurnOpened()
    yield from begin_pause(state)
    yield from choose_pause(state)
    yield from name_cossacks(state)
