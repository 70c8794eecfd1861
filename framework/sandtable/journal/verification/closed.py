"""The records of a log as far as its file shows them: only the public part of a closed record is known."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import LogClosed, LogDamaged
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.fold import bad_record, reader_of
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.secrecy import opened_in
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.ruleset import Ruleset


class ClosedRecord(Struct, frozen=True):
    """A record that is incomplete in a file.

    It has the kind, the sides it is sealed for and, for an order, the public fields.
    """

    n: int
    kind: str = ""
    by: str = ""
    missing: int = 0
    secret: bool = False
    sealed: dict[str, str] = {}


_closed = msgspec.json.Decoder(ClosedRecord).decode


def known_records(log: Log, ruleset: Ruleset) -> list[Any]:
    """Return all records of ``log``; those that are incomplete in the file as ClosedRecord.

    Raises LogDamaged, naming the line, if a line is not a record.
    """
    decode = RecordCodec.of(ruleset).any.decode
    whole = reader_of(log, ruleset)
    records: list[Any] = []
    for number, line in enumerate(log.lines[1:], start=1):
        try:
            try:
                record: Any = decode(whole(number, line))
            except LogClosed:
                record = _closed(line)
        except UNREADABLE as error:
            raise bad_record(log, number, ruleset, error) from error
        if record.n != number:
            raise LogDamaged(f"{log.where(number)}: is record {record.n}, expected record {number}")
        records.append(record)
    return records


def opened_orders(records: Sequence[Any]) -> frozenset[int]:
    """Return the numbers of the sealed orders that were opened, including those that are closed in the file."""
    return opened_in([_as_order(each) for each in records])


def _as_order(record: Any) -> Any:
    if not isinstance(record, ClosedRecord) or record.kind != "order":
        return record
    return OrderRecord(record.n, record.by, None, record.missing, record.secret)


def due_holders(record: ClosedRecord, ruleset: Ruleset) -> frozenset[str] | None:
    """Return the sides a closed record must be sealed for, or None if its public part does not determine them."""
    if record.kind != "order":
        return None
    hidden = record.missing or record.secret
    return frozenset([ruleset.seats.get(record.by, UMPIRE)]) if hidden else frozenset()


def strange_holders(record: ClosedRecord, ruleset: Ruleset) -> str:
    """Return the reason why a closed record cannot be sealed for its sides, or ""."""
    due, actual = due_holders(record, ruleset), frozenset(record.sealed)
    known = {*ruleset.viewers, UMPIRE}
    if due is None:
        allowed = record.kind == "event" or (record.kind == "roll" and len(actual) == 1)
        fits = allowed and bool(actual) and actual <= known
        return "" if fits else f"a closed {record.kind} is sealed for {_sides(actual)}"
    return "" if actual == due else f"the order of {record.by} is sealed for {_sides(actual)}, not for {_sides(due)}"


def _sides(sides: frozenset[str]) -> str:
    return " and ".join(sorted(sides)) or "no side"
