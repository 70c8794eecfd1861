"""Movement over any map with numbered spaces: which spaces can be reached, and the cheapest path there.

The code does not depend on the kind of space. Areas and hexes both provide an *adjacency*, the sorted numbers of the
neighbors of each space, and a cost for each step. Costs are in **half movement points**, so that a road at half a point
stays an integer. The search is a bucket queue: costs are small integers, so the frontier is a list for each cost and
needs no heap. Within one cost the lower space number goes first. That decides every tie, and so the path in a log.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import TypeAlias

import msgspec

from sandtable.errors import RulesetError

Adjacency: TypeAlias = Sequence[Sequence[int]]
"""For each space the numbers of its neighbors in ascending order."""

SpaceTest: TypeAlias = Callable[[int], bool] | Sequence[bool] | AbstractSet[int]
"""Marks some spaces: a predicate on the number, one bool for each space, or the set of marked numbers."""

Row: TypeAlias = tuple[tuple[int, int], ...]
"""``(neighbor, half points)`` pairs of a space."""

HIGHEST_STEP_COST = 1_000
"""Maximum cost of a step in half points, which bounds the gap between two costs. None means impassable."""


class CostTable(msgspec.Struct, frozen=True):
    """The steps that one mobility class can make: for each space its ``(neighbor, half points)`` pairs.

    Steps that this class cannot make are left out. Build it with ``compile``, once for each map and mobility class, and
    with ``changed`` after changes in play. The other fields are the same data, arranged for searches. ``tiers`` holds,
    for each cost that occurs, in ascending order, the neighbors of every space that are reached at it. ``origins``
    holds for each space the ``(neighbor, half points)`` pairs of the steps that lead into it.
    """

    steps: tuple[tuple[tuple[int, int], ...], ...]
    tiers: tuple[tuple[int, tuple[frozenset[int], ...]], ...]
    origins: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def compile(cls, neighbors: Adjacency, cost_of: Callable[[int, int], int | None]) -> "CostTable":
        """Build the table by calling ``cost_of(start, end)`` for each directed step.

        It must return 1 to 1,000 half points, or None for impassable. Raises RulesetError for any other value (a free
        step would allow endless paths), and for a neighbor that is not on the map.
        """
        steps = []
        for start, ends in enumerate(neighbors):
            for end in ends:
                _check_space(len(neighbors), end)
            priced = ((end, cost_of(start, end)) for end in sorted(ends))
            steps.append(tuple((end, _checked(start, end, cost)) for end, cost in priced if cost is not None))
        return cls.of_steps(steps)

    @classmethod
    def of_steps(cls, steps: Sequence[tuple[tuple[int, int], ...]]) -> "CostTable":
        """Compile rows of ``(neighbor, half points)`` pairs that were already checked."""
        origins: list[list[tuple[int, int]]] = [[] for _ in steps]
        for start, row in enumerate(steps):
            for end, cost in row:
                origins[end].append((start, cost))
        found = sorted({cost for row in steps for _, cost in row})
        tiers = tuple((cost, tuple(_at_cost(row, cost) for row in steps)) for cost in found)
        return cls(tuple(steps), tiers, tuple(map(tuple, origins)))

    def changed(self, costs: Mapping[tuple[int, int], int | None]) -> "CostTable":
        """Return the table with other costs for some steps ``(start, end)``: a wreck on the route, a destroyed bridge.

        An impassable step may get a cost, and the reverse. The caller must ensure that the spaces are adjacent. It
        takes some milliseconds on a large map: keep a table for each set of wrecks that occurs in play. Raises
        RulesetError like ``compile``.
        """
        rows: dict[int, dict[int, int]] = {}
        for (start, end), cost in costs.items():
            for space in (start, end):
                _check_space(len(self.steps), space)
            row = rows.setdefault(start, dict(self.steps[start]))
            row.pop(end, None)
            if cost is not None:
                row[end] = _checked(start, end, cost)
        steps, now = list(self.steps), {start: tuple(sorted(row.items())) for start, row in rows.items()}
        for start, each in now.items():
            steps[start] = each
        return CostTable(tuple(steps), self._tiers_with(now), self._origins_with(now))

    def _tiers_with(self, rows: Mapping[int, Row]) -> tuple[tuple[int, tuple[frozenset[int], ...]], ...]:
        """Return the tiers with other rows of steps for some spaces."""
        known, none = dict(self.tiers), (frozenset[int](),) * len(self.steps)
        found = []
        for cost in sorted({*known, *(cost for row in rows.values() for _, cost in row)}):
            tier = list(known.get(cost, none))
            for start, row in rows.items():
                tier[start] = _at_cost(row, cost)
            if any(tier):
                found.append((cost, tuple(tier)))
        return tuple(found)

    def _origins_with(self, rows: Mapping[int, Row]) -> tuple[Row, ...]:
        """Return the origins with other rows of steps for some spaces."""
        origins = list(self.origins)
        added: dict[int, list[tuple[int, int]]] = {end: [] for start in rows for end, _ in self.steps[start]}
        for start, row in rows.items():
            for end, cost in row:
                added.setdefault(end, []).append((start, cost))
        for end, new in added.items():
            origins[end] = tuple(sorted([*(each for each in origins[end] if each[0] not in rows), *new]))
        return tuple(origins)

    def cost(self, start: int, end: int) -> int | None:
        """Return the half points of a single step, or None if it cannot be made."""
        _check_space(len(self.steps), start)
        return next((cost for neighbor, cost in self.steps[start] if neighbor == end), None)


class MapPath(msgspec.Struct, frozen=True):
    """A path over the map: the spaces from start to goal, both included, and its cost in half points."""

    spaces: tuple[int, ...]
    cost: int


class Reach(msgspec.Struct, frozen=True):
    """The result of ``reach``: ``costs`` holds the half points to each reached space, in the order (cost, number).

    ``table`` and ``must_stop`` are the arguments of the search, because paths are traced back on demand.
    """

    start: int
    costs: dict[int, int]
    table: CostTable
    must_stop: Callable[[int], bool]

    def find_path(self, space: int) -> MapPath | None:
        """Return the cheapest path to ``space``, or None if it was not reached."""
        if space not in self.costs:
            return None
        spaces = [space]
        while spaces[-1] != self.start:
            spaces.append(self._previous(spaces[-1]))
        return MapPath(tuple(reversed(spaces)), self.costs[space])

    def _previous(self, space: int) -> int:
        """Return the previous space on the cheapest path: the cheapest to reach, or the lowest number of several."""
        costs, total = self.costs, self.costs[space]
        origins = self.table.origins[space]
        near = [(costs[each], each) for each, step in origins if each in costs and costs[each] + step == total]
        return min(way for way in near if way[1] == self.start or not self.must_stop(way[1]))[1]


def reach(
    costs: CostTable,
    start: int,
    allowance: int,
    *,
    stops: SpaceTest | None = None,
    blocked: SpaceTest | None = None,
) -> Reach:
    """Find every space within ``allowance`` half points of ``start``, which is always included at cost 0.

    ``stops`` marks spaces that end the movement of a unit that enters them, ``blocked`` those that cannot be entered.
    Neither applies to the start, because a unit may leave its own space. Of several cheapest paths the result keeps the
    one whose second-to-last space is cheaper to reach, then lower in number, and so on back to the start. Raises
    RulesetError for a start that is not on the map.
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
) -> MapPath | None:
    """Find the cheapest path within ``allowance`` half points (None: any cost), or None if there is none.

    ``stops``, ``blocked``, ties and errors are as in ``reach``; the goal may be a space of ``stops``, but not of
    ``blocked``.
    """
    _check_space(len(costs.steps), goal)
    limit = sys.maxsize - 1 if allowance is None else allowance
    return _sweep(costs, start, limit, goal, (stops, blocked)).find_path(goal)


