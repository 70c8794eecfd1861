"""Where a unit is to go in place of how: "94 to 1503" is the cheapest way there, as enemies and zones lie now."""

import re
from itertools import pairwise

from kampfpanzer.model.state import ON_MAP, WAITING
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.situation import Situation, points
from kampfpanzer.terrain.zones import would_exert_zone
from sandtable.board.graph.paths import CostTable, MapPath, cheapest_path
from sandtable.errors import IllegalOrder

GOAL = re.compile(r"(?:to|go|go to)\s+(\d{4})", re.ASCII | re.IGNORECASE)
FAR = 4
"""A way is looked for over so many times the allowance, to tell what is missing."""


def goal_of(text: str) -> str:
    """Return the hex that a line names as its goal: "to 1503"; "" for none."""
    found = GOAL.fullmatch(text.strip())
    return found[1] if found else ""


def way_to(situation: Situation, unit_id: str, goal: str) -> str:
    """Return the cheapest move to a hex as a plot. Raises IllegalOrder where there is none within the allowance."""
    name, unit = situation.name(unit_id), situation.units[unit_id]
    kind, ground = situation.kind(unit_id), situation.ground
    if not ground.holds(goal):
        raise IllegalOrder("KP-5.1a", f"{goal} is no hex of this map")
    if unit.hex == goal or unit.carrier or not kind.movement:
        why = f"is in {goal} already" if unit.hex == goal else "does not move of its own"
        raise IllegalOrder("KP-5.1a", f"{name} {why}")
    halves = {unit.hex: 0}
    if unit.standing == WAITING:
        halves = {each: ground.entry_halves(kind.mobility, each) for each in situation.group(unit_id).entries}
    table, zone = _steps(situation, kind.mobility), _zone(situation)
    index, numbers = ground.hexmap.index, ground.hexmap.numbers
    found: list[tuple[int, str, MapPath]] = []
    for start, spent in halves.items():
        room = FAR * 2 * kind.movement - spent
        way = cheapest_path(
            table, index[start], index[goal], allowance=room, stops=lambda space: numbers[space] in zone
        )
        if way is not None:
            found.append((way.cost + spent, start, way))
    if not found:
        raise IllegalOrder("KP-8.0e", f"{name} finds no way to {goal}: enemies or their zones bar it, or it is far")
    cost, start, way = min(found, key=lambda each: each[:2])
    text = _plot(situation, start if unit.standing == WAITING else "", [numbers[each] for each in way.spaces])
    if cost > 2 * kind.movement:
        raise IllegalOrder("KP-6.0c", f"{goal} is {points(cost)} points away ({text}) and {name} has {kind.movement}")
    return text


def _zone(situation: Situation) -> set[str]:
    """Return the hexes in a zone of the enemy (KP-8.0a)."""
    enemies = [
        unit.hex
        for each, unit in situation.units.items()
        if unit.side != situation.side and unit.standing == ON_MAP and would_exert_zone(situation.state, each)
    ]
    return {near for each in enemies for near in situation.ground.around(each) if near}


def _steps(situation: Situation, mobility: str) -> CostTable:
    """Return what each step costs; none leads to where an enemy stands, or from zone to zone (KP-8.0e)."""
    ground, zone, held = situation.ground, _zone(situation), situation.enemies_at

    def cost(here: str, there: str) -> int | None:
        if there in held or (here in zone and there in zone):
            return None
        return ground.step_halves(mobility, here, there)

    return ground.hexmap.cost_table(cost)


def _plot(situation: Situation, entry: str, hexes: list[str]) -> str:
    legs: list[tuple[str, int]] = []
    for here, there in pairwise(hexes):
        letter = LETTERS[list(situation.ground.around(here)).index(there)]
        count = legs.pop()[1] if legs and legs[-1][0] == letter else 0
        legs.append((letter, count + 1))
    return " ".join([entry, *(f"{letter}{count}" for letter, count in legs)]).strip()
