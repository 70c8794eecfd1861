"""Positions: rosters and game forces as text, and a campaign during a turn.

A roster: "pg1 pg full; pg2 pg gutted transports=2 immobile".
A force: "pg1 7 light_mortar; hmg 5 on=panzer; guns 4 off".
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from tests.plugins.axis_attack.ground import board as the_board

import axis_attack
from axis_attack.model import events, handlers, orders
from axis_attack.model.cards import DEPLETED, DESTROYED, FULL, GUTTED, SIDES, UNDER, Board
from axis_attack.model.state import AxisState, Battle, Fielded, Force, Platoon
from axis_attack.turn.sequence import SEQUENCE
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Installed

LEVELS = {"destroyed": DESTROYED, "gutted": GUTTED, "depleted": DEPLETED, "under": UNDER, "full": FULL}
ROSTERS = {
    "german": "pg1 pg full light_mortar=1; pg2 pg full; hmg hmg full; panzer panzer full; pak40 pak40 full;"
    " cars cars full; howitzers howitzers full",
    "soviet": "t1 tankovy full cupola=3; t2 tankovy full; s1 strelkovy full; scouts scouts full; zis3 zis3 full;"
    " guns guns122 full",
}
FORCES = {"german": "pg1 7; pg2 7; cars 4", "soviet": "t1 7; s1 13; scouts 7"}


@cache
def installed() -> Installed:
    return Installed("axis_attack", axis_attack, "the casebook")


def full_options(chosen: dict[str, str]) -> dict[str, str]:
    return installed().full_options(chosen)


@cache
def ruleset(visibility: str = "own") -> Ruleset:
    """Return the rules for the kernel. If ``fog.views`` does not exist, every seat sees everything."""
    more: dict[str, object] = {}
    if find_spec("axis_attack.fog.views"):
        parts = axis_attack.ruleset_parts(full_options({"roster_visibility": visibility}))
        more = {
            "view": parts.view,
            "visible": parts.visible,
            "secret_events": parts.secret_events,
            "reveals": parts.reveals,
        }
    return Ruleset(
        "axis_attack",
        "1",
        SIDES,
        AxisState,
        SEQUENCE,
        tuple(functions_of([handlers])),
        orders.ORDERS,
        events.EVENTS,
        hidden=True,
        **more,  # type: ignore[arg-type]  # options by name
    )


def rows(text: str) -> list[list[str]]:
    return [row.split() for row in text.split(";") if row.strip()]


def level_size(board: Board, side: str, type_id: str, level: int) -> tuple[int, int]:
    """Return teams and transports of a level, by hand: smallest, middle and largest size of the list."""
    sizes = board.lists[side].types[type_id].sizes
    if level < DEPLETED:
        return 0, 0
    half = (sizes[0].teams + sizes[-1].teams) // 2
    found = {DEPLETED: sizes[0], FULL: sizes[-1]}.get(level) or next(each for each in sizes if each.teams == half)
    return found.teams, found.transports


def roster(board: Board, side: str, text: str) -> dict[str, Platoon]:
    """Read a roster. By default a platoon was bought at full strength and has the transports of its level."""
    found = {}
    for ident, type_id, level_name, *marks in rows(text):
        level = LEVELS[level_name]
        teams, transports = level_size(board, side, type_id, level)
        each = Platoon(type_id, FULL, level, teams=teams, transports=transports)
        for mark in marks:
            name, _, value = mark.partition("=")
            if name == "bought":
                each.bought = LEVELS[value]
            elif name in {"immobile", "fought", "raised"}:
                setattr(each, name, True)
            elif name in {"teams", "transports"}:
                setattr(each, name, int(value))
            else:
                each.upgrades[name] = int(value)
        found[ident] = each
    return found


def fielded(text: str) -> list[Fielded]:
    """Read a force, in which "light_mortar" is one upgrade and "cupola=3" are three."""
    found = []
    for ident, teams, *marks in rows(text):
        upgrades, off, carrier = {}, False, ""
        for mark in marks:
            name, _, value = mark.partition("=")
            if name == "off":
                off = True
            elif name == "on":
                carrier = value
            else:
                upgrades[name] = int(value or 1)
        found.append(Fielded(ident, int(teams), upgrades, off, carrier))
    return found


def points_of(board: Board, side: str, state: AxisState, force: list[Fielded]) -> int:
    """Return the points of a force: headquarters, platoons at their sizes, and upgrades."""
    total = board.lists[side].hq_points
    for each in force:
        kind = board.lists[side].types[state.rosters[side][each.platoon].type]
        total += next(size.points for size in kind.sizes if size.teams == each.teams)
        prices = {upgrade.id: upgrade.points for upgrade in kind.upgrades}
        total += sum(prices[name] * number for name, number in each.upgrades.items())
    return total


def lay_last(state: AxisState, text: str) -> None:
    """Set the last game: "german won hold_the_line as defender 6-1", "draw encounter 2-1" (German first)."""
    who, *rest = text.split()
    if who == "draw":
        mission, score = rest
        state.winner, state.attacker, state.defender = "draw", "german", "soviet"
        first, second = map(int, score.split("-"))
        state.raw = {"german": first, "soviet": second}
    else:
        _, mission, _, role, score = rest
        other = next(side for side in SIDES if side != who)
        state.winner = who
        state.attacker, state.defender = (who, other) if role == "attacker" else (other, who)
        first, second = map(int, score.split("-"))
        state.raw = {who: first, other: second}
    state.mission = mission
    state.track = [
        Battle(
            state.turn,
            state.sector,
            mission,
            state.attacker,
            state.defender,
            state.winner,
            dict(state.raw),
            "hold",
            "clear",
        )
    ]


def lay_forces(state: AxisState, board: Board, forces: dict[str, str], points: dict[str, int]) -> None:
    """Set both forces, as after the phase of forces."""
    for side in SIDES:
        state.forces[side] = Force(fielded(forces[side]), points[side])


def campaign(german: str = "", **changes: Any) -> AxisState:
    """Return a campaign with a German roster after a game that the Germans won as attackers."""
    found: dict[str, Any] = {
        "sector": 4,
        "mission": "hold_the_line",
        "attacker": "german",
        "defender": "soviet",
        "winner": "german",
    }
    state = AxisState(options=full_options({}), **(found | changes))
    state.place_board(the_board())
    state.rosters = {"german": roster(state.board, "german", german), "soviet": {}}
    state.balance = state.balance or {"german": 0, "soviet": 0}
    return state
