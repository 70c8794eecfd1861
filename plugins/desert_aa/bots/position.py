"""What the commander works out from what its side sees: who stands where, what is near, what can be attacked."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from desert_aa.model.board import FAR, Board
from desert_aa.model.state import LAID_DOWN
from desert_aa.model.tables import (
    ARMOUR,
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


def expected_survivors(attack: Sequence[int], defence: Sequence[int], rounds: int = 12) -> tuple[int, int]:
    """Return how many of each side are left when both roll average dice; the weakest are lost first."""
    a, d = sorted(attack), sorted(defence)
    attack_sixths = defence_sixths = 0
    for _ in range(rounds):
        if not a or not d:
            break
        attack_sixths += sum(a)
        defence_sixths += sum(d)
        d = d[attack_sixths // 6 :]
        a = a[defence_sixths // 6 :]
        attack_sixths %= 6
        defence_sixths %= 6
    return len(a), len(d)


def _range(unit: Any) -> int:
    return VALUES[unit.power][unit.kind].move


LONGEST_MARCH = max(kinds[kind].move for kinds in VALUES.values() for kind in GROUND) + EXTRA_SPACES
"""No unit goes farther by land, its extra space included."""


class Position:
    """The map of one moment, as the side of ``power`` sees it; each part is worked out when it is first asked for."""

    def __init__(self, view: Any, board: Board, power: str) -> None:
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
        """The spaces that the enemy holds or stands in."""
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
        """Return where a unit stands."""
        space: str = self.units[unit_id].space
        return space

    def cost(self, unit_id: str) -> int:
        """Return the price of a unit."""
        unit = self.units[unit_id]
        return VALUES[unit.power][unit.kind].cost

    def attack(self, unit_id: str) -> int:
        """Return what a unit hits on when it attacks; infantry counts as supported where artillery stands with it."""
        unit = self.units[unit_id]
        if unit.kind == INFANTRY and unit.space in self._with_guns:
            return SUPPORTED_INFANTRY
        return VALUES[unit.power][unit.kind].attack

    @cached_property
    def _with_guns(self) -> frozenset[str]:
        """The spaces where artillery of the side stands."""
        units = self.units.values()
        return frozenset(unit.space for unit in units if unit.kind == ARTILLERY and SIDE_OF[unit.power] == self.side)

    def defence_in(self, space: str) -> list[int]:
        """Return what the enemy units in ``space`` hit on."""
        units = [self.units[each] for each in self.foes.get(space, ())]
        return [VALUES[unit.power][unit.kind].defence for unit in units if unit.kind != FLAK]

    def able_to_attack(self) -> list[str]:
        """Return the units of the power that may make a combat move and are not needed to hold the capital."""
        kept = [] if self.is_late and self.turn == self.board.round_limit else self.garrison()
        able = (
            each
            for each, unit in self.units.items()
            if unit.power == self.power and unit.kind != FLAK and unit.condition not in LAID_DOWN and each not in kept
        )
        return sorted(able)

    def threat_to(self, space: str) -> list[int]:
        """Return what the enemy ground units that could be at ``space`` in their next turn hit on."""
        near = self.board.land_distance[space]
        reach = {ARMOUR: 3}
        return [
            VALUES[unit.power][unit.kind].attack
            for there, foes in self.foes.items()
            if near.get(there, FAR) <= reach[ARMOUR]
            for unit in (self.units[each] for each in foes)
            if near[there] <= reach.get(unit.kind, 2) and unit.kind not in (*PLANES, FLAK)
        ]

    @cached_property
    def _home_threat(self) -> list[int]:
        return self.threat_to(self.board.capitals[self.side])

    def garrison(self) -> list[str]:
        """Return the ground units in the capital that it takes to hold it; all of them where they are too few."""
        home = self.board.capitals[self.side]
        threat = self._home_threat
        kept: list[str] = []
        if threat:
            there = [each for each in self.mine.get(home, ()) if self.kind(each) not in (*PLANES, FLAK)]
            for each in sorted(there, key=lambda each: (self.cost(each), each)):
                kept.append(each)
                if expected_survivors(threat, self.defences(kept))[1] * 3 >= len(kept):
                    break
        return kept

    def home_is_weak(self) -> bool:
        """Return whether what is in the capital would not hold it."""
        home = self.board.capitals[self.side]
        threat = self._home_threat
        there = [each for each in self.mine.get(home, ()) if self.kind(each) != FLAK]
        return bool(threat) and expected_survivors(threat, self.defences(there))[1] == 0

    def defences(self, units: Iterable[str]) -> list[int]:
        """Return what ``units`` hit on in defence."""
        return [VALUES[self.units[each].power][self.kind(each)].defence for each in units]

    def able_to_march(self) -> list[str]:
        """Return the ground units of the power that stand where they stood."""
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
        """Return how many steps by land each space is from the nearest of ``goals``."""
        found = dict.fromkeys(goals, 0)
        edge = list(found)
        for here in edge:
            for there in self.board.land[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    edge.append(there)
        return found

    def front(self, spaces: Iterable[str]) -> str | None:
        """Return the one of ``spaces`` at the front where most own units stand."""
        near = self.steps_to(self.hostile)
        return min(
            spaces, key=lambda each: (near.get(each, FAR) > 1, -len(self.mine.get(each, ())), each), default=None
        )

    def is_guarded(self, space: str) -> bool:
        """Return whether own ground units stand in ``space``."""
        return any(self.kind(each) not in (*PLANES, FLAK) for each in self.mine.get(space, ()))

    def is_mined(self, space: str) -> bool:
        """Return whether the enemy is known to have a minefield in ``space``."""
        mine = self.view.minefields.get(space)
        return mine is not None and SIDE_OF[mine.power] != self.side

    def goals(self) -> list[str]:
        """Return the hostile spaces to march on: those that pay, or any where none does; mines are kept clear of."""
        clear = [space for space in self.hostile if not self.is_mined(space)]
        return [space for space in clear if self.board.value[space]] or clear

    # --- ways ---

    def ways_to(self, target: str, free: Mapping[str, bool], *, is_defended: bool) -> dict[str, list[str]]:
        """Return, for each of the ``free`` units that can attack ``target``, a path to it.

        Fuel is spent only for undefended ground that pays, or when the game is nearly over.
        """
        haste = self.is_late or (self.board.value[target] > 0 and not is_defended)
        away = self._steps_over_own_ground(target)
        ways = self._flights(target, free) if is_defended and self._planes else {}
        units, mine = self.units, self.mine
        for start in sorted(away.keys() & mine.keys()):
            able = [each for each in mine[start] if each in free and units[each].kind not in PLANES]
            path = self._march(start, target, away) if able else []
            if path:
                ways |= {each: path for each in able if len(path) <= _range(units[each]) + haste + 1}
        return ways

    def _flights(self, target: str, free: Mapping[str, bool]) -> dict[str, list[str]]:
        """Return the paths of the planes that can attack ``target`` and come home."""
        distances = self.board.air_distance[target]
        home = min(map(distances.__getitem__, self._homes), default=FAR)
        ways: dict[str, list[str]] = {}
        for unit_id in self._planes:
            unit = self.units[unit_id]
            far = _range(unit) - unit.moved
            if unit_id in free and unit.space != target and distances[unit.space] + home <= far:
                ways[unit_id] = self._flight(unit.space, target)
        return ways

    @cached_property
    def _planes(self) -> list[str]:
        return [each for each, unit in self.units.items() if unit.power == self.power and unit.kind in PLANES]

    def _steps_over_own_ground(self, target: str) -> dict[str, int]:
        """Return how many steps by land it is to ``target`` from where that is in reach, over own ground in between."""
        land, hostile = self.board.land, self._hostile
        away = {target: 0}
        edge = [target]
        for steps in range(1, LONGEST_MARCH + 1):
            further = []
            for here in edge:
                for there in land[here]:
                    if there not in away:
                        away[there] = steps
                        if there not in hostile:
                            further.append(there)
            edge = further
        return away

    def _march(self, start: str, target: str, away: Mapping[str, int]) -> list[str]:
        """Return a shortest path over own ground, the first by the order of neighbours; who stands there comes back."""
        path = [start]
        for left in reversed(range(away[start] or 2)):
            near = self.board.land[path[-1]]
            ways = (each for each in near if away.get(each) == left and (each == target or each not in self._hostile))
            step = next(ways, None)
            if step is None:
                return []
            path.append(step)
        return path

    def _flight(self, start: str, target: str) -> list[str]:
        """Return a shortest flight."""
        distances = self.board.air_distance
        path = [start]
        while path[-1] != target:
            here = distances[path[-1]][target]
            path.append(next(each for each in self.board.air[path[-1]] if distances[each][target] < here))
        return path

    def steps_of(self, unit_id: str) -> int:
        """Return how many steps a unit makes without its extra space."""
        return _range(self.units[unit_id])

    def step_on(self, start: str, most: int, steps: Mapping[str, int], stop_at: int) -> list[str]:
        """Return a path that comes nearer by ``steps``, over own ground: ``most`` of them, and one more along the road.

        It ends where they are no more than ``stop_at``.
        """
        path = [start]
        while steps.get(path[-1], FAR) > stop_at:
            here = path[-1]
            free_leg = len(path) == most + 1 and here in self.board.road_next
            ways = self.board.road_next[here] if free_leg else self.board.land[here] if len(path) <= most else ()
            nearer = [
                each
                for each in ways
                if each not in self._hostile and steps.get(each, FAR) < steps.get(here, FAR) and steps[each] >= stop_at
            ]
            if not nearer:
                break
            path.append(nearer[0])
            if free_leg:
                break
        return path

    def battle_goes_well(self) -> bool:
        """Return whether the attacker in the battle that is on should fight another round."""
        battle = self.view.battle
        if battle is None:
            return True
        attack = [self.attack(each) for each in battle.attackers]
        left, foes = expected_survivors(attack, self.defences(battle.defenders))
        return not foes and left > 0
