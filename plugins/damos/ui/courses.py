"""Several steps typed as one line: "go 2928 2927 2826", "go to Minsk"."""

from collections.abc import Sequence
from heapq import heappop, heappush

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
from damos.movement.steps import cheapest_way
from damos.movement.strategic import Movers, path_halves
from damos.ui.terms import names, place
from sandtable import Course, IllegalOrder, Order

QUIET = (ForceActivated, ForceMoved, HexHeld)
"""What a step brings if nothing comes of it: all else stops the march."""


def along(hexes: Sequence[str]) -> Order | Course:
    """Return the steps into some hexes, one after the other."""
    steps = tuple(orders.Step(hex_) for hex_ in hexes)
    return steps[0] if len(steps) == 1 else Course(steps, QUIET)


ATTACKED = (*QUIET, CombatBegan, PlansRevealed, AttackCounted)
"""What a march brings that ends in an attack, up to the throw of its dice."""
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
"""What it brings up to the question whether to exploit."""


def whole(first: Order | None, march: Order | Course, last: tuple[Order, ...]) -> Course:
    """Return an activation with its march, and with what comes ``last``: its end, or the plan of its attack."""
    begun: tuple[Order, ...] = (first,) if first is not None else ()
    steps = march.orders if isinstance(march, Course) else (march,)
    said = march.said if isinstance(march, Course) else ""
    declined = sum(isinstance(each, orders.Decline) for each in last)
    attacks = any(isinstance(each, orders.ChoosePlan) for each in last)
    quiet = FOUGHT if declined > 1 else ATTACKED if attacks else QUIET
    return Course((*begun, *steps, *last), quiet, said, closing=bool(last))


def towards(state: DamosState, march: March, target: str, board: Board) -> Course:
    """Return the steps of the cheapest way to a hex, as far as the points go, with the price of it.

    Raises IllegalOrder where there is no way, or not even its first step can be paid.
    """
    way = cheapest_way(state, march.units, march.hex, target)
    name = place(target, board)
    if not way:
        raise IllegalOrder("DM-7.0j", f"there is no way free of enemies for this force from {march.hex} to {name}")
    now = [hex_ for hex_, halves in way if halves <= march.left]
    if not now:
        raise IllegalOrder("DM-7.0j", f"{way[0][0]} takes {points(way[0][1])} points: {points(march.left)} are left")
    cost = dict(way)
    said = f"{' '.join(now)}: {points(cost[now[-1]])} of {points(march.left)} points"
    if now[-1] != target:
        said += f"; {name} would take {points(way[-1][1])}"
    elif enemies := units_in(state, target, enemy_of(march.side)):
        said += f"; to enter is to attack {names(enemies, board)}"
    return Course(tuple(orders.Step(hex_) for hex_ in now), QUIET, said)


def strategic_way(movers: Movers, units: Sequence[str], start: str, target: str) -> list[str]:
    """Return the cheapest strategic way of a force to a hex. Raises IllegalOrder where it cannot get there."""
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
        for way in longer:
            if movers.why_no_step(force, way) is None:
                heappush(queue, (path_halves(movers.state, force, way) or 0, way))
    near = min(seen, key=lambda each: (board.hexmap.range_hexes(each, target), each))
    raise IllegalOrder("DM-6.0b", f"{place(target, board)} is out of reach: {place(near, board)} is the nearest")


def hex_meant(words: Sequence[str], board: Board) -> str:
    """Return the hex that a number or a name means, "" for none."""
    text = " ".join(words).lower()
    if board.hexmap.holds(text):
        return text
    return next((hex_ for hex_, name in board.names.items() if name.lower() == text), "")
