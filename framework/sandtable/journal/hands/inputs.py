"""The signed text of a hand, made from the lines of a log without running any rules (log format, section 9)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Raw, Struct

from sandtable.kernel.questions import MARK

KINDS = ("order", "undo", "ruling", "end", "close", "hand", "key", "standing")
"""The kinds of records that decide what a hand covers."""
PREFIXES = tuple(b'{"kind":"%b"' % kind.encode() for kind in KINDS)
_OF_STANDING = ("purposes", "policy", "answer", "until")
_encode = msgspec.json.Encoder().encode


class SignedLine(Struct, frozen=True, gc=False, rename={"start": "from"}):
    """The fields of a record that decide what a hand covers; ``order`` is its JSON as it is stored."""

    kind: str
    n: int
    by: str = ""
    order: Raw = Raw()
    asked: str = ""
    missing: int = 0
    secret: bool = False
    own: str = ""
    to: int = 0
    amends: int = 0
    withdraws: int = 0
    start: int = -1
    items: str = ""
    signature: str = ""
    key: str = ""
    proof: str = ""
    reason: str = ""
    signatures: dict[str, str] = {}
    standing: int = 0
    refused: str = ""
    purposes: Raw = Raw()
    policy: Raw = Raw()
    answer: Raw = Raw()
    until: Raw = Raw()

    @property
    def is_input(self) -> bool:
        """Whether the record is an order, an undo or a standing order, which a hand covers."""
        return self.kind in ("order", "undo", "standing") and not self.is_implied

    @property
    def is_implied(self) -> bool:
        """Whether the record is an open order that a standing order gave: it follows from the standing order."""
        return bool(self.standing) and not self.refused and not self.is_hidden

    @property
    def is_hidden(self) -> bool:
        """Whether the record is a sealed or secret order, whose content its line does not show."""
        return bool(self.missing) or self.secret

    @property
    def first_undone(self) -> int:
        """The number of the first record that no longer counts because of this one, or 0."""
        return self.to or self.amends or self.withdraws

    def repeats(self, other: "SignedLine") -> bool:
        """Return whether this order is that of ``other``, given again to the same question."""
        if self.by != other.by or self.is_hidden != other.is_hidden:
            return False
        if self.is_hidden:
            return bool(self.own) and self.own == other.own
        return _label(self.asked) == _label(other.asked) and bytes(self.order) == bytes(other.order)


read_entry = msgspec.json.Decoder(SignedLine).decode
"""Read the line of a record, whole or as it is in the chain."""


def _label(asked: str) -> str:
    return asked.partition(MARK)[0]


def item(entry: SignedLine) -> bytes:
    """Return the line of an order, undo or standing order among the items that a hand signs."""
    by = _encode(entry.by)
    if entry.kind == "standing":
        parts = ((name, bytes(getattr(entry, name))) for name in _OF_STANDING)
        given = b"".join(b',"%b":%b' % (name.encode(), each) for name, each in parts if each)
        back = b',"withdraws":%d' % entry.withdraws if entry.withdraws else b""
        return b'{"by":%b%b%b}' % (by, given, back)
    if entry.kind == "undo":
        return b'{"by":%b,"to":%d}' % (by, entry.to)
    if entry.is_hidden:
        return b'{"by":%b,"own":%b}' % (by, _encode(entry.own))
    return b'{"asked":%b,"by":%b,"order":%b}' % (_encode(entry.asked), by, bytes(entry.order))


def digest_of(entries: Sequence[SignedLine]) -> str:
    """Return the digest of the ``entries`` that a hand signs, in hex."""
    return sha256(b"\n".join(map(item, entries))).hexdigest()


def hand_message(game: str, by: str, start: int, head: str, items: str) -> bytes:
    """Return the text that a hand signs. ``head`` is the running hash after record ``start``, in hex."""
    return f"sandtable hand\n{game}\n{by}\n{start}\n{head}\n{items}\n".encode()


def entry_of(record: Any) -> SignedLine:
    """Return the entry of a ``record`` in its stored form."""
    return read_entry(_encode(record))
