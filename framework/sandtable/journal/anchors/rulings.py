"""Rulings that are signed: by the umpire whose key the header names (log format, section 9)."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.errors import PlayError
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.signing import SigningKey, is_signed
from sandtable.journal.file.log import Log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import RulingRecord
from sandtable.quoting import shortened


def ruling_message(ruling: RulingRecord[Any], head: str) -> bytes:
    """Return what is signed of a ``ruling``: the running hash ``head`` before it, and all that it says."""
    bare = replace(ruling, signature="", hash="")
    return b"sandtable ruling\n" + head.encode() + b"\n" + msgspec.json.encode(bare)


def signed(ruling: RulingRecord[Any], head: str, key: SigningKey, keys: dict[str, str]) -> RulingRecord[Any]:
    """Return ``ruling`` signed by ``key``; raises PlayError when the header's ``keys`` name another for the umpire."""
    if keys.get(UMPIRE, key.public) != key.public:
        raise PlayError(f"this is not the umpire's key: the header names {keys[UMPIRE][:16]}…, not {key.public[:16]}…")
    return replace(ruling, signature=key.sign(ruling_message(ruling, head)))


def why_not_umpires(ruling: RulingRecord[Any], log: Log) -> str:
    """Return why ``ruling`` is not the umpire's, or not proven to be if ``log`` names the umpire's key; "" if it is."""
    if ruling.by != UMPIRE:
        return f"the ruling is by {shortened(ruling.by)}: only the umpire rules"
    public = log.header.keys.get(UMPIRE)
    if public is None:
        return ""
    if not ruling.signature:
        return "the ruling is not signed; the header names the umpire's key"
    if not is_signed(public, ruling_message(ruling, head_at(log, ruling.n - 1)), ruling.signature):
        return "the ruling is not signed by the umpire whose key the header names"
    return ""
