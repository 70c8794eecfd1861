"""The records of a log as far as its file shows them, and comparing them with those that the rules make."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.journal.fields import differences
from sandtable.journal.file.log import Log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import CLOSE, parted
from sandtable.journal.format.codec import ENCODER
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.openings import CLOSED, ROOT, Key, place_of
from sandtable.journal.format.secrecy import opened_in, split
from sandtable.journal.format.trees import place_in
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Prepared

_SALTED = frozenset(("root", "key"))
"""Fields that cannot be compared without the dice key."""


STEP = "closed"
"""The kind of the records in a closed step."""


class ClosedRecord(Struct, frozen=True):
    """A record that is incomplete in a file: its kind and, for an order, the public fields."""

    n: int
    kind: str = ""
    by: str = ""
    missing: int = 0
    secret: bool = False


_closed = msgspec.json.Decoder(ClosedRecord).decode


def known_records(log: Log, ruleset: Ruleset) -> list[Any]:
    """Return all records of ``log``; those that are incomplete in the file as ClosedRecord.

    Raises LogDamaged, naming the line, if a line is not a record.
    """

    def closed(number: int) -> ClosedRecord:
        line = log.lines[number]
        is_inner = line.startswith(CLOSED) and log.places[number] == log.places[number - 1]
        return ClosedRecord(number, STEP) if is_inner else _closed(line)

    return read_records(log, ruleset, closed=closed)


def opened_orders(records: Sequence[Any]) -> frozenset[int]:
    """Return the numbers of the sealed orders that were opened, including those that are closed in the file."""
    return opened_in([as_order(each) for each in records])


def as_order(record: Any) -> Any:
    """Return an order that is closed in the file as a record without the order; other records unchanged."""
    if not isinstance(record, ClosedRecord) or record.kind != "order":
        return record
    return OrderRecord(record.n, record.by, None, record.missing, record.secret)


def strange_kind(record: ClosedRecord) -> str:
    """Return the reason why a record cannot be incomplete in a file, or ""."""
    if record.kind in (STEP, "event") or (record.kind == "order" and (record.missing or record.secret)):
        return ""
    return f"a closed {record.kind} is not a record of this format"


def misplaced_opening(log: Log, ruleset: Ruleset) -> Key | None:
    """Return the first opening whose leaf is not where the tree of ``ruleset`` has the leaf of its side, or None.

    A tree with more places could commit to two different openings for one side.
    """
    sides = sorted(ruleset.viewers)
    for key in sorted(log.openings):
        to = key[1]
        if to != UMPIRE and (to not in sides or place_of(log.openings[key]) != place_in(sides, to)):
            return key
    return None


class Matcher:
    """A comparison of records, in order, with those of ``log``, which match their commitments (``Log.check``).

    With the key, the lines must be equal. Without it, everything must be equal that is open, and ``form`` takes what
    depends on the key from the log. The records of a closed step are compared one by one, and its line after the last.
    """

    def __init__(self, log: Log, prepared: Prepared, form: LineForm, *, has_key: bool) -> None:
        self._log = log
        self._ruleset = prepared.ruleset
        self._lacks_secrets = prepared.holds is not None and not prepared.holds.issuperset(prepared.ruleset.viewers)
        self._form = form
        self._has_key = has_key
        self._step: list[Any] = []

    def fits(self, record: Any) -> bool:
        """Return whether ``record`` is the stored record of its number."""
        line = self._log.lines[record.n]
        if line.startswith(CLOSED):
            return self._fits_step(record)
        body = self._form.encode([record]).bodies[0]
        if parted(line)[0] == body:
            return True
        if self._has_key or not (ROOT in line or line.startswith(CLOSE)):
            return False
        stored, mine = _fields(line), _fields(body + b"}")
        if not line.startswith(CLOSE) and ("root" in stored) != ("root" in mine) and not self._may_hide(record):
            return False
        is_same = _without(stored) == _without(mine)
        return is_same and not any(self._openings_apart(record))

    def _may_hide(self, record: Any) -> bool:
        """Return whether ``record`` may have a hidden part that the rules cannot give, because a side is not held."""
        return self._lacks_secrets and isinstance(getattr(record, "event", None), self._ruleset.secret_events)

    def _fits_step(self, record: Any) -> bool:
        """Return whether ``record`` is the stored record of a closed step."""
        log, number = self._log, record.n
        parts = split(record, self._ruleset)
        if parts is None or parts.public is not None or any(self._openings_apart(record)):
            return False
        if log.places[number] != log.places[number - 1]:
            self._step.clear()
        self._step.append(record)
        is_last = number == log.records or log.places[number + 1] != log.places[number]
        return not (is_last and self._has_key) or self._form.encode(self._step).bodies == [parted(log.lines[number])[0]]

    def _openings_apart(self, record: Any) -> Iterator[tuple[str, Any, Any]]:
        """Yield each available opening that does not show ``record`` as the rules give it: name, stored, expected."""
        log, number = self._log, record.n
        record = self._form.stored(record)
        first = log.first_of(number)
        contents = log.contents
        whole = ENCODER.encode(record)
        shown = contents.whole.get(number)
        if shown is not None and shown != whole and _fields(shown) != _fields(whole):
            yield "", _fields(shown), _fields(whole)
        sides = [side for side in self._ruleset.viewers if (first, side) in log.openings]
        parts = split(record, self._ruleset) if sides else None
        for side in sides:
            stored = contents.seen.get((number, side))
            seen = None if stored is None else _fields(stored)
            mine = None
            if parts is not None and side in parts.seen:
                public = {"kind": record.__struct_config__.tag, "n": number, **(parts.public or {})}
                mine = {**public, **parts.seen[side]}
            if seen != _plain(mine):
                yield f"opening for {side}", seen, _plain(mine)

    def parting(self, stored: Any, record: Any) -> Iterator[tuple[str, str, str]]:
        """Yield the fields in which the ``stored`` record differs: path, stored and expected value as JSON text."""
        if type(stored) is type(record):
            mine = msgspec.json.decode(ENCODER.encode(self._form.stored(record)))
            yield from differences(msgspec.to_builtins(stored), mine)
        for where, seen, mine in self._openings_apart(record):
            yield from differences(seen, mine, where)
        line = self._log.lines[record.n]
        step = self._step if line.startswith(CLOSED) else [record]
        mine = self._form.encode(step or [record]).bodies[-1] + b"}"
        yield from differences(_fields(line), _fields(mine))


def _plain(fields: dict[str, Any] | None) -> Any:
    return None if fields is None else msgspec.json.decode(ENCODER.encode(fields))


def _fields(line: bytes) -> dict[str, Any]:
    fields = msgspec.json.decode(line, type=dict[str, Any])
    fields.pop("hash", None)
    return fields


def _without(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in _SALTED}
