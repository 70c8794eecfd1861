"""The records of a log as far as a file shows them: one that is not whole is only known by what all may see of it."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import LogClosed, LogDamaged
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.fold import no_record, reader_of
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.secrecy import opened_in
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.ruleset import Ruleset


class ClosedRecord(Struct, frozen=True):
    """A record that is not whole in a file: its kind, whom it is sealed for, and what all may see of an order."""

    n: int
    kind: str = ""
    by: str = ""
    missing: int = 0
    secret: bool = False
    sealed: dict[str, str] = {}


_closed = msgspec.json.Decoder(ClosedRecord).decode


def known_records(log: Log, ruleset: Ruleset) -> list[Any]:
    """Return all records of ``log``, each that is not whole in the file as a ClosedRecord.

    Raises LogDamaged, naming the line, for one that is not a record.
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
            raise no_record(log, number, ruleset, error) from error
        if record.n != number:
            raise LogDamaged(f"{log.where(number)}: is record {record.n}, where record {number} should stand")
        records.append(record)
    return records


def opened_orders(records: Sequence[Any]) -> frozenset[int]:
    """Return the numbers of the sealed orders that were opened, also of those that are closed in the file."""
    return opened_in([_as_order(each) for each in records])


def _as_order(record: Any) -> Any:
    if not isinstance(record, ClosedRecord) or record.kind != "order":
        return record
    return OrderRecord(record.n, record.by, None, record.missing, record.secret)


def due_holders(record: ClosedRecord, ruleset: Ruleset) -> frozenset[str] | None:
    """Return for whom a closed record must be sealed, as far as that follows from its public part; None if not."""
    if record.kind != "order":
        return None
    hidden = record.missing or record.secret
    return frozenset([ruleset.seats.get(record.by, UMPIRE)]) if hidden else frozenset()


def strange_holders(record: ClosedRecord, ruleset: Ruleset) -> str:
    """Return what is wrong with the sides that a closed record is sealed for; "" if nothing is."""
    due, told = due_holders(record, ruleset), frozenset(record.sealed)
    known = {*ruleset.viewers, UMPIRE}
    if due is None:
        fits = bool(told) and told <= known and (record.kind == "event" or (record.kind == "roll" and len(told) == 1))
        return "" if fits else f"a closed {record.kind} is sealed for {_sides(told)}"
    return "" if told == due else f"the order of {record.by} is sealed for {_sides(told)}, and not for {_sides(due)}"


def _sides(sides: frozenset[str]) -> str:
    return " and ".join(sorted(sides)) or "no side"
