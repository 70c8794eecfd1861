"""A game of bots in memory in which people intervene: undo, rulings, new keys, endings, and a host who forges."""

from collections.abc import Mapping
from typing import Any

from signed_games import fixed_key

from sandtable.errors import NothingToUndo, SandtableError
from sandtable.hosting.keying import Keying
from sandtable.hosting.opening import new_header
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.endings import sign_ending, signers
from sandtable.journal.anchors.rulings import signed
from sandtable.journal.file.log import Log
from sandtable.journal.hands.checking import entries_of
from sandtable.journal.hands.inputs import hand_message
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.journal.record import RunningHead, form_for, log_bytes
from sandtable.kernel.decisions import UMPIRE, EnterDice
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.events import OptionSet
from sandtable.kernel.records import EndRecord, OrderRecord, RulingRecord, unsigned
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared


class Impostor(SeatKey):
    """The key of a seat as a host has it: the salts, and the signatures that the seat made in the honest game."""

    def __init__(self, own: SeatKey, honest: Log, seat: str) -> None:
        super().__init__(own.signing, own._salts)
        self._signatures = {
            hand_message(honest.header.game, seat, each.start, head_at(honest, each.start), each.items): each.signature
            for each in entries_of(honest)
            if each.kind == "hand" and each.by == seat
        }

    def sign(self, message: bytes) -> str:
        """Return the seat's signature of ``message`` if it made one, otherwise that of another key."""
        return self._signatures.get(message) or fixed_key("an attacker").sign(message)


class _Enough(Exception):
    """The bots have given as many orders as they should."""


class Table:
    """A game of bots in memory in which people intervene. The seats in ``keys`` sign, and so does the umpire."""

    def __init__(self, prepared: Prepared, seed: str, mode: str, keys: Mapping[str, SeatKey], links: int) -> None:
        self._prepared = prepared
        key, names = key_from_seed(seed), name_seats(prepared, {})
        public = {seat: each.public for seat, each in sorted(keys.items())}
        dice, self.header, _ = new_header(prepared, names, Keying(key), mode, public, links)
        self.game = prepared.new_game(dice)
        self._head = RunningHead(self.header, form_for(prepared.ruleset, dice))
        self._hands = Hands(self.header, self._head, keys.values())
        self._hands.follow(self.game)
        self._bots = seat_players(prepared, names, key)
        self._seats = self.game.seats_of(self._bots)
        self._others = seat_players(prepared, names, key_from_seed(f"other {seed}"))
        self._keys = dict(keys)

    @property
    def data(self) -> bytes:
        """The log so far."""
        return log_bytes(self.header, self.game)[0]

    def play(self, orders: int = 1_000_000) -> None:
        """Let the bots give a number of orders, and the rest of a sealed group; without a number, to the end."""
        last = self._orders() + orders

        def after() -> None:
            self._hands.store(self.game)
            waiting = self.game.waiting()
            if (
                waiting
                and self._orders() >= last
                and len(getattr(self.game.pending, "decisions", waiting)) == len(waiting)
            ):
                raise _Enough

        try:
            self.game.proceed(self._seats, after)
        except _Enough:
            return

    def forge(self, seat: str) -> bool:
        """Give another order for ``seat`` at the next question where there is one, play on; return whether it did."""
        while not self.game.is_over:
            asked = next((each for each in self.game.waiting() if each.seat == seat), None)
            if asked is not None:
                view = self.game.seat_view(asked.side)
                order, honest = (each[seat].choose(asked, view) for each in (self._others, self._bots))
                if order != honest and not isinstance(order, EnterDice):
                    self.game.submit(order, seat)
                    self.play()
                    return True
            self.play(1)
        return False

    def undo(self) -> None:
        """Let a seat take back an order and give it again, at the first question from here on where it may."""
        while not self.game.is_over:
            try:
                self.game.undo()
            except NothingToUndo:
                self.play(1)
            else:
                return

    def amend(self) -> None:
        """Let the umpire replace the last order by one of other bots."""
        last = next(
            each
            for each in reversed(self.game.trail)
            if isinstance(each, OrderRecord) and not isinstance(each.order, EnterDice)
        )
        pending = self.game.before(last.n)
        asked = next(each for each in pending.waiting() if each.seat == last.by)
        order = self._others[asked.seat].choose(asked, pending.seat_view(asked.side))
        ruling: RulingRecord[Any] = RulingRecord(0, UMPIRE, "read again", None, last.n)
        self.game.replace_order(self._ruled(ruling), order)
        self._store()

    def withdraw(self) -> None:
        """Let the umpire take back the last ruling, an amendment."""
        last = next(each for each in reversed(self.game.records) if isinstance(each, RulingRecord))
        was = next(each for each in self.game.records if each.n == last.amends)
        facts: RulingRecord[Any] = RulingRecord(0, UMPIRE, "read as before", None, last.n + 1, last.n)
        self.game.replace_order(self._ruled(facts), was.order)
        self._store()

    def set_option(self) -> None:
        """Let the umpire set the first option that a ruling may set to its next value."""
        for option in self._prepared.installed.manifest.options:
            for value in option.values:
                event = OptionSet(option.name, value)
                try:
                    self.game.ruleset.check_setting(self.game.state, event)
                except SandtableError:
                    continue
                self.game.apply(self._ruled(RulingRecord(0, UMPIRE, "agreed", event)))
                self._store()
                return

    def new_keys(self) -> None:
        """Give the first seat with a key a new one; let the umpire replace that of the second, which was lost."""
        for number, seat in enumerate([each for each in self._keys if each != UMPIRE][:2]):
            new, reason = fixed_key(seat, 2), "lost" if number else ""
            self._hands.change_key(self.game, seat, new, [self._keys[UMPIRE if reason else seat]], reason)
            self._keys[seat] = new

    def end(self, record: EndRecord) -> None:
        """End the game as people decided in ``record``, which gets the next number, signed by the seats that must."""
        self._hands.end(self.game)
        record = unsigned(record, self.game.number + 1)
        keys = self._hands.cover.keys
        signing = [self._keys[name].signing for name in signers(record, keys)]
        self.game.end(sign_ending(record, self._head.head.hex(), signing, keys))
        self._hands.store(self.game)

    def _ruled(self, ruling: RulingRecord[Any]) -> RulingRecord[Any]:
        """Return the ruling as the next record, signed if the umpire has a key."""
        self._hands.end(self.game)
        found = RulingRecord(
            self.game.number + 1, ruling.by, ruling.reason, ruling.event, ruling.amends, ruling.withdraws
        )
        key = self._keys.get(UMPIRE)
        return found if key is None else signed(found, self._head.head.hex(), key.signing, self._hands.cover.keys)

    def _store(self) -> None:
        self.game.proceed({}, after=lambda: self._hands.store(self.game))

    def _orders(self) -> int:
        return sum(isinstance(each, OrderRecord) for each in self.game.records)
