"""Signing the hands of a game while its log is written (log format, section 9)."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from sandtable.errors import LogDamaged, PlayError
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.rotation import replacers, signed_change, why_not_changed
from sandtable.journal.anchors.signing import is_signed
from sandtable.journal.file.log import Log
from sandtable.journal.format.chain import chain
from sandtable.journal.format.header import Header
from sandtable.journal.format.lines import LineForm
from sandtable.journal.hands.checking import cover_of, entries_of
from sandtable.journal.hands.cover import Cover
from sandtable.journal.hands.inputs import KINDS, SignedLine, digest_of, entry_of, hand_message
from sandtable.journal.hands.seeds import SeatKey
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import label_of
from sandtable.kernel.records import HandRecord, KeyRecord, OrderRecord


class Sink(Protocol):
    """A destination of records, such as a LogWriter: ``count`` records are in it, with the running hash ``head``."""

    form: LineForm | None
    count: int
    head: bytes

    def put(self, records: Sequence[Any]) -> None:
        """Store the ``records`` that are not stored yet."""


class Hands:
    """Signs the orders of a game for the seats whose keys its header names.

    A hand is closed when another seat must decide, and before the game closes. ``signers`` are the secrets of seats,
    found by their public keys; ``give`` takes orders that were signed elsewhere. Without keys in the header nothing is
    signed.
    """

    def __init__(self, header: Header, sink: Sink, signers: Iterable[SeatKey] = ()) -> None:
        self._sink = sink
        self._signers = {key.public: key for key in signers}
        self._heads: dict[int, str] = {}
        self._given: dict[str, str] = {}
        self._salt = ""
        self._seen = 0
        self.cover = Cover(header.game, header.keys, self._head_after, _trusted)
        self._game: Game | None = None

    @classmethod
    def resumed(cls, log: Log, sink: Sink, signers: Iterable[SeatKey] = ()) -> "Hands":
        """Return the hands of a game that continues ``log``; raise LogDamaged if an order in it is not signed."""
        hands = cls(log.header, sink, signers)
        if log.header.keys:
            cover = cover_of(log)
            for entry in entries_of(log):
                if fault := cover.take(entry):
                    raise LogDamaged(f"{log.name}: {fault.text}")
            if cover.unchecked is not None:
                raise cover.unchecked
            cover.trust(hands._head_after, _trusted)
            hands.cover = cover
            hands._heads = {start: head_at(log, start) for start in hands._starts()}
        hands._seen = log.records
        return hands

    @property
    def are_used(self) -> bool:
        """Whether the header names a key."""
        return bool(self.cover.keys)

    def follow(self, game: Game) -> None:
        """Attach to ``game``: its sealed and secret orders get salts of their seats, and hands precede its close."""
        if not self.are_used:
            return
        self._game = game
        game.salt_for = self._salt_for
        game.closing = self._close_all

    def store(self, game: Game, *, some: bool = False) -> None:
        """Store the new records of ``game``, with the hands that end before its next question.

        Raises PlayError if one of these hands is not signed; with ``some``, such a hand stays open.
        """
        if self.are_used:
            self._take(game)
            self._close_over(game, some=some)
        self._sink.put(game.records)

    def end(self, game: Game) -> None:
        """Store the new records, and close every open hand that can be closed: the game is interrupted here."""
        if self.are_used:
            self._take(game)
            for seat in [*self.cover.open]:
                if self._signer_of(seat) is not None or seat in self._given:
                    self._close(game, seat)
        self._sink.put(game.records)

    def check_closed(self) -> None:
        """Raise PlayError if an order is not signed yet: a ruling, an ending or another seat would follow it."""
        for entry in self.cover.uncovered():
            raise PlayError(
                f"order {entry.n} of {entry.by} is not signed: name the file with the private key of that seat (--sign)"
            )

    def message(self, game: Game, decision: Decision, order: Order, salt: str = "") -> bytes:
        """Return the text that the seat of the pending ``decision`` signs, if it answers with ``order`` now.

        It covers all orders of the hand so far. ``salt`` is the seat's own, for a sealed or secret order. A page shows
        the items of the hand and signs their digest.
        """
        self._take(game)
        seat = self.cover.owner_of(decision.seat)
        start, entries = self._hand_of(seat, game.number + 1)
        entries = [*entries, self._entry_of(game, decision, order, salt)]
        return hand_message(self.cover.game, seat, start, self._head_after(start), digest_of(entries))

    @property
    def head(self) -> str:
        """The running hash after the last stored record, in hex."""
        return self._sink.head.hex()

    def asked(self, game: Game, decision: Decision) -> str:
        """Return the question of the pending ``decision`` as the log stores it if it is answered next."""
        question: Any = game.question_of(decision)
        stored: OrderRecord[Any] = self._form.stored(OrderRecord(game.number + 1, decision.seat, None, asked=question))
        return stored.asked

    def sealed_message(self, seat: str, own: str) -> bytes:
        """Return the text that ``seat`` signs for its order in the pending sealed group, given its commitment ``own``.

        It is that of ``message``, made without the order. All records must be stored.
        """
        start = self._sink.count
        entry = SignedLine("order", start + 1, seat, missing=1, own=own)
        return hand_message(self.cover.game, seat, start, self.head, digest_of([entry]))

    def give(self, game: Game, order: Order, by: str, signature: str, salt: str = "") -> None:
        """Answer the pending decision of seat ``by`` with an order that was signed elsewhere.

        ``signature`` is that of ``message``. Raises PlayError if it does not fit, or for a sealed or secret order
        without ``salt``. Raises IllegalOrder as ``submit`` does. After an error the game is unchanged.
        """
        decision = next((each for each in game.waiting() if each.seat == by), None)
        public = self.cover.keys.get(by)
        if decision is None or public is None:
            raise PlayError(f"{by} has no pending decision that it must sign")
        decision.check(order)
        if (decision.secret or len(_group(game)) > 1) and not salt:
            raise PlayError(f"a sealed or secret order of {by} needs its own salt")
        if not is_signed(public, self.message(game, decision, order, salt), signature):
            raise PlayError(f"the order of {by} is not signed with its key, or signs other orders of this hand")
        self._given[by] = signature
        self._submit(game, order, by, salt)

    def repeat(self, game: Game, record: OrderRecord[Any]) -> None:
        """Give the order in ``record`` again, which a ruling took back; raises what ``submit`` does."""
        self._submit(game, record.order, record.by, record.own_salt)

    def _submit(self, game: Game, order: Order, by: str, salt: str) -> None:
        self._salt = salt
        try:
            game.submit(order, by)
        finally:
            self._salt = ""

    def change_key(self, game: Game, by: str, new: SeatKey, signing: Iterable[SeatKey], reason: str = "") -> KeyRecord:
        """Give the seat ``by`` the key ``new`` from here on, and store the record.

        ``signing`` has its old key. If that was lost, for ``reason``, it has the key of the umpire or those of all
        other seats. Raises PlayError if these keys may not do that; then at most open hands were closed.
        """
        self.add(signing)
        self.end(game)
        keys = self.cover.keys
        old = self._signer_of(by)
        names = next((each for each in replacers(by, keys) if all(map(self._signer_of, each))), ())
        signers = {by: old} if old is not None and not reason else {name: self._signer_of(name) for name in names}
        head = self._sink.head.hex()
        by_name = {name: each.signing for name, each in signers.items() if each is not None}
        record = signed_change(game.number + 1, by, new.signing, head, by_name, reason)
        if why := why_not_changed(record, head, keys, is_signed):
            raise PlayError(why)
        self.add([new])
        game.note(record)
        self.store(game)
        return record

    def add(self, keys: Iterable[SeatKey]) -> None:
        """Add secrets of seats."""
        self._signers.update((key.public, key) for key in keys)

    def check_keys(self, seats: Iterable[str] = ()) -> None:
        """Raise PlayError if a private key belongs to no seat, or if one of ``seats`` has a key that is not here."""
        known = self.cover.keys
        if strange := next((public for public in self._signers if public not in known.values()), ""):
            raise PlayError(f"the key {strange[:16]}… is not one that the log names for a seat")
        if missing := next((seat for seat in seats if seat in known and self._signer_of(seat) is None), ""):
            raise PlayError(f"the orders of {missing} must be signed: name the file with its private key (--sign)")

    def signers_of(self, seats: Iterable[str]) -> list[SeatKey]:
        """Return the secrets of ``seats``, without those that are not here."""
        return [signer for seat in seats if (signer := self._signer_of(seat)) is not None]

    def _signer_of(self, seat: str) -> SeatKey | None:
        return self._signers.get(self.cover.keys.get(seat, ""))

    def _starts(self) -> set[int]:
        """Return the records whose running hashes are needed."""
        cover = self.cover
        return {each.start for each in cover.open.values()} | ({cover.group_start} if cover.in_group else set())

    def _take(self, game: Game) -> None:
        """Take the new records of ``game``."""
        for record in game.records[self._seen :]:
            self._seen += 1
            if record.__struct_config__.tag in KINDS:
                fault = self.cover.take(entry_of(self._form.stored(record)))
                if fault is not None:
                    raise PlayError(f"{fault.text}: name the file with its private key (--sign)")
        self._heads = {start: self._head_after(start) for start in self._starts()}

    @property
    def _form(self) -> LineForm:
        assert self._sink.form is not None  # noqa: S101 - set before a game is written
        return self._sink.form

    def _head_after(self, number: int) -> str:
        """Return the running hash after record ``number``: of an open hand, or of a record that is not stored yet."""
        if number in self._heads:
            return self._heads[number]
        assert self._game is not None  # noqa: S101 - set by follow
        assert number >= self._sink.count  # noqa: S101 - an earlier one belongs to an open hand
        new = self._game.records[self._sink.count : number]
        return chain(self._form.encode(new).bodies, self._sink.head)[1].hex()

    def _hand_of(self, seat: str, number: int) -> tuple[int, list[SignedLine]]:
        """Return start and entries of the hand of ``seat`` that record ``number`` will belong to."""
        start = self.cover.start_of(seat, number)
        hand = self.cover.open.get(seat)
        return start, hand.entries if hand else []

    def _entry_of(self, game: Game, decision: Decision, order: Order, salt: str) -> SignedLine:
        group = _group(game)
        missing = len(game.waiting()) if group else 0
        question: Any = game.question_of(decision)
        record = OrderRecord(game.number + 1, decision.seat, order, missing, decision.secret, question, "", salt)
        return entry_of(self._form.stored(record))

    def _salt_for(self, decision: Decision) -> str:
        """Return the seat's own salt for the answer to a sealed or secret ``decision``, "" for a seat without a key."""
        if self._salt or self._game is None:
            return self._salt
        self._take(self._game)
        seat = self.cover.owner_of(decision.seat)
        signer = self._signer_of(seat)
        if signer is None:
            return ""
        number = self._game.number + 1
        start, entries = self._hand_of(seat, number)
        label = label_of(self._game.question_of(decision))
        return signer.salt(label, start, self._head_after(start), len(entries))

    def _close_over(self, game: Game, *, some: bool) -> None:
        """Close the hands of all seats but the one that decides next; in a sealed group all wait for the last.

        A standing order is signed at once, because its seat need not answer next.
        """
        waiting = [each.seat for each in game.waiting()]
        for seat, hand in [*self.cover.open.items()]:
            is_in_group = self.cover.in_group and hand.start == self.cover.group_start
            is_signed_here = self._signer_of(seat) is not None or seat in self._given
            is_due = seat in self.cover.due or (waiting != [seat] and not is_in_group)
            if (is_due or hand.entries[-1].kind == "standing") and (is_signed_here or not some):
                self._close(game, seat)

    def _close_all(self) -> None:
        """Close every hand, before the game closes."""
        assert self._game is not None  # noqa: S101 - set by follow
        self._take(self._game)
        for seat in [*self.cover.open]:
            self._close(self._game, seat)

    def _close(self, game: Game, seat: str) -> None:
        """Note the hand of ``seat``; raise PlayError if it is not signed."""
        hand = self.cover.open[seat]
        items = digest_of(hand.entries)
        message = hand_message(self.cover.game, seat, hand.start, self._head_after(hand.start), items)
        signer, given = self._signer_of(seat), self._given.pop(seat, "")
        if signer is not None:
            given = signer.sign(message)
        elif not given or not is_signed(self.cover.keys[seat], message, given):
            entry = hand.entries[0]
            raise PlayError(f"order {entry.n} of {seat} is not signed: name the file with its private key (--sign)")
        game.note(HandRecord(game.number + 1, seat, hand.start, items, given))
        self._take(game)


def _group(game: Game) -> Sequence[Decision]:
    """Return the decisions of the pending sealed group, or none."""
    return getattr(game.pending, "decisions", ())


def _trusted(*_: object) -> bool:
    """Accept a signature that was made or checked here."""
    return True
