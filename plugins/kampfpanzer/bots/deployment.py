"""Setting up: as near to the goal as the area lets, foot units aboard what can carry them when there is far to go."""

from functools import cached_property
from typing import Any

from kampfpanzer.bots.distances import DistanceFields
from kampfpanzer.bots.position import Goal
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Group
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.terrain.terrain import Ground

NEAR = 4
"""Foot units with no more than so many hexes to go walk."""


class Setup:
    """One side's deployment, line by line."""

    def __init__(self, view: Any, board: Board, side: str, goal: Goal, fields: DistanceFields) -> None:
        self.board, self.side, self.view = board, side, view
        self.ground = Ground.on(board, view.options, ())
        self.goal = goal
        self.fields = fields
        self.lines: dict[str, str] = {}
        self.held = {unit.hex for unit in view.units.values() if unit.hex and unit.side != side}
        self.nearest: dict[tuple[tuple[str, ...], str], list[str]] = {}
        """By area and mobility, its hexes, the nearest to the targets first."""

    def lines_of(self) -> dict[str, str]:
        """Return the lines of the whole force."""
        for group in self.board.groups:
            if group.side == self.side:
                self._embark(group)
                for unit_id in sorted(group.units, key=self._first):
                    if group.area and unit_id not in self.lines:
                        self._place(group, unit_id)
        return self.lines

    def _kind(self, unit_id: str) -> Any:
        return self.board.kinds[self.board.units[unit_id]]

    def _first(self, unit_id: str) -> tuple[bool, int]:
        """Foot units choose their hexes first: they stay there."""
        return not self._kind(unit_id).is_foot, int(unit_id)

    @cached_property
    def _targets(self) -> tuple[str, ...]:
        """Where the force wants to be: its goal, or the middle of the enemy."""
        if self.goal.ground or self.goal.exits:
            return self.goal.ground or self.goal.exits
        found = sorted(self._threats)
        return (found[len(found) // 2],)

    @cached_property
    def _threats(self) -> list[str]:
        """Where the enemy stands or, before he has set up, where he may, or enters."""
        enemy = [unit.hex for unit in self.view.units.values() if unit.side != self.side and unit.hex]
        groups = (group for group in self.board.groups if group.side != self.side)
        return enemy or [hex_ for group in groups for hex_ in group.area + group.entries]

    def _by_nearness(self, area: tuple[str, ...], mobility: str) -> list[str]:
        """Return the hexes of an area, the nearest to the targets first."""
        if (area, mobility) not in self.nearest:
            field = self.fields.of(self.ground, mobility, self._targets)
            self.nearest[area, mobility] = sorted(area, key=lambda hex_: (field.halves(hex_), hex_))
        return self.nearest[area, mobility]

    def _embark(self, group: Group) -> None:
        """Put foot units aboard while there are vehicles, guns last, where the goal is far off (KP-14.0h)."""
        carriers = [each for each in group.units if self._kind(each).is_vehicle]
        if self.board.riders:
            carriers += [each for each in group.units if self._kind(each).category == "afv"]
        guns_first = group.enters > 0  # a gun on foot never gets onto the map
        foot = [each for each in group.units if self._kind(each).is_foot]
        foot.sort(key=lambda each: self._kind(each).is_gun != guns_first)
        if not foot or not carriers or (self._is_near(group.area) and not self.goal.exits):
            return
        for unit_id, carrier in zip(foot, carriers, strict=False):
            self.lines[unit_id] = f"aboard {carrier}"

    def _is_near(self, area: tuple[str, ...]) -> bool:
        """Tell whether foot units that set up somewhere in an area may walk."""
        return any(self.ground.range_hexes(a, b) <= NEAR for a in area for b in self._targets)

    def _place(self, group: Group, unit_id: str) -> None:
        """Give a unit the best free hex of its area, a facing if it is a gun, an entrenchment where it may."""
        kind = self._kind(unit_id)
        hex_ = next(each for each in self._by_nearness(group.area, kind.mobility) if each not in self.held)
        self.held.add(hex_)
        words = [hex_]
        if kind.is_gun:
            words.append(self._facing(hex_))
        if kind.is_foot and (group.may_entrench or unit_id in group.entrenched):
            words.append("entrenched")
        self.lines[unit_id] = " ".join(words)

    def _facing(self, hex_: str) -> str:
        """Face the nearest hex from which the enemy comes."""
        threat = min(self._threats, key=lambda each: (self.ground.range_hexes(hex_, each), each))
        fits = [letter for letter in LETTERS if self.ground.in_arc(hex_, letter, threat)]
        return fits[0] if fits else "A"
