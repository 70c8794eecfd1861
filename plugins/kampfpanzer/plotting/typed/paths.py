"""The hexes that a unit can reach, and the paths, with all other units and zones in their current positions.

Moves are plotted in secret and made at once, so an enemy that moves may close a path found here or open another. "94 to
1503" is plotted as the cheapest path to 1503.
"""

import re
from itertools import pairwise

from kampfpanzer.model.state import ON_MAP, WAITING
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.notation import legs_of
from kampfpanzer.plotting.situation import Situation, points
from kampfpanzer.terrain.zones import would_exert_zone
from sandtable import IllegalOrder
from sandtable.graphs import CostTable, MapPath, cheapest_path

GOAL = re.compile(r"(?:to|go|go to)\s+(\d{4})", re.ASCII | re.IGNORECASE)
FAR = 4
"""Maximum cost of a path in allowances, so that a refusal can show a path that is too expensive."""


class Marches:
    """The steps that a unit can make: by the terrain chart, and by the enemy's current hexes and zones.

    ``allowance`` and costs are in half points; ``zone`` are the hexes that enemies control (KP-8.0a).
    """

    def __init__(self, situation: Situation, unit_id: str) -> None:
        kind = situation.kind(unit_id)
        self.situation, self.unit_id, self.unit = situation, unit_id, situation.units[unit_id]
        self.mobility, self.allowance = kind.mobility, 2 * kind.movement
        self.numbers, self.index = situation.ground.hexmap.numbers, situation.ground.hexmap.index
        self.zone = {near for hex_ in self._controlling() for near in situation.ground.around(hex_) if near}
        self.table = self._open_steps()

    def _controlling(self) -> list[str]:
        situation = self.situation
        enemies = ((each, unit) for each, unit in situation.units.items() if unit.side != self.unit.side)
        return [
            unit.hex
            for each, unit in enemies
            if unit.standing == ON_MAP and not unit.carrier and would_exert_zone(situation.state, each)
        ]

    def _open_steps(self) -> CostTable:
        """Return the cost of each step, without steps into enemy hexes or from zone to zone (KP-8.0e)."""
        around = self.situation.ground.around
        closed = [(near, hex_) for hex_ in self.situation.enemies_at for near in around(hex_) if near]
        closed += [(hex_, near) for hex_ in self.zone for near in around(hex_) if near in self.zone]
        index = self.index
        barred: dict[tuple[int, int], int | None] = {(index[here], index[there]): None for here, there in closed}
        return self.situation.ground.table(self.mobility).changed(barred)

    def must_stop(self, space: int) -> bool:
        """Return whether a unit that enters a hex must stop there (KP-8.0b)."""
        return self.numbers[space] in self.zone

    def starts(self) -> dict[str, int]:
        """Return the hexes where the move may begin, entry hexes if off the map, with the half points already spent."""
        if self.unit.standing != WAITING:
            return {self.unit.hex: 0}
        entries = self.situation.group(self.unit_id).entries
        return {each: self.situation.ground.entry_halves(self.mobility, each) for each in entries}

    def to(self, goal: str, allowance: int) -> tuple[str, MapPath, int] | None:
        """Return the cheapest path to a hex within ``allowance``, as a plot and as hexes, with its cost, or None."""
        found: list[tuple[int, str, MapPath]] = []
        for start, spent in self.starts().items():
            path = cheapest_path(
                self.table, self.index[start], self.index[goal], allowance=allowance - spent, stops=self.must_stop
            )
            if path is not None:
                found.append((path.cost + spent, start, path))
        if not found:
            return None
        cost, start, path = min(found, key=lambda each: each[:2])
        return self._plot(start if self.unit.standing == WAITING else "", path), path, cost

    def _plot(self, entry: str, path: MapPath) -> str:
        around, hexes = self.situation.ground.around, [self.numbers[each] for each in path.spaces]
        letters = [LETTERS[list(around(here)).index(there)] for here, there in pairwise(hexes)]
        return f"{entry} {legs_of(letters)}".strip()


def goal_of(text: str) -> str:
    """Return the hex that a line names as its goal, as in "to 1503", or ""."""
    found = GOAL.fullmatch(text.strip())
    return found[1] if found else ""


def path_to(situation: Situation, unit_id: str, goal: str) -> str:
    """Return the cheapest move to a hex as a plot. Raises IllegalOrder if none exists within the allowance."""
    name, unit, kind = situation.name(unit_id), situation.units[unit_id], situation.kind(unit_id)
    if not situation.ground.holds(goal):
        raise IllegalOrder("KP-3.1a", f"{goal} is not a hex of this map")
    if unit.hex == goal:
        raise IllegalOrder("KP-5.1a", f"{name} is already in {goal}")
    if unit.carrier or not kind.movement:
        raise IllegalOrder("KP-12.2b" if unit.carrier else "R-KP-17", f"{name} cannot move by itself")
    if goal in situation.enemies_at:
        enemy = situation.name(situation.enemies_at[goal][0])
        raise IllegalOrder("KP-7.0c", f"{name} has no path to {goal}: {enemy} holds it")
    marches = Marches(situation, unit_id)
    found = marches.to(goal, FAR * marches.allowance)
    if found is None:
        raise IllegalOrder("KP-8.0e", f"{name} has no path to {goal}: enemy zones block it, or it is too far")
    text, _, cost = found
    if cost > marches.allowance:
        raise IllegalOrder("KP-6.0c", f"{goal} is {points(cost)} points away ({text}), but {name} has {kind.movement}")
    return text
