"""Seats that signed two histories of one game (log format, section 9)."""

from typing import NamedTuple

from sandtable.errors import LogDamaged
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.hands.checking import HAND, cover_of, entries_of
from sandtable.journal.hands.inputs import item
from sandtable.quoting import shortened

_Origin = tuple[str, int, str]
"""The seat of a hand, the record before its first question, and the running hash after that record."""


class _Signed(NamedTuple):
    """A valid hand: the number of its record, and what it signs, a line for each input."""

    record: int
    items: list[bytes]


def equivocation(a: Log, b: Log) -> str:
    """Return a sentence on the first seat that signed different orders in the same position in two logs, or "".

    It names the seat and the records of both hands. A hand that continues the other one is not different: a seat whose
    orders are signed elsewhere signs its growing hand with each order. Returns "" if signatures cannot be checked.
    """
    known = _valid_hands(a)
    for origin, hand in _valid_hands(b).items():
        other = known.get(origin)
        if other is not None and any(one != two for one, two in zip(other.items, hand.items, strict=False)):
            return (
                f"{shortened(origin[0])} signed both: other orders in record {other.record} of {a.name} "
                f"than in record {hand.record} of {b.name}, after the same record {origin[1]}"
            )
    return ""


def _valid_hands(log: Log) -> dict[_Origin, _Signed]:
    """Return the hands of ``log`` in front of its first fault, or none if signatures cannot be checked."""
    found: dict[_Origin, _Signed] = {}
    if not log.kinds.may_have(HAND):
        return found
    cover = cover_of(log)
    try:
        for entry in entries_of(log):
            hand = cover.open.get(entry.by) if entry.kind == "hand" else None
            if cover.take(entry) is not None:
                break
            if hand is not None:
                origin = (entry.by, hand.start, head_at(log, hand.start))
                found[origin] = _Signed(entry.n, [item(each) for each in hand.entries])
    except (*UNREADABLE, LogDamaged):
        pass  # what follows was not read; the verdict of the log names it
    return {} if cover.unchecked is not None else found
