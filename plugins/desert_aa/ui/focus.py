"""A closer look at one space or one unit: who is there, ways out and what they cost, who can come, what it pays."""

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
    "extra_leg": "a last, extra space is free along the road; anywhere else the unit lies down for its next turn",
    "whole_move": "an extra space is free where all the way is road; else the unit lies down for its next turn",
}


def drawn(view: SideView, board: Board, style: str, focus: str) -> str | None:
    """Return the map as text or SVG; as text, only details of the space or unit that ``focus`` names."""
    return shown(view, board, focus) if focus and style == "text" else draw(view, board, style)


def shown(view: SideView, board: Board, focus: str) -> str:
    """Return what ``view`` tells of the space or unit that ``focus`` names. Raises PlayError where it names neither."""
    wanted = " ".join(focus.lower().split())
    unit = view.units.get(wanted)
    if unit is not None:
        return "\n".join([_unit(wanted, unit, board), *_space(unit.space, view, board)])
    known = places(board.names)
    space = known.get(wanted) or known.get(wanted.replace("(", "").replace(")", ""))
    if space is None:
        raise PlayError(f"{focus!r} is neither a space nor a unit: type for example view {board.spaces[0]}")
    return "\n".join(_space(space, view, board))


def _unit(unit_id: str, unit: UnitSeen, board: Board) -> str:
    """Return a unit's figures and condition."""
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
        barred = "planes may cross it, nothing may end there" if space in board.air else "nothing may cross it"
        yield f"{board.names[space]} ({space}): closed ground; {barred}"
        return
    holder = POWER_NAMES[view.control[space]]
    yield f"{board.names[space]} ({space}), held by {holder}: {', '.join(_facts(space, board))}"
    yield f"  here: {_who(space, view)}"
    mine = view.minefields.get(space)
    if mine:
        known = "known to all" if mine.known else "hidden from the enemy"
        yield f"  minefield of {POWER_NAMES[mine.power]}, {known}"
    yield "  ways out:"
    road = board.road_next.get(space, ())
    for near in sorted(board.land[space], key=lambda each: (each not in road, each)):
        mined = ", mined" if near in view.minefields else ""
        held = POWER_NAMES[view.control[near]]
        way = "road" if near in road else "desert"
        pays = f", pays {board.value[near]}" if board.value[near] else ""
        yield f"    {near}  {board.names[near]:<24} {way:<7} {held}{pays}{mined}: {_who(near, view)}"
    for near in board.air.get(space, ()):
        if near not in board.land[space]:
            yield f"    {near}  {board.names[near]:<24} planes only"
    yield f"  each is one space; {EXTRA[view.options['road_rule']]}"
    yield from _comers(space, view, board)


def _facts(space: str, board: Board) -> Iterator[str]:
    """Yield what the map says of a space."""
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


def _who(space: str, view: SideView) -> str:
    """Return the units in a space, by power."""
    there: dict[str, list[str]] = {}
    for each, unit in view.units.items():
        if unit.space == space:
            there.setdefault(unit.power, []).append(each)
    return (
        "; ".join(f"{POWER_NAMES[power]} {stacks(units, view, whose=False)}" for power, units in there.items())
        or "nobody"
    )


def _comers(space: str, view: SideView, board: Board) -> Iterator[str]:
    """Yield who of each power could be here in a turn, as far as the map goes; who bars the way is not looked at."""
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
        yield "  in reach of here within a turn, extra space included:"
    for power in sorted(near, key=lambda each: SIDES.index(SIDE_OF[each])):
        yield f"    {SIDE_NAMES[SIDE_OF[power]]}, {POWER_NAMES[power]} {stacks(near[power], view, whose=False)}"
