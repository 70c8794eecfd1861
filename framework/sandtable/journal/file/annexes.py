"""Annexes: lines beside the chain with facts that are not part of the game (log format, section 3)."""

import hashlib
from binascii import hexlify
from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.errors import LogDamaged
from sandtable.journal.format.chain import parted
from sandtable.journal.format.limits import check_line

ANNEX = b'{"kind":"annex"'


def annex_line(facts: dict[str, Any]) -> bytes:
    """Return an annex: facts that are not part of the game, hashed separately from the chain."""
    body = msgspec.json.encode({"kind": "annex", **facts})[:-1]
    return b'%b,"hash":"%b"}\n' % (body, hexlify(_annex_hash(body)))


def _annex_hash(body: bytes) -> bytes:
    return hashlib.sha256(b"sandtable annex\n" + body).digest()


def annex_fits(line: bytes) -> bool:
    """Return whether the hash of an annex fits its text."""
    body, stored = parted(line)
    return hexlify(_annex_hash(body)) == stored


def read_annexes(lines: Sequence[bytes], name: str) -> list[bytes]:
    """Return the annexes among ``lines``; raise LogDamaged if one was altered, LogError if one exceeds a limit."""
    found = []
    for number, line in enumerate(lines, start=1):
        if line.startswith(ANNEX):
            check_line(line, number, name)
            _check_annex(line, number, name)
            found.append(line)
    return found


def _check_annex(line: bytes, number: int, name: str) -> None:
    if not annex_fits(line):
        raise LogDamaged(f"{name}: line {number}: the annex was altered: its hash does not match its text")
