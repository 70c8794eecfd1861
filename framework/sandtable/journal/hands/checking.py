"""Checking the hands of a log against its chain, without running the rules (log format, sections 9 and 11)."""

from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec import Raw, Struct

from sandtable.errors import LogClosed, SignaturesUnchecked
from sandtable.journal.anchors.anchors import head_at, is_signed_in
from sandtable.journal.file.log import KEY_RECORD, Log
from sandtable.journal.format.salts import own_commitment
from sandtable.journal.hands.cover import Cover, CoverFault
from sandtable.journal.hands.inputs import PREFIXES, SignedLine, read_entry
from sandtable.quoting import shortened

HAND = b'{"kind":"hand"'


class SignedOrders(Struct, frozen=True):
    """The result of a check of the hands in a log.

    ``fault`` is the first order that is not signed as it must be, or the first wrong signature. ``unsigned`` are the
    inputs at the end that no hand covers yet, ``losses`` the replacements of lost keys in words. If ``unchecked`` is
    set, a signature could not be checked here.
    """

    fault: CoverFault | None = None
    unsigned: tuple[SignedLine, ...] = ()
    losses: tuple[str, ...] = ()
    unchecked: SignaturesUnchecked | None = None


def entries_of(log: Log) -> Iterator[SignedLine]:
    """Yield the records of ``log`` that decide what its hands cover; raises the errors of msgspec if invalid."""
    for line in log.lines[1:]:
        if line.startswith(PREFIXES):
            yield read_entry(line)


def cover_of(log: Log) -> Cover:
    """Return the cover of ``log`` before its first record."""
    return Cover(log.header.game, log.header.keys, partial(head_at, log), partial(is_signed_in, log))


def signed_orders(log: Log) -> SignedOrders:
    """Check the hands of ``log``. Raises the errors of msgspec for an invalid record."""
    if not (log.header.keys or log.kinds.may_have(HAND) or log.kinds.may_have(KEY_RECORD)):
        return SignedOrders()
    cover = cover_of(log)
    losses: list[str] = []
    for entry in entries_of(log):
        fault = cover.take(entry) or _other_order(log, entry)
        if fault is not None:
            return SignedOrders(fault, (), tuple(losses), cover.unchecked)
        if entry.kind == "key" and entry.by not in entry.signatures:
            by = " and ".join(sorted(map(shortened, entry.signatures)))
            losses.append(
                f"record {entry.n} by {by}, signed: {shortened(entry.by)} has a new key: {shortened(entry.reason)}"
            )
    return SignedOrders(None, tuple(cover.uncovered()), tuple(losses), cover.unchecked)


class _Opened(Struct):
    """A sealed or secret order as its opening shows it."""

    by: str
    order: Raw
    asked: str = ""
    own_salt: str = ""


_opened = msgspec.json.Decoder(_Opened).decode


def _other_order(log: Log, entry: SignedLine) -> CoverFault | None:
    """Return a fault if the opening of an order shows an order to which its seat did not commit."""
    if not entry.own:
        return None
    try:
        shown = _opened(log.whole(entry.n))
    except LogClosed:
        return None
    if own_commitment(shown.by, shown.asked, shown.own_salt, bytes(shown.order)) == entry.own:
        return None
    text = f"record {entry.n}: the opened order is not the one to which {shortened(entry.by)} committed"
    return CoverFault(entry.n, "own", text)
