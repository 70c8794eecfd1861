"""The questions of a side, from its slice: the rules are run in states that are possible as far as the side knows.

At the beginning of an activation a state alone is enough. So a state is dealt from the side's view at that point, and
the rules run from it with the orders and dice that the side knows. If they show the side the same records, with the
same numbers, and the same view, then their next question is the one that the side was asked: what a side is asked
depends only on what it knows.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.errors import NoDeal
from sandtable.journal.side_view.hints import hints_in, question_digest
from sandtable.journal.sides.side_log import SideCourse, SideLog
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order, Roll
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.simulator import (
    SimulatedDice,
    Simulator,
    clock_of,
    dealt,
    sees_roll,
    shown_order,
)
from sandtable.kernel.play.views import View
from sandtable.kernel.records import NOTES, OF_CHAINS, EventRecord, OrderRecord, RollRecord, RulingRecord, first_undone
from sandtable.kernel.state import State

DEALS = 1000
"""Maximum number of states that are dealt at one boundary to find one that leads to the records of the side."""
MAX_WORK = 200_000
"""Maximum number of runs of one search and of records that they make; a slice may come from anywhere."""

Watch = Callable[[int, Decision, State], None]
"""A function that gets the number of an own order, the question that it answered, and a possible state there."""


class Position(NamedTuple):
    """A position as a side knows it: the seats that must decide, the side's own questions, and its view.

    ``view`` has a simulator, as a player's has in the game itself.
    """

    seats: tuple[str, ...]
    own: tuple[Decision, ...]
    view: View


class PossibleGame(Game):
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
        hints = hints_in(slice_.log)
        self._hints, self._asked = sorted(hints.starts), hints.questions

    def position_at(self, number: int) -> Position:
        """Return the position after record ``number``; raise NoDeal if no state is found that leads there."""
        log, ruleset, side = self._log, self._prepared.ruleset, self._side
        others = self._others_asked(number) if log.is_asked(number) else ()
        if others is not None:
            return Position(others, (), View(side, lambda each: ruleset.view(log.state_at(number), each)))
        world, start, now = self._world_at(number)
        seats = (UMPIRE,) if isinstance(world.pending, Roll) else tuple(each.seat for each in world.waiting())
        own = tuple(each for each in world.waiting() if ruleset.side_of(each.seat) == side)
        course = log.course(number)
        before = course.state_at(start)
        since = [each for each in _after(course.upto(number), start) if not first_undone(each)]

        def simulator(decision: Decision) -> Simulator:
            return Simulator(ruleset, before, since, now, decision, length=number - start)

        return Position(seats, own, View(side, lambda each: ruleset.view(now, each), simulator))

    def _others_asked(self, number: int) -> tuple[str, ...] | None:
        """Return the seat of the next order if it alone answers and belongs to another side, otherwise None."""
        following = next((each for each in self._log.known if each.n > number), None)
        if not isinstance(following, OrderRecord) or following.missing:
            return None
        return None if self._prepared.ruleset.side_of(following.by) == self._side else (following.by,)

    def watch_orders(self, watch: Watch) -> None:
        """Call ``watch`` once for each own order that counts; orders whose question is not found are left out."""
        log, side_of = self._log, self._prepared.ruleset.side_of
        course = log.course()
        orders = [each.n for each in course.known if isinstance(each, OrderRecord) and side_of(each.by) == self._side]
        ends = {self._nearest(course, number - 1): number for number in orders}
        met: set[int] = set()

        def once(number: int, decision: Decision, state: State) -> None:
            if number not in met:
                met.add(number)
                watch(number, decision, state)

        for number in orders:
            if number not in met:
                with suppress(NoDeal):
                    self.watch_order(number, once, ends[self._nearest(course, number - 1)])

    def watch_order(self, number: int, watch: Watch, end: int = 0) -> None:
        """Call ``watch`` for the own order in record ``number``, and for those on the way to it.

        The run continues to record ``end`` as far as it fits. Raises NoDeal if no state is found that leads to the
        order.
        """
        course = self._log.course(max(number, end))
        now = self._log.state_at(number - 1)
        self._search(course, number - 1, course.upto(max(number, end)), now, lambda trial: trial.run(watch, number))

    def _world_at(self, number: int) -> tuple[PossibleGame, int, State]:
        """Return a possible game after record ``number``, where it starts, and a state with the side's view there."""
        course = self._log.course(number)
        now, asked = course.state_at(number), self._asked_after(number)
        trial, start = self._search(
            course, number, course.upto(number), now, lambda trial: trial.run() and trial.stops_at(number, now, asked)
        )
        return trial.world, start, now

    def _search(
        self, course: SideCourse, number: int, known: Sequence[Any], now: State, fits: "Callable[[SearchRun], bool]"
    ) -> "tuple[SearchRun, int]":
        """Return a run of the rules that ``fits``, and the last boundary up to record ``number`` in it.

        It begins at the nearest known boundary or, if that does not lead there, at the beginning of the phase. A
        boundary that is found on the way is a new start: the state there is dealt again.
        """
        phase = course.phase_of(number)
        starts = self._starts.setdefault(len(self._log.rewinds(number)), {phase})
        nearest = max(self._nearest(course, number), *(each for each in starts if each <= number))
        work = 0
        for start in dict.fromkeys((nearest, phase)):
            at = start
            while at >= 0:
                before, further = course.state_at(at), -1
                for state, stream in self._deals(before, now, at):
                    trial = SearchRun(self._log, _after(known, at), self._asked, state, stream, at)
                    is_there = fits(trial)
                    work += 1 + len(trial.world.trail)
                    certain = [each for each in trial.boundaries(is_there=is_there) if each <= number]
                    starts.update(certain)
                    if is_there:
                        return trial, max(certain, default=at)
                    if max(certain, default=at) > at:
                        further = max(certain)
                    if further >= 0 or work > MAX_WORK:
                        break
                at = further
        raise NoDeal(
            f"{self._log.log.name}: no possible state leads to the records that {self._side} saw up to record {number}"
        )

    def _asked_after(self, number: int) -> dict[str, str]:
        """Return the digests of the side's questions after record ``number``, by seat, as far as the slice has them."""
        found = {seat: digest for seat, digest in self._asked.items() if not seat.isdigit()}
        for each in reversed(self._log.known):
            if each.n > number and isinstance(each, OrderRecord):
                found[each.by] = self._asked.get(str(each.n), "")
        return found

    def _nearest(self, course: SideCourse, number: int) -> int:
        """Return the last record up to ``number`` after which an activation may have begun, as the slice says."""
        place = bisect_right(self._hints, number)
        return max(course.phase_of(number), self._hints[place - 1] if place else 0)

    def _deals(self, before: State, now: State, start: int) -> Iterator[tuple[State, Stream]]:
        """Yield states at the boundary after record ``start`` that look to the side like ``before``.

        The last one is what the records of the side lead to, with nothing dealt.
        """
        ruleset, deal = self._prepared.ruleset, self._prepared.installed.bots.deal
        stream = Stream(key_from_seed("slice")).branch(str(start))
        seen = ruleset.view(before, self._side), ruleset.view(now, self._side)
        if deal is not None and self._side in ruleset.viewers:
            for number in range(DEALS):
                own = stream.branch(str(number))
                try:
                    state = dealt(deal, seen, self._side, before.board, own, clock_of(before))
                except NoDeal:
                    continue
                if ruleset.view(state, self._side) == seen[0]:
                    yield state, own
        yield before, stream


