"""What the commander reckons from what its side sees: who stands where, what is near, what can be attacked."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from desert_aa.model.board import FAR, Board
from desert_aa.model.state import LAID_DOWN
from desert_aa.model.tables import ARMOUR, ARTILLERY, FLAK, INFANTRY, PLANES, SIDE_OF, SUPPORTED_INFANTRY, VALUES


def clash(attack: Sequence[int], defence: Sequence[int], rounds: int = 12) -> tuple[int, int]:
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


class Survey:
    """The map of one moment, as the side of ``power`` sees it."""

    def __init__(self, view: Any, board: Board, power: str) -> None:
        self.view = view
        self.board = board
        self.power = power
        self.side = SIDE_OF[power]
        self.turn: int = view.turn
        self.phase: str = view.phase
        self.units = view.units
        self.mine: dict[str, list[str]] = {}
        self.foes: dict[str, list[str]] = {}
        for unit_id in sorted(self.units):
            unit = self.units[unit_id]
            stacks = self.mine if SIDE_OF[unit.power] == self.side else self.foes
            stacks.setdefault(unit.space, []).append(unit_id)
        control = view.control
        limit = board.round_limit
        self.is_late = 0 < limit <= self.turn + 1
        self.hostile = [space for space in board.spaces if SIDE_OF[control[space]] != self.side or space in self.foes]
        self._hostile = dict.fromkeys(self.hostile)

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
        value = VALUES[unit.power][unit.kind].attack
        if unit.kind == INFANTRY and any(self.kind(each) == ARTILLERY for each in self.mine.get(unit.space, ())):
            return SUPPORTED_INFANTRY
        return value

    def defence_in(self, space: str) -> list[int]:
        """Return what the enemy units in ``space`` hit on."""
        units = [self.units[each] for each in self.foes.get(space, ())]
        return [VALUES[unit.power][unit.kind].defence for unit in units if unit.kind != FLAK]

    def able_to_attack(self) -> list[str]:
        """Return the units of the power that may make a combat move and are not needed to hold the capital."""
        kept = [] if self.is_late and self.turn == self.board.round_limit else self.garrison()
        return [
            each
            for each, unit in sorted(self.units.items())
            if unit.power == self.power and unit.kind != FLAK and unit.condition not in LAID_DOWN and each not in kept
        ]

    def threat_to(self, space: str) -> list[int]:
        """Return what the enemy ground units that could be at ``space`` in their next turn hit on."""
        near = self.steps_to([space])
        reach = {ARMOUR: 3}
        return [
            VALUES[unit.power][unit.kind].attack
            for there, foes in self.foes.items()
            for unit in (self.units[each] for each in foes)
            if unit.kind not in (*PLANES, FLAK) and near.get(there, FAR) <= reach.get(unit.kind, 2)
        ]

    def garrison(self) -> list[str]:
        """Return the ground units in the capital that it takes to hold it; all of them where they are too few."""
        home = self.board.capitals[self.side]
        threat = self.threat_to(home)
        kept: list[str] = []
        if threat:
            there = [each for each in self.mine.get(home, ()) if self.kind(each) not in (*PLANES, FLAK)]
            for each in sorted(there, key=lambda each: (self.cost(each), each)):
                kept.append(each)
                if clash(threat, self.defences(kept))[1] * 3 >= len(kept):
                    break
        return kept

    def home_is_weak(self) -> bool:
        """Return whether what is in the capital would not hold it."""
        home = self.board.capitals[self.side]
        threat = self.threat_to(home)
        there = [each for each in self.mine.get(home, ()) if self.kind(each) != FLAK]
        return bool(threat) and clash(threat, self.defences(there))[1] == 0

    def defences(self, units: Iterable[str]) -> list[int]:
        """Return what ``units`` hit on in defence."""
        return [VALUES[self.units[each].power][self.kind(each)].defence for each in units]

    def able_to_march(self) -> list[str]:
        """Return the ground units of the power that stand where they stood."""
        return [
            each
            for each, unit in sorted(self.units.items())
            if unit.power == self.power
            and unit.kind not in PLANES
            and not unit.moved
            and unit.condition not in LAID_DOWN
        ]

    def aloft(self) -> list[str]:
        """Return the planes of the power that flew and are not over ground of the side."""
        return [
            each
            for each, unit in sorted(self.units.items())
            if unit.power == self.power and unit.kind in PLANES and unit.moved and unit.space in self._hostile
        ]

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

    def ways_to(self, target: str, free: Mapping[str, bool]) -> dict[str, list[str]]:
        """Return, for each of the ``free`` units that can attack ``target``, a path to it.

        Fuel is spent only for undefended ground that pays, or when the game is nearly over.
        """
        ways: dict[str, list[str]] = {}
        homes = [space for space in self.board.spaces if space not in self._hostile]
        for unit_id in free:
            unit = self.units[unit_id]
            if unit.kind in PLANES:
                path = self._flight(unit, target, homes)
            else:
                haste = self.is_late or (self.board.value[target] > 0 and not self.defence_in(target))
                path = self._march(unit.space, target, VALUES[unit.power][unit.kind].move + haste)
            if path:
                ways[unit_id] = path
        return ways

    def _march(self, start: str, target: str, steps: int) -> list[str]:
        """Return a shortest path of at most ``steps`` over own ground, [] if there is none."""
        edge = [[start]]
        seen = [start]
        for _ in range(steps):
            longer = []
            for path in edge:
                near = self.board.land[path[-1]]
                if target in near:
                    return [*path, target]
                for there in near:
                    if there not in self._hostile and there not in seen:
                        seen.append(there)
                        longer.append([*path, there])
            edge = longer
        return []

    def _flight(self, unit: Any, target: str, homes: Sequence[str]) -> list[str]:
        """Return a shortest flight to ``target`` that leaves enough to come home, [] if there is none."""
        if not self.defence_in(target):
            return []
        distances = self.board.air_distance
        there = distances[unit.space][target]
        home = min((distances[target][each] for each in homes), default=FAR)
        if there + home > VALUES[unit.power][unit.kind].move - unit.moved or not there:
            return []
        path = [unit.space]
        while path[-1] != target:
            here = distances[path[-1]][target]
            path.append(next(each for each in self.board.air[path[-1]] if distances[each][target] < here))
        return path

    def step_on(self, unit_id: str, steps: Mapping[str, int], stop_at: int) -> list[str]:
        """Return a path that comes nearer by ``steps``, over own ground, as far as fuel allows, or to ``stop_at``."""
        unit = self.units[unit_id]
        path = [unit.space]
        most = VALUES[unit.power][unit.kind].move
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
        left, foes = clash(attack, self.defences(battle.defenders))
        return not foes and left > 0
