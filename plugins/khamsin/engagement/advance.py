"""Advances after combat: of who has won by double (KH-18.07), and of who has overwhelmed on a connector (KH-12.18)."""

from typing import Any

from khamsin.engagement.mission import title_of
from khamsin.engagement.retreat import clashes
from khamsin.model.battle_events import FormationAdvanced
from khamsin.model.board import Board
from khamsin.model.cards import ENEMY
from khamsin.model.events import ControlChanged
from khamsin.model.forces import areas_of, card, is_bound_part
from khamsin.model.orders import Advance
from khamsin.model.state import ON_MAP, Engagement, KhamsinState
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import Form, OneOf, Sheet, Space
from sandtable.kernel.sequence import Procedure


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
    order: Advance = yield Decision(side, prompt, space, "KH-18.07", done=Advance(), secret=True)
    yield from _go(state, side, order.areas, "KH-18.07")


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
        yield from _go(state, side, dict.fromkeys(force, area), "KH-12.18")


def _go(state: KhamsinState, side: str, areas: dict[str, str], rule: str) -> Procedure:
    for each, area in sorted(areas.items()):
        yield FormationAdvanced(each, side, state.formations[each].area, area, rule)
    for area in sorted(set(areas.values())):
        if state.control[area] != side:
            yield ControlChanged(area, side, "KH-11.05")
