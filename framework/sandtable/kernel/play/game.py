"""One running play of a ruleset: it asks, checks, rolls, records."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll, Sealed
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event
from sandtable.kernel.play.loop import Loop, Seat
from sandtable.kernel.play.rewind import DiceAgain, Snapshot, fold, undo_place
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord, RulingRecord, UndoRecord
from sandtable.kernel.state import State

if TYPE_CHECKING:
    from sandtable.kernel.play.simulator import Simulator


class Player(Protocol):
    """Who decides for a seat."""

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order from ``decision.options``. ``view()`` is what the seat's side sees."""


class Game(Loop):
    """One running play.

    ``pending`` is what the game waits for: a Decision, a Sealed group, a Roll (with ChanceDice only), or None once the
    game is over. ``records`` are the log's lines so far, header aside; ``trail`` the same without what was undone (one
    list, until something is). ``state`` is for reading only; ``first`` are its bytes, where they are at hand.
    """

    __slots__ = ()

    # ------------------------------------------------------------------ asking

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome != ""

    @property
    def number(self) -> int:
        """The number of the newest record."""
        return self._number

    def waiting(self) -> tuple[Decision, ...]:
        """Return the decisions that want an answer now: one, or those of a sealed group that are still open."""
        if isinstance(self.pending, Decision):
            return (self.pending,)
        if isinstance(self.pending, Sealed):
            return tuple(each for each in self.pending.decisions if each.seat not in self._given)
        return ()

    def view(self, side: str) -> Any:
        """Return what ``side`` sees of the state."""
        return self.ruleset.view(self.state, side)

    def simulator(self, decision: Decision) -> "Simulator":
        """Return what deals games that could stand at ``decision``, an open one, as far as its side may know."""
        from sandtable.kernel.play.simulator import Simulator  # noqa: PLC0415 - it deals games, so it imports this module

        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("only a game that is being played can be simulated")
        start = self.boundaries[-1]
        state, self.mark = self._at(start)
        return Simulator(self.ruleset, state, self.trail[start:], self.state, decision)

    # ------------------------------------------------------------------ playing

    def start(self, at_table: Mapping[str, Seat] | None = None) -> None:
        """Begin: play until the first decision (that no seat ``at_table`` answers)."""
        if self._stack:
            raise PlayError("the game has begun already")
        self._walk()
        self._advance(None, at_table)

    def submit(self, order: Order, by: str | None = None) -> None:
        """Give ``order`` for the decision that waits, or for that of seat ``by``; play on to the next decision.

        Raises IllegalOrder (nothing has changed then) and PlayError when the game does not wait for this.
        """
        decision = self.pending
        if not isinstance(decision, Decision) or by is not None:
            decision = self._asked(by)
        decision.options.check(order)
        self._take(decision, order)

    def _asked(self, by: str | None) -> Decision:
        """Return the open decision of seat ``by`` (None: the first); raises PlayError when there is none."""
        if self.is_over:
            raise PlayError(f"the game is over ({self.state.ending}): no more orders are taken")
        waiting = self.waiting()
        if not waiting:
            raise PlayError("the game waits for no order")
        decision = next((each for each in waiting if by in {None, each.seat}), None)
        if decision is None:
            raise PlayError(f"{by} is not asked now: {' and '.join(each.seat for each in waiting)} must decide")
        return decision

    def _take(self, decision: Decision, order: Order, at_table: Mapping[str, Seat] | None = None) -> None:
        """Record a checked order and play on; with ``at_table``, through those seats' decisions too."""
        self._number = n = self._number + 1
        group = self.pending
        if group is decision:
            self._append(self._order_record(n, decision, order, 0))
            self._advance(order, at_table)
            return
        assert isinstance(group, Sealed)  # noqa: S101 - for the type checker
        missing = len(group.decisions) - len(self._given)
        self._append(self._order_record(n, decision, order, missing))
        self._given[decision.seat] = order
        if missing == 1:
            opened = {each.seat: self._given[each.seat] for each in group.decisions}
            self._given = {}
            self._advance(opened, at_table)

    def _order_record(self, n: int, decision: Decision, order: Order, missing: int) -> OrderRecord[Order]:
        salt = self.dice.salt(n) if missing or decision.secret else ""
        return OrderRecord(n, decision.seat, order, missing, decision.secret, salt)

    def play(self, players: Mapping[str, Player], after: Callable[[], None] | None = None) -> None:
        """Ask ``players`` (by seat or side) until the game is over; begins it if need be.

        ``after`` runs before each question and at the end: a writer puts the new records away there. Raises PlayError
        when nobody plays a seat that is asked, IllegalOrder when a player's order is refused.
        """
        at_table: dict[str, Seat] = {}
        for seat, side in self.ruleset.seats.items():
            player = players.get(seat) or players.get(side)
            if player is not None:
                at_table[seat] = Seat(seat, player.choose, View(side, self.view, self.simulator))
                if side not in at_table:  # a question to a side as a whole goes to the first of its powers
                    at_table[side] = Seat(side, player.choose, at_table[seat].view)
        at_once = {} if after is not None else at_table
        if not self._stack and not self.is_over:
            self.start(at_once)
        while self.pending is not None:
            if after is not None:
                after()
            if isinstance(self.pending, Roll):
                raise PlayError("a roll waits for its dice: give them with fall()")
            decision = self.waiting()[0]
            if decision.seat not in at_table:
                raise PlayError(f"nobody plays {decision.seat}: name a player for it")
            _, choose, view = at_table[decision.seat]
            order = choose(decision, view)
            decision.options.check(order)
            self._take(decision, order, at_once)
        if after is not None:
            after()

    def fall(self, dice: tuple[int, ...]) -> None:
        """Let ``dice`` be the answer to the Roll that waits (ChanceDice only)."""
        roll = self.pending
        if not isinstance(roll, Roll):
            raise PlayError("the game waits for no roll")
        if len(dice) != roll.dice or not all(1 <= face <= roll.sides for face in dice):
            raise PlayError(f"{roll.dice} dice of {roll.sides} sides are wanted, not {dice}")
        self._record_roll(roll, self._label(roll), dice, "")
        self._advance(dice)

    def rule(self, event: Event, reason: str, by: str = UMPIRE) -> None:
        """Let the umpire make ``event`` happen outside the rules, for ``reason``.

        Only where an activation begins: before any order, roll or event of it. The open question is asked afresh.
        """
        if not self.boundaries or self.boundaries[-1] != len(self.trail):
            raise PlayError("a ruling waits for the start of an activation: finish this one, or undo it, first")
        self._try(event)
        self.ruleset.table[event.__class__].handler(self.state, event)
        self._number += 1
        self._append(RulingRecord(self._number, by, reason, event))
        self.pending = None
        self._given = {}
        if self.ruleset.is_last(event):
            self._close()
            return
        self._walk()
        self._advance(None)

    def _try(self, event: Event) -> None:
        """Raise PlayError when the handler of ``event`` fails on a copy of the state."""
        if event.__class__ not in self.ruleset.table:
            raise PlayError(f"{type(event).__name__} is no event of {self.ruleset.id}")
        codec = self.ruleset.codec
        copy = codec.from_bytes(codec.to_bytes(self.state), self.state.board)
        try:
            self.ruleset.table[event.__class__].handler(copy, event)
        except Exception as error:
            raise PlayError(f"{type(event).__name__} cannot happen here: {type(error).__name__}: {error}") from error

    # ------------------------------------------------------------------ going back

    def fork(self, dice: Dice | None = None) -> "Game":
        """Return an independent game that stands where this one stands, with ``dice`` of its own if given.

        Its records begin at the last boundary; undo in it does not go back further.
        """
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("only a game that is being played can be forked")
        start = self.boundaries[-1]
        state, self.mark = self._at(start)
        tail = self.trail[start:]
        twin = Game(self.ruleset, state, dice or self.dice)
        twin.base = twin.mark = self.mark._replace(length=0)
        twin._restore(state, twin.base, tail)
        twin.trail[:] = tail
        twin._number = self._number
        return twin

    def check_undo(self, by: str | None = None) -> None:
        """Raise NothingToUndo where ``undo`` would; the game stays as it is."""
        self._undo_place(by)

    def _undo_place(self, by: str | None) -> int:
        if self.is_over or self.broken:
            raise NothingToUndo("the game is over: nothing is taken back")
        return undo_place(self.trail, frozenset(self.ruleset.reveals), by)

    def undo(self, by: str | None = None) -> None:
        """Take back the last order (it must be that of seat ``by``, if given); the log keeps it and says so.

        Raises NothingToUndo when a roll, a reveal or another seat's order stands in the way.
        """
        place = self._undo_place(by)
        taken = self.trail[place]
        boundaries = self.boundaries[: bisect_right(self.boundaries, place)]
        trail, number = self.trail[:place], self._number + 1
        records = list(self.records) if self.records is self.trail else self.records
        state, self.mark = self._at(boundaries[-1])
        self._restore(state, self.mark, trail[boundaries[-1] :])
        self.trail[:], self.boundaries[:] = trail, boundaries
        self.records, self._number = records, number
        records.append(UndoRecord(number, taken.by, taken.n))

    def _at(self, length: int) -> tuple[State, Snapshot]:
        """Return a fresh state as it was after ``length`` records of the trail, at a boundary, and its snapshot."""
        start = self.mark if self.mark.length <= length else self.base
        return fold(self.ruleset, start, self.trail[start.length : length], self.state.board)

    def _restore(self, state: State, snapshot: Snapshot, tail: list[Any]) -> None:
        """Stand where ``tail`` leads from ``state``: run the rules again with its orders and dice, unchecked.

        The lists that the walk was given, ``trail`` and ``boundaries``, are new ones then: fill them, do not swap them.
        """
        dice = self.dice
        self.state, self._counts, self._given = state, dict(snapshot.counts), {}
        self._turn = state.turn
        self.records = self.trail = []
        self.boundaries = []
        self._walk()
        self.dice = DiceAgain(tail, dice)
        self._advance(None)
        for record in tail:
            if isinstance(record, OrderRecord) and not isinstance(record.order, EnterDice):
                self._take(next(each for each in self.waiting() if each.seat == record.by), record.order)
        self.dice = dice
