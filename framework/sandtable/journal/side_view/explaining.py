"""Explanations of records that need only the slice of a side."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sandtable.errors import NoDeal
from sandtable.journal.branching.answers import Decided, decided
from sandtable.journal.branching.causes import is_choice
from sandtable.journal.branching.influence import Led
from sandtable.journal.fold import fold_steps
from sandtable.journal.side_view.worlds import Worlds
from sandtable.journal.sides.side_log import SideLog
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import PhaseBegan


class SliceSource:
    """The material in the slice of a side: its records, and the side's own questions in possible states."""

    frames: tuple[Any, ...] = ()

    def __init__(self, slice_: SideLog, number: int) -> None:
        self.name, self.prepared = slice_.log.name, slice_.prepared
        self.records: Sequence[Any] = slice_.shown
        self.number = number
        self._slice = slice_
        self._worlds = Worlds(slice_)
        self.phases = {
            record.n: (state.turn, state.phase)
            for record, state in fold_steps(slice_.course(number).filled, slice_.prepared)
            if record.n <= number
        }
        self.turn, self.phase = self.phases.get(number, (0, ""))

    def led(self, behind: list[Led], known: Sequence[Any]) -> list[Led]:  # noqa: ARG002 - the protocol's shape
        """Return ``behind``: which of these orders would change the record depends on what is hidden."""
        return behind

    def key_of(self, number: int) -> None:
        """Return None: the key of a game with secrets opens them."""

    def faces(self, roll: Any, event: Any) -> tuple[Any, ...]:  # noqa: ARG002 - the protocol's shape
        """Return nothing: the results of other faces depend on what is hidden."""
        return ()

    def between(self) -> tuple[str, str]:
        """Return the phases before and after a record between two phases, "" for none."""
        last = next((phase for number, (_, phase) in sorted(self.phases.items(), reverse=True) if phase), "")
        return between(self.records, self.number, last) if not self.phase else ("", "")

    def decided(self, led: Led, names: set[str]) -> Decided:
        """Return an order, with its question and other possible answers if it is one of the side's own."""
        found: list[Decided] = []

        def watch(number: int, decision: Decision, _: Any) -> None:
            if number == led.order.n and not found:
                found.append(decided(led, decision, self.number, names))

        if self.prepared.ruleset.side_of(led.order.by) == self._slice.side and is_choice(led.order):
            with suppress(NoDeal):
                self._worlds.watch_order(led.order.n, watch)
        return found[0] if found else decided(led, None, self.number, names)


def between(records: Sequence[Any], number: int, last: str) -> tuple[str, str]:
    """Return the ``last`` phase before record ``number``, which is in none, and the next one, "" for none."""
    events = (getattr(each, "event", None) for each in records if each.n >= number)
    return last, next((each.phase for each in events if isinstance(each, PhaseBegan)), "")
