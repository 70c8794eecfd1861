"""Overlays on the printed map: converted railways, frontier, control, zones of influence, a supply line.

All of them are computed from a view. Control, railways and zones of control are open to both sides. The range of a zone
of influence depends on strengths (DM-2.6b), so only zones of units with known strength are drawn.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import compress
from operator import is_not
from typing import NamedTuple

from msgspec import structs

from damos.fog.views import SideView, UnitSeen
from damos.map.supply import SupplyLine, supply_line
from damos.map.zones import influence_range
from damos.model.board import Board
from damos.model.forces import position_of, stacks
from damos.model.state import ON_MAP, Air, DamosState, Unit
from damos.model.tables import GERMAN, SOVIET
from damos.model.terrain_chart import RAIL
from damos.turn.setup import set_up_hexes
from damos.ui.courses import hex_meant
from damos.ui.terms import moves, name_of, place, side_of
from sandtable import PlayError
from sandtable.hexes import HexMap
from sandtable.pictures import OPERATIONAL, HexArea, HexArrow, HexStyle, LineStyle, counted

CONVERTED, FRONTIER, BOUNDARY = "converted_rail", "frontier", "boundary"
"""Features that this game adds to the hexsides of the drawn map."""
STYLE: HexStyle = structs.replace(
    OPERATIONAL,
    lines=(*OPERATIONAL.lines, LineStyle(BOUNDARY, "boundary of the area in play", ":", "line", "#4a4336", "")),
)
MAX_KEPT, MAX_REACHES = 4, 40
SET_UP = {GERMAN: "AGC-6.0d", SOVIET: "AGC-6.0c"}
NO_ZONE = "It has no zone of influence."


# --- the force in focus ---


class Force(NamedTuple):
    """The units of a side in a hex. ``title`` describes the force in text."""

    side: str
    hex: str
    title: str


def force_shown(view: SideView, board: Board, focus: str) -> Force | None:
    """Return the force whose zone and supply line are shown: that of ``focus``, the active one by default, or None.

    ``focus`` is a hex, the name of its town, or a unit by id or name. Raises PlayError if it names no force.
    """
    if not focus:
        active = [view.units[unit_id] for unit_id in view.active if view.units[unit_id].standing == ON_MAP]
        return Force(active[0].side, active[0].hex, "the active force") if active else None
    wanted, hex_ = focus.lower(), hex_meant([focus], board)
    if hex_:
        found = next((unit for unit in view.units.values() if (unit.standing, unit.hex) == (ON_MAP, hex_)), None)
        if found is None:
            raise PlayError(f"no units are in {place(hex_, board)}: name a hex with units")
    else:
        meant = [each for each in view.units if wanted in (each, each.partition("-")[2], name_of(each, board).lower())]
        if not meant:
            raise PlayError(f"{focus!r} is not a unit, hex or town: type for example g-3pz, 3 Pz, 2720 or Minsk")
        found = view.units[meant[0]]
        if found.standing != ON_MAP:
            raise PlayError(f"{name_of(meant[0], board)} is not on the map: {_figures(meant[0], board)}")
    return Force(found.side, found.hex, "the force")


# --- the map ---


def ground_of(view: SideView, board: Board) -> HexMap:
    """Return the map with current railways, the frontier, and the boundary of the play area."""
    kept: dict[tuple[str, ...], HexMap] = board.caches.setdefault("drawn_maps", {})
    if view.converted not in kept:
        if len(kept) >= MAX_KEPT:
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


def areas_of(view: SideView, board: Board, force: Force | None) -> Iterator[HexArea]:
    """Yield the areas of control, of set-up, of a target, and of zones of influence: of ``force``, or of all forces."""
    yield from _control(view, board)[1]
    if not view.turn:
        yield from _set_up(state_of(view, board))
    if view.attack_target:
        yield HexArea("goal", (view.attack_target,), note="target of a concerted attack", rule="DM-8.1c")
    for side in (force.side,) if force else board.sides:
        reach = _reach(view, board, side, force.hex if force else "")
        if reach:
            note = f"zone of influence of {force.title if force else side_of(side, board)}"
            yield HexArea("zone", reach, side, note, "DM-2.6b")


def _control(view: SideView, board: Board) -> tuple[dict[str, str], tuple[HexArea, ...], int]:
    """Return the control of hexes in the view, its areas, and a number that changes with it."""
    known: tuple[dict[str, str], tuple[HexArea, ...], int] | None = board.caches.get("drawn_control")
    if known is None or known[0] != view.control:
        found = {
            side: tuple(h for h, owner in view.control.items() if owner == side and h in board.area)
            for side in board.sides
        }
        areas = tuple(HexArea("held", hexes, side, rule="DM-2.9a") for side, hexes in found.items() if hexes)
        known = board.caches["drawn_control"] = dict(view.control), areas, known[2] + 1 if known else 0
    return known


def _set_up(state: DamosState) -> Iterator[HexArea]:
    waiting = {unit.side for unit in state.units.values() if unit.standing != ON_MAP and not unit.arrives}
    board: Board = state.board
    for side in board.sides:
        if side in waiting:
            hexes = tuple(set_up_hexes(state, side))
            yield HexArea("set_up", hexes, side, f"{side_of(side, board)} set up here", SET_UP[side])


def zone_of_influence(view: SideView, board: Board, force: Force) -> tuple[str, ...]:
    """Return the sorted hexes in the zone of influence of a force, or () if its strength is hidden from the view."""
    return _reach(view, board, force.side, force.hex)


def _reach(view: SideView, board: Board, side: str, only: str) -> tuple[str, ...]:
    """Return the sorted hexes within the zones of a side's forces, or of the force in the hex ``only``.

    Only forces whose strength the view shows are included. The result is cached until a unit of that side changes.
    """
    kept: dict[tuple[str, str, str], _Reach] = board.caches.setdefault("drawn_reach", {})
    known, based_on = kept.get((view.side, side, only)), (view.turn, view.cossacks, view.options)
    if known is None or known.based_on != based_on or (known.units != view.units and known.own != _own(view, side)):
        if len(kept) >= MAX_REACHES:
            kept.clear()
        reach = _reach_of(view, board, side, only)
        known = kept[view.side, side, only] = _Reach(based_on, view.units, _own(view, side), reach)
    return known.hexes


class _Reach(NamedTuple):
    """The hexes that zones of influence reach, and the data it was computed from: all units, and those of the side."""

    based_on: tuple[int, str, dict[str, str]]
    units: dict[str, UnitSeen]
    own: dict[str, UnitSeen]
    hexes: tuple[str, ...]


def _own(view: SideView, side: str) -> dict[str, UnitSeen]:
    return {unit_id: unit for unit_id, unit in view.units.items() if unit.side == side}


def _reach_of(view: SideView, board: Board, side: str, only: str) -> tuple[str, ...]:
    state, found = state_of(view, board), set[str]()
    for hex_, units in stacks(state, side).items():
        known = all(view.units[unit_id].sp is not None for unit_id in units)
        if known and only in ("", hex_):
            reach = influence_range(state, hex_, side)
            found.update(_within(board, hex_, reach) if reach else ())
    return tuple(sorted(found & board.area))


def _within(board: Board, hex_: str, radius_hexes: int) -> tuple[str, ...]:
    kept: dict[tuple[str, int], tuple[str, ...]] = board.caches.setdefault("drawn_within", {})
    if (hex_, radius_hexes) not in kept:
        kept[hex_, radius_hexes] = board.hexmap.within(hex_, radius_hexes)
    return kept[hex_, radius_hexes]


def zone_words(view: SideView, board: Board, force: Force) -> str:
    """Return the range in hexes of a force's zone of influence in a sentence, if the view shows it."""
    units = stacks(state_of(view, board), force.side).get(force.hex, [])
    if any(view.units[unit_id].sp is None for unit_id in units):
        return "The range of its zone of influence, if it has one, is unknown."
    reach = influence_range(state_of(view, board), force.hex, force.side)
    return f"Its zone of influence reaches {counted(reach, 'hex', 'hexes')}." if reach else NO_ZONE


