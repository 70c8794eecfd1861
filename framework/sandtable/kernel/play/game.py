"""One running game of a ruleset: decisions, rulings of the umpire, forks and undo."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import UMPIRE, Decision, Order, Roll, Sealed
from sandtable.kernel.dice import ChanceDice, Dice
from sandtable.kernel.events import Event, GameEnded, OptionSet, TurnBegan
from sandtable.kernel.play.endings import check_ending
from sandtable.kernel.play.rewind import (
    MAX_FOLDED,
    MAX_SETTINGS,
    MAX_UNDOS,
    DiceAgain,
    Reached,
    Snapshot,
    StopAtRecord,
    brings_dice,
    fold,
    place_of_record,
    undo_place,
)
from sandtable.kernel.play.session import AnsweringGame, Player
from sandtable.kernel.play.simulator import Simulator
from sandtable.kernel.play.views import View
from sandtable.kernel.records import (
    NOTES,
    OF_CHAINS,
    ClaimRecord,
    EndRecord,
    OrderRecord,
    RollRecord,
    RulingRecord,
    UndoRecord,
)
from sandtable.kernel.shared.epochs import EpochDice
from sandtable.kernel.state import State

__all__ = ["Game", "Player"]


class Game(AnsweringGame):
    """One running game.

    ``records`` are the lines of the log so far, without the header. ``trail`` is the same list without the records that
    were undone; it is the same object until an undo. ``undos`` counts all undos. ``state`` is read-only. ``first``
    contains the bytes of the first state, if available.
    """

    __slots__ = ()

    def seat_view(self, side: str) -> View:
        """Return the lazy view that a player of ``side`` gets, with a simulator."""
        return View(side, self.view, self.simulator)

    def simulator(self, decision: Decision) -> Simulator:
        """Return a simulator that deals possible games at the pending ``decision``, from what its side may know.

        Raises PlayError unless the game is in progress.
        """
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("only a game in progress can be simulated")
        start = self.boundaries[-1]
        state, self.mark = self._at(start)
        return Simulator(self.ruleset, state, self.trail[start:], self.state, decision)

    def rule(self, event: Event, reason: str, by: str = UMPIRE, **facts: Any) -> None:
        """Let the umpire make ``event`` happen outside the rules, for ``reason``; the pending question is asked again.

        ``facts`` are additional fields of the record: ``disputed``, ``claim``, ``rule``, ``signature``. Raises
        PlayError if the event cannot happen or would end the game, or while a sealed group has only some of its orders.
        """
        self.apply(RulingRecord(self._number + 1, by, reason, event, **facts))

    def amend(self, number: int, order: Order, reason: str, by: str = UMPIRE, **facts: Any) -> None:
        """Let the umpire replace the order in record ``number``, for ``reason``, and continue from there.

        That record and those after it no longer count, but stay in the log. ``facts`` as in ``rule``. Raises PlayError
        if there is no such order, and IllegalOrder, which leaves the game unchanged, if the rules do not allow the new
        order.
        """
        self.replace_order(RulingRecord(self._number + 1, by, reason, None, number, **facts), order)

    def replace_order(self, ruling: RulingRecord[Any], order: Order) -> None:
        """Do the work of ``amend`` with a ready-made record."""
        place = place_of_record(self.trail, ruling.amends, OrderRecord)
        seat = self.trail[place].by
        for asked in self._twin(place).waiting():
            if asked.seat == seat:
                asked.check(order)
        self.apply(ruling)
        self.submit(order, seat)

    def apply(self, ruling: RulingRecord[Any]) -> None:
        """Apply ``ruling``, which becomes the next record; raises PlayError if it is not possible."""
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("a ruling can be made only in a game in progress")
        if self._waits_for_shares():
            raise PlayError("a ruling must wait until the shares of the pending roll are given")
        if ruling.event is None:
            number, kind = (ruling.amends, OrderRecord) if ruling.amends else (ruling.withdraws, RulingRecord)
            place = place_of_record(self.trail, number, kind)
            if ruling.withdraws:
                self._check_withdrawal(ruling)
            self._go_back(place, ruling)
            return
        if isinstance(ruling.event, GameEnded):
            raise PlayError("a ruling does not end a game: the umpire adjudicates it (`sandtable adjudicate --end`)")
        if self._given:
            raise PlayError("a ruling must wait until all sealed orders of the group are given, or are taken back")
        if isinstance(ruling.event, OptionSet):
            self._check_setting(ruling.event)
        else:
            self._try(ruling.event)
        at_start = all(isinstance(each, OF_CHAINS) for each in self.trail[self.boundaries[-1] :])
        answer = None if at_start else self._stop_before_question()
        self.ruleset.table[ruling.event.__class__].handler(self.state, ruling.event)
        self._number = ruling.n
        self._append(ruling)
        self.pending, self._given = None, {}
        if at_start:
            self._walk()
        self._advance(answer)

    def end(self, record: EndRecord) -> None:
        """End the game as people decided, with ``record`` as the next one, and close it.

        Raises PlayError if the game is not in progress, or if ``record`` is not such an ending (see ``endings``).
        """
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("only a game in progress can be ended")
        check_ending(record, self.ruleset)
        self.ruleset.table[GameEnded].handler(self.state, record.event)
        self._number = record.n
        self._append(record)
        self.pending, self._given = None, {}
        self._close()

    def _check_withdrawal(self, ruling: RulingRecord[Any]) -> None:
        """Raise PlayError unless ``ruling`` withdraws an event, or amends the order that the withdrawn one brought."""
        number = ruling.withdraws
        record = self.records[number - 1] if 0 < number <= len(self.records) else None
        if not isinstance(record, RulingRecord):
            raise PlayError(f"record {number} is not a ruling: only a ruling can be withdrawn")
        if record.event is None and ((record.withdraws and not record.amends) or ruling.amends != number + 1):
            raise PlayError(f"the ruling in record {number} replaced an order: withdraw it by amending the next record")
        if record.event is not None and ruling.amends:
            raise PlayError(f"the ruling in record {number} is an event: withdraw it without amending an order")

    def _stop_before_question(self) -> Any:
        """Run the activation again up to its last record; return the answer that the live procedure would get next."""
        start, records, number = self.boundaries[-1], self.records, self._number
        tail, is_one_list = self.trail[start:], self.records is self.trail
        state, self.mark = self._at(start)
        answer = self._restore(state, self.mark, tail, start, stop=True)
        self._number = number
        self.records = self.trail if is_one_list else records
        return answer

    def _check_setting(self, event: OptionSet) -> None:
        """Raise PlayError if a ruling cannot set that option, or after ``MAX_SETTINGS`` of such rulings."""
        self.ruleset.check_setting(self.state, event)
        before = sum(isinstance(getattr(each, "event", None), OptionSet) for each in self.records)
        if before >= MAX_SETTINGS:
            raise PlayError(f"options were set {before} times in this game: no log holds more")

    def _try(self, event: Event) -> None:
        """Raise PlayError if the handler of ``event`` fails on a copy of the state."""
        if event.__class__ not in self.ruleset.table:
            raise PlayError(f"{type(event).__name__} is not an event of {self.ruleset.id}")
        codec = self.ruleset.codec
        copy = codec.copy(self.state)
        try:
            self.ruleset.table[event.__class__].handler(copy, event)
        except Exception as error:
            raise PlayError(f"{type(event).__name__} cannot happen here: {type(error).__name__}: {error}") from error

    # ------------------------------------------------------------------ copies and undo

    def fork(self, dice: Dice | None = None) -> "Game":
        """Return an independent copy of this game at its current position, with its own ``dice`` if given.

        Without ``dice``, a copy of a game with shared dice stops at each roll. Its records begin at the last boundary,
        and undo in it does not go back further. Raises PlayError unless the game is in progress.
        """
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("only a game in progress can be forked")
        start = self.boundaries[-1]
        state, self.mark = self._at(start)
        return self._twin_of(state, self.mark, self.trail[start:], dice)

    def _twin(self, place: int) -> "Game":
        """Return an independent game at the position where the order at index ``place`` of the trail is pending."""
        start = self.boundaries[bisect_right(self.boundaries, place) - 1]
        state, snapshot = self._at(start)
        return self._twin_of(state, snapshot, self.trail[start:place], None)

    def _twin_of(
        self, state: State, snapshot: Snapshot, tail: list[Any], dice: Dice | None, number: int | None = None
    ) -> "Game":
        own: Dice = ChanceDice() if isinstance(self.dice, EpochDice) else self.dice
        twin: Game = self._empty(state, dice or own)
        twin.base = twin.mark = snapshot._replace(length=0)
        twin._restore(state, twin.base, tail)
        twin._number = self._number if number is None else number
        return twin

    def _empty(self, state: State, dice: Dice, first: bytes | None = None) -> "Game":
        """Return a game of this kind at its beginning."""
        return Game(self.ruleset, state, dice, first)

    def before(self, number: int) -> "Game":
        """Return an independent game at the position where record ``number``, an order or a roll, is pending.

        It stops at each roll and waits for ``resolve_roll``. Raises PlayError if the record is neither, or no longer
        counts.
        """
        for place, record in enumerate(self.trail):
            if record.n == number and isinstance(record, OrderRecord | RollRecord):
                start = self.boundaries[bisect_right(self.boundaries, place) - 1]
                state, snapshot = self._at(start)
                return self._twin_of(state, snapshot, self.trail[start:place], ChanceDice(), number - 1)
        raise PlayError(f"record {number} is not an order or a roll, or was undone or replaced")

    def marks(self) -> list[Snapshot]:
        """Return snapshots of the game so far: at the beginning, and at the first boundary of each turn."""
        found = [self.base]
        for place, record in enumerate(self.trail):
            later = bisect_right(self.boundaries, place)
            if isinstance(getattr(record, "event", None), TurnBegan) and later < len(self.boundaries):
                end, mark = self.boundaries[later], found[-1]
                found.append(fold(self.ruleset, mark, self.trail[mark.length : end])[1])
        return found

    def branch(self, number: int, dice: Dice, marks: Sequence[Snapshot]) -> "Game":
        """Return an independent game at the position before the order in record ``number``, which is pending again.

        ``marks`` are snapshots of this game in ascending order; the game is run again from the nearest one. It has no
        notes, and its records are numbered without them. Raises
        PlayError if the record is not an order that still counts, or if records before it no longer count.
        """
        place = place_of_record(self.trail, number, OrderRecord)
        kept = self.trail[:place]
        notes = sum(isinstance(each, NOTES) for each in self.records[: number - 1])
        if number != place + notes + 1:
            raise PlayError(f"a record before record {number} was undone or replaced by a ruling")
        twin: Game = self._empty(self.state, dice, self.base.data)
        twin.mark = next(each for each in reversed(marks) if each.length <= place)
        twin.trail[:] = [_renumbered(each, at) for at, each in enumerate(kept, start=1)] if notes else kept
        twin.boundaries = self.boundaries[: bisect_right(self.boundaries, place)]
        start = twin.boundaries[-1]
        state, twin.mark = twin._at(start)
        twin._restore(state, twin.mark, twin.trail[start:], start)
        twin._number = place
        return twin

    def check_undo(self, by: str | None = None) -> None:
        """Raise NothingToUndo if ``undo`` would; the game does not change."""
        self._undo_place(by)

    def _undo_place(self, by: str | None) -> int:
        if self.is_over or self.broken:
            raise NothingToUndo("the game is over: no order can be taken back")
        if self._waits_for_shares():
            raise NothingToUndo("the dice for the last order are being rolled: undo does not go back over a roll")
        if self.undos >= MAX_UNDOS:
            raise NothingToUndo(f"{self.undos:,} orders were taken back in this game: no log holds more")
        return undo_place(self.trail, frozenset(self.ruleset.reveals), by)

    def _waits_for_shares(self) -> bool:
        return isinstance(self.pending, Roll) and isinstance(self.dice, EpochDice)

    def undo(self, by: str | None = None) -> None:
        """Take back the last order, which must be that of seat ``by`` if given; the log keeps it and records the undo.

        Raises NothingToUndo if a roll, a reveal or another seat's order came after it, or after ``MAX_UNDOS`` undos.
        """
        place = self._undo_place(by)
        taken = self.trail[place]
        self.undos += 1
        self._go_back(place, UndoRecord(self._number + 1, taken.by, taken.n))

    def _go_back(self, place: int, record: UndoRecord | RulingRecord[Any]) -> None:
        """Return to the position before the order at index ``place`` of the trail, and append ``record``.

        Only the records since the last boundary before it are copied, so that many undos are linear.
        """
        start = self.boundaries[bisect_right(self.boundaries, place) - 1]
        tail = self.trail[start:place]
        records = self.records
        if records is self.trail:
            self.trail = list(records)
        state, self.mark = self._at(start)
        self._restore(state, self.mark, tail, start)
        self.records, self._number = records, record.n
        records.append(record)

    def _at(self, length: int) -> tuple[State, Snapshot]:
        """Return a fresh state after ``length`` records of the trail, at a boundary, and its snapshot.

        A long stretch is folded in halves, each of which leaves a snapshot, so that undoing one order after the other
        does not fold the whole game each time.
        """
        folds = self.folds
        while folds and folds[-1].length > length:
            folds.pop()
        near = [each for each in (self.base, self.mark, *folds[-1:]) if each.length <= length]
        start = max(near, key=lambda each: each.length)
        while (rest := length - start.length) > MAX_FOLDED:
            half = self.trail[start.length : start.length + rest // 2]
            start = fold(self.ruleset, start, half)[1]
            folds.append(start)
        return fold(self.ruleset, start, self.trail[start.length : length])

    def _restore(self, state: State, snapshot: Snapshot, tail: list[Any], start: int = 0, *, stop: bool = False) -> Any:
        """Rebuild the position after ``tail`` from ``state``: run the rules again with its orders and dice, unchecked.

        The trail is cut off at index ``start``, a boundary, and continues with ``tail``. The walk holds the lists
        ``trail`` and ``boundaries``: extend them, and do not replace them. With ``stop``, stop before the rules
        continue after the last record, and return the answer that they would get next.
        """
        dice, salt_for, standing = self.dice, self.salt_for, self.standing
        self.salt_for = self.standing = None
        made = [each for each in tail if not brings_dice(each)]
        stops = [start + place for place, record in enumerate(made) if isinstance(record, RulingRecord)]
        stops += [start + len(made)] if stop else []
        self.state, self._counts, self._given = state, dict(snapshot.counts), {}
        self._questions = dict(snapshot.asked)
        self._turn = state.turn
        del self.trail[start:], self.boundaries[bisect_left(self.boundaries, start) :]
        if stops and not isinstance(self.trail, StopAtRecord):
            self.trail = StopAtRecord(self.trail)
        if isinstance(self.trail, StopAtRecord):
            self.trail.stops = frozenset(stops)
        self.records = self.trail
        self._walk()
        self.dice = DiceAgain(tail, dice)
        answer = self._rerun(made, start, lambda: self._advance(None), stop=stop)
        for record in made:
            if isinstance(record, OrderRecord):
                asked = next(each for each in self.waiting() if each.seat == record.by)
                answer = self._rerun(made, start, partial(self._take, asked, record.order), stop=stop)
        self.dice, self.salt_for, self.standing = dice, salt_for, standing
        if isinstance(self.trail, StopAtRecord):
            self.trail.stops = frozenset()
        self.trail[start:] = tail
        return answer

    def _rerun(self, tail: list[Any], start: int, proceed: Callable[[], None], *, stop: bool) -> Any:
        """Run the rules with ``proceed`` through the rulings of ``tail``, which begins at index ``start`` of the trail.

        With ``stop``, return their next answer.
        """
        while True:
            try:
                proceed()
            except Reached:
                answer = self._answer_of(tail[len(self.trail) - start - 1])
            else:
                return None
            while (done := len(self.trail) - start) < len(tail) and isinstance(ruling := tail[done], RulingRecord):
                event: Any = ruling.event
                self.ruleset.table[event.__class__].handler(self.state, event)
                list.append(self.trail, ruling)
            if stop and len(self.trail) == start + len(tail):
                return answer
            proceed = partial(self._advance, answer)

    def _answer_of(self, record: Any) -> Any:
        """Return the answer that the rules get for ``record``, at which they were stopped."""
        if isinstance(record, RollRecord):
            return record.dice
        if isinstance(record, ClaimRecord):
            return record.value
        if not isinstance(record, OrderRecord):
            return None
        group = self.pending
        if not isinstance(group, Sealed):
            return record.order
        given = {**self._given, record.by: record.order}
        self._given = {}
        return {each.seat: given[each.seat] for each in group.decisions}


def _renumbered(record: Any, number: int) -> Any:
    """Return ``record`` with another number, for a game without notes: no standing order gave it."""
    bare = {"standing": 0, "refused": ""} if isinstance(record, OrderRecord) else {}
    return replace(record, n=number, **bare)
