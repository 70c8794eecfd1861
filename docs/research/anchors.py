"""Players that play small games as well as possible: fixed points on the scale of other players.

    export PYTHONPATH=docs/research
    sandtable match tictactoe --player search --player anchors:TicTacToe --games 200 --seed a
    sandtable match connect4 --plugins-dir docs/examples/connect4/src --player search --player anchors:ConnectFour

``TicTacToe`` searches to the end of the game, and ``ConnectFour`` uses alpha-beta search to ``depth`` plies. ``Kuhn``
plays the equilibrium in which first never bets, so its opponent never gains more than the value of the game, 1/18 of a
chip for second.
"""

from functools import cache
from typing import Any

from sandtable.errors import PlayError

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe:
    """Plays tic-tac-toe without a mistake, with a random choice among equal moves."""

    def __init__(self, seat: str, stream: Any, board: Any) -> None:  # noqa: ARG002 - the shape of a maker
        self._stream = stream

    def choose(self, decision: Any, view: Any) -> Any:
        """Return one of the best moves."""
        own = decision.side
        cells = "".join(mark or "." for mark in view().cells)
        worth = {order.cell: -_worth(_with(cells, order.cell, own), _other(own)) for order in decision.options.values()}
        best = [order for order in decision.options.values() if worth[order.cell] == max(worth.values())]
        return self._stream.pick(best)


def _other(side: str) -> str:
    return "o" if side == "x" else "x"


def _with(cells: str, cell: int, side: str) -> str:
    return cells[:cell] + side + cells[cell + 1 :]


@cache
def _worth(cells: str, side: str) -> int:
    """Return the value for ``side``, which is to move: 1, 0 or -1."""
    if any(cells[a] == cells[b] == cells[c] != "." for a, b, c in LINES):
        return -1
    free = [cell for cell, mark in enumerate(cells) if mark == "."]
    return max((-_worth(_with(cells, cell, side), _other(side)) for cell in free), default=0)


WIDE, HIGH = 7, 6
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)
UP = HIGH + 1
"""Number of bits per column of a bitboard, one more than its height so that lines do not wrap."""

WON, DEPTH = 1_000, 8


class ConnectFour:
    """Plays Connect Four by alpha-beta search, ``depth`` plies deep (default: 8), and takes the fastest win."""

    def __init__(self, seat: str, stream: Any, board: Any) -> None:  # noqa: ARG002 - the shape of a maker
        self._stream = stream
        self.depth = DEPTH

    def configure(self, settings: dict[str, int]) -> None:
        """Set ``depth``. Raises PlayError for any other setting."""
        if set(settings) != {"depth"} or not 1 <= settings["depth"] <= WIDE * HIGH:
            raise PlayError(f"the only setting is depth, 1 to {WIDE * HIGH}")
        self.depth = settings["depth"]

    def choose(self, decision: Any, view: Any) -> Any:
        """Return one of the best columns within the search depth."""
        own, other, heights = _discs(view().columns, decision.side)
        known: dict[Any, int] = {}
        worth = {}
        for order in decision.options.values():
            x = order.column - 1
            disc = 1 << (x * UP + heights[x])
            if _has_four(own | disc):
                return order
            after = (*heights[:x], heights[x] + 1, *heights[x + 1 :])
            worth[order.column] = -_search(other, own | disc, after, self.depth - 1, -WON, WON, known)
        best = max(worth.values())
        return self._stream.pick([order for order in decision.options.values() if worth[order.column] == best])


def _discs(columns: list[list[str]], side: str) -> tuple[int, int, tuple[int, ...]]:
    own = other = 0
    for x, column in enumerate(columns):
        for y, disc in enumerate(column):
            bit = 1 << (x * UP + y)
            own, other = (own | bit, other) if disc == side else (own, other | bit)
    return own, other, tuple(map(len, columns))


def _has_four(discs: int) -> bool:
    for step in (1, UP, UP - 1, UP + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def _search(own: int, other: int, heights: tuple[int, ...], depth: int, low: int, high: int, known: Any) -> int:
    """Return the value for the side to move, which has ``own``; faster wins count more."""
    if depth == 0:
        return 0
    key = (own, other, depth)
    if key in known:
        kept: int = known[key]
        return kept
    first, best = low, -WON
    for x in MIDDLE_FIRST:
        if heights[x] == HIGH:
            continue
        disc = own | 1 << (x * UP + heights[x])
        if _has_four(disc):
            worth = 100 + depth
        else:
            after = (*heights[:x], heights[x] + 1, *heights[x + 1 :])
            worth = -_search(other, disc, after, depth - 1, -high, -low, known)
        best, low = max(best, worth), max(low, worth)
        if low >= high:
            break
    if best == -WON:
        return 0  # the board is full
    if first < best < high:
        known[key] = best
    return best


EQUILIBRIUM = {
    # card, seat and the bets seen: how often of six to bet or to call
    ("jack", "first", ""): 0,
    ("queen", "first", ""): 0,
    ("king", "first", ""): 0,
    ("jack", "first", "second"): 0,
    ("queen", "first", "second"): 2,
    ("king", "first", "second"): 6,
    ("jack", "second", ""): 2,
    ("queen", "second", ""): 0,
    ("king", "second", ""): 6,
    ("jack", "second", "first"): 0,
    ("queen", "second", "first"): 2,
    ("king", "second", "first"): 6,
}


class Kuhn:
    """Plays the equilibrium of Kuhn poker in which first never bets (Kuhn 1950)."""

    def __init__(self, seat: str, stream: Any, board: Any) -> None:  # noqa: ARG002 - the shape of a maker
        self._stream = stream

    def choose(self, decision: Any, view: Any) -> Any:
        """Return an action with the probabilities of the equilibrium."""
        seen = view()
        bold = self._stream.below(6) < EQUILIBRIUM[seen["card"], decision.side, seen["bets"]]
        wanted = {"bet", "call"} if bold else {"check", "fold"}
        return next(order for order in decision.options.values() if order.what in wanted)
