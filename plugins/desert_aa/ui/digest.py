"""What is told together: a combat move once, as an order, and with the end by income what each side had at the end.

All combat moves are committed before the first is made (DAA-R38), so each would be told twice over.
"""

from collections.abc import Iterable
from typing import Any

from desert_aa.model import events
from desert_aa.model.board import Board
from desert_aa.model.tables import POWERS_OF, SIDE_NAMES
from desert_aa.ui.narrate import sentence
from sandtable import EventRecord, GameEnded


def digest(records: Iterable[Any], board: Board | None = None) -> dict[int, str]:
    """Return by the number of a record what is told instead of its sentence: nothing for orders that are carried out.

    Moves that mines have stopped short keep both sentences; that a move is a raid is told when all are made. Where the
    ``board`` is known, the end by income tells the incomes: of the ground held at the end, not what was collected last.
    """
    control = dict(board.owner) if board is not None else {}
    told: dict[int, str] = {}
    planned: dict[tuple[str, ...], int] = {}
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, events.MovePlanned):
            planned[_key(event)] = record.n
        elif isinstance(event, events.UnitsMoved):
            number = planned.pop(_key(event), 0)
            if number:
                told[number] = ""
        elif isinstance(event, events.SpaceCaptured):
            control[event.space] = event.owner or event.by
        elif _is_end_by_income(record) and board is not None:
            told[record.n] = f"{sentence(record, board)} {_incomes(board, control)}"
    return told


def _is_end_by_income(record: object) -> bool:
    """Return whether the rules ended the game by income: an umpire's ruling counts no income."""
    return (
        isinstance(record, EventRecord) and isinstance(record.event, GameEnded) and record.event.ending == "round_limit"
    )


def _incomes(board: Board, control: dict[str, str]) -> str:
    """Return "Worth of the ground at the end: the Axis 8, the Allies 8 [DAA-R63]."."""
    sums = [
        f"{SIDE_NAMES[side]} {sum(board.worth(control, power) for power in powers)}"
        for side, powers in POWERS_OF.items()
    ]
    return f"Worth of the ground at the end: {', '.join(sums)} [DAA-R63]."


def _key(event: events.MovePlanned | events.UnitsMoved) -> tuple[str, ...]:
    """Return what an order and the move that it becomes have in common: the way and the units."""
    return *event.path, *event.units
