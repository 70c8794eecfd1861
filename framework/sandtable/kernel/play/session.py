"""Pending decisions and their answers, given order by order or by players until the game ends."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Claim, Decision, Order, Roll, Sealed
from sandtable.kernel.play.engine import Engine, Seat
from sandtable.kernel.play.views import View
from sandtable.kernel.records import BurntRecord, ChainRecord, SharesRecord
from sandtable.kernel.shared.epochs import EpochDice, Epochs, last_answer, may_burn


class Player(Protocol):
    """The player of a seat, which chooses its orders."""

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order from ``decision.options``. ``view()`` returns what the seat's side sees."""


class AnsweringGame(Engine):
    """A game that can be answered, order by order with ``submit`` or by players until it ends.

    ``pending`` is the request it waits for: a Decision, a Sealed group, a Roll (if the dice stop), a Claim (in a
    replica), or None once it is over.
    """

    __slots__ = ()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome != ""

    @property
    def number(self) -> int:
        """The number of the newest record."""
        return self._number

    def waiting(self) -> tuple[Decision, ...]:
        """Return the pending decisions: one, or those of a sealed group that have no answer yet."""
        if isinstance(self.pending, Decision):
            return (self.pending,)
        if isinstance(self.pending, Sealed):
            return tuple(each for each in self.pending.decisions if each.seat not in self._given)
        return ()

    def view(self, side: str) -> Any:
        """Return the view of the state for ``side``."""
        return self.ruleset.view(self.state, side)

    def seat_view(self, side: str) -> View:
        """Return the lazy view that a player of ``side`` gets."""
        return View(side, self.view)

    def seats_of(self, players: Mapping[str, Player]) -> dict[str, Seat]:
        """Return the seats that ``players`` (by seat or side) take.

        A side is itself a seat: it has the player of its first power that has one.
        """
        at_table: dict[str, Seat] = {}
        for seat, side in self.ruleset.seats.items():
            player = players.get(seat) or players.get(side)
            if player is not None:
                at_table[seat] = taken = (player.choose, self.seat_view(side))
                if side not in at_table:
                    at_table[side] = taken
        return at_table

    def start(self, at_table: Mapping[str, Seat] | None = None) -> None:
        """Begin the game and play until the first decision that no seat in ``at_table`` answers.

        Raises PlayError if it has already begun.
        """
        if self._stack:
            raise PlayError("the game has already begun")
        self._walk()
        self._advance(None, at_table)

    def submit(self, order: Order, by: str | None = None) -> None:
        """Answer the pending decision, or that of seat ``by``, with ``order``; continue to the next decision.

        Raises IllegalOrder, which leaves the game unchanged, or PlayError if no such decision is pending.
        """
        decision = self.pending
        if not isinstance(decision, Decision) or by is not None:
            decision = self._pending_of(by)
        self._give(decision, order)

    def _give(self, decision: Decision, order: Order, at_table: Mapping[str, Seat] | None = None) -> None:
        """Check ``order``, record it and continue. Only orders requested in the main loop do not pass through here."""
        decision.check(order)
        self._take(decision, order, at_table)

    def _pending_of(self, by: str | None) -> Decision:
        """Return the pending decision of seat ``by`` (None: the first); raises PlayError if there is none."""
        if self.is_over:
            raise PlayError(f"the game is over ({self.state.ending}): it accepts no more orders")
        waiting = self.waiting()
        if not waiting:
            raise PlayError("no order is expected now")
        decision = next((each for each in waiting if by in {None, each.seat}), None)
        if decision is None:
            raise PlayError(f"{by} has no pending decision: {' and '.join(each.seat for each in waiting)} must decide")
        return decision

    def _take(self, decision: Decision, order: Order, at_table: Mapping[str, Seat] | None = None) -> None:
        """Record a checked order and continue; with ``at_table``, also past the decisions of those seats."""
        group = self.pending
        is_hidden = group is not decision or decision.secret
        salt = self.salt_for(decision) if is_hidden and self.salt_for is not None else ""
        if group is decision:
            self._append(self._answered(decision, order, 0, salt))
            self._advance(order, at_table)
            return
        assert isinstance(group, Sealed)  # noqa: S101 - for the type checker
        missing = len(group.decisions) - len(self._given)
        self._append(self._answered(decision, order, missing, salt))
        self._given[decision.seat] = order
        if missing == 1:
            opened = {each.seat: self._given[each.seat] for each in group.decisions}
            self._given = {}
            self._advance(opened, at_table)

    def proceed(self, at_table: Mapping[str, Seat], after: Callable[[], None] | None = None) -> None:
        """Let the seats ``at_table`` answer until another seat must decide, a roll is pending, or the game is over.

        Standing orders answer for them.

        ``after`` runs before each question, before each epoch of shared dice, and at the end; a writer stores the new
        records there.
        """
        at_once = {} if after is not None or self.standing is not None else at_table
        if not self._stack and not self.is_over:
            self.start(at_once)
        shares = isinstance(self.dice, EpochDice)
        while True:
            if after is not None:
                after()
            if shares and self._goes_on_with_links(at_once):
                continue
            if self.pending is None:
                return
            asked = next((each for each in self.waiting() if each.seat in at_table), None)
            if asked is None:
                return
            choose, view = at_table[asked.seat]
            order = self.standing.answer(asked) if self.standing is not None else None
            self._give(asked, choose(asked, view) if order is None else order, at_once)

    def play(self, players: Mapping[str, Player], after: Callable[[], None] | None = None) -> None:
        """Ask ``players`` (by seat or side) until the game is over; starts the game if needed.

        ``after`` is as in ``proceed``. Raises PlayError if no player has a seat that must decide, and IllegalOrder if a
        player's order is refused.
        """
        self.proceed(self.seats_of(players), after)
        if self.pending is None:
            return
        if isinstance(self.pending, Roll):
            if isinstance(self.dice, EpochDice):
                raise PlayError(f"the dice for {self.pending.purpose} wait for a share of another side")
            raise PlayError("a roll is pending: enter its dice with resolve_roll()")
        if isinstance(self.pending, Claim):
            raise PlayError(f"a claim of {self.pending.side} is pending: enter its value with resolve_claim()")
        for left in self.waiting():
            raise PlayError(f"{left.seat} has no player: name one")

    def resolve_roll(self, dice: tuple[int, ...]) -> None:
        """Use ``dice`` as the faces of the pending Roll (ChanceDice only).

        Raises PlayError if no roll is pending, or if the dice do not fit it.
        """
        roll = self.pending
        if not isinstance(roll, Roll):
            raise PlayError("no roll is pending")
        if len(dice) != roll.dice or not all(1 <= face <= roll.sides for face in dice):
            raise PlayError(f"expected {roll.dice} dice with {roll.sides} sides, not {dice}")
        self._record_roll(roll, self.label_of(roll), dice, "")
        self._advance(dice)

    def share(self, shares: SharesRecord | None = None, at_table: Mapping[str, Seat] | None = None) -> tuple[str, ...]:
        """Begin the epoch of shared dice for which a roll is pending, with the next record, and continue.

        The links are those in ``shares``, or those of the dice's source. Returns the names whose links are not known
        yet; then nothing changes. Raises PlayError if no roll waits for links, and WrongShares for links that do not
        fit.
        """
        roll, dice = self.pending, self.dice
        if not isinstance(roll, Roll) or not isinstance(dice, EpochDice):
            raise PlayError("no roll waits for the shares of an epoch")
        if shares is None:
            found = dice.epochs.shares(self._number + 1, self.records)
            if not isinstance(found, SharesRecord):
                return found
            shares = found
        else:
            at = last_answer(self.records)
            dice.epochs.begin(shares, at, dice.epochs.heads(at, self.records))
        self._number = shares.n
        self._append(shares)
        label = self.label_of(roll)
        faces = dice.epochs.roll(label, roll.dice, roll.sides)
        self._record_roll(roll, label, faces, "")
        self._advance(faces, at_table)
        return ()

    def burn(self, record: BurntRecord) -> None:
        """Pass over an epoch with ``record``, the next one; raises PlayError unless ``may_burn`` at this question."""
        epochs = self._epochs_at_question()
        if not may_burn(self.records):
            raise PlayError("an epoch is passed over only after a sealed group without a roll, and only once")
        epochs.burn(record)
        self._number = record.n
        self._append(record)

    def announce(self, record: ChainRecord) -> None:
        """Replace a chain with ``record``, the next one; raises PlayError except at a question, and WrongShares."""
        self._epochs_at_question().renew(record)
        self._number = record.n
        self._append(record)

    def _epochs_at_question(self) -> Epochs:
        """Return the epochs of a game with shared dice in which a question is pending; raise PlayError otherwise."""
        if not isinstance(self.dice, EpochDice):
            raise PlayError("the dice of this game are not shared")
        if not self.waiting() or self._given:
            raise PlayError("a chain can change only at a question, not within a sealed group")
        return self.dice.epochs

    def _goes_on_with_links(self, at_table: Mapping[str, Seat]) -> bool:
        """Begin the epoch that is due, or announce a new chain for one that ends; return whether a record was made."""
        if isinstance(self.pending, Roll):
            return not self.share(at_table=at_table)
        if not self.waiting() or self._given or not isinstance(self.dice, EpochDice):
            return False
        record = self.dice.epochs.renewal(self._number + 1)
        if record is not None:
            self.announce(record)
        return record is not None
