"""Several steps typed as one line: "go 2928 2927 2826", "go to Minsk"."""

from collections.abc import Sequence

from damos.model import orders
from damos.model.board import Board
from damos.model.events import ForceActivated, ForceMoved, HexHeld
from damos.model.state import DamosState
from damos.movement.march import March, points
from damos.movement.steps import cheapest_way
from damos.ui.terms import place
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order
from sandtable.plugin.manifest import Course

QUIET = (ForceActivated, ForceMoved, HexHeld)
"""What a step brings if nothing comes of it: all else stops the march."""


def along(hexes: Sequence[str]) -> Order | Course:
    """Return the steps into some hexes, one after the other."""
    steps = tuple(orders.Step(hex_) for hex_ in hexes)
    return steps[0] if len(steps) == 1 else Course(steps, QUIET)


def whole(first: Order | None, march: Order | Course, *, stops: bool) -> Course:
    """Return an activation with its march, and with its end where it ``stops`` then."""
    begun: tuple[Order, ...] = (first,) if first is not None else ()
    steps = march.orders if isinstance(march, Course) else (march,)
    last: tuple[Order, ...] = (orders.EndActivation(),) if stops else ()
    said = march.said if isinstance(march, Course) else ""
    return Course((*begun, *steps, *last), QUIET, said, closing=stops)


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
    return Course(tuple(orders.Step(hex_) for hex_ in now), QUIET, said)


def hex_meant(words: Sequence[str], board: Board) -> str:
    """Return the hex that a number or a name means, "" for none."""
    text = " ".join(words).lower()
    if board.hexmap.holds(text):
        return text
    return next((hex_ for hex_, name in board.names.items() if name.lower() == text), "")
