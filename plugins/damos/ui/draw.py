"""The drawing of the theater as one side sees it: a picture made from the view and the board, which the viewer draws.

Only data of the view is drawn: the printed figures of enemy units, and the current strength of own units (DM-2.4c).
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import compress
from operator import is_not
from typing import NamedTuple

from msgspec import structs

from damos.fog.views import SideView, UnitSeen
from damos.map.supply import ENEMY, RAIL, ZONE, SupplyLine
from damos.model.board import Board
from damos.model.state import ELIMINATED, ON_MAP, POOL, SURRENDERED
from damos.model.tables import SOVIET
from damos.movement.pause import turns_of_pause
from damos.ui.overlays import STYLE, Force, areas_of, find_supply_line, force_shown, ground_of, supply_arrow, zone_words
from damos.ui.terms import name_of, place, side_of
from sandtable import PhaseBegan
from sandtable.pictures import (
    HexArrow,
    HexCounter,
    HexEntry,
    HexPicture,
    HexTray,
    Power,
    Tab,
    counted,
    ended_sentence,
    hexes_svg,
    hexes_text,
    in_words,
    listed,
    part_around,
    phase_heading,
)

LETTERS = {"infantry": "i", "armor": "a", "motorized": "m", "mechanized": "k", "cavalry": "c"}
ECHELONS = {"regiment": "III", "brigade": "X", "division": "XX", "corps": "XXX", "army": "XXXX"}
COLOURS = {"german": "#9fb0c0", "soviet": "#dd9572"}
OTHER_COLOURS = ("#a9c48d", "#d9a0a8")

MAX_BLOCKS = 6
"""Maximum number of hexes to name that block a supply line."""

CORNER_WORDS = ("Z: zone of influence", "exploit rating", "strength (now/printed), ? unknown", "movement allowance")
FIGURES = f"Figures of units: {'; '.join(CORNER_WORDS)}."
ACTIVE = Tab("A", "active now", "warning", "DM-7.0b")
DEMORALIZED = Tab("D", "demoralized", rule="DM-2.2c")
SPENT = Tab("S", "spent", "calm", "DM-2.1f")
COSSACKS = Tab("C", "can react this turn, Cossacks", "warning", "AGC-4.8a")
LEGEND = (
    HexEntry(ACTIVE, "active now"),
    HexEntry(DEMORALIZED, "demoralized"),
    HexEntry(SPENT, "spent"),
    HexEntry(COSSACKS, "can react this turn (AGC-4.8a)"),
    HexEntry("held", "control"),
    HexEntry("zone", "zone of influence"),
    HexEntry("supply", "supply line"),
    HexEntry("goal", "target of a concerted attack"),
    HexEntry("set_up", "where a side sets up"),
)


def draw(view: SideView, board: Board, style: str, focus: str = "") -> str | None:
    """Return the map in a style: all of it ("svg", "text_whole") or the part with units ("svg_part", "text").

    ``focus`` names the force whose zone of influence and supply line are shown; by default, it is the active force.
    Returns None for an unknown style. Raises PlayError if ``focus`` names no force.
    """
    painter = STYLES.get(style)
    return painter(view, board, focus) if painter else None


def _svg(picture: HexPicture, board: Board) -> str:
    return hexes_svg(picture, board.hexmap.id)


def _parted(picture: HexPicture) -> HexPicture:
    return structs.replace(picture, part=part_around(picture))


STYLES: dict[str, Callable[[SideView, Board, str], str]] = {
    "svg": lambda view, board, focus: _svg(picture_of(view, board, focus), board),
    "svg_part": lambda view, board, focus: _svg(_parted(picture_of(view, board, focus)), board),
    "text": lambda view, board, focus: hexes_text(_parted(picture_of(view, board, focus, by_turn=True))),
    "text_whole": lambda view, board, focus: hexes_text(picture_of(view, board, focus, by_turn=True)),
}


def picture_of(view: SideView, board: Board, focus: str = "", *, by_turn: bool = False) -> HexPicture:
    """Return the picture of the whole map as ``view`` shows it.

    ``by_turn``, as on a text map, groups the units to arrive by turn, and explains the figures of units.
    """
    force = force_shown(view, board, focus)
    line = find_supply_line(view, board, force) if force else None
    arrow: HexArrow | None = supply_arrow(force.side, line) if force and line else None
    drawn = _counters(view, board, by_turn=by_turn)
    return HexPicture(
        title=board.title,
        subtitle=_moment(view, board),
        ground=ground_of(view, board),
        powers=powers_of(board),
        counters=drawn.on_map,
        arrows=(arrow,) if arrow else (),
        areas=tuple(areas_of(view, board, force)),
        trays=drawn.trays,
        legend=LEGEND,
        corner_words=CORNER_WORDS,
        notes=(*((FIGURES,) if by_turn else ()), *_notes(view, board), *_force_words(view, board, force, line)),
        style=STYLE,
    )


def powers_of(board: Board) -> tuple[Power, ...]:
    """Return the two sides."""
    found = []
    for side, other in zip(board.sides, OTHER_COLOURS, strict=True):
        color = COLOURS.get(side, other)
        found.append(Power(side, board.titles[side], side[0].upper(), color, color))
    return tuple(found)


# --- units ---


class _Drawn(NamedTuple):
    """The counters of a side's last view, by unit, and the data that they were made from."""

    units: dict[str, UnitSeen]
    basis: tuple[tuple[str, ...], tuple[str, ...], str]
    by_unit: dict[str, HexCounter]
    on_map: tuple[HexCounter, ...]
    trays: tuple[HexTray, ...]