class SearchRun:
    """A run of the rules from ``state`` after record ``start``, with the later orders and dice that the side knows."""

    def __init__(
        self,
        log: SideLog,
        known: Sequence[Any],
        asked: Mapping[str, str],
        state: State,
        stream: Stream,
        start: int,
    ) -> None:
        self._ruleset, self._side = log.prepared.ruleset, log.side
        self._is_manual = log.log.header.dice == "manual"
        self._stream, self._start, self._asked = stream, start, asked
        self._rewinds = log.rewinds(log.log.records)
        self._added = {each.n for each in known if isinstance(each, (*OF_CHAINS, *NOTES))}
        self._due = [each for each in known if _is_compared(each)]
        self._met = self._looked = self._certain = 0
        self.world = PossibleGame(self._ruleset, state, SimulatedDice(stream))
        self._renumber(start)

    def run(self, watch: Watch | None = None, number: int = 0) -> bool:
        """Give all known inputs; return whether the rules show the side its records, or reach the order ``number``.

        ``watch`` is called for each own order whose question is the right one. A failure of the rules ends the run.
        """
        passed = False
        try:
            self.world.start()
            for record in self._due:
                if isinstance(record, EventRecord) or not getattr(record, "dice", True):
                    continue
                if not self._follows() or self._due[self._met :][:1] != [record] or not self._give(record, watch):
                    return passed
                passed = passed or record.n == number
            return passed or (not number and self._follows() and self._met == len(self._due))
        except Exception:  # noqa: BLE001 - a state may be impossible, and a log may hold any order
            return passed

    def stops_at(self, number: int, now: State, asked: Mapping[str, str]) -> bool:
        """Return whether the game asks the questions ``asked`` after record ``number``, and looks like ``now``."""
        self._catch_up(number)
        world, view = self.world, self._ruleset.view
        waits = bool(world.waiting()) or (self._is_manual and isinstance(world.pending, Roll))
        own = [each for each in world.waiting() if self._ruleset.side_of(each.seat) == self._side]
        is_right = all(asked.get(each.seat) in (None, "", question_digest(each)) for each in own)
        is_seen = view(world.state, self._side) == view(now, self._side)
        return waits and is_right and is_seen and world.number == number

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

    def _give(self, record: Any, watch: Watch | None) -> bool:
        """Give the game an input that the side knows; return False if it does not answer the side's question.

        An order that the side does not know is replaced with one that fits what it saw.
        """
        world = self.world
        self._catch_up(record.n - 1)
        if isinstance(record, RulingRecord):
            world.apply(replace(record, n=world.number + 1, hash=""))
        elif isinstance(record, RollRecord):
            self._enter(record.dice)
        else:
            asked = next(each for each in world.waiting() if each.seat == record.by)
            if self._ruleset.side_of(record.by) == self._side:
                if self._asked.get(str(record.n), "") not in ("", question_digest(asked)):
                    return False
                if watch is not None:
                    watch(record.n, asked, world.state)
            world.submit(record.order or self._guessed(record, asked), record.by)
        return True

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
        """Use ``dice`` for the pending roll; a log with manual dice has one more record, for the entered faces."""
        if self._is_manual:
            self._renumber(self.world.number + 1)
        self.world.resolve_roll(dice)

    def _catch_up(self, number: int) -> None:
        """Skip the numbers of records that no longer count, and of those that no rule makes: shares, signatures.

        ``number`` is that of the record before the next input.
        """
        if any(self.world.number < each <= number for each in self._rewinds):
            self._renumber(number)
        while self.world.number + 1 in self._added:
            self._renumber(self.world.number + 1)

    def _renumber(self, number: int) -> None:
        self.world._number = number  # noqa: SLF001 - the kernel's games begin at record 0


def _is_compared(record: Any) -> bool:
    """Return whether ``record`` must be the same in a possible game; entered dice are compared as the roll."""
    if isinstance(record, OrderRecord):
        return not isinstance(record.order, EnterDice)
    is_ruled = isinstance(record, RulingRecord) and record.event is not None
    return is_ruled or isinstance(record, EventRecord | RollRecord)


def _facts(record: Any) -> tuple[Any, ...]:
    """Return the data of a record that must be equal, without the k of a label, because k counts secret rolls too."""
    if isinstance(record, OrderRecord):
        return OrderRecord, record.n, record.by
    if isinstance(record, RollRecord):
        return RollRecord, record.n, record.label.rpartition("/")[0], record.sides, record.dice
    return type(record), record.n, record.event


def _after(records: Sequence[Any], number: int) -> list[Any]:
    return [each for each in records if each.n > number]
