"""Openings: the lines that show what the chain only commits to (log format, section 8)."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from sandtable.kernel.decisions import UMPIRE

OPENING = b'{"kind":"opening"'
SEALED = b'"sealed":{'
"""What stands in every line that commits to something."""
_PREFIX = re.compile(rb'\{"kind":"opening","n":(0|[1-9][0-9]{0,8}),"to":"([^"\\]{1,64})","salt":"([0-9a-f]{32})"')
_FRAME = ("kind", "n", "to", "salt")
_encode = msgspec.json.Encoder().encode

Key = tuple[int, str]
"""Of which record, and for whom."""


def opening_line(number: int, to: str, salt: str, part: Mapping[str, Any]) -> bytes:
    """Return the opening of record ``number`` for ``to``, without line end."""
    return _encode({"kind": "opening", "n": number, "to": to, "salt": salt, **part})


def commitment_of(line: bytes) -> str:
    """Return what the chain commits to: the SHA-256, in hex, of the bytes of the opening."""
    return hashlib.sha256(line).hexdigest()


class _Sealed(Struct):
    """The commitments of a line, whatever else it holds."""

    sealed: dict[str, str] = {}


_commitments = msgspec.json.Decoder(_Sealed).decode


def commitments_in(line: bytes) -> dict[str, str]:
    """Return the commitments in a line of the chain, by whom they are for; raises what msgspec does for none."""
    return _commitments(line).sealed if SEALED in line else {}


def key_of(line: bytes) -> Key | None:
    """Return of which record, and for whom, the opening in ``line`` is; None where it is not written as one is."""
    found = _PREFIX.match(line)
    return (int(found[1]), found[2].decode("utf-8", "replace")) if found else None


def salt_of(line: bytes) -> str:
    """Return the salt of an opening; "" where there is none."""
    found = _PREFIX.match(line)
    return found[3].decode() if found else ""


class _Frame(Struct):
    """The fields by which a record is known, in a part of it."""

    n: Raw | UnsetType = UNSET
    kind: Raw | UnsetType = UNSET


_frame = msgspec.json.Decoder(_Frame).decode


def shown_part(line: bytes) -> bytes:
    """Return the text after the frame of an opening, ``,"event":...}``; empty if it repeats number or kind."""
    found = _PREFIX.match(line)
    if not found or not line.startswith(b',"', found.end()):
        return b""
    part = line[found.end() :]
    if b'"n"' in part or b'"kind"' in part or b"\\" in part:
        frame = _frame(b"{" + part[1:])
        if frame.n is not UNSET or frame.kind is not UNSET:
            return b""
    return part


def part_of(line: bytes) -> dict[str, Any]:
    """Return the fields that an opening shows; raises msgspec.DecodeError for what is no JSON."""
    fields = msgspec.json.decode(line, type=dict[str, Any])
    return {name: value for name, value in fields.items() if name not in _FRAME}


def holder_of_whole(sealed: Mapping[str, str], known: Mapping[Key, bytes], number: int) -> bytes | None:
    """Return the opening among ``known`` that holds record ``number`` whole; None where there is none."""
    holders = (UMPIRE,) if UMPIRE in sealed else sealed
    return next((known[number, to] for to in holders if (number, to) in known), None)
