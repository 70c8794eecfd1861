"""Setting up: as near to the goal as the area lets, foot units aboard what can carry them when there is far to go."""

from typing import Any

from kampfpanzer.bots.distances import Fields
from kampfpanzer.bots.position import Goal
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Group
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.terrain.terrain import Ground

NEAR = 4
"""Foot units with no more than so many hexes to go walk."""


class Setup:
    """One side's deployment, line by line."""

    def __init__(self, view: Any, board: Board, side: str, goal: Goal, fields: Fields) -> None:
        self.board, self.side, self.view = board, side, view
        self.ground = Ground.on(board, view.options, ())
        self.goal = goal
        self.fields = fields
        self.lines: dict[str, str] = {}
        self.held: dict[str, list[str]] = {}

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

    def _targets(self) -> tuple[str, ...]:
        """Return where the force wants to be: its goal, or the middle of the enemy."""
        if self.goal.ground or self.goal.exits:
            return self.goal.ground or self.goal.exits
        enemy = [unit.hex for unit in self.view.units.values() if unit.side != self.side and unit.hex]
        areas = [hex_ for group in self.board.groups if group.side != self.side for hex_ in group.area + group.entries]
        found = sorted(enemy or areas)
        return (found[len(found) // 2],)

    def _far(self, unit_id: str, hex_: str) -> int:
        return self.fields.of(self.ground, self._kind(unit_id).mobility, self._targets()).halves(hex_)

    def _embark(self, group: Group) -> None:
        """Put foot units aboard while there are vehicles, guns last, where the goal is far off (KP-14.0h)."""
        carriers = [each for each in group.units if self._kind(each).is_vehicle]
        if self.board.riders:
            carriers += [each for each in group.units if self._kind(each).category == "afv"]
        guns_first = group.enters > 0  # a gun on foot never gets onto the map
        foot = [each for each in group.units if self._kind(each).is_foot]
        foot.sort(key=lambda each: self._kind(each).is_gun != guns_first)
        far = min((self.ground.range_hexes(a, b) for a in group.area for b in self._targets()), default=NEAR + 1)
        if far <= NEAR and not self.goal.exits:
            return
        for unit_id, carrier in zip(foot, carriers, strict=False):
            self.lines[unit_id] = f"aboard {carrier}"

    def _place(self, group: Group, unit_id: str) -> None:
        """Give a unit the best free hex of its area, a facing if it is a gun, an entrenchment where it may."""
        kind = self._kind(unit_id)
        hexes = sorted(group.area, key=lambda hex_: (self._far(unit_id, hex_), hex_))
        hex_ = next(each for each in hexes if self._is_free(each))
        self.held.setdefault(hex_, []).append(unit_id)
        words = [hex_]
        if kind.is_gun:
            words.append(self._facing(hex_))
        if kind.is_foot and (group.may_entrench or unit_id in group.entrenched):
            words.append("entrenched")
        self.lines[unit_id] = " ".join(words)

    def _is_free(self, hex_: str) -> bool:
        held = self.held.get(hex_, [])
        enemies = [unit for unit in self.view.units.values() if unit.hex == hex_ and unit.side != self.side]
        return not held and not enemies

    def _facing(self, hex_: str) -> str:
        """Face the nearest hex from which the enemy comes."""
        threats = [unit.hex for unit in self.view.units.values() if unit.side != self.side and unit.hex]
        areas = [each for group in self.board.groups if group.side != self.side for each in group.area + group.entries]
        threat = min(threats or areas, key=lambda each: (self.ground.range_hexes(hex_, each), each))
        fits = [letter for letter in LETTERS if self.ground.in_arc(hex_, letter, threat)]
        return fits[0] if fits else "A"
