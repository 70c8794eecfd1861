"""The close of a game turn: after the last the game is judged (AGC-5.0a)."""

from damos.model.state import DamosState
from sandtable.kernel.sequence import Procedure


def closing(state: DamosState) -> Procedure:
    """Let the exclusive rules tell whether the game is over."""
    yield from state.board.exclusive.judge(state)
