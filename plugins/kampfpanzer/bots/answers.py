"""Answers asked for in the middle of a phase: targets, counterattacks, who fires with whom."""

from itertools import islice
from typing import Any

from kampfpanzer.bots.position import Position
from kampfpanzer.model.board import Board
from kampfpanzer.model.orders import BackUp, ChooseTarget, Counterattack, DeclineCounterattack, GroupFire
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form

MOST = 200
"""So many groupings are weighed."""


def react(decision: Decision, view: Any, board: Board) -> Order:
    """Return the best answer to any decision that is no deployment and no plot."""
    options = decision.options
    if isinstance(options, Form) and options.order is GroupFire:
        return GroupFire(next(iter(options.space_of("groups", []).values())))
    orders: list[Order] = list(islice(options.values(), MOST))
    position = Position(view, board, decision.side)
    return max(orders, key=lambda order: _worth(position, order))


def _worth(position: Position, order: Order) -> int:
    """Prefer strong units as targets, and any counterattack to none."""
    if isinstance(order, Counterattack):
        return 1 + position.kind(order.target).attack
    if isinstance(order, ChooseTarget):
        return 1 + position.kind(order.unit).attack + position.kind(order.unit).movement
    if isinstance(order, BackUp):
        return -int(position.is_combat(order.unit))
    return -1 if isinstance(order, DeclineCounterattack) else 0
