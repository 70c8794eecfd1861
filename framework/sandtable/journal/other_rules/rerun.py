"""Submitting the orders of a log to rules that may differ from those it was played with."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sandtable.errors import IllegalOrder, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective
from sandtable.journal.verification.stored import salts_of
from sandtable.kernel.decisions import Decision, Order, Roll
from sandtable.kernel.dice import Dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import MARK, label_of
from sandtable.kernel.records import CloseRecord, EndRecord, OrderRecord, RulingRecord, unsigned
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened


class Stop(Struct, frozen=True):
    """The reason why the recorded orders do not reach the end: the ``record`` of the log and the ``rule``.

    ``illegal`` means that the order there is refused; otherwise the rules ask a different question, or fail.
    """

    record: int
    rule: str
    text: str
    illegal: bool = False


class RerunUnderRules:
    """A game to which the orders of ``records`` are submitted again, each for the question that it answered.

    ``stop`` is the reason why they did not reach the end, if so. ``choices`` is the first question that offered
    different options: record, rule and prompt.
    """

    def __init__(self, prepared: Prepared, log: Log, records: Sequence[Any], dice: Dice) -> None:
        self.game: Game = prepared.new_game(dice)
        self.stop: Stop | None = None
        self.choices: tuple[int, str, str] | None = None
        self._salts = salts_of(log, records, dice)
        self._hidden = prepared.ruleset.hidden
        self._queues: dict[str, deque[OrderRecord[Any]]] = {}
        self._rulings: dict[int, list[RulingRecord[Any]]] = {}
        self._ended = next((each for each in records if isinstance(each, EndRecord)), None)
        self._ends = next((each.n for each in records if isinstance(each, CloseRecord)), 0)
        self._last = records[-1].n if records else 0
        waiting: list[RulingRecord[Any]] = []
        for record in effective(records):
            if isinstance(record, RulingRecord) and record.event is not None:
                waiting.append(record)
            elif isinstance(record, OrderRecord):
                self._queues.setdefault(record.by, deque()).append(record)
                if waiting:
                    self._rulings[record.n], waiting = waiting, []

    def run(self, fill: Callable[[Game, Decision], Order] | None = None) -> None:
        """Play as long as the recorded orders are answers; after that ``fill`` answers, if given."""
        try:
            self.game.start()
            while self.stop is None or fill is not None:
                if not self._answer(fill):
                    return
        except SandtableError as error:
            self._stop(str(error))
        except Exception as error:  # noqa: BLE001 - a crash of the rules is a result to report
            self._stop(one_line(error))

    def _answer(self, fill: Callable[[Game, Decision], Order] | None) -> bool:
        """Give the next answer; return whether there was one."""
        game = self.game
        if isinstance(game.pending, Roll):
            self._stop("a roll that was never made: its dice key is not known")
            return False
        waiting = game.waiting()
        if not waiting:
            return False
        decision = min(waiting, key=self._next_of)
        record, problem = self._record_for(decision)
        if record is not None:
            if rulings := self._rulings.get(record.n):
                game.apply(unsigned(rulings.pop(0), game.number + 1))
                return True
            if self._given(record, decision):
                return True
        elif self._ended is not None and self.stop is None and not any(self._queues.values()):
            self.game.end(unsigned(self._ended, game.number + 1))
            return False
        elif self._ends or any(self._queues.values()):
            self._stop(problem, decision.rule)
        if fill is None or self.stop is None:
            return False
        game.submit(fill(game, decision), decision.seat)
        return True

    def _next_of(self, decision: Decision) -> int:
        queue = self._queues.get(decision.seat)
        return queue[0].n if queue else self._last + 1

    def _record_for(self, decision: Decision) -> tuple[OrderRecord[Any] | None, str]:
        """Return the recorded order that answered this question, or the reason why there is none."""
        queue = self._queues.get(decision.seat, deque())
        label = label_of(self.game.question_of(decision))
        asked = f"{decision.seat} is asked {shortened(decision.prompt)}"
        if not any(not each.asked or each.asked.partition(MARK)[0] == label for each in queue):
            return None, f"{asked}, a question that did not occur in the recorded game"
        while queue[0].asked and queue[0].asked.partition(MARK)[0] != label:
            queue.popleft()
        return queue[0], ""

    def _given(self, record: OrderRecord[Any], decision: Decision) -> bool:
        """Submit a recorded order; return whether the rules accept it."""
        question = self.game.question_of(decision)
        try:
            self.game.submit(record.order, decision.seat)
        except IllegalOrder as error:
            text = f"the order of {decision.seat} is no longer legal: {error.reason}"
            self.stop = self.stop or Stop(record.n, error.rule, text, illegal=True)
            self._queues[decision.seat].popleft()
            return False
        self._queues[decision.seat].popleft()
        if self.choices is None and record.asked:
            asked = self._salts.asked(record.n, question, hidden=self._hidden)
            if asked != record.asked:
                self.choices = record.n, decision.rule, f"{decision.seat} had different options: {decision.prompt}"
        return True

    def _stop(self, text: str, rule: str = "") -> None:
        left = [queue[0].n for queue in self._queues.values() if queue]
        self.stop = self.stop or Stop(min(left, default=self._ends or self._last), rule, text)
