"""A game as one side may know it, from the file of its slice: its records, and states that look like the true ones.

A side's view follows from the records that it sees: handlers rebuild it, with the events that a ruleset's ``fill_in``
adds for what is closed. The state itself is not the true one. It may be used only through the view of that side.
"""

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sandtable.errors import PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, fitting, fold_steps
from sandtable.journal.format.contents import public_fields
from sandtable.journal.sides.slices import count_closed, seen_record, shown_records, sliced_for
from sandtable.kernel.decisions import PUBLIC, UMPIRE, EnterDice
from sandtable.kernel.events import PhaseBegan
from sandtable.kernel.records import CloseRecord, OrderRecord, SealRecord, first_undone
from sandtable.kernel.state import State
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared

_ORDER = b'{"kind":"order"'


class SideLog:
    """The game in ``log``, the slice of ``side``, as far as that side may know it."""

    def __init__(self, log: Log, prepared: Prepared, side: str) -> None:
        self.log, self.prepared, self.side = log, prepared, side

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

    def upto(self, number: int | None) -> list[Any]:
        """Return the known records up to ``number`` that count after it."""
        return effective(self.known if number is None else [each for each in self.known if each.n <= number])

    def filled(self, number: int | None = None) -> list[Any]:
        """Return the shown records up to ``number`` that count after it, with the events that rebuild the view.

        Later records of the file may show what was closed before; they are used too, unless they take records back.
        """
        if number is None or not any(0 < first_undone(each) <= number < each.n for each in self.shown):
            return [each for each in self._all_filled if number is None or each.n <= number]
        return self._fill([each for each in self.shown if each.n <= number])

    @cached_property
    def _all_filled(self) -> list[Any]:
        return self._fill(self.shown)

    def _fill(self, records: Sequence[Any]) -> list[Any]:
        """Return the ``records`` that count, with the events that a ruleset adds for what is closed."""
        kept = effective(records)
        fill_in = self.prepared.installed.ui.fill_in or nothing
        with fitting(self.log.name, "its closed parts cannot be filled in"):
            return list(fill_in(kept, self.side, self.prepared.board) or kept)

    def state_at(self, number: int | None = None) -> State:
        """Return a state that looks to the side like the state after record ``number`` (None: the last)."""
        return self.fold(self.filled(number))

    def fold(self, records: Sequence[Any], number: int | None = None) -> State:
        """Return the state after the ``filled`` records up to ``number``; raise LogDamaged if one does not fit."""
        taken = records if number is None else [each for each in records if each.n <= number]
        last = deque(fold_steps(taken, self.prepared, self.log.name), maxlen=1)
        first: State = self.prepared.ruleset.codec.from_bytes(self.prepared.first_state, self.prepared.board)
        return last[0][1] if last else first

    def phase_of(self, number: int) -> int:
        """Return the record that began the phase of record ``number``, or 0."""
        begun = (each.n for each in self.upto(number) if isinstance(getattr(each, "event", None), PhaseBegan))
        return max(begun, default=0)

    def is_asked(self, number: int) -> bool:
        """Return whether a question is pending after record ``number``: an order, undo, ruling or end follows."""
        if number >= self.log.records:
            return not self.log.is_over
        following = self.log.lines[number + 1]
        return following.startswith((_ORDER, b'{"kind":"undo"', b'{"kind":"ruling"', b'{"kind":"end"'))

    def rewinds(self, number: int) -> int:
        """Return the number of the last record up to ``number`` that took others back, or 0."""
        return max((each for each in self.all_rewinds if each <= number), default=0)

    @cached_property
    def all_rewinds(self) -> tuple[int, ...]:
        """The numbers of the records that took others back."""
        return tuple(each.n for each in self.known if first_undone(each))


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

    A file in which no record is closed is a slice if its annex says so and the keeper's openings are missing.

    Without an annex that names its side it shows what spectators see. Raises PlayError if the file is not the slice of
    ``side``, and LogError if it cannot be read.
    """
    closed, own = count_closed(log, prepared.ruleset), sliced_for(log)
    if not closed and not (own and prepared.ruleset.hidden and _lacks_openings(log)):
        return None
    if side not in (None, own or PUBLIC):
        raise PlayError(f"{log.name} is redacted for {own or 'all'}: it does not show what {side} saw")
    return SideLog(log, prepared, own or PUBLIC)
