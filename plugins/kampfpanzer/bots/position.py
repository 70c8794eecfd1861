"""The captain's view of a game, indexed for quick queries, and the goal of its side in the scenario."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Kind
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP
from kampfpanzer.terrain.terrain import Ground


class Position:
    """A side's view of a game, on which its bot decides. It contains only what that side may see."""

    def __init__(self, view: Any, board: Board, side: str) -> None:
        self.view = view
        self.board = board
        self.side = side
        self.units = view.units
        self.turn: int = view.turn
        self.ground = Ground.on(board, view.options, tuple(view.wrecks))
        self.taken: dict[str, list[str]] = {}
        """By hex, own units that will end the turn there, as decided so far."""
        self.powers: dict[str, dict[str, int]] = {}
        """By own unit, its attack strength against each enemy that it may fire at, filled on demand."""
        self.ranges_to: dict[str, dict[str, int]] = {}
        """By hex to be overrun, the distances of the hexes that the search for approaches visited."""
        self.aimed: dict[str, list[str]] = {}
        """By enemy, own units that fire at it, as decided so far."""
        self.left: int = max(1, board.last_turn - view.turn + 1)
        """The number of turns left, including the current one."""
        self.kills = 60
        """Value of a destroyed enemy per turn left, in sixtieths of a plot that it misses."""
        self._barred_for: dict[str, frozenset[str]] = {}

    @cached_property
    def mine(self) -> list[str]:
        """The side's own units on the map, except for passengers."""
        return [each for each, unit in self.units.items() if self._is_placed(unit) and unit.side == self.side]

    @cached_property
    def enemies(self) -> list[str]:
        """The enemy's units on the map, except for passengers."""
        return [each for each, unit in self.units.items() if self._is_placed(unit) and unit.side != self.side]

    @cached_property
    def enemy_places(self) -> list[tuple[str, int, int, Kind]]:
        """For each enemy on the map: its hex, the axial coordinates of the hex, and its type."""
        axial = self.ground.hexmap.axial
        return [(self.units[each].hex, *axial[self.units[each].hex], self.kind(each)) for each in self.enemies]

    @staticmethod
    def _is_placed(unit: Any) -> bool:
        return bool(unit.standing == ON_MAP and not unit.carrier)

    def kind(self, unit_id: str) -> Kind:
        """Return the type of a unit."""
        return self.board.kinds[self.units[unit_id].kind]

    @cached_property
    def passengers(self) -> dict[str, str]:
        """By id of a vehicle or tank, the id of the unit aboard."""
        return {unit.carrier: each for each, unit in self.units.items() if unit.carrier}

    @cached_property
    def enemy_hexes(self) -> dict[str, list[str]]:
        """By hex, the enemies in it."""
        found: dict[str, list[str]] = {}
        for each in self.enemies:
            found.setdefault(self.units[each].hex, []).append(each)
        return found

    @cached_property
    def zones(self) -> dict[str, list[str]]:
        """By hex, the enemies whose zone covers it."""
        found: dict[str, list[str]] = {}
        for each in self.enemies:
            unit = self.units[each]
            rider = self.passengers.get(each)
            carries = rider is not None and not self.kind(rider).is_gun
            if unit.disruption or (self.kind(each).is_vehicle and not carries):
                continue
            for hex_ in self.ground.around(unit.hex):
                if hex_:
                    found.setdefault(hex_, []).append(each)
        return found

    @cached_property
    def barred(self) -> frozenset[str]:
        """The hexes with an enemy or in an enemy zone."""
        return frozenset((*self.enemy_hexes, *self.zones))

    def barred_for(self, target: str) -> frozenset[str]:
        """Return the barred hexes for an attack on ``target``, without those that only its defenders' zones cover."""
        if target not in self._barred_for:
            defenders, zones = self.enemy_hexes[target], self.zones
            around = [each for each in self.ground.around(target) if each in zones and each not in self.enemy_hexes]
            free = [each for each in around if all(enemy in defenders for enemy in zones[each])]
            self._barred_for[target] = self.barred.difference(free)
        return self._barred_for[target]

    def is_combat(self, unit_id: str) -> bool:
        """Return whether a unit counts for victory, itself or through its passenger (KP-14.0j)."""
        return not self.kind(unit_id).is_vehicle or unit_id in self.passengers

    def prize(self, target: str) -> int:
        """Return the weight of an enemy as a target."""
        return 3 if self.is_combat(target) else 1

    def counted(self, unit_id: str) -> int:
        """Return the number of units that a unit counts as when it is overrun (KP-9.64a)."""
        unit = self.units[unit_id]
        return 2 if self.view.entrenchments.get(unit.hex) == unit.side and not self.kind(unit_id).is_vehicle else 1

    def exited(self, side: str) -> int:
        """Return the number of a side's combat units that have left the map."""
        return sum(
            unit.standing == EXITED and unit.side == side and not self.board.kinds[unit.kind].is_vehicle
            for unit in self.units.values()
        )

    def may_end(self, unit_id: str, hex_: str) -> bool:
        """Return whether a unit may plan to end its move in a hex, given the decisions so far (KP-7.0a, KP-7.1a)."""
        kind = self.kind(unit_id)
        soft_foot = not kind.is_vehicle and not kind.hard
        if hex_ in self.view.entrenchments and not soft_foot:
            return False
        others = self.taken.get(hex_, ())
        return all(self._share(unit_id, other) for other in others if other != unit_id)

    def _share(self, a: str, b: str) -> bool:
        kinds = sorted((self.kind(a).category, self.kind(b).category))
        return kinds == ["artillery", "infantry"]

    def settle(self, unit_id: str, hex_: str) -> None:
        """Record where a unit will end the turn."""
        for row in self.taken.values():
            if unit_id in row:
                row.remove(unit_id)
        self.taken.setdefault(hex_, []).append(unit_id)

    def nearest(self, hex_: str, ids: Sequence[str]) -> str:
        """Return the nearest of some units, the first one on a tie, or "" without units."""
        return min(ids, key=lambda each: (self.ground.range_hexes(hex_, self.units[each].hex), each), default="")


