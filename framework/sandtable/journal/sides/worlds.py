"""The questions of a side, from its slice: the rules are run in states that are possible as far as the side knows.

At the beginning of an activation a state alone is enough. So a state is dealt from the side's view at that point, and
the rules run from it with the orders and dice that the side knows. If they show the side the same records, with the
same numbers, and the same view, then their next question is the one that the side was asked: what a side is asked
depends only on what it knows.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.errors import NoDeal
from sandtable.journal.sides.hints import hints_in
from sandtable.journal.sides.side_log import SideLog
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.simulator import (
    TRIES,
    SimulatedDice,
    Simulator,
    clock_of,
    dealt,
    sees_roll,
    shown_order,
)
from sandtable.kernel.play.views import View
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, RulingRecord, first_undone
from sandtable.kernel.state import State

Watch = Callable[[int, Decision, State], None]
"""A function that gets the number of an own order, the question that it answered, and a possible state there."""


class Position(NamedTuple):
    """A position as a side knows it: the seats that must decide, the side's own questions, and its view.

    ``view`` has a simulator, as a player's has in the game itself.
    """

    seats: tuple[str, ...]
    own: tuple[Decision, ...]
    view: View


class World(Game):
    """A simulated game that numbers its records as the log does; it has no digests."""

    __slots__ = ()

    def _seal(self) -> None:
        self._number += 1

    def _close(self) -> None:
        self._stack = []


class Worlds:
    """Positions of the side of a slice at its questions."""

    def __init__(self, slice_: SideLog) -> None:
        self._log = slice_
        self._prepared, self._side = slice_.prepared, slice_.side
        self._starts: dict[int, set[int]] = {}
        self._hints = hints_in(slice_.log).starts

    def position_at(self, number: int) -> Position:
        """Return the position after record ``number``; raise NoDeal if no state is found that leads there."""
        log, ruleset, side = self._log, self._prepared.ruleset, self._side
        if not log.is_asked(number):
            return Position((), (), View(side, lambda each: ruleset.view(log.state_at(number), each)))
        world, start, now = self.world_at(number)
        seats = (UMPIRE,) if isinstance(world.pending, Roll) else tuple(each.seat for each in world.waiting())
        own = tuple(each for each in world.waiting() if ruleset.side_of(each.seat) == side)
        before, since = log.fold(log.filled(number), start), _after(log.upto(number), start)
        since = [each for each in since if not first_undone(each)]

        def simulator(decision: Decision) -> Simulator:
            return Simulator(ruleset, before, since, now, decision, length=number - start)

        return Position(seats, own, View(side, lambda each: ruleset.view(now, each), simulator))

    def watch_orders(self, watch: Watch) -> None:
        """Call ``watch`` once for each own order that counts; orders whose question is not found are left out."""
        log, side_of = self._log, self._prepared.ruleset.side_of
        records = log.upto(None)
        orders = [each.n for each in records if isinstance(each, OrderRecord) and side_of(each.by) == self._side]
        ends = {log.phase_of(number): number for number in orders}
        met: set[int] = set()

        def once(number: int, decision: Decision, state: State) -> None:
            if number not in met:
                met.add(number)
                watch(number, decision, state)

        for number in orders:
            for last in (ends[log.phase_of(number)], number):
                if number not in met:
                    with suppress(NoDeal):
                        self.world_at(last, once, after=False)

    def world_at(self, number: int, watch: Watch | None = None, *, after: bool = True) -> tuple[World, int, State]:
        """Return a possible game after record ``number``, where it starts, and a state with the side's view there.

        Unless ``after``, the run ends when the order in that record is given. ``watch`` is called for each own order on
        the way.
        """
        filled, known = self._log.filled(number), self._log.upto(number)
        now = self._log.fold(filled)
        phase = self._log.phase_of(number)
        starts = self._starts.setdefault(self._log.rewinds(number), {phase})
        last = number if after else number - 1
        nearest = max(each for each in {*starts, *self._hints, phase} if phase <= each <= last)
        for start in dict.fromkeys((nearest, phase)):
            at = start
            while at >= 0:
                before, further = self._log.fold(filled, at), -1
                for state, stream in self._deals(before, now, at):
                    trial = Trial(self._log, _after(known, at), state, stream, at)
                    is_there = trial.run(watch) and (not after or trial.stops_at(number, now))
                    certain = trial.boundaries(is_there=is_there)
                    starts.update(certain)
                    if is_there:
                        return trial.world, max(certain), now
                    if max(certain, default=at) > at:
                        further = max(certain)
                        break
                at = further
        raise NoDeal(
            f"{self._log.log.name}: found no state from which the rules lead to what {self._side} saw up to record "
            f"{number}"
        )

    def _deals(self, before: State, now: State, start: int) -> Iterator[tuple[State, Stream]]:
        """Yield states at the boundary after record ``start`` that look to the side like ``before``.

        The last one is what the records of the side lead to, with nothing dealt.
        """
        ruleset, deal = self._prepared.ruleset, self._prepared.installed.bots.deal
        stream = Stream(key_from_seed("slice")).branch(str(start))
        seen = ruleset.view(before, self._side), ruleset.view(now, self._side)
        if deal is not None and self._side in ruleset.viewers:
            for number in range(TRIES):
                own = stream.branch(str(number))
                try:
                    state = dealt(deal, seen, self._side, before.board, own, clock_of(before))
                except NoDeal:
                    continue
                if ruleset.view(state, self._side) == seen[0]:
                    yield state, own
        yield before, stream


class Trial:
    """A run of the rules from ``state`` after record ``start`` with what the side knows of the records after it."""

    def __init__(self, log: SideLog, known: Sequence[Any], state: State, stream: Stream, start: int) -> None:
        self._ruleset, self._side = log.prepared.ruleset, log.side
        self._is_manual = log.log.header.dice == "manual"
        self._stream, self._start = stream, start
        self._rewinds = log.all_rewinds
        self._due = [each for each in known if _is_compared(each)]
        self._met = self._looked = self._certain = 0
        self.world = World(self._ruleset, state, SimulatedDice(stream))
        self._renumber(start)

    def run(self, watch: Watch | None) -> bool:
        """Give all known inputs; return whether the rules show the side its records. A failure of the rules is no."""
        try:
            self.world.start()
            for record in self._due:
                if isinstance(record, EventRecord) or not getattr(record, "dice", True):
                    continue
                if not self._follows() or self._due[self._met :][:1] != [record]:
                    return False
                self._give(record, watch)
            return self._follows() and self._met == len(self._due)
        except Exception:  # noqa: BLE001 - a state may be impossible, and a log may hold any order
            return False

    def stops_at(self, number: int, now: State) -> bool:
        """Return whether the game asks a question after record ``number`` and looks to the side like ``now``."""
        self._catch_up(number)
        world, view = self.world, self._ruleset.view
        waits = bool(world.waiting()) or (self._is_manual and isinstance(world.pending, Roll))
        return waits and world.number == number and view(world.state, self._side) == view(now, self._side)

    def boundaries(self, *, is_there: bool) -> list[int]:
        """Return the records after which an activation began, as far as the side saw more records after them."""
        trail = self.world.trail
        found = [each for each in self.world.boundaries if each < self._certain or is_there]
        return [trail[each - 1].n if each else self._start for each in found]

    def _follows(self) -> bool:
        """Return whether what the rules made since the last look shows the side its next records."""
        self._roll_unseen()
        for made in self.world.trail[self._looked :]:
            self._looked += 1
            seen = self._seen(made)
            if seen is not None:
                if self._met == len(self._due) or _facts(self._due[self._met]) != _facts(seen):
                    return False
                self._met, self._certain = self._met + 1, self._looked
        return True

    def _seen(self, record: Any) -> Any:
        """Return ``record`` as the side sees it, or None if it is closed or not compared."""
        if not _is_compared(record) or (isinstance(record, RollRecord) and not sees_roll(record, self._side)):
            return None
        if isinstance(record, EventRecord) and isinstance(record.event, self._ruleset.secret_events):
            event = self._ruleset.visible(record.event, self._side)
            return None if event is None else replace(record, event=event)
        return record

    def _give(self, record: Any, watch: Watch | None) -> None:
        """Give the game an input that the side knows; an order that it does not know is one that fits what it saw."""
        world = self.world
        self._catch_up(record.n - 1)
        if isinstance(record, RulingRecord):
            world.apply(replace(record, n=world.number + 1, hash=""))
        elif isinstance(record, RollRecord):
            self._enter(record.dice)
        else:
            asked = next(each for each in world.waiting() if each.seat == record.by)
            if watch is not None and self._ruleset.side_of(record.by) == self._side:
                watch(record.n, asked, world.state)
            world.submit(record.order or self._guessed(record, asked), record.by)

    def _guessed(self, record: OrderRecord[Any], asked: Decision) -> Order:
        """Return an order for ``asked``: the one that later events show, if any, or a random one."""
        group = record.missing or 1
        later = self._due[self._due.index(record) + 1 :]
        orders = [place for place, each in enumerate(later) if isinstance(each, OrderRecord)]
        end = orders[group - 1] if len(orders) >= group else len(later)
        events = [each.event for each in later[:end] if isinstance(each, EventRecord)]
        return shown_order(self._ruleset, asked, events) or asked.options.sample(self._stream)

    def _roll_unseen(self) -> None:
        while isinstance(roll := self.world.pending, Roll) and not sees_roll(roll, self._side):
            self._enter(tuple(self._stream.below(roll.sides) + 1 for _ in range(roll.dice)))

    def _enter(self, dice: tuple[int, ...]) -> None:
        """Use ``dice`` for the pending roll; a log with manual dice has one more record, for what was entered."""
        if self._is_manual:
            self._renumber(self.world.number + 1)
        self.world.resolve_roll(dice)

    def _catch_up(self, number: int) -> None:
        """Skip the numbers of records that no longer count, if some were taken back on the way to ``number``."""
        if any(self.world.number < each <= number for each in self._rewinds):
            self._renumber(number)

    def _renumber(self, number: int) -> None:
        self.world._number = number  # noqa: SLF001 - the kernel's games begin at record 0


def _is_compared(record: Any) -> bool:
    """Return whether ``record`` must be the same in a possible game; entered dice are compared as the roll."""
    if isinstance(record, OrderRecord):
        return not isinstance(record.order, EnterDice)
    is_ruled = isinstance(record, RulingRecord) and record.event is not None
    return is_ruled or isinstance(record, EventRecord | RollRecord)


def _facts(record: Any) -> tuple[Any, ...]:
    """Return what must be equal of a record: not the k of a label, which counts what the side may not know."""
    if isinstance(record, OrderRecord):
        return OrderRecord, record.n, record.by
    if isinstance(record, RollRecord):
        return RollRecord, record.n, record.label.rpartition("/")[0], record.sides, record.dice
    return type(record), record.n, record.event


def _after(records: Sequence[Any], number: int) -> list[Any]:
    return [each for each in records if each.n > number]
