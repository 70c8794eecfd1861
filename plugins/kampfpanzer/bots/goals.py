"""What a side is after in a scenario: ground to stand on, a way off the map, or the enemy himself."""

from typing import NamedTuple

from kampfpanzer.bots.position import Position
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import DESTROYED


class Goal(NamedTuple):
    """What to do: be on ``ground`` as the game ends, leave by ``exits``, or (neither) destroy the enemy.

    ``needed`` units are to leave. ``hunt_first`` puts killing before leaving.
    """

    ground: tuple[str, ...] = ()
    exits: tuple[str, ...] = ()
    needed: int = 0
    hunt_first: bool = False


def goal_of(board: Board, side: str) -> Goal:
    """Return what a side wants by the victory conditions (KP-14.1.7 to KP-14.9.4)."""
    victory = board.victory
    if victory.hexes:
        return Goal(ground=victory.hexes)
    exits = board.exits.get(side, ())
    if victory.side == side and exits:
        return Goal(exits=exits, needed=victory.needed, hunt_first=victory.losses_needed > 0)
    return Goal()


LAST = 3
"""So many turns before the end, enough tanks to fill the number turn for the exits, whatever is still to destroy."""


def leavers(goal: Goal, position: Position) -> frozenset[str]:
    """Return the units that make for the exits this turn.

    Where enemies must be destroyed first, tanks hunt until it is done or time runs out; the rest leaves at once.
    """
    if not goal.exits:
        return frozenset()
    ready = [each for each in position.mine if position.is_combat(each)]
    if not goal.hunt_first or _has_destroyed_enough(position):
        return frozenset(ready)
    tanks = [each for each in ready if position.kind(each).hard and not position.kind(each).is_vehicle]
    others = [each for each in ready if each not in tanks]
    if position.board.last_turn - position.turn >= LAST:
        return frozenset(others)
    tanks.sort(key=lambda each: (_far(position, goal.exits, each), int(each)))
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