def path_cost(costs: CostTable, spaces: Sequence[int]) -> int | None:
    """Return the half points of a given path, or None if one of its steps cannot be made."""
    total = 0
    for start, end in pairwise(spaces):
        step = costs.cost(start, end)
        if step is None:
            return None
        total += step
    return total


def distance_spaces(neighbors: Adjacency, start: int, goal: int, *, blocked: SpaceTest | None = None) -> int | None:
    """Return the number of steps of the shortest path, or None; ``blocked`` does not apply to the start."""
    closed = as_test(blocked)
    seen = {start: 0}
    queue = [start]
    for space in queue:  # the queue grows while it is walked
        if space == goal:
            return seen[space]
        for neighbor in neighbors[space]:
            if neighbor not in seen and not closed(neighbor):
                seen[neighbor] = seen[space] + 1
                queue.append(neighbor)
    return None


def as_test(spaces: SpaceTest | None) -> Callable[[int], bool]:
    """Return a test of spaces as a function of the number; None marks no space."""
    if spaces is None:
        return _nowhere
    if isinstance(spaces, AbstractSet):
        return spaces.__contains__
    return spaces.__getitem__ if isinstance(spaces, Sequence) else spaces


def _sweep(
    costs: CostTable, start: int, allowance: int, goal: int | None, tests: tuple[SpaceTest | None, SpaceTest | None]
) -> Reach:
    """Settle spaces level by level, all of one cost together, until none is left or the goal is settled."""
    _check_space(len(costs.steps), start)
    must_stop, closed = (None if test is None else as_test(test) for test in tests)
    settled: dict[int, int] = {}
    seen, level = {start}, {start}
    waiting: dict[int, set[int]] = {}
    cost = 0
    while True:
        settled.update(dict.fromkeys(sorted(level), cost))
        if goal in level:
            break
        if must_stop is not None:
            level = {space for space in level if space == start or not must_stop(space)}
        for step, ends in costs.tiers:
            total = cost + step
            if total > allowance:
                break  # the remaining tiers cost more
            waiting.setdefault(total, set()).update(*map(ends.__getitem__, level))
        level = set()
        while waiting and not level:
            cost += 1
            level = waiting.pop(cost, level) - seen
        if not level:
            break
        seen |= level
        if closed is not None:
            level = {space for space in level if not closed(space)}
    return Reach(start, settled, costs, must_stop or _nowhere)


def _at_cost(row: Sequence[tuple[int, int]], cost: int) -> frozenset[int]:
    return frozenset(end for end, price in row if price == cost)


def _checked(start: int, end: int, cost: int) -> int:
    if (
        type(cost) is not int or not 1 <= cost <= HIGHEST_STEP_COST
    ):  # the comparison alone would accept a bool or a float
        problem = f"the step from space {start} to space {end} costs {cost!r}"
        raise RulesetError(f"{problem}; give 1 to {HIGHEST_STEP_COST} half movement points, or None for impassable")
    return cost


def _check_space(size: int, space: int) -> None:
    if not 0 <= space < size:  # a negative number would index from the end
        raise RulesetError(f"space {space} is not on the map; its spaces are numbered 0 to {size - 1}")


def _nowhere(_space: int) -> bool:
    return False