def _counters(view: SideView, board: Board, *, by_turn: bool) -> _Drawn:
    """Return the counters of all units, and the trays; counters of the last view are reused for unchanged units."""
    kept: dict[tuple[str, bool], _Drawn] = board.caches.setdefault("drawn_forces", {})
    last = kept.get((view.side, by_turn))
    basis = view.active, view.reacted, view.cossacks
    if last is None or last.basis[2] != view.cossacks or list(last.units) != list(view.units):
        by_unit = {unit_id: counter_of(unit_id, unit, view, board) for unit_id, unit in view.units.items()}
        trays = tuple(_trays(view, board, by_unit, by_turn=by_turn))
    else:
        if last.units == view.units and last.basis == basis:
            return last
        fresh = list(compress(view.units, map(is_not, view.units.values(), last.units.values())))
        marked = ({*last.basis[0]} ^ {*view.active}) | ({*last.basis[1]} ^ {*view.reacted})
        changed = {each: counter_of(each, view.units[each], view, board) for each in (*fresh, *sorted(marked))}
        by_unit = last.by_unit | changed
        is_beside = any(seen[each].standing != ON_MAP for each in changed for seen in (view.units, last.units))
        trays = tuple(_trays(view, board, by_unit, by_turn=by_turn)) if is_beside else last.trays
    on_map = tuple(by_unit[unit_id] for unit_id, unit in view.units.items() if unit.standing == ON_MAP)
    found = kept[view.side, by_turn] = _Drawn(view.units, basis, by_unit, on_map, trays)
    return found


