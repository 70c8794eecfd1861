"""Tic-tac-toe as a ruleset: the smallest game there is, to measure the kernel with."""

from typing import Any

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.events import Event, GameEnded
from sandtable.kernel.handlers import evolves
from sandtable.kernel.options import OneOf
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.sequence import Phase, Procedure, SequenceOfPlay
from sandtable.kernel.state import State

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
    """Nine cells, "" where empty, and who is to move."""

    cells: list[str]
    to_move: str = "x"


MARKS = tuple(Mark(cell) for cell in range(9))


def play(state: Board) -> Procedure:
    """Ask for marks in turn, until there are three in a row or the board is full (T3-1, T3-2)."""
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


TIC_TAC_TOE = Ruleset(
    id="tictactoe",
    version="1",
    sides=("x", "o"),
    state_type=Board,
    sequence=SequenceOfPlay((Phase("play", play, rule="T3-1"),)),
    functions=(marked,),
    orders=(Mark,),
    events=(Marked,),
)


def opening(**_: Any) -> Board:
    """Return an empty board, x to move."""
    return Board(cells=[""] * 9)
