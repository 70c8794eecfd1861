"""Rulings signed by the umpire whose key the header names (log format, section 9)."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.errors import PlayError
from sandtable.journal.anchors.anchors import head_at, is_signed_in
from sandtable.journal.anchors.rotation import key_before
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import Log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import RulingRecord, unsigned
from sandtable.quoting import shortened


def ruling_message(ruling: RulingRecord[Any], head: str) -> bytes:
    """Return the bytes that are signed for ``ruling``: the running hash ``head`` before it, and its content."""
    return b"sandtable ruling\n" + head.encode() + b"\n" + msgspec.json.encode(unsigned(ruling))


def signed(ruling: RulingRecord[Any], head: str, key: SigningKey, keys: dict[str, str]) -> RulingRecord[Any]:
    """Return ``ruling`` signed by ``key``; raise PlayError if the header's ``keys`` name a different umpire's key."""
    if keys.get(UMPIRE, key.public) != key.public:
        raise PlayError(f"this is not the umpire's key: the header names {keys[UMPIRE][:16]}…, not {key.public[:16]}…")
    return replace(ruling, signature=key.sign(ruling_message(ruling, head)))


def why_not_umpires(ruling: RulingRecord[Any], log: Log) -> str:
    """Return why ``ruling`` is not the umpire's, or is not proven to be; "" if it counts.

    Proof is required only if the header of ``log`` names the umpire's key. Raises SignaturesUnchecked without the
    library for signatures.
    """
    if ruling.by != UMPIRE:
        return f"the ruling is by {shortened(ruling.by)}: only the umpire can rule"
    public = key_before(log, UMPIRE, ruling.n)
    if not public:
        return ""
    if not ruling.signature:
        return "the ruling is not signed; the header names the umpire's key"
    message = ruling_message(ruling, head_at(log, ruling.n - 1))
    if not is_signed_in(log, public, message, ruling.signature):
        return "the ruling is not signed by the umpire whose key the header names"
    return ""