def counter_of(unit_id: str, unit: UnitSeen, view: SideView, board: Board) -> HexCounter:
    """Return the counter of a unit."""
    printed = board.counters[unit_id]
    return HexCounter(
        id=unit_id,
        owner=unit.side,
        hex=unit.hex,
        symbol=printed.type,
        name=printed.name,
        letter=LETTERS.get(printed.type, printed.type[:1]),
        corners=(
            "Z" if printed.zoi else "",
            str(printed.rating or ""),
            strength_of(unit, printed.sp),
            str(printed.ma_halves // 2),
        ),
        tabs=tuple(_tabs(unit_id, unit, view)),
        note="has tried to react" if unit_id in view.reacted else "",
        note_rules=("DM-2.6.1s",) if unit_id in view.reacted else (),
        type_words=in_words(printed.type),
        caption=name_of(unit_id, board),
        echelon=ECHELONS.get(printed.size, ""),
    )


def strength_of(unit: UnitSeen, printed: int) -> str:
    """Return a strength as shown on the counter: "7", "5/7" for 5 of 7, "7?" if only the printed 7 is known."""
    if unit.sp is None:
        return f"{printed}?"
    return str(printed) if unit.sp == printed or unit.standing in (ELIMINATED, SURRENDERED) else f"{unit.sp}/{printed}"


def _tabs(unit_id: str, unit: UnitSeen, view: SideView) -> Iterator[Tab]:
    if unit.standing == POOL and unit.arrives:
        yield Tab(str(unit.arrives), f"from turn {unit.arrives} on", "calm", "R-DM-69")
    if unit_id in view.active:
        yield ACTIVE
    if unit.demoralized:
        yield DEMORALIZED
    if unit.spent:
        yield SPENT
    if view.cossacks and (unit.hex, unit.side) == (view.cossacks, SOVIET):
        yield COSSACKS


# --- beside the map ---


def _trays(view: SideView, board: Board, counters: Mapping[str, HexCounter], *, by_turn: bool) -> Iterator[HexTray]:
    """Yield the units off the map: arrivals, by turn or with their turns on tabs, then the losses of each side."""
    for side in board.sides:
        title = board.titles[side]
        units = {unit_id: unit for unit_id, unit in view.units.items() if unit.side == side}
        groups: dict[str, list[str]] = {}
        for unit_id, unit in sorted(units.items(), key=lambda item: item[1].arrives):
            if unit.standing == POOL:
                due = f"from turn {unit.arrives} on" if by_turn else "reinforcements, by turn"
                groups.setdefault(due if unit.arrives else "to set up", []).append(unit_id)
        for unit_id, unit in units.items():
            if unit.standing in (ELIMINATED, SURRENDERED):
                groups.setdefault(unit.standing, []).append(unit_id)
        for which, ids in groups.items():
            yield HexTray(f"{title} {which}", tuple(counters[each] for each in ids))


# --- words ---


def _moment(view: SideView, board: Board) -> str:
    """Return the turn, month and phase, or that the game is over, and the side of the view."""
    viewer = side_of(view.side, board) if view.side in board.sides else f"the {view.side}"
    when = f"{board.period(view.turn).name}, " if view.turn else ""
    seen = f"({when}seen by {viewer})"
    if view.outcome:
        return f"Turn {view.turn}: the game is over {seen}"
    return f"{phase_heading(PhaseBegan(view.phase, view.phasing_side), view.turn)} {seen}"


def _notes(view: SideView, board: Board) -> Iterator[str]:
    """Yield the result, the length of the game, points, and current effects of the exclusive rules."""
    if view.outcome:
        winner = side_of(view.outcome, board) if view.outcome in board.titles else view.outcome
        yield ended_sentence(winner, view.ending)
    saved = listed(f"{board.titles[side]} {view.replacements.get(side, 0)}" for side in board.sides)
    yield f"Length: {board.last_turn} turns. Replacement points: {saved}."
    if view.attack_target:
        yield f"A concerted attack on {place(view.attack_target, board)} is announced."
    yield _air_words(view)
    if view.attacks_owed:
        yield f"Attacks required: {view.attacks_owed}, made: {view.attacks_made}."
    paused = turns_of_pause(view.pause_turn, view.options)
    if paused:
        yield f"Turns {listed(map(str, paused))}: mobile German units may move only one hex and may not attack."
    for unit_id, turn in view.undying.items():
        yield f"{name_of(unit_id, board)} returns on turn {turn}."


def _force_words(view: SideView, board: Board, force: Force | None, line: SupplyLine | None) -> Iterator[str]:
    """Yield a sentence about the supply line of the force that is shown, and one about its zone."""
    if force and line:
        yield supply_words(force, line, board)
        yield zone_words(view, board, force)


def supply_words(force: Force, line: SupplyLine, board: Board) -> str:
    """Return the supply line of a force, or what blocks it, in a sentence."""
    who = f"T{force.title[1:]} of {side_of(force.side, board)} in {place(force.hex, board)}"
    if line.supplied:
        route = (*line.path, *line.rail_path[1:])
        if len(route) == 1:
            return f"{who} is in the hex of a supply source."
        across = counted(len(line.path) - 1, "hex", "hexes")
        by_rail = f"{len(line.rail_path) - 1} by rail to {place(line.rail_path[-1], board)}"
        return f"{who} has a supply line: {across} across country, {by_rail}: {' '.join(route)}."
    return f"{who} has no supply line: {stops_of(line, board)}."


def stops_of(line: SupplyLine, board: Board) -> str:
    """Return the blocks of a line: enemies and their zones by hex, and the number of unusable rail hexes."""
    by_reason = {why: [hex_ for hex_, each in line.blocked if each == why] for why in (ENEMY, ZONE, RAIL)}
    labels = {ENEMY: "enemies in", ZONE: "enemy zones in"}
    parts = [f"{words_} {_some(by_reason[why], board)}" for why, words_ in labels.items() if by_reason[why]]
    if by_reason[RAIL]:
        parts.append(f"a railway that it cannot use in {counted(len(by_reason[RAIL]), 'hex', 'hexes')}")
    return listed(parts) or "no source is close enough"


def _some(hexes: list[str], board: Board) -> str:
    """Return the first hexes by name, and how many more there are."""
    more = [f"{len(hexes) - MAX_BLOCKS} more"] if len(hexes) > MAX_BLOCKS else []
    return listed([*(place(hex_, board) for hex_ in hexes[:MAX_BLOCKS]), *more])


def _air_words(view: SideView) -> str:
    if not view.air.ready:
        return "The air unit is grounded this turn."
    left = {"shift": "only for its column shift", "reroll": "only for its re-roll"}.get(view.air.benefit, "")
    return f"The air unit is ready{' ' + left if left else ''}; failed checks this turn: {view.air.failures}."
