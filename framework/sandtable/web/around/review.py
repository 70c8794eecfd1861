"""The review of a finished game: the standing of the sides and their luck over time, and its turning points.

The standing is the ruleset's own evaluation, so it is only as good as that. A turning point is an order with its
consequences, up to the next order: its swing is the change of the standing. Within it, the line of the story with the
largest change in the same direction is named.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from sandtable.journal.branching.causes import is_choice
from sandtable.journal.fold import effective, fold_steps
from sandtable.journal.luck.ledger import luck_of_rolls
from sandtable.kernel.events import shares_in
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import WITH_EVENT
from sandtable.plugin.manager import Prepared
from sandtable.viewer.narrate import StoryLine
from sandtable.viewer.page.timeline import evaluation_of
from sandtable.viewer.story import story_of

MAX_POINTS = 5
"""Maximum number of turning points."""
LEAST_SWING = 15
"""Minimum change of the standing, in thousandths, of a turning point."""
MAX_SAMPLES = 2_000
"""Maximum number of samples of the standing; beyond that, only every second, third or later one is kept."""

Standing = dict[str, int]


class TurningPoint(Struct, frozen=True):
    """An order with its consequences that changed the standing: for ``side``, which gained most, by ``swing``.

    ``record`` is that of the line ``text``, ``order`` that of the order, and ``by`` the seat that gave it. ``rolls`` is
    the number of rolls between them or, without any, since the order before: that one may have caused them. ``dice`` is
    the last line with some of them, or 0, and ``luck`` their hits above the expectation for the side that gained.
    """

    record: int
    text: str
    order: int
    by: str
    side: str
    swing: int
    before: Standing
    after: Standing
    rule: str
    rule_text: str
    rolls: int
    dice: int
    luck: float


class Review(Struct, frozen=True):
    """A review: samples of the standing by record and turn, luck of each roll by record and side, turning points."""

    standing: list[tuple[int, int, Standing]]
    luck: list[tuple[int, str, float]]
    points: list[TurningPoint]
    last: int


def review_of(game: Game, prepared: Prepared) -> Review:
    """Return the review of a ``game``. Without the ruleset's evaluation, it has no standing and no turning points."""
    records = effective(game.records)
    counted = {each.n for each in records}
    luck = [row for row in luck_of_rolls(game, prepared) if row[0] in counted]
    samples = list(_samples(records, prepared))
    _, lines = story_of(game.records, prepared, "", "the game")
    told = [each for each in lines if each.kind == "sentence"]
    finder = _Finder(records, samples, told, luck, prepared)
    points = sorted(finder.points(), key=lambda each: -each.swing)[:MAX_POINTS]
    step = 1 + len(samples) // MAX_SAMPLES
    return Review(
        standing=[*samples[:-1:step], *samples[-1:]],
        luck=[(number, side, round(hits, 3)) for number, side, hits, _ in luck if side],
        points=sorted(points, key=lambda each: each.record),
        last=game.number,
    )


def _samples(records: Sequence[Any], prepared: Prepared) -> Iterator[tuple[int, int, Standing]]:
    """Yield record, turn and standing wherever the standing changed."""
    shares = shares_in(records)
    before: Standing = {}
    for record, state in fold_steps(records, prepared):
        if isinstance(record, WITH_EVENT) and record.event is not None:
            now = evaluation_of(prepared, state, shares)
            if now and now != before:
                before = now
                yield record.n, state.turn, now


class _Finder:
    """Finds the turning points of a game."""

    def __init__(
        self,
        records: Sequence[Any],
        samples: Sequence[tuple[int, int, Standing]],
        told: Sequence[StoryLine],
        luck: Sequence[tuple[int, str, float, float]],
        prepared: Prepared,
    ) -> None:
        self._records, self._samples, self._told, self._luck = records, samples, told, luck
        self._numbers = [each[0] for each in samples]
        self._lines = [each.number for each in told]
        self._events = {each.n: each.event for each in records if isinstance(each, WITH_EVENT)}
        self._orders = [each.n for each in records if is_choice(each)]
        self._rules = {row.id: row.text for row in prepared.installed.hook.ruleset_index() or ()}
        ended = next((number for number, event in self._events.items() if type(event).__name__ == "GameEnded"), 0)
        self._end = (ended or (records[-1].n + 1 if records else 1)) - 1

    def points(self) -> Iterator[TurningPoint]:
        """Yield the orders after which the standing changed by at least LEAST_SWING."""
        orders = [each for each in self._records if is_choice(each)]
        ends = [each.n - 1 for each in orders[1:]] + [self._end]
        for order, end in zip(orders, ends, strict=True):
            before, after = self._at(order.n), self._at(end)
            if not before or not after or not self._turn(order.n):
                continue
            side = max(sorted(after), key=lambda each: after[each] - before.get(each, 0))
            swing = after[side] - before.get(side, 0)
            if swing >= LEAST_SWING:
                yield self._point(order, end, side, swing)

    def _at(self, number: int) -> Standing:
        """Return the standing after record ``number``, empty before the first sample."""
        place = bisect_right(self._numbers, number)
        return self._samples[place - 1][2] if place else {}

    def _turn(self, number: int) -> int:
        """Return the turn at record ``number``, as far as samples show it; set-up is turn 0."""
        place = bisect_right(self._numbers, number)
        return self._samples[place - 1][1] if place else 0

    def _point(self, order: Any, end: int, side: str, swing: int) -> TurningPoint:
        first, last = bisect_left(self._lines, order.n), bisect_right(self._lines, end)
        rows = [(order.n, order.n - 1, ""), *self._spans(first, last, order.n)]
        number, start, text = max(rows, key=lambda row: self._gain(row[1], row[0], side))
        fell = self._rolls(order.n, number) or self._rolls(self._previous(order.n), order.n)
        dice = bisect_left(self._lines, fell[-1][0]) if fell else len(self._lines)
        rule = self._rule(start, number)
        return TurningPoint(
            record=number,
            text=text or (self._told[first].text if first < last else ""),
            order=order.n,
            by=order.by,
            side=side,
            swing=swing,
            before=self._at(order.n),
            after=self._at(end),
            rule=rule,
            rule_text=self._rules.get(rule, ""),
            rolls=len(fell),
            dice=self._lines[dice] if dice < len(self._lines) else 0,
            luck=round(sum(hits if who == side else -hits for _, who, hits, _ in fell if who), 2),
        )

    def _rolls(self, start: int, end: int) -> list[tuple[int, str, float, float]]:
        return [each for each in self._luck if start < each[0] <= end]

    def _previous(self, number: int) -> int:
        """Return the order before the order ``number``, which may only have chosen how dice of that one take effect."""
        place = bisect_left(self._orders, number)
        return self._orders[place - 1] if place else 0

    def _spans(self, first: int, last: int, start: int) -> Iterator[tuple[int, int, str]]:
        """Yield the last record of each line from ``first`` to ``last``, the record before it, and its text."""
        for line in self._told[first:last]:
            yield line.number, start, line.text
            start = line.number

    def _gain(self, start: int, end: int, side: str) -> int:
        return self._at(end).get(side, 0) - self._at(start).get(side, 0)

    def _rule(self, start: int, end: int) -> str:
        """Return the last rule that an event of these records cites, or ""."""
        cited = [getattr(self._events.get(number), "rule", "") for number in range(start + 1, end + 1)]
        return next((each for each in reversed(cited) if each), "")
