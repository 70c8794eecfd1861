"""The lines of menus in words: whom, where it stands and how it is."""

from collections.abc import Callable
from typing import Any

from kampfpanzer.fog.views import SideView
from kampfpanzer.model import orders
from kampfpanzer.model.board import Board
from kampfpanzer.ui.narrate import DIRECTIONS, name_of
from sandtable.kernel.decisions import Order


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order in words; None for what its fields tell well enough."""
    told = TOLD.get(type(value))
    return told(value, view, board) if told else None


def _unit(unit_id: str, view: SideView, board: Board) -> str:
    """Return "PzII 94 in 2138, disrupted, level 1"."""
    unit = view.units.get(unit_id)
    if unit is None:
        return name_of(unit_id, board)
    marks = [f"disrupted, level {unit.disruption}"] if unit.disruption else []
    marks += ["panicked"] if unit.panicked else []
    return ", ".join([f"{name_of(unit_id, board)}{f' in {unit.hex}' if unit.hex else ''}", *marks])


def _groups(order: orders.GroupFire, _: SideView, board: Board) -> str:
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
"""By type of order, how it is told."""
