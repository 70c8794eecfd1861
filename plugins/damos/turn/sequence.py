"""The sequence of play: the first player's turn, then the second's, each in five phases (DM-4.0a, DM-4.0b)."""

from damos.model.board import GERMAN, SOVIET
from damos.turn.opening import opening
from damos.turn.operations import operations
from damos.turn.reinforcement import reinforcement
from damos.turn.reset import reset
from damos.turn.setup import set_up
from damos.turn.strategic import strategic
from damos.turn.surrender import surrender
from damos.turn.victory import judge
from sandtable.kernel.sequence import Phase, PlayerTurn, SequenceOfPlay

PHASES = (
    Phase("reinforcement", reinforcement, rule="DM-5.0a"),
    Phase("strategic", strategic, rule="DM-6.0a"),
    Phase("operations", operations, rule="DM-7.0a", repeats=True),
    Phase("surrender", surrender, rule="DM-10.0a"),
    Phase("reset", reset, rule="DM-11.0a"),
)


def sequence_of(first: str) -> SequenceOfPlay:
    """Return the sequence of play with this first player (DM-2.1c, R-DM-01)."""
    order = (GERMAN, SOVIET) if first == GERMAN else (SOVIET, GERMAN)
    return SequenceOfPlay(
        setup=(
            Phase("setup.soviet", set_up, SOVIET, rule="AGC-6.0a"),
            Phase("setup.german", set_up, GERMAN, rule="AGC-6.0a"),
        ),
        turn=(
            Phase("opening", opening, rule="AGC-4.4a"),
            *(PlayerTurn(side, side, PHASES) for side in order),
            Phase("closing", judge, rule="AGC-5.0a"),
        ),
    )
