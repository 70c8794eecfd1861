"""Plain searches for paths, to be compared with the commander's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.plugins.desert_aa.conftest import shipped_one

from desert_aa.model.board import FAR
from desert_aa.model.tables import ARMOR, PLANES, VALUES
from desert_aa.movement.options import MoveSpace
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import seat_players

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desert_aa.bots.position import Position
    from sandtable.kernel.decisions import Decision


def questions(scenario: str, bot: str) -> Iterator[tuple[Any, Decision]]:
    """Yield a game at every decision for a move."""
    ready = shipped_one(scenario, ())
    key = key_from_seed(f"ways of {bot}")
    players = seat_players(ready, dict.fromkeys(ready.ruleset.viewers, bot), key)
    game = ready.new_game(KeyedDice(key))
    game.start()
    seats = game.seats_of(players)
    while game.pending:
        decision = game.waiting()[0]
        if isinstance(decision.options, MoveSpace):
            yield game, decision
        choose, view = seats[decision.seat]
        game.submit(choose(decision, view), decision.seat)


def plain_march(position: Position, start: str, target: str, most: int, *, runs: bool) -> list[str]:
    """Return the first of the shortest paths, or beyond the normal range the first that costs no fuel."""
    paths = [[start]]
    for steps in range(1, most + 2):
        longer = [[*path, there] for path in paths for there in position.board.land[path[-1]]]
        found = [path for path in longer if path[-1] == target]
        if found:
            return found[0] if steps <= most else next((path for path in found if is_free(position, path)), found[0])
        paths = [
            path
            for path in longer
            if path[-1] not in position.hostile
            or (runs and path[-1] not in position.foes and not position.is_mined(path[-1]))
        ]
    return []


def is_free(position: Position, path: list[str]) -> bool:
    """Return whether the last step is along the road."""
    return path[-1] in position.board.road_next.get(path[-2], ())


def plain_paths_to(position: Position, target: str, free: dict[str, bool]) -> dict[str, list[str]]:
    defended = bool(position.defense_in(target))
    homes = [space for space in position.board.spaces if space not in position.hostile]
    ways = {}
    for unit_id in free:
        unit = position.units[unit_id]
        far = VALUES[unit.power][unit.kind].move
        if unit.kind in PLANES:
            path = plain_flight(position, unit.space, target, homes, far - unit.moved) if defended else []
        else:
            haste = position.is_late or (position.board.value[target] > 0 and not defended)
            tries = [plain_march(position, unit.space, target, far, runs=runs) for runs in (False, True)]
            fit = [path for path in tries if path and (len(path) <= far + 1 or haste or is_free(position, path))]
            path = next(iter(fit[:1] if tries[0] in fit or unit.kind == ARMOR else ()), [])
        if path:
            ways[unit_id] = path
    return ways


def plain_flight(position: Position, start: str, target: str, homes: list[str], far: int) -> list[str]:
    distances = position.board.air_distance
    home = min((distances[target][each] for each in homes), default=FAR)
    if start == target or distances[start][target] + home > far:
        return []
    path = [start]
    while path[-1] != target:
        left = distances[path[-1]][target]
        path.append(next(each for each in position.board.air[path[-1]] if distances[each][target] < left))
    return path
