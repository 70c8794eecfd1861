"""The orders that led to a record: with another answer the record would not have happened, or not in this form.

An order is tested by giving other legal orders in its place and continuing with the recorded orders and dice. Names in
records only suggest which orders to test, because a unit that fires and a unit that is hit have the same name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from sandtable.errors import SandtableError
from sandtable.journal.branching.causes import BOOKKEEPING, group_of, is_choice, names_in, names_of
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import SetDice, Stream, key_from_seed
from sandtable.kernel.events import Event
from sandtable.kernel.options import Form, Sheet
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import MARK, label_of
from sandtable.kernel.records import EventRecord, RollRecord, RulingRecord

KEY = key_from_seed("others")
"""The key for random orders, and for rolls that were not recorded."""
MAX_LISTED = 100
"""Maximum number of orders that are considered."""
MAX_DRAWN = 24
"""Maximum number of random orders that are drawn if the orders cannot be listed."""
MAX_TRIED = 10
"""Maximum number of listed answers, and of random ones, that are tried for one order."""
MAX_FOR_LINE = 2
"""Maximum number of other answers that are tried for one line of a sheet, in addition to none."""
MAX_LINES = 40
"""Maximum number of lines of a sheet that are tried."""
MAX_GROUPS = 12
"""Maximum number of decisions that are tested from the last one back."""
_WORDS = re.compile(r"[^\W_][\w-]*")
MAX_STREAMS = 6
"""Maximum number of series of random orders that are tried after another answer."""
MAX_RECORDS = 100
"""Maximum number of records by which a tried game may be longer than the recorded one."""


class Led(NamedTuple):
    """An order that led to a record, and the ``lines`` of its sheet that did, or no lines for an order without a sheet.

    ``instead`` is another order after which the record would be different, or None if none was tried.
    """

    order: Any
    lines: frozenset[str] = frozenset()
    instead: Order | None = None


def led_to(
    game: Game,
    known: Sequence[Any],
    suggested: Sequence[Any],
    first: int,
    result: Event | None = None,
    key: bytes = KEY,
) -> list[Led]:
    """Return the orders that led to the last of the ``known`` records: those of the last decision that did, and others.

    ``game`` contains these records, and ``result`` is the event after a roll. The last decision is tested, then up to
    ``MAX_GROUPS`` others since record ``first``, back to the first one that led to the record. Of the decisions before
    it only those with a ``suggested`` order are tested. ``key`` is the key of rolls that were not recorded.
    """
    test = _Test(game, known, result, key)
    orders = [each for each in known if is_choice(each)]
    found: list[Led] = []
    for number in range(MAX_GROUPS):
        if found or not orders or (number and orders[-1].n < first):
            break
        group = group_of(orders)
        found = test.led(group)
        del orders[-len(group) :]
    numbers = {each.n for each in suggested}
    while orders:
        group = group_of(orders)
        found += test.led(group) if numbers & {each.n for each in group} else []
        del orders[-len(group) :]
    return sorted(found, key=lambda each: int(each.order.n))


def has_causes(record: Any) -> bool:
    """Return whether orders can lead to a record: to a roll, or to an event beyond the sequence of play."""
    event = getattr(record, "event", None)
    return isinstance(record, RollRecord) or (event is not None and type(event).__name__ not in BOOKKEEPING)


def result_of(records: Sequence[Any], record: Any) -> Event | None:
    """Return the event directly after a roll, which is its result, or None."""
    if not isinstance(record, RollRecord):
        return None
    after = next((each for each in records if each.n == record.n + 1), None)
    return after.event if isinstance(after, EventRecord) and has_causes(after) else None


def legal(space: Any) -> Iterator[Any]:
    """Yield the values of a space; if they cannot be listed, random ones, each once."""
    try:
        yield from space.values()
    except (SandtableError, ValueError, NotImplementedError):
        yield from _drawn(space, MAX_DRAWN)


def _drawn(space: Any, count: int) -> Iterator[Any]:
    """Yield the different values among ``count`` random ones; they are the same each time."""
    stream, drawn = Stream(KEY), list[Any]()
    with suppress(SandtableError, ValueError):
        for _ in range(count):
            value = space.sample(stream)
            if value not in drawn:
                drawn.append(value)
                yield value


def sheet_of(options: Any, order: Any) -> tuple[str, Sheet, Mapping[str, Any]] | None:
    """Return the field, space and lines of the sheet that ``order`` fills in, or None."""
    for name, space in options.fields.items() if isinstance(options, Form) else ():
        if isinstance(space, Sheet):
            return name, space, getattr(order, name)
    return None


class _Test:
    """Tests orders of a game for whether they led to its last record."""

    def __init__(self, game: Game, known: Sequence[Any], result: Event | None, key: bytes) -> None:
        self._game, self._known, self._record, self._result = game, known, known[-1], result
        self._names = names_of(known[-1])
        self._dice = SetDice(key, faces={each.label: each.dice for each in known if isinstance(each, RollRecord)})

    def led(self, group: Sequence[Any]) -> list[Led]:
        """Return the orders of a group that led to the record; the whole group if a ruling came in between."""
        later = [each for each in self._known if each.n > group[-1].n]
        if any(isinstance(each, RulingRecord) for each in later):
            return [Led(each) for each in group]
        start = self._game.before(group[0].n)
        options = {each.seat: each.options for each in start.waiting()}
        found = []
        for order in group:
            changed = dict[str, Order]()
            is_near = False
            for near, line, other in _others(options[order.by], order.order, self._names):
                if not near and is_near:
                    break
                if line not in changed and self._is_changed(start, group, order, other, later):
                    changed[line] = other
                    is_near |= near
            if changed:
                found.append(Led(order, frozenset(filter(None, changed)), next(iter(changed.values()))))
        return found

    def _is_changed(self, start: Game, group: Sequence[Any], order: Any, other: Order, later: Sequence[Any]) -> bool:
        """Return whether the record is missing, or has another result, with ``other`` instead of ``order``.

        The later orders are given as recorded if they are legal, the replaced order too. If random orders are needed as
        well, the record must be different after each of ``MAX_STREAMS`` series. Returns False if ``other`` is not
        legal.
        """
        count = Counter(map(_mark, later))[_mark(self._record)]
        for number in range(MAX_STREAMS):
            answers = _Answers(filter(is_choice, later), order, Stream(KEY).branch(str(number)))
            game = start.fork(self._dice)
            try:
                for each in group:
                    game.submit(other if each is order else each.order, each.by)
                if not self._is_different_after(game, answers, group[-1].n, count):
                    return False
            except SandtableError:
                return False
            if not answers.drawn:
                return True
        return True

    def _is_different_after(self, game: Game, answers: "_Answers", since: int, count: int) -> bool:
        """Continue ``game``; return whether the record numbered ``count`` of its kind after ``since`` is different."""
        seen = 0
        while True:
            for each in game.records[seen:]:
                if each.n > since and _mark(each) == _mark(self._record):
                    count -= 1
                    if not count:
                        return self._is_other(game, each)
            seen = len(game.records)
            waiting = game.waiting()
            order = answers.answer(game, waiting[0]) if waiting else None
            if order is None or game.number > self._record.n + MAX_RECORDS:
                return True
            game.submit(order, waiting[0].seat)

    def _is_other(self, game: Game, seen: Any) -> bool:
        """Return whether ``seen``, the same roll in another game, has other dice or needs, or another result."""
        mine = self._record
        if not isinstance(mine, RollRecord):
            return False
        is_same = (seen.sides, seen.needs, seen.units, seen.dice) == (mine.sides, mine.needs, mine.units, mine.dice)
        return not is_same or (self._result is not None and result_of(game.records, seen) != self._result)


def _mark(record: Any) -> Any:
    """Return the data that identify a roll or an event in another game, regardless of its number."""
    if isinstance(record, RollRecord):
        return record.label
    return repr(record.event) if isinstance(record, EventRecord) else None


def _others(options: Any, order: Order, names: set[str]) -> Iterator[tuple[bool, str, Order]]:
    """Yield other answers, each with whether it concerns ``names`` (such answers first), and the line that differs.

    An order without lines has "" instead, and all its answers count as concerning ``names``. Half of these are listed.
    The others are random, because the first answers of a long list are alike.
    """
    sheet = sheet_of(options, order)
    if sheet is None:
        found = [each for each in islice(legal(options), MAX_LISTED) if each != order]
        found.sort(key=lambda each: not names & names_in(to_builtins(each)))
        step = max(1, len(found) // MAX_TRIED)
        drawn = (each for each in _drawn(options, MAX_TRIED) if each != order)
        yield from ((True, "", each) for each in (*found[::step][:MAX_TRIED], *drawn))
        return
    name, space, written = sheet
    near = {key: bool(names & {key, *_WORDS.findall(repr(to_builtins(written[key])))}) for key in written}
    for key in sorted(written, key=lambda key: (not near[key], key))[:MAX_LINES]:
        if key in space.lines:
            blank = {each: line for each, line in written.items() if each != key}
            others = islice((each for each in legal(space.lines[key]) if each != written[key]), MAX_FOR_LINE)
            for sheet_ in (blank, *({**written, key: each} for each in others)):
                yield near[key], key, replace(order, **{name: sheet_})


class _Answers:
    """A source of answers: the recorded orders up to a record, and random ones if none of those fits.

    ``drawn`` counts the random ones. The ``replaced`` order is given only if the same seat must decide again at once:
    then the other answer came first, such as one more move before the end of the moves.
    """

    def __init__(self, left: Iterable[Any], replaced: Any, stream: Stream) -> None:
        self._left, self._again, self._stream, self.drawn = list(left), [replaced], stream, 0

    def answer(self, game: Game, decision: Decision) -> Order | None:
        """Return the order that answered this question, or one that answered a similar question, or a random one.

        Returns None if no recorded order is left, because the record should have happened by then.
        """
        label = label_of(game.question_of(decision))
        asked = {each.n: str(each.asked).partition(MARK)[0] for each in (*self._left, *self._again)}
        alike = [each for each in self._left if _place(asked[each.n]) == _place(label)]
        alike.sort(key=lambda each: asked[each.n] != label)
        found = self._first(decision, [*alike, *self._again])
        self._again = []
        if found is not None or not self._left:
            return found
        self.drawn += 1
        drawn: Order = decision.options.sample(self._stream)
        return drawn

    def _first(self, decision: Decision, orders: Iterable[Any]) -> Order | None:
        """Return the first of the recorded ``orders`` that is legal now, or None; it is no longer left."""
        for each in orders:
            if each.by == decision.seat and decision.why_not(each.order) is None:
                self._left = [left for left in self._left if left is not each]
                order: Order = each.order
                return order
        return None


def _place(label: str) -> str:
    """Return a label of a question without its count: turn, phase and purpose."""
    return label.rpartition("/")[0]
