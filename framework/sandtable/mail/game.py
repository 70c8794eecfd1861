"""The game in one side's program: it continues as far as the known orders and links allow.

Every side's program makes the same records: events, rolls, and the hands that sign orders. A group of sealed orders is
stored when all are opened, in the order of its seats; until then only commitments are known.
"""

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Raw

from sandtable.errors import IllegalOrder, PlayError
from sandtable.front import RecordedGame
from sandtable.journal.anchors.signing import is_signed
from sandtable.journal.epochs.heads import connect
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import Header
from sandtable.journal.format.salts import own_commitment
from sandtable.kernel.decisions import Decision, Order, Roll, Sealed
from sandtable.kernel.questions import label_of
from sandtable.kernel.shared.chains import link_bytes
from sandtable.kernel.shared.epochs import Due, SharedDice
from sandtable.mail.packets import Item, LogPlace, OpenedOrder, Packet, SealedCommitment, SentLink, SentOrder
from sandtable.mail.terms import Secrets
from sandtable.players.players import seat_bot
from sandtable.plugin.manager import Prepared

_encode = msgspec.json.Encoder().encode
Choose = Callable[[Decision, "MailGame"], Order]
"""A function that returns the order of this program's side to a pending decision."""


class RefusedPacket(PlayError):
    """A packet, or an item in it, that does not fit the game."""


class KnownLinks:
    """The links that were sent, by name and epoch."""

    def __init__(self) -> None:
        self.sent: dict[tuple[str, int], bytes] = {}

    def link(self, name: str, due: Due) -> bytes | None:
        """Return the link of ``name``, or None if it has not come yet."""
        return self.sent.get((name, due.epoch))

    def renewal(self, name: str, serial: int) -> tuple[str, int] | None:  # noqa: ARG002 - the protocol's shape
        """Return None: a game by mail has no new chains."""
        return None


class SealedOrder(msgspec.Struct, frozen=True):
    """A sealed order before it is opened, and its salt, kept by its own side only."""

    order: Raw
    salt: str


