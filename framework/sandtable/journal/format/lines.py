"""Converting records to log lines: the public part of each goes into the chain, the rest into openings."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.errors import LogClosed
from sandtable.journal.format.chain import TAIL_LENGTH
from sandtable.journal.format.codec import encode_bodies
from sandtable.journal.format.openings import (
    SEALED,
    Key,
    commitment_of,
    holder_of_whole,
    opening_line,
    part_of,
    shown_part,
)
from sandtable.journal.format.salts import Salts
from sandtable.journal.format.secrecy import parts_of
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset

_CONTENT = frozenset(("event", "order", "dice", "digest", "outcome"))
"""Fields that make the public part of a record a complete record."""
_WITHOUT_KEY = frozenset(("outcome",))
"""Fields that mark a close, which can lack only its key."""


class Written(NamedTuple):
    """Records as lines: the bodies, and by index the openings, without line ends, by addressee."""

    bodies: list[bytes]
    openings: dict[int, dict[str, bytes]]


class LineForm:
    """Writes and reads the records of one ruleset; only writing requires ``salts``."""

    def __init__(self, ruleset: Ruleset, salts: Salts | None = None) -> None:
        self._ruleset = ruleset
        self._salts = salts
        self._secret = frozenset(ruleset.secret_events)

    def encode(self, records: Sequence[Any]) -> Written:
        """Return ``records`` as lines."""
        salts, secret, hidden = self._salts, self._secret, self._ruleset.hidden
        assert salts is not None  # noqa: S101 - a writer has salts
        lines: list[Any] = list(records)
        openings: dict[int, dict[str, bytes]] = {}
        for index, record in enumerate(lines):
            kind = record.__class__
            if kind is EventRecord:
                if secret and record.event.__class__ in secret:
                    lines[index] = self._parted(record, index, openings)
            elif kind is OrderRecord:
                asked = record.asked
                if asked.__class__ is AnsweredQuestion:
                    asked = salts.asked(record.n, asked, hidden=True) if hidden else text_of(asked)
                    lines[index] = OrderRecord(record.n, record.by, record.order, record.missing, record.secret, asked)
                if record.missing or record.secret:
                    lines[index] = self._parted(lines[index], index, openings)
            elif kind is RollRecord:
                if record.side:
                    lines[index] = self._parted(record, index, openings)
            elif hidden and (kind is SealRecord or kind is CloseRecord):
                masked = replace(record, digest=self.shown_digest(record.n, record.digest))
                lines[index] = self._parted(masked, index, openings)
        return Written(encode_bodies(lines), openings)

    def shown_digest(self, number: int, digest: str) -> str:
        """Return ``digest``, masked in games with secrets: the bare hash of a small secret is easily guessed."""
        assert self._salts is not None  # noqa: S101 - a writer has salts
        return self._salts.masked(number, digest) if self._ruleset.hidden else digest

    def _parted(self, record: Any, index: int, openings: dict[int, dict[str, bytes]]) -> Any:
        """Return the part of ``record`` that goes into the chain, and add its openings to ``openings``."""
        parts = parts_of(record, self._ruleset)
        if parts is None:
            return record
        assert self._salts is not None  # noqa: S101 - a writer has salts
        found = openings[index] = {
            to: opening_line(record.n, to, self._salts.opening(record.n, to), part)
            for to, part in parts.private.items()
        }
        return {**parts.public, "sealed": {to: commitment_of(line) for to, line in found.items()}}

    def whole(self, number: int, line: bytes, known: Mapping[Key, bytes]) -> bytes:
        """Return ``line`` of record ``number`` as JSON of the complete record, using the ``known`` openings.

        Raises LogClosed if the record is not open here, and the errors of msgspec if the line is not JSON.
        """
        return _opened(number, line, known, "", _WITHOUT_KEY)

    def shown(self, number: int, line: bytes, known: Mapping[Key, bytes], side: str) -> bytes:
        """Return ``line`` with the fields that are open to ``side`` or to all; raises as ``whole`` does."""
        return _opened(number, line, known, side, _CONTENT)


def _opened(number: int, line: bytes, known: Mapping[Key, bytes], side: str, enough: frozenset[str]) -> bytes:
    """Return ``line`` with the opening for ``side``, or with one that holds the complete record.

    If neither is ``known``, raises LogClosed unless one of the fields in ``enough`` is present.
    """
    if SEALED not in line:
        return line
    spliced = _spliced(number, line, known, side)
    if spliced is not None:
        return spliced
    fields = msgspec.json.decode(line, type=dict[str, Any])
    sealed = fields.pop("sealed", None)
    if sealed is None:
        return line
    opening = known.get((number, side)) or holder_of_whole(sealed, known, number)
    if opening is None and enough.isdisjoint(fields):
        raise LogClosed(f"record {number} is closed here")
    return msgspec.json.encode({**fields, **(part_of(opening) if opening else {})})


def _spliced(number: int, line: bytes, known: Mapping[Key, bytes], side: str) -> bytes | None:
    """Return ``line`` with its opening instead of the commitments, or None if either is not in the written form.

    If both have a field, the one from the opening comes last and counts.
    """
    start = line.rfind(_COMMITMENTS)
    end = len(line) - TAIL_LENGTH
    if start < 0 or line.find(b"}", start) != end - 1:
        return None
    opening = known.get((number, side))
    if opening is None:
        opening = holder_of_whole(_holders(line[start + len(_COMMITMENTS) - 1 : end]), known, number)
    part = opening and shown_part(opening)
    return line[:start] + part if part else None


_COMMITMENTS = b"," + SEALED
_holders = msgspec.json.Decoder(dict[str, str]).decode
