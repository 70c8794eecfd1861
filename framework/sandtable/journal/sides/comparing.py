"""Comparing two files of incomplete games: by their chains and the records that they show."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sandtable.journal.file.log import Log
from sandtable.journal.fold import prepare_for
from sandtable.journal.sides.slices import count_closed, shown_records, sliced_for
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.plugin.manager import Prepared, Rulesets


class OpenPart(Struct, frozen=True):
    """The part of a game that a file shows; ``side`` is the slice's side, ``closed`` counts incomplete records."""

    prepared: Prepared
    records: list[Any]
    side: str
    closed: int

    def record(self, number: int) -> Any:
        """Return record ``number`` as far as it is shown, or None if it is closed or missing."""
        return next((each for each in self.records if each.n == number), None)


def shown_in(log: Log, rulesets: Rulesets) -> OpenPart | None:
    """Return the part that the file of ``log`` shows, or None if the log is complete."""
    prepared = prepare_for(log, rulesets, any_version=True)
    closed = count_closed(log, prepared.ruleset)
    return OpenPart(prepared, shown_records(log, prepared), sliced_for(log), closed) if closed else None


def turn_and_phase(records: Sequence[Any], number: int) -> tuple[int, str]:
    """Return the turn and phase of record ``number``, as all may see them."""
    turn, phase = 0, ""
    for record in records:
        if record.n >= number:
            break
        event = getattr(record, "event", None)
        if isinstance(event, TurnBegan):
            turn = event.turn
        elif isinstance(event, PhaseBegan):
            phase = event.phase
        elif isinstance(event, PhaseEnded):
            phase = ""
    return turn, phase


def partial_note(a: Log, b: Log, ours: OpenPart | None, theirs: OpenPart | None) -> str:
    """Return a note on the files that are incomplete, or "" if both are complete."""
    parts = []
    for log, shown in ((a, ours), (b, theirs)):
        if shown is not None:
            slice_name = f", the slice of {shown.side}," if shown.side else ""
            parts.append(f"{log.name}{slice_name} shows {log.records - shown.closed} of {log.records} records fully")
    return "; ".join(parts)
