"""Tic-tac-toe as a ruleset: a minimal game for measuring the kernel."""

from pathlib import Path

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves
from sandtable.kernel.options import OneOf
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.kernel.state import State
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manifest import Manifest, Parts, RuleRow

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINES_OF = tuple(tuple(line for line in LINES if cell in line) for cell in range(9))
OTHER = {"x": "o", "o": "x"}


class Mark(Order, frozen=True):
    """Put your mark in ``cell``, 0 to 8."""

    cell: int


class Marked(Event, frozen=True):
    """``side`` put its mark in ``cell``."""

    side: str
    cell: int
    rule: str = "T3-1"


class Board(State, kw_only=True):
    """Nine cells ("" if empty), and the side to move."""

    cells: list[str]
    to_move: str = "x"


MARKS = tuple(Mark(cell) for cell in range(9))


def play(state: Board) -> Procedure:
    """Let the sides mark cells in turn, until there are three in a row or the board is full (T3-1, T3-2)."""
    cells = state.cells
    while True:
        side = state.to_move
        free = OneOf([mark for mark in MARKS if not cells[mark.cell]], "T3-1")
        order: Mark = yield Decision(side, "mark a cell", free, "T3-1")
        yield Marked(side, order.cell)
        if any(cells[a] == cells[b] == cells[c] for a, b, c in LINES_OF[order.cell]):
            yield GameEnded(side, "three_in_a_row", "T3-2")
        elif "" not in cells:
            yield GameEnded("draw", "board_full", "T3-2")


@evolves(Marked)
def marked(state: Board, event: Marked) -> None:
    """Mark the cell and give the turn to the other side."""
    state.cells[event.cell] = event.side
    state.to_move = OTHER[event.side]


SEQUENCE = SequenceOfPlay((Phase("play", play, rule="T3-1"),))


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the facts."""
    return Manifest(
        id="tictactoe",
        title="Tic-tac-toe",
        version="1",
        edition="traditional",
        designer="unknown",
        stage="complete",
        sides=("x", "o"),
        board="none",
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    """Return the two rules."""
    return (
        RuleRow("T3-1", "The sides mark empty cells in turn, x first."),
        RuleRow("T3-2", "Three marks in a row win; a full board without such a row is a draw."),
    )


@hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return no scenarios: there is only the standard game."""
    return {}


@hookimpl
def ruleset_parts() -> Parts:
    """Return the parts that the kernel runs."""
    return Parts(state_type=Board, sequence=SEQUENCE, handlers=(marked,), orders=(Mark,), events=(Marked,))


@hookimpl
def ruleset_setup() -> tuple[Board, None]:
    """Return an empty board, x to move."""
    return Board(cells=[""] * 9), None
