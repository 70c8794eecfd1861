"""The lines of menus in words: who it is, where, in what state, and what is put at stake."""

from collections.abc import Callable, Sequence
from typing import Any

from kampfpanzer.fog.views import SideView
from kampfpanzer.model import orders
from kampfpanzer.model.board import Board
from kampfpanzer.ui.focus import figures, told_of
from kampfpanzer.ui.narrate import DIRECTIONS
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


def _counterattack(order: orders.Counterattack, view: SideView, board: Board) -> str:
    return f"counterattack {_unit(order.target, view, board)}"


def _target(order: orders.ChooseTarget, view: SideView, board: Board) -> str:
    return f"fire at {_unit(order.unit, view, board)}"


def _back(order: orders.BackUp, view: SideView, board: Board) -> str:
    return f"send back {_unit(order.unit, view, board)}"


def _groups(order: orders.GroupFire, view: SideView, _: Board) -> str:
    """Return who fires with whom: "S35 1 and S35 2 together; B1 12 alone"."""
    return "; ".join(_group(each, view) for each in order.groups) or "nobody fires"


def _group(units: Sequence[str], view: SideView) -> str:
    told = listed(f"{view.units[each].kind} {each}" if each in view.units else each for each in units)
    return f"{told} {'together' if len(units) > 1 else 'alone'}"


TOLD: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.Counterattack: _counterattack,
    orders.DeclineCounterattack: lambda *_: "no counterattack",
    orders.ChooseTarget: _target,
    orders.BackUp: _back,
    orders.GroupFire: _groups,
    orders.ChooseFacing: lambda order, *_: f"face {DIRECTIONS.get(order.facing, order.facing)}",
}
"""By kind of order, how it is told."""
