"""One running play of a ruleset: asked and answered, ruled by an umpire, forked, taken back."""

from bisect import bisect_right
from typing import Any

from sandtable.errors import NothingToUndo, PlayError
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event
from sandtable.kernel.play.answering import Answering, Player
from sandtable.kernel.play.rewind import DiceAgain, Snapshot, fold, undo_place
from sandtable.kernel.play.simulator import Simulator
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord, RulingRecord, UndoRecord
from sandtable.kernel.state import State

__all__ = ["Game", "Player"]


class Game(Answering):
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
        self._questions = dict(snapshot.asked)
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