# --- its supply line ---


def find_supply_line(view: SideView, board: Board, force: Force) -> SupplyLine:
    """Return the supply line of a force.

    It depends on positions, not on strengths, so it is computed once for all views of one position.
    """
    key = "drawn_supply", force, view.turn, _control(view, board)[2], view.converted, tuple(view.options.values())
    derived = position_of(view.units, board).derived
    if key not in derived:
        derived[key] = supply_line(state_of(view, board), force.side, force.hex)
    line: SupplyLine = derived[key]
    return line


def supply_arrow(side: str, line: SupplyLine) -> HexArrow | None:
    """Return a supply line as an arrow, or None if there is none or the force is on its source."""
    path = (*line.path, *line.rail_path[1:])
    return HexArrow("supply", side, path) if line.supplied and len(path) > 1 else None


# --- a state for the rules ---


def state_of(view: SideView, board: Board) -> DamosState:
    """Return a state for queries about zones and supply, with hidden strengths at their printed value."""
    known: tuple[SideView, DamosState] | None = board.caches.get("drawn_state")
    if known is None or known[0] is not view:
        known = board.caches["drawn_state"] = view, _state_of(view, board)
    return known[1]


def _state_of(view: SideView, board: Board) -> DamosState:
    state = DamosState(
        turn=view.turn,
        phase=view.phase,
        phasing_side=view.phasing_side,
        options=dict(view.options),
        units=_units_of(view, board),
        control=dict(view.control),
        converted=list(view.converted),
        replacements=dict(view.replacements),
        active=list(view.active),
        reacted=list(view.reacted),
        zone_phase=view.zone_phase,
        air=Air(view.air.ready, view.air.failures, view.air.benefit),
        attacks_owed=view.attacks_owed,
        attacks_made=view.attacks_made,
        pause_turn=view.pause_turn,
        cossacks=view.cossacks,
    )
    state.place_board(board)
    return state


def _units_of(view: SideView, board: Board) -> dict[str, Unit]:
    """Return the units as ``Unit`` objects in a new dict; those of units unchanged since the last view are reused."""
    last: tuple[dict[str, UnitSeen], dict[str, Unit]] | None = board.caches.get(("drawn_units", view.side))
    if last is None or list(last[0]) != list(view.units):
        units = {unit_id: _unit_of(unit_id, unit, board) for unit_id, unit in view.units.items()}
    else:
        fresh = compress(view.units.items(), map(is_not, view.units.values(), last[0].values()))
        units = last[1] | {unit_id: _unit_of(unit_id, unit, board) for unit_id, unit in fresh}
    board.caches["drawn_units", view.side] = view.units, units
    return units


def _unit_of(unit_id: str, unit: UnitSeen, board: Board) -> Unit:
    strength = board.counters[unit_id].sp if unit.sp is None else unit.sp
    return Unit(unit.side, strength, unit.hex, unit.standing, unit.demoralized, unit.spent, unit.arrives)


def _figures(unit_id: str, board: Board) -> str:
    """Return the printed figures of a counter in words."""
    counter = board.counters[unit_id]
    parts = [f"strength {counter.sp}", moves(counter.ma_halves)]
    parts += [f"exploit rating {counter.rating}"] if counter.rating else []
    parts += ["projects a zone of influence"] if counter.zoi else []
    return ", ".join(parts)
