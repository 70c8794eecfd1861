"""Openings: the lines that reveal what the chain commits to (log format, section 8)."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from sandtable.kernel.decisions import UMPIRE

OPENING = b'{"kind":"opening"'
SEALED = b'"sealed":{'
"""Bytes that are in every line with a commitment."""
_PREFIX = re.compile(rb'\{"kind":"opening","n":(0|[1-9][0-9]{0,8}),"to":"([^"\\]{1,64})","salt":"([0-9a-f]{32})"')
_FRAME = ("kind", "n", "to", "salt")
_encode = msgspec.json.Encoder().encode

Key = tuple[int, str]
"""The record number and the addressee of an opening."""


def opening_line(number: int, to: str, salt: str, part: Mapping[str, Any]) -> bytes:
    """Return the opening of record ``number`` for ``to``, without line end."""
    return _encode({"kind": "opening", "n": number, "to": to, "salt": salt, **part})


def commitment_of(line: bytes) -> str:
    """Return the commitment to an opening: the SHA-256 of its bytes, in hex."""
    return hashlib.sha256(line).hexdigest()


class _Sealed(Struct):
    """The commitments of a line, whatever else it holds."""

    sealed: dict[str, str] = {}


_commitments = msgspec.json.Decoder(_Sealed).decode


def commitments_in(line: bytes) -> dict[str, str]:
    """Return the commitments in a line of the chain by addressee; raise the errors of msgspec if it is not valid."""
    return _commitments(line).sealed if SEALED in line else {}


def key_of(line: bytes) -> Key | None:
    """Return the record and addressee of the opening in ``line``, or None if it is not in the form of an opening."""
    found = _PREFIX.match(line)
    return (int(found[1]), found[2].decode("utf-8", "replace")) if found else None


def salt_of(line: bytes) -> str:
    """Return the salt of an opening, or "" without one."""
    found = _PREFIX.match(line)
    return found[3].decode() if found else ""


class _Frame(Struct):
    """The fields in an opening's content that would repeat those that identify its record."""

    n: Raw | UnsetType = UNSET
    kind: Raw | UnsetType = UNSET


_frame = msgspec.json.Decoder(_Frame).decode


def shown_part(line: bytes) -> bytes:
    """Return the text after the frame of an opening, ``,"event":...}``, or nothing if it repeats number or kind."""
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
    """Return the fields that an opening shows; raise msgspec.DecodeError if it is not JSON."""
    fields = msgspec.json.decode(line, type=dict[str, Any])
    return {name: value for name, value in fields.items() if name not in _FRAME}


def holder_of_whole(sealed: Mapping[str, str], known: Mapping[Key, bytes], number: int) -> bytes | None:
    """Return the opening among ``known`` that holds record ``number`` completely, or None."""
    holders = (UMPIRE,) if UMPIRE in sealed else sealed
    return next((known[number, to] for to in holders if (number, to) in known), None)
