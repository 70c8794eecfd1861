"""Openings: the lines that reveal what the chain commits to (log format, section 8)."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from sandtable.journal.format.trees import leaf_hash, root_from
from sandtable.kernel.decisions import UMPIRE

OPENING = b'{"kind":"opening"'
CLOSED = b'{"kind":"closed"'
ROOT = b'"root":"'
"""Bytes that are in every line with a commitment."""
_PREFIX = re.compile(
    rb'\{"kind":"opening","n":(0|[1-9][0-9]{0,8}),"to":"([^"\\]{1,64})"(?:,"at":(0|[1-9][0-9]{0,2}))?,"salt":"([0-9a-f]{32})"'
)
_PATH = b',"path":"'
_PROVEN = re.compile(rb'((?:[0-9a-f]{64}){1,11})"\}')
_encode = msgspec.json.Encoder().encode

MAX_STEP = 256
"""Maximum number of records of a closed step. If more are closed in a row, another step follows."""

Key = tuple[int, str]
"""The first record of a step, or the number of a partly public record (0: the header), and an addressee."""


class Opening(Struct, frozen=True, tag_field="kind", tag="opening", forbid_unknown_fields=True):
    """The content of an opening: the ``records`` of a closed step, or the ``part`` of a record that its line lacks.

    A record that its viewer sees only in part has the kind ``seen``. Neither means that nothing is shown to the viewer.
    ``at`` is the index of the viewer's leaf, unless it is the umpire's.
    """

    n: int
    to: str
    salt: str
    path: str
    at: int | None = None
    records: tuple[Raw, ...] = ()
    part: Raw = Raw()


decode_opening = msgspec.json.Decoder(Opening).decode


class Commitment(Struct):
    """The commitment in a line, whatever else it holds; ``last`` is the last record of a closed step."""

    n: int = 0
    last: int = 0
    root: str = ""


_commitment = msgspec.json.Decoder(Commitment).decode


def leaf_of(number: int, to: str, at: int | None, salt: str, content: bytes) -> bytes:
    """Return the leaf of record or step ``number`` for ``to``; ``content`` is empty, or begins with a comma."""
    place = b"" if at is None else b',"at":%d' % at
    return b'%b,"n":%d,"to":%b%b,"salt":"%b"%b' % (OPENING, number, _encode(to), place, salt.encode(), content)


def content_of_step(records: Sequence[bytes]) -> bytes:
    """Return the content of the opening of a closed step that shows ``records``, each as JSON."""
    return b',"records":[%b]' % b",".join(records) if records else b""


def content_of_part(fields: dict[str, Any]) -> bytes:
    """Return the content of the opening of a partly public record that shows ``fields``."""
    return b',"part":%b' % _encode(fields)


def opening_line(leaf: bytes, path: bytes) -> bytes:
    """Return an opening without line end: its leaf, and the hashes that lead from it to the root."""
    return b'%b%b%b"}' % (leaf, _PATH, path.hex().encode())


def commitment_in(line: bytes) -> Commitment:
    """Return the commitment of a line of the chain, empty without one; raise the errors of msgspec if it is invalid."""
    return _commitment(line) if line.find(ROOT) >= 0 else _NO_COMMITMENT


_NO_COMMITMENT = Commitment()


def key_of(line: bytes) -> Key | None:
    """Return the record and addressee of the opening in ``line``, or None if it is not in the form of an opening."""
    found = _PREFIX.match(line)
    return (int(found[1]), found[2].decode("utf-8", "replace")) if found else None


def salt_of(line: bytes) -> str:
    """Return the salt of an opening, or "" without one."""
    found = _PREFIX.match(line)
    return found[4].decode() if found else ""


def place_of(line: bytes) -> tuple[int, int]:
    """Return the index of a side's leaf, and the length of its path in hashes; (-1, 0) for other openings."""
    found, (_, _, path) = _PREFIX.match(line), line.rpartition(_PATH)
    return (int(found[3]), (len(path) - 2) // 64) if found and found[3] is not None else (-1, 0)


def root_of(line: bytes) -> str:
    """Return the root, 64 hex digits, to which the path of an opening leads; "" if it is not in the form of one."""
    found = _PREFIX.match(line)
    leaf, _, rest = line.rpartition(_PATH)
    proven = _PROVEN.fullmatch(rest)
    if found is None or proven is None or len(leaf) < found.end():
        return ""
    index = None if found[3] is None else int(found[3])
    if (index is None) != (found[2] == UMPIRE.encode()):
        return ""
    root = root_from(leaf_hash(leaf), index, bytes.fromhex(proven[1].decode()))
    return root.hex() if root is not None else ""
