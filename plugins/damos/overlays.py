"""What is drawn over the printed map: converted railways, frontier, control, zones of influence, a supply line.

All of it is reckoned from a view. Control, railways and zones of control are open to both sides; how far a zone of
influence reaches depends on strengths (DM-2.6b), so only those of units whose strength the view tells are drawn.
"""

from collections.abc import Iterator
from dataclasses import replace

from msgspec import structs

from damos.board import RAIL, Board
from damos.forces import stacks
from damos.state import ON_MAP, Air, DamosState, Unit
from damos.supply import SupplyLine, supply_line
from damos.views import SideView
from damos.wording import side_of
from damos.zones import influence_range
from sandtable.board.hexmap import HexMap
from sandtable.viewer.hexes_picture import HexArea, HexArrow
from sandtable.viewer.hexes_style import OPERATIONAL, HexStyle, Line

CONVERTED, FRONTIER, BOUNDARY = "converted_rail", "frontier", "boundary"
"""What this game adds to the hexsides of the map that is drawn."""
STYLE: HexStyle = structs.replace(
    OPERATIONAL, lines=(*OPERATIONAL.lines, Line(BOUNDARY, "boundary of the area in play", ":", "line", "#4a4336", ""))
)
MOST_KEPT = 4


# --- the ground ---


def ground_of(view: SideView, board: Board) -> HexMap:
    """Return the map with railways as they are now, the frontier, and the boundary of the area in play."""
    kept: dict[tuple[str, ...], HexMap] = board.caches.setdefault("drawn_maps", {})
    if view.converted not in kept:
        if len(kept) >= MOST_KEPT:
            del kept[next(iter(kept))]
        kept[view.converted] = _ground(board, frozenset(view.converted))
    return kept[view.converted]


def _ground(board: Board, converted: frozenset[str]) -> HexMap:
    hexsides = {}
    for start, around in board.around.items():
        for end in (each for each in around if each > start):
            kinds = board.hexmap.side_of(start, end)
            if RAIL in kinds and start in converted and end in converted:
                kinds = tuple(CONVERTED if kind == RAIL else kind for kind in kinds)
            if board.home[start] != board.home[end]:
                kinds = (*kinds, FRONTIER)
            if (start in board.area) != (end in board.area):
                kinds = (*kinds, BOUNDARY)
            if kinds:
                hexsides[f"{start}/{end}"] = kinds
    return replace(board.hexmap, hexsides=hexsides)


# --- areas ---


def areas_of(view: SideView, board: Board) -> Iterator[HexArea]:
    """Yield what each side controls, where it may set up, and zones of influence."""
    for side in board.sides:
        held = tuple(hex_ for hex_, owner in view.control.items() if owner == side and hex_ in board.area)
        if held:
            yield HexArea("held", held, side)
    state = state_of(view, board)
    if not view.turn:
        yield from _set_up(state)
    if view.attack_target:
        yield HexArea("goal", (view.attack_target,), note="target of a concerted attack")
    for side in board.sides:
        reach = _reach(state, view, side)
        if reach:
            whose = "the active force" if view.active else side_of(side, board)
            yield HexArea("zone", reach, side, f"zone of influence of {whose}")


def _set_up(state: DamosState) -> Iterator[HexArea]:
    waiting = {unit.side for unit in state.units.values() if unit.standing != ON_MAP and not unit.arrives}
    board: Board = state.board
    for side in board.sides:
        if side in waiting:
            hexes = tuple(board.exclusive.set_up_hexes(state, side))
            yield HexArea("set_up", hexes, side, f"{side_of(side, board)} set up here")


def _reach(state: DamosState, view: SideView, side: str) -> tuple[str, ...]:
    """Return the hexes within the zone of influence of the active force, or of all forces of a side, sorted.

    Only of forces whose strength the view tells.
    """
    chosen = {view.units[unit_id].hex for unit_id in view.active if view.units[unit_id].side == side}
    if view.active and not chosen:
        return ()
    found: set[str] = set()
    for hex_, units in stacks(state, side).items():
        known = all(view.units[unit_id].sp is not None for unit_id in units)
        if known and (not chosen or hex_ in chosen):
            reach = influence_range(state, hex_, side)
            found.update(state.board.hexmap.within(hex_, reach) if reach else ())
    return tuple(sorted(found & state.board.area))


# --- the supply line of the active force ---


def find_supply_line(view: SideView, board: Board) -> tuple[str, str, SupplyLine] | None:
    """Return side, hex and supply line of the active force; None while there is none on the map."""
    active = next((view.units[unit_id] for unit_id in view.active if view.units[unit_id].standing == ON_MAP), None)
    if active is None:
        return None
    return active.side, active.hex, supply_line(state_of(view, board), active.side, active.hex)


def supply_arrow(side: str, line: SupplyLine) -> HexArrow | None:
    """Return a supply line as an arrow; None where there is none, or the force stands on its source."""
    path = (*line.path, *line.rail_path[1:])
    return HexArrow("supply", side, path) if line.supplied and len(path) > 1 else None


# --- the rules' rooms ask a state ---


def state_of(view: SideView, board: Board) -> DamosState:
    """Return a state to ask about zones and supply: what ``view`` tells, and hidden strengths as they are printed."""
    state = DamosState(
        turn=view.turn,
        phase=view.phase,
        phasing_side=view.phasing_side,
        options=dict(view.options),
        units={
            unit_id: Unit(
                unit.side,
                board.counters[unit_id].sp if unit.sp is None else unit.sp,
                unit.hex,
                unit.standing,
                unit.demoralized,
                unit.spent,
                unit.arrives,
            )
            for unit_id, unit in view.units.items()
        },
        control=dict(view.control),
        converted=list(view.converted),
        replacements=dict(view.replacements),
        active=list(view.active),
        reacted=list(view.reacted),
        zone_phase=view.zone_phase,
        air=Air(view.air.ready, view.air.failures, view.air.benefit),
        pause_turn=view.pause_turn,
        cossacks=view.cossacks,
    )
    state.place_board(board)
    return state
