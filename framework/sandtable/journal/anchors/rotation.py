"""Changing the key of a seat: rotated by its old key, or replaced after a loss (log format, section 9)."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from operator import itemgetter

import msgspec
from msgspec.structs import replace

from sandtable.journal.anchors.signing import SigningKey, is_public_key
from sandtable.journal.file.log import Log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import KeyRecord, unsigned
from sandtable.quoting import shortened

Check = Callable[[str, bytes, str], bool]
"""Returns whether a public key made the signature of a message."""


def key_message(record: KeyRecord, head: str) -> bytes:
    """Return the bytes that are signed for ``record``: the running hash ``head`` before it, and its content."""
    return b"sandtable key\n" + head.encode() + b"\n" + msgspec.json.encode(unsigned(record))


def key_before(log: Log, seat: str, number: int) -> str:
    """Return the public key of ``seat`` before record ``number``: that of the header, or its replacement; or ""."""
    changes = log.new_keys.get(seat, [])
    place = bisect_left(changes, number, key=itemgetter(0))
    return changes[place - 1][1] if place else log.header.keys.get(seat, "")


def keys_before(log: Log, number: int) -> Mapping[str, str]:
    """Return the public keys of all seats in the header before record ``number``, as ``key_before`` does."""
    keys = log.header.keys
    return {seat: key_before(log, seat, number) for seat in keys} if log.new_keys else keys


def replacers(by: str, keys: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the names that may replace the lost key of ``by``: the umpire, or all other seats with keys together."""
    others = tuple(sorted(name for name in keys if name not in (by, UMPIRE)))
    found = [(UMPIRE,)] if UMPIRE in keys and by != UMPIRE else []
    return [*found, *([others] if others else [])]


def signed_change(
    number: int, by: str, new: SigningKey, head: str, signing: Mapping[str, SigningKey], reason: str = ""
) -> KeyRecord:
    """Return record ``number``, after the running hash ``head``: ``by`` has the key ``new``, signed by ``signing``.

    ``signing`` has the old key of ``by``. After a loss, which the ``reason`` describes, it has the keys of those who
    may replace it.
    """
    record = KeyRecord(number, by, new.public, reason=reason)
    message = key_message(record, head)
    signatures = {name: key.sign(message) for name, key in sorted(signing.items())}
    return replace(record, proof=new.sign(message), signatures=signatures)


def why_not_changed(record: KeyRecord, head: str, keys: Mapping[str, str], check: Check) -> str:
    """Return why ``record`` does not change the key of its seat, or "" if it does; ``keys`` are those before it.

    Raises SignaturesUnchecked if ``check`` does.
    """
    seat = shortened(record.by)
    if record.by not in keys:
        return f"the key of {seat} cannot change, because the header names no key for it"
    if not is_public_key(record.key):
        return f"the new key of {seat} is not a public key"
    names = tuple(sorted(record.signatures))
    if names != (record.by,) and names not in replacers(record.by, keys):
        who = " or by ".join(" and ".join(each) for each in replacers(record.by, keys)) or "no other seat"
        return f"the new key of {seat} must be signed by its old key or, if that is lost, by {who}"
    if (names != (record.by,)) != bool(record.reason):
        return f"the new key of {seat} must have a reason if the old key was lost, and no reason otherwise"
    message = key_message(record, head)
    if not check(record.key, message, record.proof):
        return f"the new key of {seat} has not signed the record, so nothing proves that {seat} holds it"
    for name in names:
        if not check(keys[name], message, record.signatures[name]):
            return f"the new key of {seat} is not signed by the key of {shortened(name)}"
    return ""
