"""Completion of a spectator's slice of a log with the engagements that its events name, for drawings (KH-12.01)."""

from collections.abc import Sequence
from typing import Any

from khamsin.model.battle_events import EngagementFound
from khamsin.model.cards import SIDES, Board
from khamsin.model.events import TurnOpened
from sandtable import EventRecord


def fill_in(records: Sequence[Any], side: str, _board: Board) -> Sequence[Any]:
    """Return the ``records`` that ``side`` saw, each engagement found just before the first event that names it.

    Both sides see contact, but differently, so the event has no public part. A side's slice is complete.
    """
    if side in SIDES:
        return records
    completed: list[Any] = []
    known: set[str] = set()
    for record in records:
        event = getattr(record, "event", None)
        if isinstance(event, TurnOpened):
            known.clear()
        engagement = getattr(event, "engagement", "")
        if engagement and engagement not in known and not isinstance(event, EngagementFound):
            area, _, other = engagement.partition("~")
            nobody: dict[str, list[str]] = {each: [] for each in SIDES}
            contact = EngagementFound(engagement, area, other, nobody, {}, {}, "", "", "")
            completed.append(EventRecord(record.n - 1, contact))
        known.add(engagement)
        completed.append(record)
    return completed
