"""The contents of a log's openings: complete records, and records as one side sees them (log format, section 8)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from sandtable.journal.format.openings import CLOSED, Key, Opening, commitment_in, decode_opening
from sandtable.kernel.decisions import UMPIRE

_SEEN, _EVENT = b'{"kind":"seen"', b'{"kind":"event"'
_FIXED = frozenset(
    ("kind", "n", "by", "missing", "secret", "own", "outcome", "ending", "digest", "shares", "root", "hash")
)
"""Fields of public parts that no opening may replace."""


class _Numbered(Struct):
    n: int


_number = msgspec.json.Decoder(_Numbered).decode


class Contents(NamedTuple):
    """Records as JSON.

    ``whole`` are the complete ones by number, ``seen`` those that a side sees, as it sees them, by number and side.
    """

    whole: dict[int, bytes]
    seen: dict[Key, bytes]


def contents_of(lines: Sequence[bytes], openings: Mapping[Key, bytes]) -> Contents:
    """Return what ``openings`` show of the records with these ``lines``, by number; the header's are ignored.

    What the umpire's openings show counts before what those of a side show. Raises ValueError or an error of msgspec
    for an opening that does not fit its line.
    """
    found = Contents({}, {})
    for (number, to), line in sorted(openings.items(), key=lambda each: each[0][1] == UMPIRE):
        if 0 < number < len(lines):
            opening = decode_opening(line)
            if lines[number].startswith(CLOSED):
                _add_step(opening, to, commitment_in(lines[number]).last or number, found)
            else:
                _add_part(opening, lines[number], found)
    return found


def _add_step(opening: Opening, to: str, last: int, found: Contents) -> None:
    if bytes(opening.part):
        raise ValueError(f"the opening of step {opening.n} for {to} shows a part")
    numbers = []
    for raw in opening.records:
        record = bytes(raw)
        numbers.append(number := _number(record).n)
        is_part = to != UMPIRE and record.startswith(_SEEN)
        shown = _EVENT + record[len(_SEEN) :] if is_part else record
        if to != UMPIRE:
            found.seen[number, to] = shown
        if not is_part:
            found.whole[number] = shown
    due = range(opening.n, last + 1)
    fits = numbers == [*due] if to == UMPIRE else all(one < other for one, other in pairwise(numbers))
    if not fits or not all(each in due for each in numbers):
        raise ValueError(f"the opening of step {opening.n} for {to} does not show the records of that step")


def _add_part(opening: Opening, line: bytes, found: Contents) -> None:
    whole = opened_part(opening, line)
    if whole is None:
        return
    found.whole[opening.n] = whole
    if opening.to != UMPIRE:
        found.seen[opening.n, opening.to] = whole


def opened_part(opening: Opening, line: bytes) -> bytes | None:
    """Return the partly public record with this ``line`` as ``opening`` shows it, or None if it shows nothing.

    Raises ValueError or an error of msgspec for an opening that does not fit its line.
    """
    if opening.records:
        raise ValueError(f"the opening of record {opening.n} for {opening.to} shows other records")
    if not bytes(opening.part):
        return None
    part = msgspec.json.decode(opening.part, type=dict[str, Any])
    if not _FIXED.isdisjoint(part):
        raise ValueError(f"the opening of record {opening.n} for {opening.to} repeats a public field")
    return msgspec.json.encode({**public_fields(line), **part})


def public_fields(line: bytes) -> dict[str, Any]:
    """Return the fields of a line that are open to all, without its commitment and hash."""
    fields = msgspec.json.decode(line, type=dict[str, Any])
    fields.pop("root", None)
    fields.pop("hash", None)
    return fields
