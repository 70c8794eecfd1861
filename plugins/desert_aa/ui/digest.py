"""Moves in brief: a combat move is told once, when it is made, and not as an order before that.

All combat moves are committed before the first is made (DAA-R38), so each would be told twice over.
"""

from collections.abc import Iterable
from typing import Any

from desert_aa.model import events


def digest(records: Iterable[Any]) -> dict[int, str]:
    """Return by the number of a record what is told instead of its sentence: nothing for orders that are carried out.

    Raids and moves that mines have stopped short keep both sentences.
    """
    told: dict[int, str] = {}
    planned: dict[tuple[str, ...], int] = {}
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, events.MovePlanned) and not event.raid:
            planned[_key(event)] = record.n
        elif isinstance(event, events.UnitsMoved):
            number = planned.pop(_key(event), 0)
            if number:
                told[number] = ""
    return told


def _key(event: events.MovePlanned | events.UnitsMoved) -> tuple[str, ...]:
    """Return what an order and the move that it becomes have in common: the way and the units."""
    return *event.path, *event.units
