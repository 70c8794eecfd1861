"""Details of a space or unit: values, units, exits, minefields, income and units in reach."""

from collections.abc import Iterator

from desert_aa.fog.views import SideView, UnitSeen
from desert_aa.model.board import FAR, Board
from desert_aa.model.state import LAID_DOWN
from desert_aa.model.tables import (
    EXTRA_SPACES,
    GROUND,
    KIND_NAMES,
    PLANES,
    POWER_NAMES,
    SIDE_NAMES,
    SIDE_OF,
    SIDES,
    VALUES,
)
from desert_aa.ui.draw import MARKS, draw
from desert_aa.ui.menus import stacks
from desert_aa.ui.parsing import places
from sandtable import PlayError

EXTRA = {
    "extra_leg": "a last, extra space is free along the road; elsewhere it lays the unit down for its next turn",
    "whole_move": "an extra space is free if the whole path is road; if not, it lays the unit down for its next turn",
}


def drawn(view: SideView, board: Board, style: str, focus: str) -> str | None:
    """Return the map as text or SVG, the details of ``focus`` as text, or None for any other style."""
    return shown(view, board, focus) if focus and style == "text" else draw(view, board, style)


def shown(view: SideView, board: Board, focus: str) -> str:
    """Return the details of the space or unit ``focus``. Raises PlayError if it is neither."""
    name = " ".join(focus.lower().split())
    unit = view.units.get(name)
    if unit is not None:
        return "\n".join([_unit(name, unit, board), *_space(unit.space, view, board)])
    known = places(board.names)
    space = known.get(name) or known.get(name.replace("(", "").replace(")", ""))
    if space is None:
        raise PlayError(f"{focus!r} is neither a space nor a unit: type, for example, view {board.spaces[0]}")
    return "\n".join(_space(space, view, board))


def _unit(unit_id: str, unit: UnitSeen, board: Board) -> str:
    """Return a unit's values and condition."""
    values = VALUES[unit.power][unit.kind]
    state = MARKS[unit.condition].words or "ready"
    lies = f" until round {unit.stands_up}" if unit.stands_up else ""
    moved = f", moved {unit.moved} this turn" if unit.moved else ""
    extra = f" and {EXTRA_SPACES} extra" if unit.kind in GROUND else ""
    return (
        f"{unit_id}: {KIND_NAMES[unit.kind]} of {POWER_NAMES[unit.power]} in {board.names[unit.space]}, "
        f"{state}{lies}{moved}; attacks at {values.attack}, defends at {values.defense}, "
        f"moves {values.move}{extra}, costs {values.cost} IPC"
    )


def _space(space: str, view: SideView, board: Board) -> Iterator[str]:
    if space in board.closed:
        barred = "planes may cross it, but not end there" if space in board.air else "no unit may cross it"
        yield f"{board.names[space]} ({space}): closed ground; {barred}"
        return
    holder = POWER_NAMES[view.control[space]]
    yield f"{board.names[space]} ({space}), held by {holder}: {', '.join(_facts(space, board))}"
    yield f"  here: {_units_in(space, view)}"
    mine = view.minefields.get(space)
    if mine:
        known = "known to all" if mine.known else "hidden from the enemy"
        yield f"  minefield of {POWER_NAMES[mine.power]}, {known}"
    yield "  exits:"
    road = board.road_next.get(space, ())
    for near in sorted(board.land[space], key=lambda each: (each not in road, each)):
        mined = ", mined" if near in view.minefields else ""
        held = POWER_NAMES[view.control[near]]
        step = "road" if near in road else "desert"
        pays = f", pays {board.value[near]}" if board.value[near] else ""
        yield f"    {near}  {board.names[near]:<24} {step:<7} {held}{pays}{mined}: {_units_in(near, view)}"
    for near in board.air.get(space, ()):
        if near not in board.land[space]:
            yield f"    {near}  {board.names[near]:<24} planes only"
    yield f"  each exit is 1 space away; {EXTRA[view.options['road_rule']]}"
    yield from _in_reach(space, view, board)


def _facts(space: str, board: Board) -> Iterator[str]:
    """Yield the facts of a space on the map."""
    if space in board.capital_of:
        yield f"capital of {SIDE_NAMES[board.capital_of[space]]}"
    elif space in board.cities:
        yield "city"
    yield "on the road" if space in board.road else "off the road"
    if space in board.zones:
        yield "reinforcement zone"
    if space in board.mineable:
        yield "can be mined"
    yield f"pays {board.value[space]} IPC"


def _units_in(space: str, view: SideView) -> str:
    """Return the units in a space, by power."""
    there: dict[str, list[str]] = {}
    for each, unit in view.units.items():
        if unit.space == space:
            there.setdefault(unit.power, []).append(each)
    return (
        "; ".join(f"{POWER_NAMES[power]} {stacks(units, view, with_power=False)}" for power, units in there.items())
        or "no units"
    )


def _in_reach(space: str, view: SideView, board: Board) -> Iterator[str]:
    """Yield lines with the units of each power that are near enough to arrive in a turn, ignoring enemies between."""
    near: dict[str, list[str]] = {}
    for each, unit in view.units.items():
        values = VALUES[unit.power][unit.kind]
        if unit.kind in PLANES:
            away, reach = board.air_distance[unit.space][space], values.move
        else:
            away, reach = board.land_distance[unit.space][space], values.move + EXTRA_SPACES
        if 0 < away <= min(reach, FAR - 1) and unit.condition not in LAID_DOWN:
            near.setdefault(unit.power, []).append(each)
    if near:
        yield "  within one turn's move, including the extra space:"
    for power in sorted(near, key=lambda each: SIDES.index(SIDE_OF[each])):
        yield f"    {SIDE_NAMES[SIDE_OF[power]]}, {POWER_NAMES[power]} {stacks(near[power], view, with_power=False)}"
