"""Which standing orders are in force: a state machine over the records of a game, which needs no rules.

Both the writer and the verifier use it. It finds the standing order that names a question; ``answers`` computes its
answer.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sandtable.journal.format.codec import ENCODER
from sandtable.kernel.decisions import PURPOSE
from sandtable.kernel.questions import MARK, AnsweredQuestion, label_of
from sandtable.kernel.records import OrderRecord, RulingRecord, StandingRecord, UndoRecord, first_undone
from sandtable.quoting import shortened

MAX_PURPOSES = 16
"""Maximum number of kinds of questions that one standing order names."""
MAX_NAME = 100
"""Maximum number of characters of the name of a kind."""
MAX_ROW = 1000
"""Maximum number of consecutive answers of standing orders, because rules may repeat a question forever."""
MAX_TURN = 1_000_000
"""Maximum number of a turn in ``until``."""

FAILED, ILLEGAL, REPEATS, SECRET = "failed", "illegal", "repeats", "secret"
REASONS = {
    FAILED: "its bot has no answer to this",
    ILLEGAL: "its answer is not legal here",
    REPEATS: f"standing orders gave the last {MAX_ROW:,} answers",
    SECRET: "the options depend on secrets of the side",
}
"""Why a standing order does not answer a question that it names."""


class StandingFault(NamedTuple):
    """The fault of a standing order or of an answer: record, field and reason."""

    record: int
    field: str
    text: str


class InForce:
    """The standing orders in force after the records that it has taken.

    ``seats`` are the seats and sides that may give some. ``why_no_policy(policy, seat)`` returns why a bot cannot
    answer for a seat, or "". ``row`` counts the last answers of standing orders, without another order between them.
    ``is_amending`` is whether the next order is the one with which a ruling replaces another.
    """

    def __init__(self, seats: Iterable[str], why_no_policy: Callable[[str, str], str] = lambda *_: "") -> None:
        self.row = 0
        self.is_amending = False
        self._seats = frozenset(seats)
        self._why_no_policy = why_no_policy
        self._given: list[StandingRecord[Any]] = []
        self._ended: list[tuple[int, int]] = []
        self._answered: dict[int, int] = {}
        self._by_name: dict[tuple[str, str], StandingRecord[Any]] = {}

    def of(self, seat: str) -> list[StandingRecord[Any]]:
        """Return the standing orders of ``seat`` in force, the oldest first."""
        found = {each.n: each for each in self._by_name.values() if each.by == seat}
        return [found[number] for number in sorted(found)]

    def naming(self, seat: str, asked: AnsweredQuestion | str) -> StandingRecord[Any] | None:
        """Return the standing order that names the open question ``asked`` of ``seat``, or None.

        Of several, it is the one whose name of the kind is longest. The order with which a ruling replaces another is
        the umpire's: no standing order names its question.
        """
        if self.is_amending or not self._by_name:
            return None
        turn, purpose = _parts(asked if isinstance(asked, str) else label_of(asked))
        for name in _names(purpose):
            found = self._by_name.get((seat, name))
            if found is not None and (not found.until or turn <= found.until):
                return found
        return None

    def take(self, record: Any) -> StandingFault | None:
        """Take the next record; return why it is a wrong standing order, or a wrongly marked answer."""
        fault = None
        if isinstance(record, StandingRecord):
            if why := self.why_not(record):
                field = "withdraws" if record.withdraws else "policy" if record.policy else "purposes"
                return StandingFault(record.n, field, f"record {record.n}: {why}")
            if record.withdraws:
                self._ended.append((record.n, record.withdraws))
            else:
                self._given.append(record)
            self._index()
        elif isinstance(record, OrderRecord):
            fault = self._why_wrong(record)
            is_answer = bool(record.standing) and not record.refused
            if is_answer:
                self._answered[record.n] = record.standing
            self.row = self.row + 1 if is_answer else 0
            self.is_amending = False
        elif isinstance(record, UndoRecord | RulingRecord):
            self._take_back(record)
        return fault

    def why_not(self, record: StandingRecord[Any]) -> str:
        """Return why ``record`` cannot follow, or ""."""
        by = shortened(record.by)
        if record.by not in self._seats:
            return f"{by} cannot give standing orders: only a seat of a side can"
        if record.withdraws:
            if (record.purposes, record.policy, record.answer, record.until) != ((), "", None, 0):
                return "a standing order that takes back another one gives no answers"
            is_own = any(each.n == record.withdraws for each in self.of(record.by))
            return "" if is_own else f"{by} has no standing order {record.withdraws} in force"
        if bool(record.policy) == (record.answer is not None):
            return "a standing order has either an answer or a bot"
        if not 0 < len(record.purposes) <= MAX_PURPOSES:
            return f"a standing order names 1 to {MAX_PURPOSES} kinds of question"
        if wrong := next((each for each in record.purposes if not self._is_kind(each)), ""):
            return f"{shortened(wrong)} is not a kind of question"
        if not 0 <= record.until <= MAX_TURN:
            return f"the turn in `until` is at most {MAX_TURN:,}"
        return self._why_no_policy(record.policy, record.by) if record.policy else ""

    def _is_kind(self, name: str) -> bool:
        """Return whether ``name`` may name a kind of questions: a question without a purpose has the name of a seat."""
        return len(name) <= MAX_NAME and bool(PURPOSE.fullmatch(name)) and name not in self._seats

    def _why_wrong(self, record: OrderRecord[Any]) -> StandingFault | None:
        """Return why the mark of an answer is wrong, as far as this can be judged without rules, or None."""
        is_hidden = bool(record.missing) or record.secret
        named = None if is_hidden else self.naming(record.by, record.asked)
        who = f"record {record.n}: the order of {shortened(record.by)}"
        if named is None:
            if not record.standing and not record.refused:
                return None
            text = f"{who} is marked with standing order {record.standing}, which does not name its question"
            return StandingFault(record.n, "standing", text)
        if record.standing != named.n:
            text = f"{who} answers a question that standing order {named.n} names, and is not marked with it"
            return StandingFault(record.n, "standing", text)
        if wrong := self._why_not_refused(record.refused):
            return StandingFault(record.n, "refused", f"{who}: {wrong}")
        if (
            not record.refused
            and named.answer is not None
            and ENCODER.encode(record.order) != ENCODER.encode(named.answer)
        ):
            return StandingFault(record.n, "order", f"{who} is not the answer of standing order {named.n}")
        return None

    def _why_not_refused(self, reason: str) -> str:
        """Return why a standing order cannot refuse to answer for ``reason`` ("": it answers) here, or ""."""
        if reason and reason not in REASONS:
            return f"{shortened(reason)} is not a reason why a standing order does not answer"
        if self.row >= MAX_ROW and reason not in (REPEATS, SECRET):
            return REASONS[REPEATS]
        return f"it is not true that {REASONS[REPEATS]}" if self.row < MAX_ROW and reason == REPEATS else ""

    def _take_back(self, record: UndoRecord | RulingRecord[Any]) -> None:
        """Forget what no longer counts. A standing order whose answer its seat takes back is no longer in force."""
        first = first_undone(record)
        undone = self._answered.get(first) if isinstance(record, UndoRecord) else None
        while first and self._answered and next(reversed(self._answered)) >= first:
            self._answered.popitem()
        given, ended = len(self._given), len(self._ended)
        while first and self._given and self._given[-1].n >= first:
            self._given.pop()
        while first and self._ended and self._ended[-1][0] >= first:
            self._ended.pop()
        if undone is not None:
            self._ended.append((record.n, undone))
        if undone is not None or (given, ended) != (len(self._given), len(self._ended)):
            self._index()
        self.row = 0
        self.is_amending = isinstance(record, RulingRecord) and bool(record.amends)

    def _index(self) -> None:
        """Find the standing order of each name: a newer one of the seat replaces an older one."""
        ended = {number for _, number in self._ended}
        counting = (each for each in self._given if each.n not in ended)
        self._by_name = {(each.by, name): each for each in counting for name in each.purposes}


def _parts(label: str) -> tuple[int, str]:
    """Return the turn and the purpose in the label of a question."""
    turn, _, rest = label.partition(MARK)[0].partition("/")
    purpose = rest.rpartition("/")[0].rpartition("/")[2]
    return int(turn) if turn.isdecimal() and len(turn) < 10 else 0, purpose


def _names(purpose: str) -> Iterator[str]:
    """Yield the names by which a standing order may name a purpose: itself and its beginnings, the longest first."""
    name = purpose if len(purpose) <= MAX_NAME else purpose[: MAX_NAME + 1].rpartition(".")[0]
    while name:
        yield name
        name = name.rpartition(".")[0]
