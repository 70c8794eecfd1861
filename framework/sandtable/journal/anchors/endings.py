"""Endings that people make, signed by the seats whose keys the header names (log format, section 9)."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from sandtable.errors import PlayError
from sandtable.journal.anchors.anchors import head_at, is_signed_in
from sandtable.journal.anchors.rotation import keys_before
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import Log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.endings import AGREED_DRAW, RESIGNATION
from sandtable.kernel.records import EndRecord, unsigned
from sandtable.quoting import shortened


def ending_message(record: EndRecord, head: str) -> bytes:
    """Return the bytes that are signed for ``record``: the running hash ``head`` before it, and its content."""
    return b"sandtable end\n" + head.encode() + b"\n" + msgspec.json.encode(unsigned(record))


def signers(record: EndRecord, keys: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names in ``keys``, the header's, that must sign ``record``.

    A resignation is signed by its seat or side, an agreed draw by all seats and sides, anything else by the umpire.
    """
    if record.how == RESIGNATION:
        return tuple(name for name in keys if name in (record.by, *record.sides))
    return tuple(name for name in keys if (name == UMPIRE) != (record.how == AGREED_DRAW))


def sign_ending(record: EndRecord, head: str, signing: Sequence[SigningKey], keys: Mapping[str, str]) -> EndRecord:
    """Return ``record`` with the signatures that the header's ``keys`` require, made by the keys in ``signing``.

    Raises PlayError if one of them is missing, or if none of them belongs to a key in ``signing``.
    """
    due = signers(record, keys)
    public = {key.public: key for key in signing}
    if strange := next((each for each in public if each not in {keys[name] for name in due}), None):
        raise PlayError(f"the key {strange[:16]}… is not one that signs this: the header names other keys")
    if missing := [name for name in due if keys[name] not in public]:
        raise PlayError(f"this must be signed by {' and '.join(missing)}, whose keys the header names (--sign KEY)")
    message = ending_message(record, head)
    return replace(record, signatures={name: public[keys[name]].sign(message) for name in sorted(due)})


def why_not_signed(record: EndRecord, log: Log) -> str:
    """Return why ``record`` is not proven to come from the people it names, or "" if it counts.

    Proof is required only of those whose keys the header of ``log`` names. Raises SignaturesUnchecked without the
    library for signatures.
    """
    message = ending_message(record, head_at(log, record.n - 1))
    keys = keys_before(log, record.n)
    due = signers(record, keys)
    if strange := next((name for name in record.signatures if name not in due), None):
        return f"the ending has a signature of {shortened(strange)}, whose key the header does not name for it"
    for name in due:
        if name not in record.signatures:
            return f"the ending is not signed by {name}, whose key the header names"
        if not is_signed_in(log, keys[name], message, record.signatures[name]):
            return f"the ending is not signed by the key of {name} in the header"
    return ""
