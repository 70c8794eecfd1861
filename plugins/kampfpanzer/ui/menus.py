"""The lines of menus in words: who it is, where, in what state, and what is put at stake."""

from collections.abc import Callable
from typing import Any

from kampfpanzer.fog.views import SideView
from kampfpanzer.model import orders
from kampfpanzer.model.board import Board
from kampfpanzer.ui.focus import figures, told_of
from kampfpanzer.ui.narrate import DIRECTIONS, name_of
from sandtable.kernel.decisions import Order
from sandtable.viewer.narrate import listed


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or a part of one, in words; None for what its fields tell well enough."""
    told = TOLD.get(type(value))
    return told(value, view, board) if told else None


def _unit(unit_id: str, view: SideView, board: Board) -> str:
    """Return a unit with its state, what is aboard, its hex and figures: "PzII 94 (pinned) in 0704: attack 2A, .."."""
    if unit_id not in view.units:
        return unit_id
    unit = view.units[unit_id]
    aboard = [told_of(view, each) for each, other in view.units.items() if other.carrier == unit_id]
    riders = f" with {listed(aboard)} aboard" if aboard else ""
    where = f" in {unit.hex}" if unit.hex else ""
    return f"{told_of(view, unit_id)}{riders}{where}: {figures(board.kinds[unit.kind])}"


def _groups(order: orders.GroupFire, _: SideView, board: Board) -> str:
    """Return who fires with whom."""
    groups = (" with ".join(name_of(each, board) for each in group) for group in order.groups)
    return f"fire: {'; '.join(groups)}"


TOLD: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.GroupFire: _groups,
    orders.ChooseTarget: lambda order, view, board: f"hit {_unit(order.unit, view, board)}",
    orders.Counterattack: lambda order, view, board: f"counter {_unit(order.target, view, board)}",
    orders.DeclineCounterattack: lambda *_: "decline: no counterattack",
    orders.ChooseFacing: lambda order, *_: f"face {order.facing}, {DIRECTIONS[order.facing]}",
    orders.BackUp: lambda order, view, board: f"withdraw {_unit(order.unit, view, board)}",
}
"""By kind of order, how it is told: first the word that is typed."""
