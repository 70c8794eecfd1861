"""The lines of menus in words: whom a loss falls on and in what state, where a retreat leads, what a battle is."""

from collections.abc import Callable, Sequence
from typing import Any

from desert_aa.fog.views import SideView, UnitSeen
from desert_aa.model import orders
from desert_aa.model.board import Board
from desert_aa.model.tables import KINDS, POWER_NAMES
from desert_aa.ui.draw import MARKS, WORDS
from sandtable.kernel.decisions import Order


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or a unit of one, in words; None for what its fields tell well enough."""
    if isinstance(value, str):
        return _unit(value, view)
    told = TOLD.get(type(value))
    return told(value, view, board) if told else None


def _unit(unit_id: str, view: SideView) -> str | None:
    """Return a unit with what its id does not tell."""
    unit = view.units.get(unit_id)
    if unit is None:
        return None
    marks = _marks(unit_id, unit, view)
    return f"{unit_id} ({', '.join(marks)})" if marks else None


def _marks(unit_id: str, unit: UnitSeen, view: SideView) -> list[str]:
    """Return what sets a unit apart from others of its kind in a battle: state, a shot fired, the way it came."""
    marks = [MARKS[unit.condition].words] if MARKS[unit.condition].words else []
    battle = view.battle
    if battle and unit_id in battle.spent:
        marks.append("has fired")
    if battle and unit_id in battle.attackers:
        ways = {tuple(view.units[each].path): None for each in battle.attackers if view.units[each].kind == unit.kind}
        if len(ways) > 1:
            marks.append(f"by {'-'.join(unit.path)}")
    return marks


def stacks(units: Sequence[str], view: SideView) -> str:
    """Return units in words, like ones together: "2 infantry, 1 armour (far ahead on the road)"."""
    several = len({view.units[each].power: None for each in units if each in view.units}) > 1
    counts: dict[tuple[int, str, str], int] = {}
    for each in units:
        unit = view.units.get(each)
        if unit is None:
            continue
        name = f"{POWER_NAMES[unit.power]}'s " if several else ""
        key = (KINDS.index(unit.kind), name, ", ".join(_marks(each, unit, view)))
        counts[key] = counts.get(key, 0) + 1
    told = [
        f"{number} {name}{WORDS.get(KINDS[kind], KINDS[kind])}" + (f" ({marks})" if marks else "")
        for (kind, name, marks), number in sorted(counts.items())
    ]
    return ", ".join(told) or "nothing"


def _place(space: str, board: Board) -> str:
    return f"{board.names.get(space, space)} ({space})"


def _retreat(order: orders.Retreat, _: SideView, board: Board) -> str:
    return f"retreat to {_place(order.to, board)}" if order.to else "retreat, each unit the way it came"


def _combat(order: orders.ChooseCombat, view: SideView, board: Board) -> str:
    what = "raid on" if order.space in view.raids else "battle of"
    ours = stacks(view.raids.get(order.space) or view.combats.get(order.space, ()), view)
    foes = [each for each, unit in view.units.items() if unit.space == order.space and unit.power != view.phasing_power]
    return f"the {what} {_place(order.space, board)}: {ours} against {stacks(foes, view)}"


def _guns(order: orders.DesignateGuns, view: SideView, _: Board) -> str:
    return f"against tanks: {stacks(order.guns, view)}" if order.guns else "no gun against tanks"


TOLD: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.TakeLosses: lambda order, view, _: f"lose {stacks(order.units, view)}",
    orders.Retreat: _retreat,
    orders.ChooseCombat: _combat,
    orders.DesignateGuns: _guns,
    orders.PressOn: lambda *_: "fight on",
    orders.DeclareMinefield: lambda order, *_: (
        "declare the minefield" if order.declare else "keep quiet, and forfeit the minefield"
    ),
    orders.Sweep: lambda *_: "sweep: try to lift the minefield",
    orders.DeclineSweep: lambda *_: "withdraw, and leave the minefield",
    orders.EndMoves: lambda *_: "end moves",
}
"""By type of order, how it is told."""
