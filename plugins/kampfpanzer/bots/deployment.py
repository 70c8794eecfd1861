"""Set-up by the captain: as near to the goal as the area permits, with foot units aboard if the goal is far.

A side that must keep the enemy from leaving sets up units that may entrench on the enemy's cheapest paths to its exits,
one path after the other. Its guns go where they see most of these paths. A side that must not lose units sets up
infantry and guns outside clear hexes if possible, because units can be overrun only in clear hexes.
"""

from collections import Counter
from functools import cached_property
from typing import Any

from kampfpanzer.bots.blocking import bar, cheapest_path
from kampfpanzer.bots.distances import DistanceFields
from kampfpanzer.bots.position import Goal
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import ARTILLERY, INFANTRY, Group
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.terrain.terrain import Ground

SEES = 10
"""Maximum distance in hexes at which guns cover the enemy's paths."""
DEPTH = 88
"""Position on the enemy's path where it is blocked, in percent of its length: paths merge before the exits."""
FOOT_PAIR = {INFANTRY, ARTILLERY}
"""The categories that may share a hex (KP-7.1a)."""
NEAR = 4
"""Maximum distance in hexes from the area to a target at which foot units may set up on foot."""


class Setup:
    """One side's deployment, built line by line."""

    def __init__(self, view: Any, board: Board, side: str, goal: Goal, fields: DistanceFields) -> None:
        self.board, self.side, self.view = board, side, view
        self.ground = Ground.on(board, view.options, ())
        self.goal = goal
        self.fields = fields
        self.lines: dict[str, str] = {}
        self.held: dict[str, list[str]] = {}
        """By hex, the units there: the enemy, and own units already placed."""
        for unit_id, unit in view.units.items():
            if unit.hex and unit.side != side:
                self.held.setdefault(unit.hex, []).append(unit_id)
        self.paths: list[str] = []
        """The hexes of the blocked paths, each once for every path that contains it."""
        self.surcharges: dict[str, int] = {}
        """By hex, the extra cost of the enemy's path caused by units already placed."""
        self.nearest: dict[tuple[tuple[str, ...], str], list[str]] = {}
        """By area and mobility, the hexes of the area, the nearest to the targets first."""

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

    def _first(self, unit_id: str) -> tuple[bool, bool, int]:
        """Return the sort key of a unit.

        Foot units choose first, because they stay in their hexes. Guns that cover blocked paths come after the
        blockers.
        """
        kind = self._kind(unit_id)
        return not kind.is_foot, bool(self.goal.deny) and kind.is_gun, int(unit_id)

    @cached_property
    def _targets(self) -> tuple[str, ...]:
        """The hexes that the force heads for: its goal, or the middle one of the enemy's hexes by number."""
        if self.goal.ground or self.goal.exits:
            return self.goal.ground or self.goal.exits
        found = sorted(self._threats)
        return (found[len(found) // 2],)

    @cached_property
    def _threats(self) -> list[str]:
        """The hexes of the enemy; before its set-up, the hexes where it may set up or enter."""
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
        """Put foot units aboard the available vehicles unless they walk (KP-14.0h).

        They walk if the area is near a target and has a hex for each unit of the group, and the side has no exits to
        reach. Guns embark last, but first in a group that enters later.
        """
        carriers = [each for each in group.units if self._kind(each).is_vehicle]
        if self.board.riders:
            carriers += [each for each in group.units if self._kind(each).category == "afv"]
        guns_first = group.enters > 0  # a gun on foot can never enter the map
        foot = [each for each in group.units if self._kind(each).is_foot]
        foot.sort(key=lambda each: self._kind(each).is_gun != guns_first)
        walks = self._is_near(group.area) and not self.goal.exits and len(group.units) <= len(group.area)
        if not foot or not carriers or walks:
            return
        for unit_id, carrier in zip(foot, carriers, strict=False):
            self.lines[unit_id] = f"aboard {carrier}"

    def _is_near(self, area: tuple[str, ...]) -> bool:
        """Return whether foot units that set up in an area are near enough to walk."""
        return any(self.ground.range_hexes(a, b) <= NEAR for a in area for b in self._targets)

    def _place(self, group: Group, unit_id: str) -> None:
        """Give a unit the best free hex of its area, a facing if it is a gun, and an entrenchment if permitted."""
        kind = self._kind(unit_id)
        path = self._enemy_path() if self.goal.deny and kind.is_foot and group.may_entrench else []
        hexes = self._on_path(group.area, unit_id, path) if path else self._by_nearness(group.area, kind.mobility)
        if self.goal.hold and kind.is_foot:
            hexes = sorted(hexes, key=self.ground.is_clear)
        hex_ = next((each for each in hexes if each not in self.held), "")
        ground = self.goal.ground
        if not hex_ or (ground and hex_ not in ground):
            pairs = (each for each in hexes if (not hex_ or each in ground) and self._may_join(each, unit_id))
            hex_ = next(pairs, hex_)
        self.held.setdefault(hex_, []).append(unit_id)
        if self.goal.deny and not kind.is_gun:
            bar(self.ground, self.surcharges, hex_)
            self.paths += path
        words = [hex_]
        if kind.is_gun:
            words.append(self._facing(hex_, self.paths if path else []))
        if kind.is_foot and (group.may_entrench or unit_id in group.entrenched):
            words.append("entrenched")
        self.lines[unit_id] = " ".join(words)

    def _may_join(self, hex_: str, unit_id: str) -> bool:
        """Return whether a hex holds one unit, already placed, that a unit may join: infantry and a gun (KP-7.1a)."""
        there = self.held.get(hex_, [])
        if len(there) != 1 or there[0] not in self.lines:
            return False
        return {self._kind(each).category for each in (there[0], unit_id)} == FOOT_PAIR

    def _enemy_path(self) -> list[str]:
        """Return the enemy's cheapest path to its exits past the units already placed."""
        return cheapest_path(self.ground, self._threats, self.goal.deny, self.surcharges)

    def _on_path(self, area: tuple[str, ...], unit_id: str, path: list[str]) -> list[str]:
        """Return the hexes of an area, best first, for blocking a path: on it, in cover from tanks, far along it.

        Guns go off the path, where they see most of it.
        """
        ground = self.ground
        if self._kind(unit_id).is_gun:
            return self._overlooking(area, unit_id, path)
        places = {hex_: place for place, hex_ in enumerate(path)}
        beside = {near: place for hex_, place in places.items() for near in ground.around(hex_) if near}
        wanted = DEPTH * len(path) // 100

        def rank(hex_: str) -> tuple[bool, bool, bool, int, str]:
            place = places.get(hex_, beside.get(hex_, 0))
            return hex_ not in places, hex_ not in beside, ground.is_clear(hex_), abs(wanted - place), hex_

        return sorted(area, key=rank)

    def _overlooking(self, area: tuple[str, ...], unit_id: str, path: list[str]) -> list[str]:
        """Return the hexes of an area, best first, for a gun: off the blocked paths, where it sees most of them."""
        kind, ground = self._kind(unit_id), self.ground
        reach, high = min(kind.range_hexes, SEES), kind.weapon == "H"
        paths = Counter(self.paths or path)

        def seen(hex_: str) -> int:
            near = ((each, often) for each, often in paths.items() if 1 < ground.range_hexes(hex_, each) <= reach)
            return sum(often for each, often in near if ground.sees(hex_, each, high_explosive=high))

        return sorted(area, key=lambda hex_: (hex_ in paths, -seen(hex_), hex_))

    def _facing(self, hex_: str, path: list[str]) -> str:
        """Return the facing that covers most of the path within ``SEES`` hexes, or else the enemy's nearest hex."""
        threat = min(self._threats, key=lambda each: (self.ground.range_hexes(hex_, each), each))
        seen = [each for each in path if 0 < self.ground.range_hexes(hex_, each) <= SEES]
        if seen:
            return max(LETTERS, key=lambda letter: sum(self.ground.in_arc(hex_, letter, each) for each in seen))
        fits = [letter for letter in LETTERS if self.ground.in_arc(hex_, letter, threat)]
        return fits[0] if fits else "A"
