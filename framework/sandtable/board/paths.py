"""Movement over any map whose spaces are numbered: what can be reached, and the cheapest way there.

Nothing here knows what a space is. Areas and hexes both hand over an *adjacency*, for each space the sorted numbers of
its neighbours, and a cost for each step, in **half movement points**, so that a road at half a point stays an integer.

The search is a bucket queue: costs are small integers, so the frontier is a list for each cost and needs no heap.
Within one cost the lower space number goes first; that fixes every tie, and with it the path that a log shows.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import TypeAlias

import msgspec

from sandtable.errors import RulesetError

Adjacency: TypeAlias = Sequence[Sequence[int]]
"""For each space the numbers of its neighbours in rising order."""

SpaceTest: TypeAlias = Callable[[int], bool] | Sequence[bool] | AbstractSet[int]
"""Marks some spaces: a yes-or-no function of the number, one bool for each space, or the set of those marked."""

HIGHEST_STEP_COST = 1_000
"""A step costs at most so many half points, which bounds the gap between two costs; None is what may not be entered."""


class CostTable(msgspec.Struct, frozen=True):
    """The steps that one mobility class may make: for each space its ``(neighbour, half points)`` pairs.

    Steps that this class cannot make are left out. Build it with ``compile``, once for each map and mobility class, and
    with ``changed`` for what play has changed since. ``fans`` are the same steps as searches want them: for each space
    ``(half points, neighbours)``, the cheapest first.
    """

    steps: tuple[tuple[tuple[int, int], ...], ...]
    fans: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]

    @classmethod
    def compile(cls, neighbours: Adjacency, cost_of: Callable[[int, int], int | None]) -> "CostTable":
        """Ask ``cost_of(start, end)`` for each directed step: 1 to 1,000 half points, or None for impassable.

        Raises RulesetError for any other answer (a free step would let a path wander in circles), and for a neighbour
        that is not on the map.
        """
        steps = []
        for start, ends in enumerate(neighbours):
            for end in ends:
                _check_space(len(neighbours), end)
            priced = ((end, cost_of(start, end)) for end in sorted(ends))
            steps.append(tuple((end, _checked(start, end, cost)) for end, cost in priced if cost is not None))
        return cls(tuple(steps), tuple(map(_fan, steps)))

    def changed(self, costs: Mapping[tuple[int, int], int | None]) -> "CostTable":
        """Return the table with other costs for some steps ``(start, end)``: a wreck in the way, a bridge blown.

        A step that could not be made may be given a cost, and the other way round; the spaces must be adjacent, which
        is for the caller to know. Only the rows of the starts named are made anew, so that a game may keep a table for
        each set of wrecks that play has brought about. Raises RulesetError as ``compile``.
        """
        rows: dict[int, dict[int, int]] = {}
        for (start, end), cost in costs.items():
            for space in (start, end):
                _check_space(len(self.steps), space)
            row = rows.setdefault(start, dict(self.steps[start]))
            row.pop(end, None)
            if cost is not None:
                row[end] = _checked(start, end, cost)
        steps, fans = list(self.steps), list(self.fans)
        for start, row in rows.items():
            steps[start] = tuple(sorted(row.items()))
            fans[start] = _fan(steps[start])
        return CostTable(tuple(steps), tuple(fans))

    def cost(self, start: int, end: int) -> int | None:
        """Half points for the single step, None where it cannot be made."""
        _check_space(len(self.steps), start)
        return next((cost for neighbour, cost in self.steps[start] if neighbour == end), None)


class Path(msgspec.Struct, frozen=True):
    """A way over the map: the spaces from start to goal, both included, and its cost in half points."""

    spaces: tuple[int, ...]
    cost: int


class Reach(msgspec.Struct, frozen=True):
    """What ``reach`` found: ``costs`` holds the half points to each space reached, in the order (cost, number)."""

    start: int
    costs: dict[int, int]
    previous: dict[int, int]

    def find_path(self, space: int) -> Path | None:
        """Return the cheapest path to ``space``, or None if it was not reached."""
        if space not in self.costs:
            return None
        spaces = [space]
        while spaces[-1] != self.start:
            spaces.append(self.previous[spaces[-1]])
        return Path(tuple(reversed(spaces)), self.costs[space])


def reach(
    costs: CostTable,
    start: int,
    allowance: int,
    *,
    stops: SpaceTest | None = None,
    blocked: SpaceTest | None = None,
) -> Reach:
    """Find every space within ``allowance`` half points of ``start``; the start itself always is, at cost 0.

    ``stops`` marks spaces that end the movement of whoever enters them, ``blocked`` those that cannot be entered.
    Neither is asked about the start: a unit may leave the space that it stands in. Of several cheapest paths the result
    keeps the one whose last but one space is cheaper to reach, then lower in number, and so on back to the start.
    Raises RulesetError for a start that is not on the map.
    """
    return _sweep(costs, start, allowance, None, (stops, blocked))


def cheapest_path(
    costs: CostTable,
    start: int,
    goal: int,
    *,
    allowance: int | None = None,
    stops: SpaceTest | None = None,
    blocked: SpaceTest | None = None,
) -> Path | None:
    """Find the cheapest path, or None if there is none within ``allowance`` half points (None: of any cost).

    ``stops``, ``blocked``, ties and errors are as for ``reach``; the goal may be a space to stop in, not a blocked one.
    """
    _check_space(len(costs.steps), goal)
    limit = sys.maxsize - 1 if allowance is None else allowance
    return _sweep(costs, start, limit, goal, (stops, blocked)).find_path(goal)


def path_cost(costs: CostTable, spaces: Sequence[int]) -> int | None:
    """Add up the half points of a path that somebody else chose; None if one of its steps cannot be made."""
    total = 0
    for start, end in pairwise(spaces):
        step = costs.cost(start, end)
        if step is None:
            return None
        total += step
    return total


def distance_spaces(neighbours: Adjacency, start: int, goal: int, *, blocked: SpaceTest | None = None) -> int | None:
    """Count the steps of the shortest way, None if there is none; ``blocked`` is not asked about the start."""
    closed = as_test(blocked)
    seen = {start: 0}
    queue = [start]
    for space in queue:  # the queue grows while it is walked
        if space == goal:
            return seen[space]
        for neighbour in neighbours[space]:
            if neighbour not in seen and not closed(neighbour):
                seen[neighbour] = seen[space] + 1
                queue.append(neighbour)
    return None


def as_test(spaces: SpaceTest | None) -> Callable[[int], bool]:
    """Return the one form in which searches ask: a function of the number; None marks no space."""
    if spaces is None:
        return _nowhere
    if isinstance(spaces, AbstractSet):
        return spaces.__contains__
    return spaces.__getitem__ if isinstance(spaces, Sequence) else spaces


def _sweep(
    costs: CostTable, start: int, allowance: int, goal: int | None, tests: tuple[SpaceTest | None, SpaceTest | None]
) -> Reach:
    """Settle spaces in the order (cost, number) until nothing is left to do or the goal is settled."""
    _check_space(len(costs.steps), start)
    must_stop, closed = (None if test is None else as_test(test) for test in tests)
    fans = costs.fans
    best, previous = [allowance + 1] * len(fans), {start: start}
    best[start] = 0
    settled: dict[int, int] = {}
    waiting: defaultdict[int, list[int]] = defaultdict(list, {0: [start]})
    cost = -1
    while waiting:
        cost += 1
        if goal is not None and best[goal] == cost:
            settled[goal] = cost  # all on the way there is settled
            break
        for space in sorted(waiting.pop(cost, ())):
            if best[space] != cost:
                continue  # a cheaper way was found since it was queued
            settled[space] = cost
            if must_stop is not None and space != start and must_stop(space):
                continue
            for step, ends in fans[space]:
                total = cost + step
                if total > allowance:
                    break  # what is left is dearer
                queue = waiting[total]
                for end in ends:
                    if best[end] > total and (closed is None or not closed(end)):
                        best[end] = total
                        previous[end] = space
                        queue.append(end)
    return Reach(start, settled, previous)


def _fan(row: Sequence[tuple[int, int]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Group the steps out of one space by their cost."""
    ends: dict[int, list[int]] = {}
    for end, cost in row:
        ends.setdefault(cost, []).append(end)
    return tuple((cost, tuple(group)) for cost, group in sorted(ends.items()))


def _checked(start: int, end: int, cost: int) -> int:
    if type(cost) is not int or not 1 <= cost <= HIGHEST_STEP_COST:  # a bool or a float would pass a plain comparison
        problem = f"the step from space {start} to space {end} costs {cost!r}"
        raise RulesetError(f"{problem}; give 1 to {HIGHEST_STEP_COST} half movement points, or None for impassable")
    return cost


def _check_space(size: int, space: int) -> None:
    if not 0 <= space < size:  # a negative number would quietly count from the end
        raise RulesetError(f"space {space} is not on the map; its spaces are numbered 0 to {size - 1}")


def _nowhere(_space: int) -> bool:
    return False
