"""Several steps typed as one line, "go 2928 2927 2826" or "go to Minsk", and the hexes that a march can reach."""

from collections.abc import Sequence
from copy import copy
from heapq import heappop, heappush
from typing import NamedTuple

from damos.model import orders
from damos.model.board import Board
from damos.model.events import (
    AttackCounted,
    CombatBegan,
    CombatDecided,
    CombatResolved,
    CounterattackResolved,
    DefenderOverwhelmed,
    ForceActivated,
    ForceDemoralized,
    ForceMoved,
    ForceRetreated,
    HexHeld,
    LossesTaken,
    PlansRevealed,
    UndyingRolled,
    UnitsEliminated,
)
from damos.model.forces import enemy_of, units_in
from damos.model.state import DamosState
from damos.movement.march import March, points
from damos.movement.steps import NextHex, cheapest_path
from damos.movement.strategic import Movers, path_halves
from damos.ui.terms import names, place
from sandtable import Course, IllegalOrder, Order

QUIET = (ForceActivated, ForceMoved, HexHeld)
"""Events of a step without consequences; any other event stops the march."""


def along(hexes: Sequence[str]) -> Order | Course:
    """Return the step into each hex, in order."""
    steps = tuple(orders.Step(hex_) for hex_ in hexes)
    return steps[0] if len(steps) == 1 else Course(steps, QUIET)


ATTACKED = (*QUIET, CombatBegan, PlansRevealed, AttackCounted)
"""Events of a march that ends in an attack, up to the roll of its dice."""
FOUGHT = (
    *ATTACKED,
    CombatDecided,
    CombatResolved,
    CounterattackResolved,
    DefenderOverwhelmed,
    ForceDemoralized,
    ForceRetreated,
    LossesTaken,
    UndyingRolled,
    UnitsEliminated,
)
"""Events of such a march up to the decision whether to exploit."""


def whole(first: Order | None, march: Order | Course, last: tuple[Order, ...]) -> Course:
    """Return an activation with its march and the orders in ``last``: its end, or the plan of its attack."""
    begun: tuple[Order, ...] = (first,) if first is not None else ()
    steps = march.orders if isinstance(march, Course) else (march,)
    said = march.said if isinstance(march, Course) else ""
    declined = sum(isinstance(each, orders.Decline) for each in last)
    attacks = any(isinstance(each, orders.ChoosePlan) for each in last)
    quiet = FOUGHT if declined > 1 else ATTACKED if attacks else QUIET
    return Course((*begun, *steps, *last), quiet, said, closing=bool(last))


class Paths(NamedTuple):
    """The result of a search: for each hex, the cost in halves to get there, and the previous hex."""

    units: list[str]
    start: str
    allowance: int
    halves: dict[str, int]
    before: dict[str, str]

    def to(self, hex_: str) -> list[str]:
        """Return the hexes of the path, beginning with the start."""
        route = [hex_]
        while route[-1] != self.start:
            route.append(self.before[route[-1]])
        return route[::-1]


def find_paths(state: DamosState, march: March) -> Paths:
    """Return the paths outward from a force's hex. A path ends at a hex with enemies, because combat occurs there."""
    scout, start, units, before_now = copy(march), march.hex, march.units, march.entered
    enemy = enemy_of(march.side)
    halves, before, entered = {start: 0}, {start: start}, {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heappop(queue)
        if cost > halves[here] or (here != start and units_in(state, here, enemy)):
            continue
        scout.hex, scout.spent = here, march.spent + cost
        scout.entered = {each: before_now.get(each, 0) + entered[here] for each in units}
        for near, step in NextHex.of(state, scout).halves.items():
            total = cost + step
            if total < halves.get(near, total + 1):
                halves[near], before[near], entered[near] = total, here, entered[here] + 1
                heappush(queue, (total, near))
    return Paths(units, start, march.left, halves, before)


def nearest(paths: Paths, goal: str, board: Board) -> str:
    """Return the hex within reach that is nearest to another: if several are, the one with the lowest cost."""
    range_hexes = board.hexmap.range_hexes
    return min(paths.halves, key=lambda each: (range_hexes(each, goal), paths.halves[each], each))


def towards(state: DamosState, march: March, target: str, board: Board) -> Course:
    """Return the steps of the cheapest path to a hex, as far as the points last, with its cost.

    Raises IllegalOrder if there is no path, if its first step costs too much, or if the march would end no nearer.
    """
    route = cheapest_path(state, march.units, march.hex, target)
    name = place(target, board)
    if not route:
        raise IllegalOrder("DM-7.0j", f"this force has no path without enemies from {march.hex} to {name}")
    now = [hex_ for hex_, halves in route if halves <= march.left]
    if not now:
        raise IllegalOrder(
            "DM-7.0j", f"{route[0][0]} costs {points(route[0][1])} points, but the force has {points(march.left)} left"
        )
    _refuse_detour(state, march, target, now, board)
    cost = dict(route)
    said = f"{' '.join(now)}: {points(cost[now[-1]])} of {points(march.left)} points"
    if now[-1] != target:
        said += f"; {name} would cost {points(route[-1][1])}"
    elif enemies := units_in(state, target, enemy_of(march.side)):
        said += f"; entering is an attack on {names(enemies, board)}"
    return Course(tuple(orders.Step(hex_) for hex_ in now), QUIET, said)


def _refuse_detour(state: DamosState, march: March, target: str, now: Sequence[str], board: Board) -> None:
    """Refuse a march that would end no nearer to its destination, and name the nearest hex within reach (DM-7.0j)."""
    range_hexes = board.hexmap.range_hexes
    if now[-1] == target or range_hexes(now[-1], target) < range_hexes(march.hex, target):
        return
    paths = find_paths(state, march)
    near, name = nearest(paths, target, board), place(target, board)
    within = "no hex within reach is closer"
    if near != march.hex:
        attack = ", an attack" if units_in(state, near, enemy_of(march.side)) else ""
        within = f"go to {near} leads closest ({points(paths.halves[near])} of {points(march.left)} points{attack})"
    detour = f"go {' '.join(now)} begins the detour"
    raise IllegalOrder("DM-7.0j", f"{name} is out of reach this turn: {within}; {detour}")


def strategic_path(movers: Movers, units: Sequence[str], start: str, target: str) -> list[str]:
    """Return the cheapest strategic path of a force to a hex. Raises IllegalOrder if it cannot get there."""
    force, board = sorted(units), movers.state.board
    queue, seen = [(0, [start])], set[str]()
    while queue:
        _, path = heappop(queue)
        if path[-1] == target:
            return path
        if path[-1] in seen:
            continue
        seen.add(path[-1])
        longer = ([*path, near] for near in board.around[path[-1]] if near not in seen)
        for route in longer:
            if movers.why_no_step(force, route) is None:
                heappush(queue, (path_halves(movers.state, force, route) or 0, route))
    near = min(seen, key=lambda each: (board.hexmap.range_hexes(each, target), each))
    raise IllegalOrder("DM-6.0b", f"{place(target, board)} is out of reach: {place(near, board)} is the closest hex")


def hex_meant(words: Sequence[str], board: Board) -> str:
    """Return the hex that a number or a name stands for, or ""."""
    text = " ".join(words).lower()
    if board.hexmap.holds(text):
        return text
    return next((hex_ for hex_, name in board.names.items() if name.lower() == text), "")
