"""A game as one side may know it, from the file of its slice: its records, and states that look like the true ones.

A side's view follows from the records that it sees: handlers rebuild it, with the events that a ruleset's ``fill_in``
adds for closed records. The state itself is not the true one. It may be used only through the view of that side.
"""

from bisect import bisect_right
from functools import cached_property
from typing import Any

from sandtable.errors import PlayError
from sandtable.journal.file.log import KEY_RECORD, STANDING_RECORD, Log
from sandtable.journal.fold import effective, fitting, fold_onto
from sandtable.journal.format.contents import public_fields
from sandtable.journal.format.secrecy import opened_in
from sandtable.journal.hands.checking import HAND
from sandtable.journal.sides.slices import count_closed, seen_record, shown_records, sliced_for
from sandtable.kernel.decisions import PUBLIC, UMPIRE, EnterDice
from sandtable.kernel.events import PhaseBegan
from sandtable.kernel.play.rewind import number_of
from sandtable.kernel.records import CloseRecord, OrderRecord, SealRecord, first_undone
from sandtable.kernel.state import State
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared

_ORDER = b'{"kind":"order"'
_BETWEEN = (b'{"kind":"burnt"', b'{"kind":"chain"', HAND, KEY_RECORD, STANDING_RECORD)
"""Records that may come between a question and its answer."""
STRIDE = 128
"""Number of records between two states that are kept."""


class SideLog:
    """The game in ``log``, the slice of ``side``, as far as that side may know it."""

    def __init__(self, log: Log, prepared: Prepared, side: str) -> None:
        self.log, self.prepared, self.side = log, prepared, side
        self._courses: dict[int, SideCourse] = {}

    @cached_property
    def shown(self) -> list[Any]:
        """The records that the file shows, completely or in part, as ``seen_records`` gives them of a complete log."""
        ruleset, kinds = self.prepared.ruleset, (OrderRecord, SealRecord, CloseRecord)
        shown = (
            seen_record(each, ruleset, self.side, frozenset((each.n,))) if isinstance(each, kinds) else each
            for each in shown_records(self.log, self.prepared)
        )
        return [each for each in shown if each is not None]

    @cached_property
    def known(self) -> list[Any]:
        """The records that the file shows, and an OrderRecord without order for each order that is closed in it."""
        numbers = {each.n for each in self.shown}
        lines = enumerate(self.log.lines)
        closed = [_closed_order(line) for number, line in lines if number not in numbers and line.startswith(_ORDER)]
        return sorted([*self.shown, *closed], key=lambda each: int(each.n))

    def seen_at(self, number: int) -> list[Any]:
        """Return the shown records up to ``number`` that count, without sealed orders that were opened only later."""
        known = effective([each for each in self.known if each.n <= number])
        opened, ruleset, shown = opened_in(known), self.prepared.ruleset, {each.n for each in self.shown}
        return [
            each
            for each in known
            if each.n in shown
            and (not isinstance(each, OrderRecord) or seen_record(each, ruleset, self.side, opened) is not None)
        ]

    def course(self, number: int | None = None) -> "SideCourse":
        """Return the course of the game as it counts after record ``number`` (None: the last).

        Later records of the file may show what was closed before; they are used too, unless they take records back.
        """
        if number is None or not any(first_undone(each) <= number for each in self._rewinds if each.n > number):
            return self._whole_course
        if number not in self._courses:
            self._courses[number] = self._course_of(number)
        return self._courses[number]

    @cached_property
    def _whole_course(self) -> "SideCourse":
        return self._course_of(self.log.records)

    def _course_of(self, number: int) -> "SideCourse":
        """Return the course of the records up to ``number``, with the events that a ruleset adds for closed records."""
        kept = effective([each for each in self.shown if each.n <= number])
        fill_in = self.prepared.installed.ui.fill_in or nothing
        with fitting(self.log.name, "its closed parts cannot be filled in"):
            filled = list(fill_in(kept, self.side, self.prepared.board) or kept)
        known = effective([each for each in self.known if each.n <= number])
        return SideCourse(known, filled, self.prepared, self.log.name)

    def state_at(self, number: int | None = None) -> State:
        """Return a state that looks to the side like the state after record ``number`` (None: the last).

        Raises LogDamaged if a record does not fit the state before it.
        """
        last = self.log.records if number is None else number
        return self.course(last).state_at(last)

    def is_asked(self, number: int) -> bool:
        """Return whether a question is pending after record ``number``: an order, undo, ruling or end follows."""
        lines = self.log.lines[number + 1 :]
        following = next((line for line in lines if not line.startswith(_BETWEEN)), b"")
        if not following:
            return not self.log.is_over
        return following.startswith((_ORDER, b'{"kind":"undo"', b'{"kind":"ruling"', b'{"kind":"end"'))

    def rewinds(self, number: int) -> tuple[int, ...]:
        """Return the numbers of the records up to ``number`` that took others back."""
        return tuple(each.n for each in self._rewinds if each.n <= number)

    @cached_property
    def _rewinds(self) -> list[Any]:
        return [each for each in self.known if first_undone(each)]


