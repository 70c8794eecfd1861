"""Playing a branch: recorded orders are reused as long as they answer the same question and are legal.

Dice are keyed by purpose, so every other roll is unchanged. An order answered a question and is submitted again only to
that question, identified by label and digest of its options. A legal order may still not be meant there.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from sandtable.errors import LogClosed, PlayError, SandtableError
from sandtable.journal.branching.changes import Changes, check_orders, faces_of
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective
from sandtable.journal.format.header import Header, Parent, make_header
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import shown_key
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import KeyedDice, SetDice
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import Snapshot, brings_dice
from sandtable.kernel.questions import MARK, text_of
from sandtable.kernel.records import EndRecord, OrderRecord, RollRecord, RulingRecord, unsigned
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened

Fill = Callable[[Game, Decision], Order]
"""Answers a question that no recorded order answers."""


class OpenQuestion(Struct, frozen=True):
    """A question of the branch that no recorded order answers, before its record ``n``, and the reason.

    ``recorded`` is the record of the order that was given at that point, or 0 if the recorded game lacks the question.
    """

    n: int
    seat: str
    prompt: str
    turn: int
    phase: str
    recorded: int
    why: str
    rule: str = ""


class Branch(Struct):
    """A branch as far as it was played: ``given`` is the number of recorded orders, ``filled`` of other orders.

    ``open_questions`` are the questions that the recorded orders do not answer, in order. ``unused`` are the records of
    orders whose question did not occur.
    """

    game: Game
    header: Header
    given: int
    filled: int
    open_questions: list[OpenQuestion]
    unused: list[int]

    @property
    def is_whole(self) -> bool:
        """Whether the game reached its end."""
        return self.game.is_over


class Original(Struct):
    """A recorded game to branch from: its log, whose rules have made all ``records``.

    ``game`` is the rerun game, with ``marks`` once a turn, so that a branch near its end need not run from the start.
    ``kept`` are the records that still count.
    """

    prepared: Prepared
    log: Log
    records: list[Any]
    key: bytes
    questions: dict[int, str]
    prompts: dict[int, str]
    game: Game
    marks: list[Snapshot]
    kept: list[Any]

    @property
    def made(self) -> list[Any]:
        """The records that the installed rules make and that still count: a branch is compared with these."""
        return list(self.game.trail)


def original(prepared: Prepared, log: Log, records: list[Any], dice: Any) -> Original:
    """Return the game of ``log``, rerun once to collect its questions.

    Raises LogDamaged if the rules do not give its records (RulesetMissing if they were edited since), and LogClosed if
    its key is not known: rolls that were never made require it.
    """
    key = shown_key(log, records) or getattr(dice, "key", None)
    if key is None:
        raise LogClosed(f"{log.name}: its dice key is not shown yet: a branch requires it for new rolls")
    questions, prompts = {}, {}

    def see(record: Any) -> None:
        if isinstance(record, OrderRecord):
            asked: Any = record.asked
            questions[record.n], prompts[record.n] = text_of(asked), asked.decision.prompt

    rerun = Rerun(prepared, log, records, dice, seen=see)
    found = rerun.run()
    if found is not None:
        raise refusal(found, log, prepared, "it cannot be branched: ")
    return Original(prepared, log, records, key, questions, prompts, rerun.game, rerun.game.marks(), effective(records))


def branch(of: Original, changes: Changes, fill: Fill | None = None, *, until: int | None = None) -> Branch:
    """Return the branch of a recorded game with ``changes``, played as long as there are answers.

    ``fill`` answers if the recorded orders do not; without it the branch ends there. ``until`` is a record: the branch
    ends at the first question after it, or after the record in its place. Raises DataError for changes of records or
    dice that do not exist, IllegalOrder for an order that the rules refuse at its question.
    """
    faces = faces_of(changes, of.records)
    check_orders(changes, of.records)
    first = changes.first()
    start = _last_order(of.records, until or 0) if first is None else _last_order(of.records, first)
    if first is None and until is None:
        start = len(of.records)
    prepared = of.prepared
    if changes.readings:
        options = of.log.header.options | dict(changes.readings)
        prepared = prepared.installed.prepare(prepared.scenario, options)
    mode = of.log.header.dice
    if not of.log.header.has_dice_key:
        mode = "open"
        faces = {each.label: each.dice for each in of.kept if isinstance(each, RollRecord)} | faces
        start = 0
        until = until and until - sum(brings_dice(each) for each in of.records[:until])
    dice = SetDice(of.key, mode, of.log.header.known_salts(of.log.name), faces)
    header = make_header(prepared, of.log.header.players, dice, Parent(of.log.header.game, first or start))
    if prepared is not of.prepared:
        start = 0
    walk = _Walk(of, changes, fill, _game_at(of, prepared, dice, start), start)
    walk.run(until)
    return Branch(walk.game, header, walk.given, walk.filled, walk.open_questions, sorted(walk.left))


def _last_order(records: Sequence[Any], first: int) -> int:
    """Return the number of records before the last order that record ``first`` is or follows from."""
    orders = [record.n for record in records if isinstance(record, OrderRecord) and record.n <= first]
    return orders[-1] - 1 if orders else 0


def _game_at(of: Original, prepared: Prepared, dice: KeyedDice, start: int) -> Game:
    """Return the recorded game at the question after record ``start``; with 0 a new game."""
    if not start:
        game = prepared.new_game(dice)
        game.start()
        return game
    if start < len(of.records) and of.log.header.has_dice_key:
        with suppress(PlayError):  # after an undo the game is rerun record by record
            return of.game.branch(start + 1, dice, of.marks)
    rerun = Rerun(prepared, of.log, of.records[:start], dice, goes_on=True)
    found = rerun.run()
    if found is not None:
        raise refusal(found, of.log, prepared, "it cannot be branched: ")
    return rerun.game


class _Walk:
    """Submits recorded orders to the questions of a branch, one after the other."""

    def __init__(self, of: Original, changes: Changes, fill: Fill | None, game: Game, start: int) -> None:
        self.game = game
        self.given = self.filled = 0
        self.open_questions: list[OpenQuestion] = []
        left = [each for each in of.kept if isinstance(each, OrderRecord) and each.n > start]
        self._orders = {of.questions[each.n]: each for each in left if each.n in of.questions}
        self._by_label = {question.partition(MARK)[0]: each for question, each in self._orders.items()}
        self.left = {each.n for each in self._orders.values()}
        self._of, self._changes, self._fill = of, changes, fill
        self._ended = next((each for each in of.kept if isinstance(each, EndRecord)), None)
        self._rulings = _rulings_of(of.kept, start, changes)

    def run(self, until: int | None) -> None:
        """Answer until the game is over, no answer is left, or record ``until`` exists."""
        while waiting := self.game.waiting():
            if until is not None and self.game.number >= until:
                return
            decision = waiting[0]
            record, parting = self._answer_to(decision)
            if record is not None and record.n in self._rulings:
                for ruling in self._rulings.pop(record.n):
                    self.game.apply(unsigned(ruling, self.game.number + 1))
                continue
            if record is None and self._ended is not None and not (self.left or self.open_questions or self.filled):
                self.game.end(unsigned(self._ended, self.game.number + 1))
                return
            if parting is not None:
                self.open_questions.append(parting)
                if self._fill is None:
                    return
                self.game.submit(self._fill(self.game, decision), decision.seat)
                self.filled += 1
                continue
            assert record is not None  # noqa: S101 - exactly one of the two is set
            self.left.discard(record.n)
            self.game.submit(self._changes.orders.get(record.n, record.order), decision.seat)
            self.given += 1

    def _answer_to(self, decision: Decision) -> tuple[OrderRecord[Any] | None, OpenQuestion | None]:
        """Return the recorded order for the question, if any, and the parting if that order does not answer it."""
        question = text_of(self.game.question_of(decision))
        record = self._orders.get(question)
        if record is None:
            return self._by_label.get(question.partition(MARK)[0]), self._unanswered(decision, question)
        if record.n in self._changes.orders:
            return record, None
        try:
            refused = decision.why_not(record.order)
        except SandtableError as error:
            return record, self._parting(decision, record.n, str(error))
        if refused is None:
            return record, None
        return record, self._parting(decision, record.n, refused.reason, refused.rule)

    def _unanswered(self, decision: Decision, question: str) -> OpenQuestion:
        near = self._by_label.get(question.partition(MARK)[0])
        if near is None:
            return self._parting(decision, 0, "did not occur in the recorded game")
        was = self._of.prompts[near.n]
        same = was == decision.prompt
        why = "the options differ here" if same else f"the recorded question was: {shortened(was)}"
        return self._parting(decision, near.n, why)

    def _parting(self, decision: Decision, recorded: int, why: str, rule: str = "") -> OpenQuestion:
        state = self.game.state
        return OpenQuestion(
            self.game.number + 1, decision.seat, decision.prompt, state.turn, state.phase, recorded, why, rule
        )


def _rulings_of(records: Sequence[Any], start: int, changes: Changes) -> dict[int, list[RulingRecord[Any]]]:
    """Return the rulings with events after ``start``, and changed rulings, by the record of the next order."""
    found: dict[int, list[RulingRecord[Any]]] = {}
    waiting: list[RulingRecord[Any]] = []
    for record in records:
        if isinstance(record, RulingRecord) and record.event is not None and record.n > start:
            waiting.append(record)
        elif isinstance(record, OrderRecord) and waiting:
            found[record.n], waiting = waiting, []
    for number, event in changes.rulings.items():
        found.setdefault(number, []).append(RulingRecord(number, UMPIRE, "what if", event))
    return found
