"""Records of a game to the lines of its log: the public part of each in the chain, the rest in openings."""

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
"""What tells that the public part of a record is a record of its own."""
_WITHOUT_KEY = frozenset(("outcome",))
"""What tells a close, of which only the key can be wanting."""


class Written(NamedTuple):
    """Records as lines: the bodies, and by place in them the openings, without line ends, by whom they are for."""

    bodies: list[bytes]
    openings: dict[int, dict[str, bytes]]


class LineForm:
    """Writes and reads the records of one ruleset; only a writer requires ``salts``."""

    def __init__(self, ruleset: Ruleset, salts: Salts | None = None) -> None:
        self._ruleset = ruleset
        self._salts = salts
        self._secret = frozenset(ruleset.secret_events)

    def encode(self, records: Sequence[Any]) -> Written:
        """Return ``records`` as lines."""
        salts, secret, hidden = self._salts, self._secret, self._ruleset.hidden
        assert salts is not None  # noqa: S101 - who writes has them
        lines: list[Any] = list(records)
        openings: dict[int, dict[str, bytes]] = {}
        for place, record in enumerate(lines):
            kind = record.__class__
            if kind is EventRecord:
                if secret and record.event.__class__ in secret:
                    lines[place] = self._parted(record, place, openings)
            elif kind is OrderRecord:
                asked = record.asked
                if asked.__class__ is AnsweredQuestion:
                    asked = salts.asked(record.n, asked, hidden=True) if hidden else text_of(asked)
                    lines[place] = OrderRecord(record.n, record.by, record.order, record.missing, record.secret, asked)
                if record.missing or record.secret:
                    lines[place] = self._parted(lines[place], place, openings)
            elif kind is RollRecord:
                if record.side:
                    lines[place] = self._parted(record, place, openings)
            elif hidden and (kind is SealRecord or kind is CloseRecord):
                masked = replace(record, digest=self.shown_digest(record.n, record.digest))
                lines[place] = self._parted(masked, place, openings)
        return Written(encode_bodies(lines), openings)

    def shown_digest(self, number: int, digest: str) -> str:
        """Return the digest, masked in games with secrets: a bare hash of a small secret is guessed in a second."""
        assert self._salts is not None  # noqa: S101 - who writes has them
        return self._salts.masked(number, digest) if self._ruleset.hidden else digest

    def _parted(self, record: Any, place: int, openings: dict[int, dict[str, bytes]]) -> Any:
        """Return what stands in the chain of ``record``; its openings go into ``openings``."""
        parts = parts_of(record, self._ruleset)
        if parts is None:
            return record
        assert self._salts is not None  # noqa: S101 - who writes has them
        found = openings[place] = {
            to: opening_line(record.n, to, self._salts.opening(record.n, to), part)
            for to, part in parts.private.items()
        }
        return {**parts.public, "sealed": {to: commitment_of(line) for to, line in found.items()}}

    def whole(self, number: int, line: bytes, known: Mapping[Key, bytes]) -> bytes:
        """Return ``line`` of record ``number`` with all of the record in it, as JSON; ``known``: the openings at hand.

        Raises LogClosed if it is not open here, and the errors of msgspec if it is not JSON.
        """
        return _opened(number, line, known, "", _WITHOUT_KEY)

    def shown(self, number: int, line: bytes, known: Mapping[Key, bytes], side: str) -> bytes:
        """Return ``line`` with the fields that are open for ``side``, or for all; raises as ``whole`` does."""
        return _opened(number, line, known, side, _CONTENT)


def _opened(number: int, line: bytes, known: Mapping[Key, bytes], side: str, enough: frozenset[str]) -> bytes:
    """Return ``line`` with the opening for ``side`` in it, or one that holds the whole.

    Raises LogClosed where neither is ``known``, unless one of the fields is there that are ``enough`` by themselves.
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
    """Return ``line`` with its opening in the place of the commitments; None where either is not as it is written.

    Of a field that both have, that of the opening stands last, and counts.
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
