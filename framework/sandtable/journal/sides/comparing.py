"""What two files of games that are not whole can be compared by: their chains, and the records that they show."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sandtable.journal.file.log import Log
from sandtable.journal.fold import prepare_for
from sandtable.journal.sides.slices import count_closed, shown_records, sliced_for
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.plugin.manager import Prepared, Rulesets


class OpenPart(Struct, frozen=True):
    """What a file shows of its game: ``side`` whose slice it is, ``closed`` records that are not whole in it."""

    prepared: Prepared
    records: list[Any]
    side: str
    closed: int

    def record(self, number: int) -> Any:
        """Return record ``number`` as far as it is shown; None where it is closed, or not there."""
        return next((each for each in self.records if each.n == number), None)


def shown_in(log: Log, rulesets: Rulesets) -> OpenPart | None:
    """Return what the file of ``log`` shows, where that is not all; None for a whole log."""
    prepared = prepare_for(log, rulesets, any_version=True)
    closed = count_closed(log, prepared.ruleset)
    return OpenPart(prepared, shown_records(log, prepared), sliced_for(log), closed) if closed else None


def when(records: Sequence[Any], number: int) -> tuple[int, str]:
    """Return turn and phase of record ``number``, as all may see them."""
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


def told_of(a: Log, b: Log, ours: OpenPart | None, theirs: OpenPart | None) -> str:
    """Return what is to be said of two files of which one, or both, are not whole; "" where both are."""
    parts = []
    for log, shown in ((a, ours), (b, theirs)):
        if shown is not None:
            whose = f", the slice of {shown.side}," if shown.side else ""
            parts.append(f"{log.name}{whose} shows {log.records - shown.closed} of {log.records} records whole")
    return "; ".join(parts)
