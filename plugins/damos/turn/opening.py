"""The opening of a game turn: bookkeeping, and what the exclusive rules ask at its beginning (AGC-4.4a, AGC-4.8a)."""

from damos.model.events import TurnOpened
from damos.model.state import DamosState
from sandtable.kernel.sequence import Procedure


def opening(state: DamosState) -> Procedure:
    """Clear the marks of the turn before, then let the exclusive rules have their say."""
    yield TurnOpened()
    yield from state.board.exclusive.open_turn(state)
