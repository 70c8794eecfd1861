"""Format 1: lines that hold all, salted where some side may not see them, and without what format 2 added."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from sandtable.journal.format.codec import encode_bodies
from sandtable.journal.format.lines import LineForm, SealedForm, Written
from sandtable.journal.format.openings import Key
from sandtable.journal.format.salts import Salts
from sandtable.kernel.events import Event, EventGroup
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, RulingRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset

_SALT = re.compile(rb',"salt":"([^"\\]*)"(?=,"hash":")')


class PlainForm:
    """Format 1."""

    def __init__(self, ruleset: Ruleset, salts: Salts | None = None) -> None:
        self._ruleset = ruleset
        self._salts = salts

    def encode(self, records: Sequence[Any]) -> Written:
        """Return ``records`` as lines."""
        assert self._salts is not None  # noqa: S101 - who writes has them
        bodies = encode_bodies([self.older(record) for record in records])
        for place, record in enumerate(records):
            if self._is_salted(record):
                bodies[place] += b',"salt":"%b"' % self._salts.record(record.n).encode()
        return Written(bodies, {})

    def shown_digest(self, number: int, digest: str) -> str:  # noqa: ARG002 - a LineForm
        """Return the digest itself."""
        return digest

    def whole(self, number: int, line: bytes, known: Mapping[Key, bytes]) -> bytes:  # noqa: ARG002 - a LineForm
        """Return ``line`` without its salt."""
        return _SALT.sub(b"", line)

    def shown(self, number: int, line: bytes, known: Mapping[Key, bytes], side: str) -> bytes:  # noqa: ARG002
        """Return ``line`` without its salt: format 1 is open to who has it."""
        return _SALT.sub(b"", line)

    def _is_salted(self, record: Any) -> bool:
        kind = record.__class__
        if kind is EventRecord:
            return isinstance(record.event, self._ruleset.secret_events)
        if kind is OrderRecord:
            return bool(record.missing or record.secret)
        if kind is RollRecord:
            return bool(record.side)
        return kind is SealRecord and self._ruleset.hidden

    def older(self, record: Any) -> Any:
        """Return ``record`` without what format 1 does not know."""
        kind = record.__class__
        if kind is OrderRecord:
            return replace(record, asked="")
        if kind is RollRecord:
            return replace(record, units=()) if record.units else record
        if kind is EventRecord or kind is RulingRecord:
            event = self._older_event(record.event)
            return record if event is record.event else replace(record, event=event)
        return record

    def _older_event(self, event: Any) -> Any:
        if isinstance(event, EventGroup):
            happened: Any = event
            return replace(event, happened=[self._older_event(each) for each in happened.happened])
        names = _newer_fields(event.__class__)
        return replace(event, **dict.fromkeys(names, UNSET)) if names else event


def salt_in(line: bytes) -> str:
    """Return the salt of a record in format 1, "" where it has none."""
    found = _SALT.search(line)
    return found[1].decode("utf-8", "replace") if found else ""


def form_of(version: int, ruleset: Ruleset, salts: Salts | None = None) -> LineForm:
    """Return how format ``version`` writes the records of ``ruleset``; ``salts`` are wanted for writing alone."""
    return PlainForm(ruleset, salts) if version == 1 else SealedForm(ruleset, salts)


@cache
def _newer_fields(event: type[Event]) -> tuple[str, ...]:
    """Return the fields of ``event`` that may be UNSET: those are newer than format 1."""
    return tuple(field.name for field in msgspec.structs.fields(event) if field.default is UNSET)
