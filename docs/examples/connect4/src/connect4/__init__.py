"""Connect Four, a game without secrets or dice."""

from typing import Any

from msgspec import field

import sandtable as st

WIDE, HIGH = 7, 6
OTHER = {"red": "yellow", "yellow": "red"}
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))

game = st.Ruleset(
    "connect4",
    title="Connect Four",
    sides=("red", "yellow"),
    endings=("four", "full"),
    rules="""
        C4-1  The sides drop discs in turn, red first; a disc drops to the lowest free cell of its column.
        C4-2  Four in a row, a column or a diagonal win.
        C4-3  When the board is full, the game is drawn.
    """,
)


@game.state
class Board(st.State, kw_only=True):
    """The discs of each column, the lowest first, and the side to move."""

    columns: list[list[str]] = field(default_factory=lambda: [[] for _ in range(WIDE)])
    next: str = "red"


@game.order
class Drop(st.Order, frozen=True):
    """Drop a disc into ``column``, 1 to 7."""

    column: int


@game.event
class Dropped(st.Event, frozen=True):
    """``side`` dropped a disc into ``column``."""

    side: str
    column: int
    rule: str = "C4-1"

    def apply(self, board: Board) -> None:
        """Add the disc and pass the turn."""
        board.columns[self.column - 1].append(self.side)
        board.next = OTHER[self.side]


@game.phase("C4-1")
def drop(board: Board) -> st.Procedure:
    """Let the side to move drop a disc, and end the game if it is over (C4-2, C4-3)."""
    side = board.next
    free = [column for column in range(1, WIDE + 1) if len(board.columns[column - 1]) < HIGH]
    order: Drop = yield st.Decision(side, "drop a disc", st.Form(Drop, {"column": st.OneOf(free, "C4-1")}), "C4-1")
    yield Dropped(side, order.column)
    if has_four(board, side, order.column - 1):
        yield st.GameEnded(side, "four", "C4-2")
    if all(len(column) == HIGH for column in board.columns):
        yield st.GameEnded("draw", "full", "C4-3")


def has_four(board: Board, side: str, x: int) -> bool:
    """Return whether the newest disc of column ``x`` is one of four in a line."""
    y = len(board.columns[x]) - 1
    return any(1 + reach(board, side, x, y, a, b) + reach(board, side, x, y, -a, -b) >= 4 for a, b in WAYS)


def reach(board: Board, side: str, x: int, y: int, a: int, b: int) -> int:
    """Return the number of discs of ``side`` that follow (x, y) in the direction (a, b)."""
    count = 0
    while 0 <= (x := x + a) < WIDE and 0 <= (y := y + b) < len(board.columns[x]) and board.columns[x][y] == side:
        count += 1
    return count


@game.hook("draw")
def draw(view: Any, style: str) -> str | None:
    """Return the board as text."""
    marks = {"red": "r", "yellow": "y"}
    rows = [
        " ".join(marks[column[y]] if y < len(column) else "." for column in view.columns) for y in reversed(range(HIGH))
    ]
    return "\n".join([*rows, "1 2 3 4 5 6 7"]) if style == "text" else None
