"""Retreats and surrender (KH-20.01 to KH-20.04), and advances after combat (KH-18.07, KH-12.18)."""

from collections.abc import Collection
from typing import Any

from khamsin.engagement.mission import label, title_of
from khamsin.leaders.leaders import follow, surrender_with
from khamsin.model.battle_events import FormationAdvanced, FormationRetreated, records_by_side
from khamsin.model.cards import ENEMY, Board
from khamsin.model.events import ControlChanged, FormationLost
from khamsin.model.forces import areas_of, card, in_area, is_bound_part
from khamsin.model.orders import Advance, RetreatTo
from khamsin.model.state import ON_MAP, Engagement, KhamsinState
from khamsin.movement.orders_sheet import are_apart
from khamsin.movement.out_of_sight import out_of_sight
from khamsin.supply.supply import sources
from sandtable import Decision, Form, HiddenStep, OneForEach, OneOf, Procedure, Sheet, Space


def retreat_areas(state: KhamsinState, formation_id: str, barred: Collection[str] = ()) -> list[str]:
    """Return the areas to which a formation may retreat, sorted, except those in ``barred``.

    They are adjacent areas without enemy formations (KH-20.02). Areas with friends that may not share an area with the
    formation are used only if there is no other (KH-7.03). By option, areas under enemy control are excluded, or used
    only if there is no other and they are not the enemy's base or supply area (KH-R51). By option, the area must be
    nearest to a supply area, or be the one from which the formation came if possible (KH-R52).
    """
    board: Board = state.board
    formation = state.formations[formation_id]
    side = formation.side
    held = areas_of(state, ENEMY[side])
    areas = [each for each in board.neighbors[formation.area] if each not in held and each not in barred]
    areas = [each for each in areas if not clashes(state, formation_id, each)] or areas
    own, destination = [each for each in areas if state.control[each] == side], state.options["retreat_dest"]
    if destination == "not_enemy_controlled":
        areas = own
    elif destination == "own_first":
        vital = {board.base[ENEMY[side]], *sources(state, ENEMY[side])}
        areas = own or [each for each in areas if each not in vital]
    direction = state.options["retreat_direction"]
    if direction == "back":
        came_from = formation.path[-2] if formation.moved else ""
        areas = [came_from] if came_from in areas else areas
    elif direction == "toward_supply":
        areas = _nearest(state, side, areas)
    return sorted(areas)


def clashes(state: KhamsinState, formation_id: str, area: str) -> bool:
    """Return whether friends that may not share an area with a formation are in that area (KH-7.03)."""
    friends = in_area(state, state.formations[formation_id].side, area) if state.board.apart else []
    return any(are_apart(state, formation_id, each) for each in friends)


def _nearest(state: KhamsinState, side: str, areas: list[str]) -> list[str]:
    """Return the areas with the fewest connectors to a supply area of the side."""
    board: Board = state.board
    supply = sources(state, side)
    if not areas or not supply:
        return areas
    far = {each: min(board.distance(each, one) for one in supply) for each in areas}
    least = min(far.values())
    return [each for each in areas if far[each] == least]


def retreat(state: KhamsinState, side: str, force: list[str], barred: Collection[str] = ()) -> Procedure:
    """Retreat the formations of ``force``, all in one area. Those that have no area to go to surrender (KH-20.03)."""
    if not force:
        return
    start = state.formations[force[0]].area
    choices = {each: retreat_areas(state, each, barred) for each in sorted(force)}
    going = [each for each in choices if choices[each]]
    areas: dict[str, str] = {}
    if going:
        areas = yield from _choose_areas(state, side, start, {each: choices[each] for each in going})
    ends = {each: areas.get(each, "") for each in choices}
    yield from out_of_sight(lambda work: _go_back(work, side, start, ends), "escape", "KH-R105")


def _choose_areas(state: KhamsinState, side: str, start: str, choices: dict[str, list[str]]) -> Procedure:
    """Let a side choose the destination of each formation that can retreat, and return the destinations."""
    board: Board = state.board
    space = Form(RetreatTo, {"areas": _destinations(state, choices)})
    prompt, purpose = f"retreat from {board.names[start]}", f"retreat.{start}.{side}"
    order: RetreatTo = yield Decision(
        side, prompt, space, "KH-20.01", secret=True, purpose=purpose, discloses="KH-R122"
    )
    return order.areas


