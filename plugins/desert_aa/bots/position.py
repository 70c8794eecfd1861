"""The commander's analysis of its view: units by space, distances, threats and possible attacks."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from desert_aa.bots.odds import WHOLE, odds
from desert_aa.bots.settings import USUAL, Settings
from desert_aa.model.board import FAR, Board
from desert_aa.model.state import ADVANCED, LAID_DOWN
from desert_aa.model.tables import (
    ARMOR,
    ARTILLERY,
    EXTRA_SPACES,
    FLAK,
    GROUND,
    INFANTRY,
    PLANES,
    SIDE_OF,
    SUPPORTED_INFANTRY,
    VALUES,
)
from desert_aa.movement.supply import ON_ROAD


def _range(unit: Any) -> int:
    return VALUES[unit.power][unit.kind].move


LONGEST_MARCH = max(kinds[kind].move for kinds in VALUES.values() for kind in GROUND) + EXTRA_SPACES
"""Maximum number of spaces of a land move, including the extra space."""


class Position:
    """The map as the side of ``power`` sees it; each part is computed when it is first needed."""

    def __init__(self, view: Any, board: Board, power: str, settings: Settings = USUAL) -> None:
        self.hold, self.press = settings.hold, settings.press
        self.view = view
        self.board = board
        self.power = power
        self.side = SIDE_OF[power]
        self.turn: int = view.turn
        self.phase: str = view.phase
        self.units = view.units
        self.is_late = 0 < board.round_limit <= self.turn + 1

    @cached_property
    def _stacks(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        mine: dict[str, list[str]] = {}
        foes: dict[str, list[str]] = {}
        for unit_id in sorted(self.units):
            unit = self.units[unit_id]
            stacks = mine if SIDE_OF[unit.power] == self.side else foes
            stacks.setdefault(unit.space, []).append(unit_id)
        return mine, foes

    @cached_property
    def mine(self) -> dict[str, list[str]]:
        """The units of the side, by space."""
        return self._stacks[0]

    @cached_property
    def foes(self) -> dict[str, list[str]]:
        """The units of the enemy, by space."""
        return self._stacks[1]

    @cached_property
    def hostile(self) -> list[str]:
        """The spaces that the enemy holds or occupies."""
        control, foes, side = self.view.control, self.foes, self.side
        return [space for space in self.board.spaces if SIDE_OF[control[space]] != side or space in foes]

    @cached_property
    def _hostile(self) -> frozenset[str]:
        return frozenset(self.hostile)

    @cached_property
    def _homes(self) -> list[str]:
        return [space for space in self.board.spaces if space not in self._hostile]

    # --- units ---

    def kind(self, unit_id: str) -> str:
        """Return the kind of a unit."""
        kind: str = self.units[unit_id].kind
        return kind

    def space(self, unit_id: str) -> str:
        """Return the space of a unit."""
        space: str = self.units[unit_id].space
        return space

    def cost(self, unit_id: str) -> int:
        """Return the price of a unit."""
        unit = self.units[unit_id]
        return VALUES[unit.power][unit.kind].cost

    def attack(self, unit_id: str) -> int:
        """Return the need of an attacker. Infantry that begins with artillery in its space counts as supported."""
        unit = self.units[unit_id]
        if unit.kind == INFANTRY and unit.space in self._with_guns:
            return SUPPORTED_INFANTRY
        return VALUES[unit.power][unit.kind].attack

    def attack_of(self, units: Sequence[str]) -> list[int]:
        """Return the needs of ``units`` that attack together; each gun supports one infantry unit (DAA-15.07)."""
        guns = sum(self.kind(each) == ARTILLERY for each in units)
        values = []
        for each in units:
            unit = self.units[each]
            lifted = unit.kind == INFANTRY and guns > 0
            guns -= lifted
            values.append(SUPPORTED_INFANTRY if lifted else VALUES[unit.power][unit.kind].attack)
        return values

    @cached_property
    def _cuts(self) -> dict[str, int]:
        """The number of advanced enemy units that have a space in their rear, by space (DAA-6.03)."""
        found: dict[str, int] = {}
        for foes in self.foes.values():
            for each in foes:
                unit = self.units[each]
                if unit.condition == ADVANCED:
                    for space in self.board.rear[SIDE_OF[unit.power]].get(unit.space, ()):
                        found[space] = found.get(space, 0) + 1
        return found

    def cut_from(self, space: str) -> int:
        """Return the number of enemy units that a unit in ``space`` would cut off."""
        return self._cuts.get(space, 0)

    @cached_property
    def _with_guns(self) -> frozenset[str]:
        """The spaces with artillery of the side."""
        units = self.units.values()
        return frozenset(unit.space for unit in units if unit.kind == ARTILLERY and SIDE_OF[unit.power] == self.side)

    def defense_in(self, space: str) -> list[int]:
        """Return the needs of the enemy units that defend ``space``."""
        units = [self.units[each] for each in self.foes.get(space, ())]
        return [VALUES[unit.power][unit.kind].defense for unit in units if unit.kind != FLAK]

    def able_to_attack(self) -> list[str]:
        """Return the units that may make a combat move, without those that must hold the capital.

        In the last round no unit must hold it.
        """
        kept = [] if self.is_late and self.turn == self.board.round_limit else self.garrison()
        able = (
            each
            for each, unit in self.units.items()
            if unit.power == self.power and unit.kind != FLAK and unit.condition not in LAID_DOWN and each not in kept
        )
        return sorted(able)

    def threat_to(self, space: str) -> list[int]:
        """Return the needs of enemy ground units near ``space``: armor up to 3 steps away, other kinds up to 2.

        Flak, and units that are laid down, do not count.
        """
        near = self.board.land_distance[space]
        reach = {ARMOR: 3}
        return [
            VALUES[unit.power][unit.kind].attack
            for there, foes in self.foes.items()
            if near.get(there, FAR) <= reach[ARMOR]
            for unit in (self.units[each] for each in foes)
            if unit.condition not in LAID_DOWN
            and near[there] <= reach.get(unit.kind, 2)
            and unit.kind not in (*PLANES, FLAK)
        ]

    @cached_property
    def _home_threat(self) -> list[int]:
        return self.threat_to(self.board.capitals[self.side])

    def garrison(self) -> list[str]:
        """Return the ground units needed to hold the capital: none without a threat, all there if they are too few.

        Flak does not count.
        """
        home = self.board.capitals[self.side]
        threat = self._home_threat
        kept: list[str] = []
        if threat:
            there = [each for each in self.mine.get(home, ()) if self.kind(each) not in (*PLANES, FLAK)]
            for each in sorted(there, key=lambda each: (self.cost(each), each)):
                kept.append(each)
                if odds(threat, self.defenses(kept)).wins * 1000 <= self.hold * WHOLE:
                    break
        return kept

    def home_is_weak(self) -> bool:
        """Return whether the units in the capital would probably lose it."""
        home = self.board.capitals[self.side]
        threat = self._home_threat
        there = [each for each in self.mine.get(home, ()) if self.kind(each) != FLAK]
        return bool(threat) and odds(threat, self.defenses(there)).wins * 2 > WHOLE

    def defenses(self, units: Iterable[str]) -> list[int]:
        """Return the needs of ``units`` in defense."""
        return [VALUES[self.units[each].power][self.kind(each)].defense for each in units]

    def able_to_march(self) -> list[str]:
        """Return the ground units of the power that have not moved and are not laid down."""
        able = (
            each
            for each, unit in self.units.items()
            if unit.power == self.power
            and unit.kind not in PLANES
            and not unit.moved
            and unit.condition not in LAID_DOWN
        )
        return sorted(able)

    def aloft(self) -> list[str]:
        """Return the planes of the power that flew and are not over ground of the side."""
        aloft = (
            each
            for each, unit in self.units.items()
            if unit.power == self.power and unit.moved and unit.kind in PLANES and unit.space in self._hostile
        )
        return sorted(aloft)

    # --- ground ---

    def steps_to(self, goals: Iterable[str]) -> dict[str, int]:
        """Return the number of steps by land from each space to the nearest of ``goals``."""
        found = dict.fromkeys(goals, 0)
        edge = list(found)
        for here in edge:
            for there in self.board.land[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    edge.append(there)
        return found

    def front(self, spaces: Iterable[str]) -> str | None:
        """Return the space with the most own units, at the front if possible, or None if ``spaces`` is empty."""
        near = self.steps_to(self.hostile)
        return min(
            spaces, key=lambda each: (near.get(each, FAR) > 1, -len(self.mine.get(each, ())), each), default=None
        )

    def is_guarded(self, space: str) -> bool:
        """Return whether own ground units other than flak are in ``space``."""
        return any(self.kind(each) not in (*PLANES, FLAK) for each in self.mine.get(space, ()))

    def is_mined(self, space: str) -> bool:
        """Return whether the enemy is known to have a minefield in ``space``."""
        mine = self.view.minefields.get(space)
        return mine is not None and SIDE_OF[mine.power] != self.side

    def goals(self) -> list[str]:
        """Return the hostile spaces without known minefields: those with a value, or all if none has one."""
        clear = [space for space in self.hostile if not self.is_mined(space)]
        return [space for space in clear if self.board.value[space]] or clear

    # --- paths ---

    def paths_to(
        self, target: str, free: Mapping[str, bool], *, is_defended: bool, blitz: bool = True
    ) -> dict[str, list[str]]:
        """Return a path for each of the ``free`` units that can attack ``target``.

        Units run out of fuel only for undefended ground with a value, or near the end of the game. An extra space along
        the road costs no fuel. With ``blitz`` armor may pass through empty enemy ground.
        """
        haste = self.is_late or (self.board.value[target] > 0 and not is_defended)
        paths = self._flights(target, free) if is_defended and self._planes else {}
        units, mine = self.units, self.mine
        for runs in (False, True) if blitz else (False,):
            away = self._steps_to(target, runs=runs)
            for start in sorted(away.keys() & mine.keys()):
                for each in mine[start]:
                    unit = units[each]
                    if each not in free or each in paths or unit.kind in PLANES or (runs and unit.kind != ARMOR):
                        continue
                    path = self._march(start, target, away, _range(unit), runs=runs)
                    if path and (len(path) <= _range(unit) + 1 or haste or self._is_free(path)):
                        paths[each] = path
        return paths

    def _is_free(self, path: Sequence[str]) -> bool:
        """Return whether the extra space at the end of ``path`` costs no fuel (DAA-6.02)."""
        return ON_ROAD[self.view.options["road_rule"]](self.board, path)

    def flight_to(self, unit_id: str, target: str) -> list[str]:
        """Return a path by which a plane can attack ``target`` and return, or [] if none exists."""
        return self._flights(target, {unit_id: True}).get(unit_id, [])

    def _flights(self, target: str, free: Mapping[str, bool]) -> dict[str, list[str]]:
        """Return the paths of the ``free`` planes that can attack ``target`` and return to own ground."""
        distances = self.board.air_distance[target]
        home = min(map(distances.__getitem__, self._homes), default=FAR)
        paths: dict[str, list[str]] = {}
        for unit_id in self._planes:
            unit = self.units[unit_id]
            far = _range(unit) - unit.moved
            if unit_id in free and unit.space != target and distances[unit.space] + home <= far:
                paths[unit_id] = self._flight(unit.space, target)
        return paths

    @cached_property
    def _planes(self) -> list[str]:
        return [each for each, unit in self.units.items() if unit.power == self.power and unit.kind in PLANES]

    def _steps_to(self, target: str, *, runs: bool) -> dict[str, int]:
        """Return the number of steps by land to ``target`` from each space in reach.

        Paths cross own ground, and with ``runs`` also empty enemy ground.
        """
        land = self.board.land
        away = {target: 0}
        edge = [target]
        for steps in range(1, LONGEST_MARCH + 1):
            further = []
            for here in edge:
                for there in land[here]:
                    if there not in away:
                        away[there] = steps
                        if self._may_pass(there, runs=runs):
                            further.append(there)
            edge = further
        return away

    def _may_pass(self, space: str, *, runs: bool) -> bool:
        if space not in self._hostile:
            return True
        return runs and space not in self.foes and not self.is_mined(space)

    def _march(self, start: str, target: str, away: Mapping[str, int], most: int, *, runs: bool) -> list[str]:
        """Return the first shortest path to ``target``, or [] if it is too far.

        If the path needs the extra space, one along the road is preferred. A unit in ``target`` moves out and returns.
        """
        steps = away[start] or 2
        if steps > most + EXTRA_SPACES:
            return []
        paths = [[start]]
        for left in reversed(range(steps)):
            paths = [
                [*path, each]
                for path in paths
                for each in self.board.land[path[-1]]
                if away.get(each) == left and (each == target or self._may_pass(each, runs=runs))
            ]
        if steps <= most:
            return paths[0] if paths else []
        return next((path for path in paths if self._is_free(path)), paths[0] if paths else [])

    def _flight(self, start: str, target: str) -> list[str]:
        """Return a shortest flight."""
        distances = self.board.air_distance
        path = [start]
        while path[-1] != target:
            here = distances[path[-1]][target]
            path.append(next(each for each in self.board.air[path[-1]] if distances[each][target] < here))
        return path

    def steps_of(self, unit_id: str) -> int:
        """Return the number of steps of a unit without its extra space."""
        return _range(self.units[unit_id])

    def step_on(self, start: str, most: int, steps: Mapping[str, int], stop_at: int) -> list[str]:
        """Return a path over own ground: up to ``most`` spaces, and one more along the road.

        Each space is closer to the goal: it has a smaller number in ``steps``. The path ends when the number is at most
        ``stop_at``. It has only ``start`` if no space is closer.
        """
        path = [start]
        while steps.get(path[-1], FAR) > stop_at:
            here = path[-1]
            free_leg = len(path) == most + 1 and here in self.board.road_next
            following = self.board.road_next[here] if free_leg else self.board.land[here] if len(path) <= most else ()
            nearer = [
                each
                for each in following
                if each not in self._hostile and steps.get(each, FAR) < steps.get(here, FAR) and steps[each] >= stop_at
            ]
            if not nearer:
                break
            path.append(nearer[0])
            if free_leg:
                break
        return path

    def battle_goes_well(self) -> bool:
        """Return whether the attacker should fight another round, or True if there is no battle."""
        battle = self.view.battle
        if battle is None:
            return True
        attack = self.attack_of(battle.attackers)
        return odds(attack, self.defenses(battle.defenders)).wins * 1000 >= self.press * WHOLE