class MailGame(RecordedGame):
    """A game by mail as the program of ``side`` runs it; ``own`` are the secrets of its player.

    ``kept`` are the side's own sealed orders by commitment; ``play`` adds to it before a commitment is sent.
    """

    __slots__ = ("_committed", "_links", "_opened", "_own", "_prepared", "kept", "side")

    def __init__(
        self, prepared: Prepared, header: Header, salts: bytes, side: str, own: Secrets, kept: dict[str, SealedOrder]
    ) -> None:
        umpires = {seat for seat, owner in prepared.ruleset.seats.items() if owner not in prepared.ruleset.viewers}
        bots = {seat: seat_bot(prepared, seat, header.players[seat], salts) for seat in umpires}
        super().__init__(prepared, header, salts, bots, [own.key])
        self._prepared, self.side, self._own, self.kept = prepared, side, own, kept
        self._links = KnownLinks()
        self._committed: dict[str, SealedCommitment] = {}
        self._opened: dict[str, SealedOrder] = {}
        connect(self.dice, header, self.ruleset, self._links)
        self.start()
        self.answer()

    # --- the present point of the game ---

    @property
    def place(self) -> LogPlace:
        """The end of the log so far."""
        return LogPlace(self.number, self.hands.head)

    def due(self) -> Mapping[str, Due]:
        """Return the links that the pending roll needs and that have not come, by side."""
        if not isinstance(self.pending, Roll) or not isinstance(self.dice, SharedDice):
            return {}
        due = self.dice.epochs.due(self.records)
        return {name: each for name, each in due.items() if (name, each.epoch) not in self._links.sent}

    def awaited(self) -> list[str]:
        """Return the sides whose packet the game waits for; this side is one of them if it must answer."""
        if isinstance(self.pending, Roll):
            return list(self.due())
        group = self._group()
        if not group:
            return list(dict.fromkeys(self.ruleset.side_of(each.seat) for each in self.waiting()))
        uncommitted = [each for each in group if each.seat not in self._committed]
        lacking = uncommitted or [each for each in group if each.seat not in self._opened]
        return list(dict.fromkeys(self.ruleset.side_of(each.seat) for each in lacking))

    def _group(self) -> tuple[Decision, ...]:
        """Return the decisions of the pending group of sealed orders, or () if no group is pending."""
        return tuple(self.pending.decisions) if isinstance(self.pending, Sealed) else ()

    # --- items of this side ---

    def next_item(self, choose: Choose) -> Item | None:
        """Return the next item that this side can send, applied to this game, or None if another side must act.

        ``choose`` gives the orders. A sealed order is in ``kept`` before its commitment is returned.
        """
        item = self._own_link() or self._own_sealed(choose) or self._own_answer(choose)
        if item is not None:
            self.accept(item, self.side)
        return item

    def _own_link(self) -> SentLink | None:
        due = self.due().get(self.side)
        if due is None:
            return None
        if due.place > self._own.chain.links:
            raise PlayError("your chain of links has ended, so the game can have no more rolls")
        return SentLink(due.epoch, self._own.chain[due.place].hex())

    def _own_sealed(self, choose: Choose) -> SealedCommitment | OpenedOrder | None:
        group = self._group()
        for decision in group:
            if self.ruleset.side_of(decision.seat) == self.side and decision.seat not in self._committed:
                return self._commitment(decision, choose(decision, self))
        if any(each.seat not in self._committed for each in group):
            return None
        for decision in group:
            if self.ruleset.side_of(decision.seat) == self.side and decision.seat not in self._opened:
                kept = self.kept[self._committed[decision.seat].own]
                return OpenedOrder(decision.seat, kept.order, kept.salt)
        return None

    def _commitment(self, decision: Decision, order: Order) -> SealedCommitment:
        """Return the commitment to ``order``, which is then in ``kept``."""
        decision.check(order)
        asked = self._asked(decision)
        salt = self._own.key.salt(label_of(self.question_of(decision)), self.number, self.hands.head, 0)
        stored = _encode(order)
        own = own_commitment(decision.seat, asked, salt, stored)
        self.kept[own] = SealedOrder(Raw(stored), salt)
        return SealedCommitment(
            decision.seat, asked, own, self._own.key.sign(self.hands.sealed_message(decision.seat, own))
        )

    def _own_answer(self, choose: Choose) -> SentOrder | None:
        if self._group() or not self.waiting():
            return None
        decision = self.waiting()[0]
        if self.ruleset.side_of(decision.seat) != self.side:
            return None
        order = choose(decision, self)
        signature = self._own.key.sign(self.hands.message(self, decision, order))
        return SentOrder(decision.seat, self._asked(decision), Raw(_encode(order)), signature)

    def _asked(self, decision: Decision) -> str:
        """Return the question of a pending ``decision`` as the log stores it."""
        return self.hands.asked(self, decision)

    # --- items of any side ---

    def take(self, packet: Packet) -> None:
        """Apply a packet of any side. Raises RefusedPacket for a packet that does not fit.

        After an error the game may have a part of the packet, so it must be built again.
        """
        if packet.start != self.place:
            raise RefusedPacket(self._why_not_here(packet))
        for item in packet.items:
            self.accept(item, packet.by)
        if packet.end != self.place:
            raise RefusedPacket(
                f"after packet {packet.number} of {packet.by} the game here ends at record {self.number}, there at "
                f"{packet.end.record}, or differs before: the rules or the order of packets are not the same"
            )

    def _why_not_here(self, packet: Packet) -> str:
        title = f"packet {packet.number} of {packet.by} begins after record {packet.start.record}"
        if packet.start.record > self.number:
            return f"{title}, but the log here ends with record {self.number}: an earlier packet is missing"
        if packet.start.record < self.number:
            return (
                f"{title}, but the log here ends with record {self.number}: it belongs to an earlier point of the game"
            )
        return f"{title} of another game, or of another history: the running hashes differ"

    def accept(self, item: Item, by: str) -> None:
        """Accept an ``item`` of side ``by``. Raises RefusedPacket, and IllegalOrder for an order that is not legal."""
        match item:
            case SentLink():
                self._take_link(item, by)
            case SentOrder():
                decision = self._decision(item, by)
                if self._group():
                    raise RefusedPacket(f"the order of {item.seat} must be sealed")
                self._answer_signed(decision.seat, self._order(item.order), item.signature, "")
            case SealedCommitment():
                self._take_commitment(item, by)
            case OpenedOrder():
                self._take_opening(item, by)

    def _take_link(self, item: SentLink, by: str) -> None:
        due = self.due().get(by)
        if due is None or due.epoch != item.epoch:
            raise RefusedPacket(f"the link of {by} for epoch {item.epoch} is not needed now")
        assert isinstance(self.dice, SharedDice)  # noqa: S101 - due is empty otherwise
        if why := self.dice.epochs.why_not(by, item.epoch, link_bytes(item.link)):
            raise RefusedPacket(f"the share of {by} {why}")
        self._links.sent[by, item.epoch] = link_bytes(item.link)
        self.answer()

    def _take_commitment(self, item: SealedCommitment, by: str) -> None:
        decision = self._decision(item, by)
        if not self._group() or item.seat in self._committed:
            raise RefusedPacket(f"{item.seat} has no sealed order to give now")
        text = self.hands.sealed_message(decision.seat, item.own)
        if not is_signed(self.header.keys[item.seat], text, item.signature):
            raise RefusedPacket(f"the sealed order of {item.seat} is not signed with its key")
        self._committed[item.seat] = item

    def _take_opening(self, item: OpenedOrder, by: str) -> None:
        committed = self._committed.get(item.seat)
        seats = [each.seat for each in self._group()]
        if committed is None or self.ruleset.side_of(item.seat) != by or item.seat in self._opened:
            raise RefusedPacket(f"{by} opens an order of {item.seat} that is not sealed, not its own or already open")
        if any(each not in self._committed for each in seats):
            raise RefusedPacket(f"{by} opens its order before all sides have sealed theirs")
        if own_commitment(item.seat, committed.asked, item.salt, bytes(item.order)) != committed.own:
            raise RefusedPacket(f"the opened order of {item.seat} is not the one that it sealed")
        self._opened[item.seat] = SealedOrder(item.order, item.salt)
        if all(each in self._opened for each in seats):
            committed_orders, opened = self._committed, self._opened
            self._committed, self._opened = {}, {}
            for seat in seats:
                self._answer_signed(
                    seat, self._order(opened[seat].order), committed_orders[seat].signature, opened[seat].salt
                )

    def _decision(self, item: SentOrder | SealedCommitment, by: str) -> Decision:
        """Return the pending decision that ``item`` answers."""
        decision = next((each for each in [*self.waiting(), *self._group()] if each.seat == item.seat), None)
        if decision is None or self.ruleset.side_of(item.seat) != by:
            raise RefusedPacket(f"{by} answers for {item.seat}, which has no pending decision for that side")
        if item.asked != self._asked(decision):
            asked = self._asked(decision)
            raise RefusedPacket(f"{item.seat} answers the question {item.asked}, but the one here is {asked}")
        return decision

    def _order(self, stored: Raw) -> Order:
        try:
            order: Order = RecordCodec.of(self.ruleset).order.decode(bytes(stored))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise RefusedPacket(f"the answer is not an order of {self.ruleset.id}: {error}") from error
        return order

    def _answer_signed(self, seat: str, order: Order, signature: str, salt: str) -> None:
        try:
            self.hands.give(self, order, seat, signature, salt)
        except IllegalOrder as error:
            raise RefusedPacket(f"the order of {seat} is refused: {error}") from error
