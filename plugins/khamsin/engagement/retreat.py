"""Retreats and surrender (KH-20.01 to KH-20.04, KH-D21), and advances after combat (KH-18.07, KH-12.18)."""

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
    """Return the areas to which a formation may retreat from where it stands, sorted; none of ``barred``.

    No enemy formation may be there (KH-20.02). Friends with whom it may not share an area keep it out as long as there
    is another way (KH-7.03). As KH-R51 has it an area under the enemy's control is for who has no other, and it is not
    where he is supplied. By option, it must lie nearest to a supply area, or be where the formation came from (KH-R52).
    """
    board: Board = state.board
    formation = state.formations[formation_id]
    side = formation.side
    held = areas_of(state, ENEMY[side])
    ways = [each for each in board.neighbours[formation.area] if each not in held and each not in barred]
    ways = [each for each in ways if not clashes(state, formation_id, each)] or ways
    own, reading = [each for each in ways if state.control[each] == side], state.options["retreat_dest"]
    if reading == "not_enemy_controlled":
        ways = own
    elif reading == "own_first":
        dear = {board.base[ENEMY[side]], *sources(state, ENEMY[side])}
        ways = own or [each for each in ways if each not in dear]
    direction = state.options["retreat_direction"]
    if direction == "back":
        came_from = formation.path[-2] if formation.moved else ""
        ways = [came_from] if came_from in ways else ways
    elif direction == "toward_supply":
        ways = _nearest(state, side, ways)
    return sorted(ways)


def clashes(state: KhamsinState, formation_id: str, area: str) -> bool:
    """Return whether friends are in an area with whom a formation may not share it (KH-7.03)."""
    friends = in_area(state, state.formations[formation_id].side, area) if state.board.apart else []
    return any(are_apart(state, formation_id, each) for each in friends)


def _nearest(state: KhamsinState, side: str, ways: list[str]) -> list[str]:
    """Return those of ``ways`` with the fewest connectors to a supply area of the side."""
    board: Board = state.board
    supply = sources(state, side)
    if not ways or not supply:
        return ways
    far = {each: min(board.distance(each, one) for one in supply) for each in ways}
    least = min(far.values())
    return [each for each in ways if far[each] == least]


def retreat(state: KhamsinState, side: str, force: list[str], barred: Collection[str] = ()) -> Procedure:
    """Let the formations of ``force``, all in one area, retreat; who has nowhere to go surrenders (KH-20.03)."""
    if not force:
        return
    start = state.formations[force[0]].area
    ways = {each: retreat_areas(state, each, barred) for each in sorted(force)}
    going = [each for each in ways if ways[each]]
    areas: dict[str, str] = {}
    if going:
        areas = yield from _choose_areas(state, side, start, {each: ways[each] for each in going})
    ends = {each: areas.get(each, "") for each in ways}
    yield from out_of_sight(lambda work: _go_back(work, side, start, ends), "escape", "KH-R105")


def _choose_areas(state: KhamsinState, side: str, start: str, ways: dict[str, list[str]]) -> Procedure:
    """Ask for the destination of each formation that has one; return them."""
    board: Board = state.board
    space = Form(RetreatTo, {"areas": _destinations(state, ways)})
    prompt, purpose = f"retreat from {board.names[start]}", f"retreat.{start}.{side}"
    order: RetreatTo = yield Decision(side, prompt, space, "KH-20.01", secret=True, purpose=purpose, tells="KH-R122")
    return order.areas


def _go_back(state: KhamsinState, side: str, start: str, ends: dict[str, str]) -> Procedure:
    """Move formations from ``start`` to ``ends``; the enemy learns where control changes, not who went there."""
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


def _destinations(state: KhamsinState, ways: dict[str, list[str]]) -> Space:
    """Return the space of destinations by formation: each its own, or all the same one (KH-R54)."""
    if state.options["retreat_split"] == "together":
        common = [area for area in next(iter(ways.values())) if all(area in each for each in ways.values())]
        if common:
            together: list[dict[str, Any]] = [dict.fromkeys(ways, area) for area in common]
            return OneOf(together, "KH-R54")
    board: Board = state.board
    lines = {}
    for each, areas in ways.items():
        here = board.names[state.formations[each].area]
        why = f"{card(state, each).title} can retreat from {here} only to {', '.join(areas)}"
        lines[each] = OneOf(areas, "KH-20.02", why)
    return OneForEach(lines, "KH-20.01")


def advance(state: KhamsinState, engagement: Engagement, side: str) -> Procedure:
    """Ask the winner of a double victory where his force moves after combat (KH-D22), and move it.

    There is no further combat: areas with enemy formations are barred, empty ones change hands (KH-R49). Formations
    that the module holds in their area do not go, nor parts that hold a fortress (KH-7.02, KH-7.03).
    """
    force = [each for each in engagement.forces[side] if _is_there(state, engagement, each)]
    free = [each for each in force if card(state, each).held_until <= state.turn and not is_bound_part(state, each)]
    held = areas_of(state, ENEMY[side])
    board: Board = state.board
    ways = [each for each in board.neighbours[engagement.area] if each not in held]
    ways = [each for each in ways if not any(clashes(state, one, each) for one in free)]
    is_whole = state.options["advance_scope"] == "whole_force"  # KH-R48
    if not free or not ways or (is_whole and len(free) < len(force)):
        return
    prompt = f"advance after the victory at {title_of(state, engagement)}, or stay"
    space = Form(Advance, {"areas": _ways_on(free, ways, is_whole=is_whole)})
    purpose = f"advance.{label(engagement)}.{side}"
    order: Advance = yield Decision(
        side, prompt, space, "KH-18.07", done=Advance(), secret=True, purpose=purpose, tells="KH-R122"
    )
    yield HiddenStep(lambda work: _go(work, side, order.areas, "KH-18.07"), records_by_side)


def _is_there(state: KhamsinState, engagement: Engagement, formation_id: str) -> bool:
    formation = state.formations.get(formation_id)
    return formation is not None and formation.standing == ON_MAP and formation.area == engagement.area


def _ways_on(force: list[str], ways: list[str], *, is_whole: bool) -> Space:
    if is_whole:
        together: list[dict[str, Any]] = [{}, *(dict.fromkeys(force, area) for area in ways)]
        why = f"the force advances as a whole into one area without enemies, or stays: choose {', '.join(ways)}"
        return OneOf(together, "KH-R48", why)
    return Sheet({each: OneOf(ways, "KH-18.07") for each in force}, rule="KH-18.07", blanks=2)


def storm(state: KhamsinState, engagement: Engagement, side: str, area: str) -> Procedure:
    """Let who has overwhelmed the enemy on a connector occupy the area that he came from (KH-12.18)."""
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
