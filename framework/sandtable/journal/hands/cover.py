"""Which orders of a log are signed: a state machine over its records, for the writer and the verifier alike.

The rule of cover (log format, section 9): before a record that another seat makes, and before the close, a hand covers
every order, undo and standing order of each seat with a key. What a standing order answers is not made by its seat.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sandtable.errors import SignaturesUnchecked
from sandtable.journal.anchors.rotation import Check, why_not_changed
from sandtable.journal.file.log import MAX_CHANGES
from sandtable.journal.hands.inputs import SignedLine, digest_of, hand_message
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import KeyRecord
from sandtable.quoting import shortened

HeadOf = Callable[[int], str]
"""Returns the running hash after a record, in hex."""


class CoverFault(NamedTuple):
    """Why an order is not signed, or a signature does not count: record, field and reason."""

    record: int
    field: str
    text: str


class OpenHand(NamedTuple):
    """The inputs of a seat that no hand covers yet; ``start`` is the record before their first question."""

    start: int
    entries: list[SignedLine]


class Cover:
    """The open hands of a game after the records that it has taken.

    ``keys`` are the current public keys by seat. ``open`` are the open hands by seat; those in ``due`` must be closed
    before any further order, because another seat answered at the same time. ``unchecked`` is set if a signature could
    not be checked.
    """

    def __init__(self, game: str, keys: Mapping[str, str], head_of: HeadOf, check: Check) -> None:
        self.game = game
        self.keys = dict(keys)
        self.open: dict[str, OpenHand] = {}
        self.due: list[str] = []
        self.unchecked: SignaturesUnchecked | None = None
        self._head_of, self._check = head_of, check
        self._group = -1
        self._orders: list[SignedLine] = []
        self._replaced: dict[int, list[SignedLine]] = {}
        self._again: deque[SignedLine] = deque()
        self._is_amending = False
        self._changes = 0

    @property
    def in_group(self) -> bool:
        """Whether some orders of a sealed group were given and others are missing."""
        return self._group >= 0

    @property
    def group_start(self) -> int:
        """The record before the sealed group that is being answered, or -1."""
        return self._group

    def start_of(self, seat: str, number: int) -> int:
        """Return the record before the first question of the hand of ``seat`` that record ``number`` will belong to."""
        if seat in self.open:
            return self.open[seat].start
        return self._group if self.in_group else number - 1

    def owner_of(self, seat: str) -> str:
        """Return the owner of the next answer for ``seat``: the umpire if a ruling replaces its order, or the seat."""
        return UMPIRE if self._is_amending else seat

    def take(self, entry: SignedLine) -> CoverFault | None:
        """Take the next record; return why it, or an earlier order, is not signed as it must be."""
        if entry.kind == "hand":
            return self._close_hand(entry)
        if entry.kind == "key":
            return self._change_key(entry)
        if entry.kind == "standing":
            return self._uncovered(entry.by) or self._add(entry, entry.by)
        if entry.is_implied:
            self._group, self._is_amending = -1, False
            return None
        is_new_group = entry.kind == "order" and entry.missing and not self.in_group
        if is_new_group:
            self._group = entry.n - 1
        elif not (entry.kind == "order" and entry.missing) and not (entry.kind == "undo" and entry.to > self._group):
            self._group = -1
        owner = self.owner_of(entry.by) if entry.kind == "order" else entry.by
        fault = self._uncovered(owner if entry.is_input else "")
        if fault is None and entry.kind in ("undo", "ruling"):
            self._take_back(entry)
        if fault is None and entry.is_input:
            fault = self._add(entry, owner)
        self._is_amending = entry.kind == "ruling" and bool(entry.amends)
        if entry.missing == 1:
            self.due += [seat for seat, hand in self.open.items() if hand.start == self._group]
            self._group = -1
        return fault

    def trust(self, head_of: HeadOf, check: Check) -> None:
        """Use other sources from here on: the records that follow are made here."""
        self._head_of, self._check = head_of, check

    def uncovered(self) -> list[SignedLine]:
        """Return the orders, undos and standing orders that no hand covers yet."""
        return sorted((each for hand in self.open.values() for each in hand.entries), key=lambda each: each.n)

    def _uncovered(self, owner: str) -> CoverFault | None:
        """Return the first unsigned order before a record of ``owner`` ("" if the record ends every hand), or None."""
        for seat, hand in self.open.items():
            together = self.in_group and hand.start == self._group
            if (seat in self.due or seat != owner) and not together:
                return _unsigned(hand.entries[0])
        return None

    def _add(self, entry: SignedLine, owner: str) -> CoverFault | None:
        """Add an input to the hand of its ``owner``, unless a ruling gives the order again.

        The order with which the umpire replaces one is signed only if both have a key.
        """
        if entry.kind == "order":
            self._orders.append(entry)
            if not self._is_amending and self._again:
                if entry.repeats(self._again.popleft()):
                    return None
                self._again.clear()
        if owner not in self.keys or entry.by not in self.keys:
            return None
        if entry.kind == "order" and entry.is_hidden and not entry.own:
            return CoverFault(entry.n, "own", f"order {entry.n} of {entry.by} has no commitment of its seat")
        start = entry.n - 1 if entry.kind == "standing" else self.start_of(owner, entry.n)
        hand = self.open.setdefault(owner, OpenHand(start, []))
        hand.entries.append(entry)
        return None

    def _take_back(self, entry: SignedLine) -> None:
        """Note the orders that ``entry`` takes back, and those that its ruling may give again."""
        first = entry.first_undone
        back: list[SignedLine] = []
        while first and self._orders and self._orders[-1].n >= first:
            back.append(self._orders.pop())
        self._again.clear()
        if entry.kind == "ruling" and first:
            later = [each for each in reversed(back) if each.n > entry.amends]
            if entry.amends:
                self._replaced[entry.n] = later
            self._again.extend(self._replaced.get(entry.withdraws, later))

    def _close_hand(self, entry: SignedLine) -> CoverFault | None:
        seat, hand = shortened(entry.by), self.open.get(entry.by)
        if entry.by not in self.keys:
            return CoverFault(entry.n, "by", f"record {entry.n}: a hand of {seat}, for whom the header names no key")
        if hand is None:
            return CoverFault(entry.n, "items", f"record {entry.n}: the hand of {seat} signs no order")
        if entry.start != hand.start:
            text = f"begins after record {entry.start}; its first question follows record {hand.start}"
            return CoverFault(entry.n, "from", f"record {entry.n}: the hand of {seat} {text}")
        if entry.items != digest_of(hand.entries):
            return CoverFault(
                entry.n, "items", f"record {entry.n}: the hand of {seat} signs other orders than those here"
            )
        message = hand_message(self.game, entry.by, hand.start, self._head_of(hand.start), entry.items)
        if not self._is_signed(self.keys[entry.by], message, entry.signature):
            return CoverFault(entry.n, "signature", f"record {entry.n}: the hand is not signed by the key of {seat}")
        del self.open[entry.by]
        self.due = [each for each in self.due if each != entry.by]
        return None

    def _change_key(self, entry: SignedLine) -> CoverFault | None:
        record = KeyRecord(entry.n, entry.by, entry.key, entry.proof, entry.reason, entry.signatures)
        self._changes += 1
        if self._changes > MAX_CHANGES:
            return CoverFault(entry.n, "key", f"record {entry.n}: keys change more than {MAX_CHANGES:,} times")
        why = why_not_changed(record, self._head_of(entry.n - 1), self.keys, self._is_signed)
        if why:
            return CoverFault(entry.n, "key", f"record {entry.n}: {why}")
        self.keys[entry.by] = entry.key
        return None

    def _is_signed(self, public: str, message: bytes, signature: str) -> bool:
        try:
            return self._check(public, message, signature)
        except SignaturesUnchecked as error:
            self.unchecked = self.unchecked or error
            return True


def _unsigned(entry: SignedLine) -> CoverFault:
    what = "standing order" if entry.kind == "standing" else entry.kind
    return CoverFault(entry.n, "by", f"{what} {entry.n} of {shortened(entry.by)} is not signed")
