"""One running play of a ruleset: asked and answered, ruled by an umpire, forked, taken back."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Sealed
from sandtable.kernel.dice import ChanceDice, Dice
from sandtable.kernel.events import Event, TurnBegan
from sandtable.kernel.play.rewind import DiceAgain, Reached, Snapshot, StopAtRecord, fold, undo_place
from sandtable.kernel.play.session import AnsweringGame, Player
from sandtable.kernel.play.simulator import Simulator
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord, RollRecord, RulingRecord, UndoRecord
from sandtable.kernel.state import State

__all__ = ["Game", "Player"]


class Game(AnsweringGame):
    """One running play.

    ``records`` are the log's lines so far, header aside; ``trail`` the same without what was undone (one list, until
    something is). ``state`` is for reading only; ``first`` are its bytes, where they are at hand.
    """

    __slots__ = ()

    def seat_view(self, side: str) -> View:
        """Return what a player of ``side`` looks through: with a simulator to try things out in."""
        return View(side, self.view, self.simulator)

    def simulator(self, decision: Decision) -> Simulator:
        """Return what deals games that could stand at ``decision``, an open one, as far as its side may know."""
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("only a game that is being played can be simulated")
        start = self.boundaries[-1]
        state, self.mark = self._at(start)
        return Simulator(self.ruleset, state, self.trail[start:], self.state, decision)

    def rule(self, event: Event, reason: str, by: str = UMPIRE, **facts: Any) -> None:
        """Let the umpire make ``event`` happen outside the rules, for ``reason``; the open question is asked afresh.

        ``facts`` are further fields of the record: ``disputed``, ``claim``, ``rule``, ``signature``. Raises PlayError
        while only some orders of a sealed group are in, unless ``event`` ends the game, and if the event cannot happen.
        """
        self.apply(RulingRecord(self._number + 1, by, reason, event, **facts))

    def amend(self, number: int, order: Order, reason: str, by: str = UMPIRE, **facts: Any) -> None:
        """Let the umpire replace the order in record ``number``, for ``reason``, and play on from there.

        That record and what followed it count no more; they stay in the log. ``facts`` as in ``rule``. Raises PlayError
        when there is no such order, IllegalOrder when the rules do not allow the new one there: nothing has changed
        then.
        """
        self.replace_order(RulingRecord(self._number + 1, by, reason, None, number, **facts), order)

    def replace_order(self, ruling: RulingRecord[Any], order: Order) -> None:
        """Do what ``amend`` does, with its record made already."""
        place = self._place_of(ruling.amends)
        seat = self.trail[place].by
        for asked in self._twin(place).waiting():
            if asked.seat == seat:
                asked.check(order)
        self.apply(ruling)
        self.submit(order, seat)

    def apply(self, ruling: RulingRecord[Any]) -> None:
        """Do what ``ruling``, the next record, says; raises PlayError where that cannot be."""
        if self.is_over or self.broken or not self.boundaries:
            raise PlayError("a ruling is made in a game that is being played")
        if ruling.event is None:
            self._go_back(self._place_of(ruling.amends), ruling)
            return
        is_last = self.ruleset.is_last(ruling.event)
        if self._given and not is_last:
            raise PlayError("a ruling waits until all sealed orders of the group are in, or are taken back")
        self._try(ruling.event)
        at_start = self.boundaries[-1] == len(self.trail)
        answer = None if at_start or is_last else self._stop_before_question()
        self.ruleset.table[ruling.event.__class__].handler(self.state, ruling.event)
        self._number = ruling.n
        self._append(ruling)
        self.pending, self._given = None, {}
        if is_last:
            self._close()
            return
        if at_start:
            self._walk()
        self._advance(answer)

    def _place_of(self, number: int) -> int:
        """Return the place in the trail of the order in record ``number``; raises PlayError when it counts no more."""
        for place, record in enumerate(self.trail):
            if record.n == number and isinstance(record, OrderRecord):
                return place
        raise PlayError(f"record {number} is no order that still counts: only such a one can be replaced")

    def _stop_before_question(self) -> Any:
        """Run the activation again up to its last record; return what the live procedure waits for then."""
        start = self.boundaries[-1]
        trail, records, number = self.trail[:], self.records, self._number
        boundaries, is_one_list = self.boundaries[:], self.records is self.trail
        state, self.mark = self._at(start)
        answer = self._restore(state, self.mark, trail[start:], stop=True)
        self.trail[:], self.boundaries[:], self._number = trail, boundaries, number
        self.records = self.trail if is_one_list else records
        return answer

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
        return self._twin_of(state, self.mark, self.trail[start:], dice)

    def _twin(self, place: int) -> "Game":
        """Return an independent game that stands where the order at ``place`` of the trail was asked for."""
        start = self.boundaries[bisect_right(self.boundaries, place) - 1]
        state, snapshot = self._at(start)
        return self._twin_of(state, snapshot, self.trail[start:place], None)

    def _twin_of(
        self, state: State, snapshot: Snapshot, tail: list[Any], dice: Dice | None, number: int | None = None
    ) -> "Game":
        twin = Game(self.ruleset, state, dice or self.dice)
        twin.base = twin.mark = snapshot._replace(length=0)
        twin._restore(state, twin.base, tail)
        twin.trail[:] = tail
        twin._number = self._number if number is None else number
        return twin

    def before(self, number: int) -> "Game":
        """Return an independent game that stands where record ``number``, an order or a roll, is made.

        It stops at each roll, and waits for ``fall``. Raises PlayError for a record that is neither, or counts no more.
        """
        for place, record in enumerate(self.trail):
            if record.n == number and isinstance(record, OrderRecord | RollRecord):
                start = self.boundaries[bisect_right(self.boundaries, place) - 1]
                state, snapshot = self._at(start)
                return self._twin_of(state, snapshot, self.trail[start:place], ChanceDice(), number - 1)
        raise PlayError(f"record {number} is no order and no roll that still counts")

    def marks(self) -> list[Snapshot]:
        """Return snapshots of the game so far: of its beginning, and of the first boundary in each turn."""
        found = [self.base]
        for place, record in enumerate(self.trail):
            later = bisect_right(self.boundaries, place)
            if isinstance(getattr(record, "event", None), TurnBegan) and later < len(self.boundaries):
                end, mark = self.boundaries[later], found[-1]
                found.append(fold(self.ruleset, mark, self.trail[mark.length : end], self.state.board)[1])
        return found

    def branch(self, number: int, dice: Dice, marks: Sequence[Snapshot]) -> "Game":
        """Return an independent game that has all before the order in record ``number``, and stands where it is asked.

        ``marks`` are snapshots of this game, the earliest first: it is run again from the nearest. Raises PlayError for
        a record that is no order which still counts, and where records before it count no more.
        """
        place = self._place_of(number)
        if self.trail[place].n != place + 1:
            raise PlayError(f"before record {number} something was undone, or ruled otherwise")
        twin = Game(self.ruleset, self.state, dice, self.base.data)
        twin.mark = next(each for each in reversed(marks) if each.length <= place)
        twin.trail[:] = self.trail[:place]
        twin.boundaries = self.boundaries[: bisect_right(self.boundaries, place)]
        trail, boundaries = twin.trail[:], twin.boundaries[:]
        state, twin.mark = twin._at(boundaries[-1])
        twin._restore(state, twin.mark, trail[boundaries[-1] :])
        twin.trail[:], twin.boundaries[:] = trail, boundaries
        twin._number = place
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
        self._go_back(place, UndoRecord(self._number + 1, taken.by, taken.n))

    def _go_back(self, place: int, record: UndoRecord | RulingRecord[Any]) -> None:
        """Stand again where the order at ``place`` of the trail was asked for; ``record`` is the next, and says so."""
        boundaries = self.boundaries[: bisect_right(self.boundaries, place)]
        trail = self.trail[:place]
        records = list(self.records) if self.records is self.trail else self.records
        state, self.mark = self._at(boundaries[-1])
        self._restore(state, self.mark, trail[boundaries[-1] :])
        self.trail[:], self.boundaries[:] = trail, boundaries
        self.records, self._number = records, record.n
        records.append(record)

    def _at(self, length: int) -> tuple[State, Snapshot]:
        """Return a fresh state as it was after ``length`` records of the trail, at a boundary, and its snapshot."""
        start = self.mark if self.mark.length <= length else self.base
        return fold(self.ruleset, start, self.trail[start.length : length], self.state.board)

    def _restore(self, state: State, snapshot: Snapshot, tail: list[Any], *, stop: bool = False) -> Any:
        """Stand where ``tail`` leads from ``state``: run the rules again with its orders and dice, unchecked.

        The lists that the walk was given, ``trail`` and ``boundaries``, are new ones then: fill them, do not swap them.
        With ``stop``, stand before the rules go on after the last record; return what they wait for.
        """
        dice = self.dice
        made = [each for each in tail if not (isinstance(each, OrderRecord) and isinstance(each.order, EnterDice))]
        stops = [place for place, record in enumerate(made) if isinstance(record, RulingRecord)]
        stops += [len(made)] if stop else []
        self.state, self._counts, self._given = state, dict(snapshot.counts), {}
        self._questions = dict(snapshot.asked)
        self._turn = state.turn
        self.records = self.trail = StopAtRecord(stops) if stops else []
        self.boundaries = []
        self._walk()
        self.dice = DiceAgain(tail, dice)
        answer = self._rerun(made, lambda: self._advance(None), stop=stop)
        for record in made:
            if isinstance(record, OrderRecord):
                asked = next(each for each in self.waiting() if each.seat == record.by)
                answer = self._rerun(made, partial(self._take, asked, record.order), stop=stop)
        self.dice = dice
        return answer

    def _rerun(self, tail: list[Any], go_on: Callable[[], None], *, stop: bool) -> Any:
        """Let the rules ``go_on`` through the rulings of ``tail``; with ``stop``, return what they want at its end."""
        while True:
            try:
                go_on()
            except Reached:
                answer = self._answer_of(tail[len(self.trail) - 1])
            else:
                return None
            while len(self.trail) < len(tail) and isinstance(ruling := tail[len(self.trail)], RulingRecord):
                event: Any = ruling.event
                self.ruleset.table[event.__class__].handler(self.state, event)
                list.append(self.trail, ruling)
            if stop and len(self.trail) == len(tail):
                return answer
            go_on = partial(self._advance, answer)

    def _answer_of(self, record: Any) -> Any:
        """Return what the rules get for ``record``, the one they were stopped at."""
        if isinstance(record, RollRecord):
            return record.dice
        if not isinstance(record, OrderRecord):
            return None
        group = self.pending
        if not isinstance(group, Sealed):
            return record.order
        given = {**self._given, record.by: record.order}
        self._given = {}
        return {each.seat: given[each.seat] for each in group.decisions}