def _go_back(state: KhamsinState, side: str, start: str, ends: dict[str, str]) -> Procedure:
    """Move formations from ``start`` to ``ends``. The enemy sees changes of control, but not the formations."""
    for each, end in ends.items():
        if not end:
            yield FormationLost(each, side, start, "surrendered", "KH-20.03")
    going = {each: end for each, end in ends.items() if end}
    for each, end in going.items():
        yield FormationRetreated(each, side, start, end)
    for end in sorted(set(going.values())):
        if state.control[end] != side:
            yield ControlChanged(end, side, "KH-11.05")
    if going:
        yield from follow(state, side, start, list(going.values()))
    else:
        yield from surrender_with(state, side, start)


def _destinations(state: KhamsinState, choices: dict[str, list[str]]) -> Space:
    """Return the space of destinations: by formation, or the same area for all (KH-R54)."""
    if state.options["retreat_split"] == "together":
        common = [area for area in next(iter(choices.values())) if all(area in each for each in choices.values())]
        if common:
            together: list[dict[str, Any]] = [dict.fromkeys(choices, area) for area in common]
            return OneOf(together, "KH-R54")
    board: Board = state.board
    lines = {}
    for each, areas in choices.items():
        here = board.names[state.formations[each].area]
        why = f"{card(state, each).title} can retreat from {here} only to {', '.join(areas)}"
        lines[each] = OneOf(areas, "KH-20.02", why)
    return OneForEach(lines, "KH-20.01")


def advance(state: KhamsinState, engagement: Engagement, side: str) -> Procedure:
    """Let the winner of a double victory choose where its force moves after combat (KH-18.07), and move it.

    No further combat follows. Areas with enemy formations are excluded, and empty ones change hands (KH-R49).
    Formations that the module holds in their area, and parts that hold a fortress, do not advance (KH-7.02, KH-7.03).
    If the whole force must advance together, none advances if one of them is held (KH-R48).
    """
    force = [each for each in engagement.forces[side] if _is_there(state, engagement, each)]
    free = [each for each in force if card(state, each).held_until <= state.turn and not is_bound_part(state, each)]
    held = areas_of(state, ENEMY[side])
    board: Board = state.board
    areas = [each for each in board.neighbors[engagement.area] if each not in held]
    areas = [each for each in areas if not any(clashes(state, one, each) for one in free)]
    is_whole = state.options["advance_scope"] == "whole_force"  # KH-R48
    if not free or not areas or (is_whole and len(free) < len(force)):
        return
    prompt = f"advance after the victory at {title_of(state, engagement)}, or stay"
    space = Form(Advance, {"areas": _advances(free, areas, is_whole=is_whole)})
    purpose = f"advance.{label(engagement)}.{side}"
    order: Advance = yield Decision(
        side, prompt, space, "KH-18.07", done=Advance(), secret=True, purpose=purpose, discloses="KH-R122"
    )
    yield HiddenStep(lambda work: _go(work, side, order.areas, "KH-18.07"), records_by_side)


def _is_there(state: KhamsinState, engagement: Engagement, formation_id: str) -> bool:
    formation = state.formations.get(formation_id)
    return formation is not None and formation.standing == ON_MAP and formation.area == engagement.area


def _advances(force: list[str], areas: list[str], *, is_whole: bool) -> Space:
    if is_whole:
        together: list[dict[str, Any]] = [{}, *(dict.fromkeys(force, area) for area in areas)]
        why = f"the force advances as a whole into one area without enemies, or stays: choose {', '.join(areas)}"
        return OneOf(together, "KH-R48", why)
    return Sheet({each: OneOf(areas, "KH-18.07") for each in force}, rule="KH-18.07", blanks=2)


def storm(state: KhamsinState, engagement: Engagement, side: str, area: str) -> Procedure:
    """Occupy the area of an enemy that was overwhelmed on a connector, if its formations have left it (KH-12.18)."""
    force = [each for each in engagement.forces[side] if state.formations[each].standing == ON_MAP]
    if area not in areas_of(state, ENEMY[side]):
        areas = dict.fromkeys(force, area)
        yield HiddenStep(lambda work: _go(work, side, areas, "KH-12.18"), records_by_side)


def _go(state: KhamsinState, side: str, areas: dict[str, str], rule: str) -> Procedure:
    for each, area in sorted(areas.items()):
        yield FormationAdvanced(each, side, state.formations[each].area, area, rule)
    for area in sorted(set(areas.values())):
        if state.control[area] != side:
            yield ControlChanged(area, side, "KH-11.05")
