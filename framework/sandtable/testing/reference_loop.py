"""Tic-tac-toe as a bare loop without the kernel, as the reference for the kernel's speed.

It writes the same log, byte for byte, as the ruleset ``tictactoe``; the tests check that.
"""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import json

from sandtable.journal.format.chain import chain
from sandtable.journal.format.codec import encode_bodies
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import GameEnded, PhaseBegan, TurnBegan
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord
from sandtable.kernel.state import StateCodec
from sandtable.testing.tictactoe import LINES_OF, MARKS, OTHER, Board, Mark, Marked

EMPTY = ("",) * 9
ONE_MOVE_LEFT = ("x", "o", "x", "x", "o", "o", "o", "x", "")
"""A board whose only move ends the game as a draw, to measure the fixed cost of a game."""

_encode = json.Encoder(order="deterministic").encode
_CODEC = StateCodec(Board, "tictactoe 1")


def legal(state: Board) -> list[Mark]:
    """Return the legal orders."""
    cells = state.cells
    return [mark for mark in MARKS if not cells[mark.cell]]


def decide(state: Board, order: Mark) -> Marked:
    """Return the event that results from ``order``."""
    if state.cells[order.cell]:
        raise ValueError("the cell is marked already")
    return Marked(state.to_move, order.cell)


def evolve(state: Board, event: Marked) -> None:
    """Apply ``event`` to the state."""
    state.cells[event.cell] = event.side
    state.to_move = OTHER[event.side]


def outcome(state: Board, cell: int) -> GameEnded | None:
    """Return the end of the game after the mark in ``cell``, or None."""
    cells = state.cells
    if any(cells[a] == cells[b] == cells[c] for a, b, c in LINES_OF[cell]):
        return GameEnded(cells[cell], "three_in_a_row", "T3-2")
    return None if "" in cells else GameEnded("draw", "board_full", "T3-2")


def play_bare(streams: dict[str, Stream], head: bytes, cells: Sequence[str] = EMPTY) -> tuple[bytes, Board]:
    """Return the lines after a header with running hash ``head``, and the last state, of one random game.

    The game begins with ``cells`` already marked; x moves first.
    """
    state = Board(cells=list(cells), turn=1, phase="play", in_phase=True)
    records: list[object] = [EventRecord(1, TurnBegan(1)), EventRecord(2, PhaseBegan("play", rule="T3-1"))]
    number = 2
    ended = None
    asked: dict[str, int] = {}
    while ended is None:
        side = state.to_move
        options = legal(state)
        order = options[streams[side].below(len(options))]
        event = decide(state, order)
        asked[side] = count = asked.get(side, 0) + 1
        label = f"1/play/{side}/{count}"
        digest = sha256(_encode((label, side, "T3-1", options))).hexdigest()[:16]
        records.append(OrderRecord(number + 1, side, order, asked=f"{label}#{digest}"))
        evolve(state, event)
        records.append(EventRecord(number + 2, event))
        number += 2
        ended = outcome(state, order.cell)
    state.outcome, state.ending = ended.outcome, ended.ending
    records.append(EventRecord(number + 1, ended))
    records.append(CloseRecord(number + 2, ended.outcome, ended.ending, _CODEC.digest(state)))
    lines, _ = chain(encode_bodies(records), head)
    return lines, state
