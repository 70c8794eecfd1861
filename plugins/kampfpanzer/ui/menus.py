"""The lines of menus in words: unit, hex, state and odds."""

from collections.abc import Callable
from typing import Any

from kampfpanzer.fire.echoes import DIRECT, attack_odds
from kampfpanzer.fog.views import SideView
from kampfpanzer.model import orders
from kampfpanzer.model.board import Board
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.ui.asking.scene import Scene
from kampfpanzer.ui.focus import figures, with_state
from kampfpanzer.ui.narrate import DIRECTIONS, name_of
from sandtable import Order
from sandtable.pictures import listed


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or a part of one, in words, or None if its fields are sufficient."""
    if isinstance(value, str):
        return name_of(value, board) if value in board.units else None
    describe = DESCRIPTIONS.get(type(value))
    return describe(value, view, board) if describe else None


def _unit(unit_id: str, view: SideView, board: Board) -> str:
    """Return a unit with its state, passengers, hex and figures, such as "PzII 94 (pinned) in 0704: attack 2A, ..."."""
    if unit_id not in view.units:
        return unit_id
    unit = view.units[unit_id]
    aboard = [with_state(view, each) for each, other in view.units.items() if other.carrier == unit_id]
    riders = f" with {listed(aboard)} aboard" if aboard else ""
    where = f" in {unit.hex}" if unit.hex else ""
    return f"{with_state(view, unit_id)}{riders}{where}: {figures(board.kinds[unit.kind])}"


def _groups(order: orders.GroupFire, view: SideView, board: Board) -> str:
    """Return the groups of firers with the odds of each attack."""
    return f"fire: {'; '.join(_group(group, view, board) for group in order.groups)}"


def _group(group: list[str], view: SideView, board: Board) -> str:
    """Return the firers with the odds of their direct fire. The target of opportunity fire is not in the view."""
    who = " with ".join(name_of(each, board) for each in group)
    text = view.plots.get(group[0], "") if group else ""
    plot = parse_plot(text) if text else None
    if plot is None or plot.kind != DIRECT or any(each not in view.units for each in group):
        return who
    scene = Scene.of(view, board)
    targets = [plot.target] if plot.target else scene.situation(group[0]).targets_at(plot.hex)
    return f"{who} ({attack_odds(scene.state, group, targets, plot.hex)})" if targets else who


DESCRIPTIONS: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.GroupFire: _groups,
    orders.ChooseTarget: lambda order, view, board: f"hit {_unit(order.unit, view, board)}",
    orders.Counterattack: lambda order, view, board: f"counter {_unit(order.target, view, board)}",
    orders.DeclineCounterattack: lambda *_: "decline: no counterattack",
    orders.ChooseFacing: lambda order, *_: f"face {order.facing}, {DIRECTIONS[order.facing]}",
    orders.BackUp: lambda order, view, board: f"withdraw {_unit(order.unit, view, board)}",
}
"""Descriptions by type of order; each begins with the typed word."""
