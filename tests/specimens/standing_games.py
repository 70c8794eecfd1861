"""Games in which seats give, withdraw and undo standing orders at random, and the expected results.

``expected_mark`` is a second model of ``journal.standing``, written from the log format alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from signed_games import Tables, fixed_key

from sandtable.errors import NothingToUndo
from sandtable.hosting.keying import Keying
from sandtable.hosting.opening import new_header
from sandtable.journal.file.reading import parse_log
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.journal.record import RunningHead, form_for, log_bytes
from sandtable.journal.standing.answers import StandingOrders
from sandtable.journal.verification.verdicts import Difference
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import UMPIRE, Decision, Order, Sealed
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RulingRecord, StandingRecord, UndoRecord
from sandtable.players.players import name_seats
from sandtable.plugin.manager import Prepared


class Question(NamedTuple):
    """A question when it was answered: whether it was open, and which of the standing answers were legal then.

    ``is_secret`` is whether its options depend on secrets.
    """

    purpose: str
    turn: int
    is_open: bool
    legal: Mapping[int, bool]
    is_secret: bool = False


class StandingGame:
    """A game of ``prepared`` with standing orders. The seats with ``keys`` sign.

    ``questions`` are those answered, by the number of the answer.
    """

    def __init__(self, prepared: Prepared, seed: str, keys: Sequence[SeatKey] = (), mode: str = "open") -> None:
        self.prepared, self.random = prepared, Random(seed)  # noqa: S311 - a test
        seats = [seat for seat, side in prepared.ruleset.seats.items() if side != UMPIRE]
        public = {seat: key.public for seat, key in sorted(zip(seats, keys, strict=False))}
        names = name_seats(prepared, {})
        self.dice, self.header, _ = new_header(prepared, names, Keying(key_from_seed(seed)), mode, public)
        self.game: Game = prepared.new_game(self.dice)
        self.hands = Hands(self.header, RunningHead(self.header, form_for(prepared.ruleset, self.dice)), keys)
        self.hands.follow(self.game)
        self.standing = StandingOrders(prepared, self.game)
        self.questions: dict[int, Question] = {}
        self._sampling = Stream.for_player(key_from_seed(seed), "answers")
        self.game.start()
        self.store()

    def store(self) -> None:
        """Store the new records, and those of shared dice."""
        self.game.proceed({}, after=lambda: self.hands.store(self.game))

    def give(self, by: str, *purposes: str, answer: Order | None = None, policy: str = "", until: int = 0) -> int:
        """Give a standing order, and return its number."""
        self.standing.give(StandingRecord(0, by, purposes, policy, answer, until))
        number = self.game.number
        self.store()
        return number

    def take_back(self, by: str, number: int) -> None:
        """Take back a standing order."""
        self.standing.give(StandingRecord(0, by, withdraws=number))
        self.store()

    def answer(self, decision: Decision, order: Order | None = None) -> OrderRecord[Any]:
        """Answer a pending decision as its standing order says, or with ``order`` (None: a random one)."""
        self._note(decision)
        given = self.standing.answer(decision)
        chosen = given if given is not None else order if order is not None else self.sampled(decision)
        number = self.game.number
        self.game.submit(chosen, decision.seat)
        self.store()
        return next(each for each in self.game.records[number:] if isinstance(each, OrderRecord))

    def sampled(self, decision: Decision) -> Order:
        """Return a random legal order, often the one that ends the question."""
        if decision.done is not None and self._sampling.below(4) == 0:
            return decision.done
        order: Order = decision.options.sample(self._sampling)
        return order

    def _note(self, decision: Decision) -> None:
        fixed = [each for each in self.game.records if isinstance(each, StandingRecord) and each.answer is not None]
        legal = {each.n: decision.options.is_legal(each.answer) for each in fixed}
        is_open = not decision.secret and not isinstance(self.game.pending, Sealed)
        purpose = decision.purpose or decision.seat
        self.questions[self.game.number + 1] = Question(
            purpose, self.game.state.turn, is_open, legal, decision.outside is not None
        )

    def answer_until(self, purpose: str = "", seat: str = "") -> Decision:
        """Answer at random until an open question of this kind is pending, and return it."""
        while True:
            decision = self.game.waiting()[0]
            is_open = not decision.secret and not isinstance(self.game.pending, Sealed)
            if is_open and decision.purpose.startswith(purpose) and seat in ("", decision.seat):
                return decision
            self.answer(decision)

    def undo(self, by: str) -> None:
        """Undo the last order, which is of seat ``by``."""
        self.game.undo(by)
        self.store()

    def log(self) -> bytes:
        """Return the log so far; the last records may wait for a signature."""
        self.hands.end(self.game)
        return log_bytes(self.header, self.game)[0]

    def finish(self) -> bytes:
        """Answer at random to the end, and return the log."""
        while not self.game.is_over:
            self.answer(self.game.waiting()[0])
        return self.log()


def a_game(prepared: Prepared, orders: Any, *, signed: bool = False, mode: str = "open") -> StandingGame:
    """Return a game in which all happens: answers of an order and of a bot, a refusal, a withdrawal, an undo."""
    played = StandingGame(prepared, "a", [fixed_key(seat) for seat in ("red", "green", "blue")] if signed else [], mode)
    played.answer_until("sail", "red")
    played.give("red", "sail", answer=orders.Sail(3))
    for _ in range(3):
        played.answer(played.game.waiting()[0])
    played.answer(played.game.waiting()[0], orders.Stop())
    played.answer_until("sail", "green")
    number = played.give("green", "sail", "press_on.green", policy="drifter", until=2)
    played.answer(played.game.waiting()[0])
    played.answer_until("sail", "blue")
    played.give("blue", "sail", policy="careful")
    played.answer(played.game.waiting()[0])
    if played.game.waiting()[0].purpose == "sail.blue":
        played.undo("blue")
    played.answer_until("press_on", "green")
    played.take_back("green", number)
    played.give("green", "sail", policy="careful")
    return played


ANSWERS = {"sail": ("Sail", (1, 2, 3)), "losses": ("Lose", (1, 2, 3)), "press_on": ("Press", (True, False))}
NAMES = (
    "sail",
    "sail.red",
    "sail.green",
    "losses",
    "losses.blue",
    "press_on",
    "press_on.red",
    "sail.red.x",
    "sai",
    "inspect",
)


def random_game(prepared: Prepared, seed: str, orders: Mapping[str, type[Order]], **more: Any) -> StandingGame:
    """Return a finished game of the convoy with random standing orders, undos and rulings.

    ``orders`` are the classes of the ruleset by name.
    """
    played = StandingGame(prepared, seed, **more)
    game, random = played.game, played.random
    steps = 0
    while not game.is_over:
        steps += 1
        chance = random.random()
        try:
            if chance < 0.12:
                _give_at_random(played, orders)
            elif chance < 0.16:
                by = random.choice(game.waiting()).seat
                if known := played.standing.of(by):
                    played.take_back(by, random.choice(known).n)
            elif chance < 0.26:
                played.undo(random.choice(game.waiting()).seat)
            elif chance < 0.28 and steps < 400:
                _amend_at_random(played)
            else:
                played.answer(random.choice(game.waiting()))
        except NothingToUndo:
            continue
    return played


def _give_at_random(played: StandingGame, orders: Mapping[str, type[Order]]) -> None:
    random = played.random
    by, until = random.choice(played.game.waiting()).seat, random.choice((0, 0, 1, 2))
    names = random.sample(NAMES, random.choice((1, 1, 2)))
    if random.random() < 0.5:
        played.give(by, *names, policy=random.choice(("careful", "drifter", "reckless", "spy")), until=until)
        return
    name, values = random.choice([*ANSWERS.values()])
    kind = orders[name]
    answer = kind(**{kind.__struct_fields__[0]: random.choice(values)}) if random.random() < 0.8 else orders["Stop"]()
    played.give(by, *names, answer=answer, until=until)


def _amend_at_random(played: StandingGame) -> None:
    given = [each for each in played.game.trail if isinstance(each, OrderRecord) and not each.missing]
    if not given or played.header.keys:
        return
    record = played.random.choice(given[-6:])
    decision = next(each for each in played.game.before(record.n).waiting() if each.seat == record.by)
    order = played.sampled(decision)
    played.game.amend(record.n, order, "a test")
    ruling = next(each for each in reversed(played.game.records) if isinstance(each, RulingRecord))
    played.questions[ruling.n + 1] = Question("", 0, is_open=False, legal={})
    played.store()


def expected_mark(records: Sequence[Any], number: int, question: Question) -> tuple[int, str | None]:
    """Return the standing order that must be marked in the order with this ``number``, and its reason.

    The reason is None where it follows from a bot. Everything is computed again from the ``records`` before.
    """
    counting = [*_counting(records[: number - 1])]
    last = records[number - 2] if number > 1 else None
    order = records[number - 1]
    if not question.is_open or (isinstance(last, RulingRecord) and last.amends):
        return 0, ""
    gone = {each.withdraws for each in counting if isinstance(each, StandingRecord) and each.withdraws}
    taken = [records[each.to - 1] for each in counting if isinstance(each, UndoRecord)]
    gone |= {each.standing for each in taken if each.standing and not each.refused}
    best: tuple[int, int] = (0, 0)
    for each in counting:
        if not isinstance(each, StandingRecord) or each.by != order.by or each.n in gone or each.withdraws:
            continue
        for name in each.purposes:
            later = [
                other
                for other in counting
                if isinstance(other, StandingRecord)
                and other.n > each.n
                and other.by == each.by
                and other.n not in gone
                and name in other.purposes
            ]
            fits = question.purpose == name or question.purpose.startswith(f"{name}.")
            if fits and not later and not (each.until and question.turn > each.until):
                best = max(best, (len(name), each.n))
    named = best[1]
    if not named:
        return 0, ""
    if question.is_secret:
        return named, "secret"
    if named not in question.legal:
        return named, None
    return named, "" if question.legal[named] else "illegal"


def differing_marks(played: StandingGame) -> Iterator[tuple[OrderRecord[Any], int, str | None]]:
    """Yield each order whose mark differs from that of the second model, with that mark."""
    for record in played.game.records:
        if isinstance(record, OrderRecord):
            number, reason = expected_mark(played.game.records, record.n, played.questions[record.n])
            if record.standing != number or reason not in (None, record.refused):
                yield record, number, reason


def _counting(records: Sequence[Any]) -> Iterator[Any]:
    """Yield the records that count, with the undos and rulings that count."""
    cut = len(records) + 1
    kept = []
    for record in reversed(records):
        if record.n >= cut:
            continue
        kept.append(record)
        first = 0
        if isinstance(record, UndoRecord):
            first = record.to
        elif isinstance(record, RulingRecord):
            first = record.amends or record.withdraws
        cut = min(cut, first or cut)
    yield from reversed(kept)


def fault(data: bytes, prepared: Prepared, side: str = "") -> Difference | None:
    """Return the first difference in a log."""
    return verify(parse_log(data, "log"), prepared, side=side).first_difference


def numbers(lines: Tables, fits: Callable[[dict[str, Any]], bool]) -> list[int]:
    """Return the numbers of the lines that fit."""
    return [number for number, line in enumerate(lines) if fits(line)]
