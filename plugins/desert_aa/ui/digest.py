"""Narration that combines several records, such as an ordered combat move and the move itself.

All combat moves are ordered before the first is made (DAA-R38), so each would be narrated twice.
"""

from collections.abc import Iterable
from typing import Any

from desert_aa.model import events
from desert_aa.model.board import Board
from desert_aa.model.tables import POWERS_OF, SIDE_NAMES
from desert_aa.ui.narrate import sentence
from sandtable import EventRecord, GameEnded


def digest(records: Iterable[Any], board: Board | None = None) -> dict[int, str]:
    """Return texts that replace the sentences of records, by record number; "" omits a sentence.

    The order of a move is omitted if the move is narrated with the same path. If mines stop a move short, both are
    narrated. The flight of a raid is narrated as a move, and the raid when the moves are over.

    With a ``board``, a move into a minefield is narrated before the field is declared. If income decides the game, the
    last sentence includes the income of each side from the ground that it holds at the end, which may differ from the
    income that it last collected.
    """
    control = dict(board.owner) if board is not None else {}
    texts: dict[int, str] = {}
    planned: dict[tuple[str, ...], int] = {}
    declared: EventRecord[Any] | None = None
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, events.MovePlanned):
            planned[_key(event)] = record.n
        elif isinstance(event, events.MinefieldDeclared):
            declared = record
        elif isinstance(event, events.UnitsMoved):
            number = planned.pop(_key(event), 0)
            if number:
                texts[number] = ""
            if declared is not None and board is not None and event.path[-1:] == [declared.event.space]:
                texts[declared.n] = f"{sentence(record, board)}\n{sentence(declared, board)}"
                texts[record.n] = ""
            declared = None
        elif isinstance(event, events.SpaceCaptured):
            control[event.space] = event.owner or event.by
        elif _is_end_by_income(record) and board is not None:
            texts[record.n] = f"{sentence(record, board)} {_incomes(board, control)}"
    return texts


def _is_end_by_income(record: object) -> bool:
    """Return whether a record ends the game by income. The ruling of an umpire has a different ending."""
    return (
        isinstance(record, EventRecord) and isinstance(record.event, GameEnded) and record.event.ending == "round_limit"
    )


def _incomes(board: Board, control: dict[str, str]) -> str:
    """Return a sentence such as "Income from the ground held at the end: the Axis 8, the Allies 8 [DAA-R63]."."""
    sums = [
        f"{SIDE_NAMES[side]} {sum(board.worth(control, power) for power in powers)}"
        for side, powers in POWERS_OF.items()
    ]
    return f"Income from the ground held at the end: {', '.join(sums)} [DAA-R63]."


def _key(event: events.MovePlanned | events.UnitsMoved) -> tuple[str, ...]:
    """Return the path and the units, which an order and its move share."""
    return *event.path, *event.units