class Goal(NamedTuple):
    """The goal of a side: hold ``ground`` at the end, leave by ``exits``, or, with neither, destroy the enemy.

    ``needed`` units are to leave. ``hunt_first`` puts killing before leaving. ``deny`` are the exits that the enemy
    must not reach. ``hold`` is true if the enemy wins by destroying units, so that the side must not lose any.
    """

    ground: tuple[str, ...] = ()
    exits: tuple[str, ...] = ()
    needed: int = 0
    hunt_first: bool = False
    deny: tuple[str, ...] = ()
    hold: bool = False


def goal_of(board: Board, side: str) -> Goal:
    """Return the goal of a side under the victory conditions (KP-14.1.7 to KP-14.9.4)."""
    victory = board.victory
    if victory.hexes:
        return Goal(ground=victory.hexes)
    exits = board.exits.get(side, ())
    if victory.side == side and exits:
        return Goal(exits=exits, needed=victory.needed, hunt_first=victory.losses_needed > 0)
    if victory.side == side:
        return Goal()
    deny = board.exits.get(board.enemy_of(side), ()) if victory.kind == "exit" else ()
    return Goal(deny=deny, hold=victory.losses_needed > 0)


def leavers(goal: Goal, position: Position) -> frozenset[str]:
    """Return the units that head for the exits this turn.

    If enemies must be destroyed first, tanks hunt until that is done. The other units leave at once, together with as
    many of the weakest tanks as are needed to reach the number.
    """
    if not goal.exits:
        return frozenset()
    ready = [each for each in position.mine if position.is_combat(each)]
    if not goal.hunt_first or _has_destroyed_enough(position):
        return frozenset(ready)
    tanks = [each for each in ready if position.kind(each).hard and not position.kind(each).is_vehicle]
    others = [each for each in ready if each not in tanks]
    tanks.sort(key=lambda each: (position.kind(each).attack, _far(position, goal.exits, each), int(each)))
    missing = goal.needed - position.exited(position.side) - len(others)
    return frozenset([*others, *tanks[: max(0, missing)]])


def _far(position: Position, exits: tuple[str, ...], unit_id: str) -> int:
    here = position.units[unit_id].hex
    return min(position.ground.range_hexes(here, each) for each in exits)


def _has_destroyed_enough(position: Position) -> bool:
    enemy = next(side for side in position.board.sides if side != position.side)
    lost = [unit for unit in position.units.values() if unit.standing == DESTROYED and unit.side == enemy]
    destroyed = sum(not position.board.kinds[unit.kind].is_vehicle for unit in lost)
    return bool(destroyed >= position.board.victory.losses_needed)