class SideCourse:
    """The records of a slice that count, and the states to which they lead, for the view of its side alone.

    ``known`` has a record without order for each closed order. ``filled`` has the events that a ruleset adds.
    """

    def __init__(self, known: list[Any], filled: list[Any], prepared: Prepared, name: str) -> None:
        self.known, self.filled = known, filled
        self._prepared, self._name = prepared, name
        self._marks: list[tuple[int, bytes, Any]] = [(0, prepared.first_state, prepared.board)]

    def upto(self, number: int) -> list[Any]:
        """Return the known records up to ``number``."""
        return self.known[: bisect_right(self.known, number, key=number_of)]

    def state_at(self, number: int) -> State:
        """Return the state after the records up to ``number``; raise LogDamaged if one does not fit."""
        end = bisect_right(self.filled, number, key=number_of)
        start, data, board = next(each for each in reversed(self._marks) if each[0] <= end)
        codec = self._prepared.ruleset.codec
        state: State = codec.from_bytes(data, board)
        while start < end:
            part = self.filled[start : min(end, start + STRIDE)]
            fold_onto(state, part, self._prepared, self._name)
            start += len(part)
            if len(part) == STRIDE and start > self._marks[-1][0]:
                self._marks.append((start, codec.to_bytes(state), state.board))
        return state

    def phase_of(self, number: int) -> int:
        """Return the record that began the phase of record ``number``, or 0."""
        place = bisect_right(self._phases, number)
        return self._phases[place - 1] if place else 0

    @cached_property
    def _phases(self) -> list[int]:
        return [each.n for each in self.known if isinstance(getattr(each, "event", None), PhaseBegan)]


def _closed_order(line: bytes) -> OrderRecord[Any]:
    """Return the record of an order that is closed; what a person enters for secret dice is EnterDice."""
    fields = public_fields(line)
    by, missing, secret = str(fields.get("by")), int(fields.get("missing", 0)), bool(fields.get("secret"))
    order: Any = EnterDice([]) if by == UMPIRE and secret else None
    return OrderRecord(int(fields["n"]), by, order, missing, secret)


def _lacks_openings(log: Log) -> bool:
    """Return whether ``log`` lacks an opening for the umpire, or has no commitment at all."""
    steps = log.steps()
    return not steps or any((number, UMPIRE) not in log.openings for number in steps)


def side_log(log: Log, prepared: Prepared, side: str | None) -> SideLog | None:
    """Return the game in ``log`` as ``side`` (None: the side of the slice) knows it, or None for a complete log.

    A file in which no record is closed is a slice if its annex names a side and the keeper's openings are missing.

    Without an annex that names its side it shows what spectators see. Raises PlayError if the file is not the slice of
    ``side``, and LogError if it cannot be read.
    """
    closed, own = count_closed(log, prepared.ruleset), sliced_for(log)
    if not closed and not (own and prepared.ruleset.hidden and _lacks_openings(log)):
        return None
    if side not in (None, own or PUBLIC):
        raise PlayError(f"{log.name} is redacted for {own or 'all'}: it does not show what {side} saw")
    return SideLog(log, prepared, own or PUBLIC)
