"""The commander's quick searches against plain ones: ways to a target, flights home, what is asked for only once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.plugins.desert_aa.conftest import shipped_one

from desert_aa.bots.players import Commander
from desert_aa.bots.position import Position
from desert_aa.bots.settings import USUAL
from desert_aa.model.board import FAR
from desert_aa.model.tables import ARMOUR, PLANES, VALUES
from desert_aa.movement import air
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, MoveSpace, NonCombatMoves
from sandtable.errors import PlayError
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.players.players import seat_players

SCENARIOS = ("western_desert", "frontier")


def questions(scenario: str, bot: str) -> Iterator[tuple[Any, Decision]]:
    """Yield a game at every question for a move."""
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
        _, choose, view = seats[decision.seat]
        game.submit(choose(decision, view), decision.seat)


def plain_march(position: Position, start: str, target: str, most: int, *, runs: bool) -> list[str]:
    """Try all paths, the short ones first; of the shortest the first, or beyond the range one that costs no fuel."""
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
    """Tell whether the last step is along the road."""
    return path[-1] in position.board.road_next.get(path[-2], ())


def plain_ways_to(position: Position, target: str, free: dict[str, bool]) -> dict[str, list[str]]:
    defended = bool(position.defence_in(target))
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
            path = next(iter(fit[:1] if tries[0] in fit or unit.kind == ARMOUR else ()), [])
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


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("bot", ["commander", "random"])
def test_ways_to_a_target_are_those_of_a_plain_search(scenario: str, bot: str) -> None:
    compared = 0
    for game, decision in questions(scenario, bot):
        position = Position(game.view(decision.side), game.state.board, decision.power)
        free = dict.fromkeys(position.able_to_attack(), True)
        for target in position.hostile if game.state.turn % 3 == 1 else ():
            found = position.ways_to(target, free, is_defended=bool(position.defence_in(target)))
            assert found == plain_ways_to(position, target, free)
            compared += len(found)
    assert compared > 20


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_destinations_come_with_the_first_of_all_ways(scenario: str) -> None:
    compared = 0
    for game, decision in questions(scenario, "random"):
        space: Any = decision.options
        fliers = [each for able in space.leaders.values() for each in able if game.state.units[each].kind in PLANES]
        for unit_id in fliers[:2] if game.state.turn % 3 == 1 else ():
            for raid in (False, True):
                plain: dict[str, list[str]] = {}
                for path, is_raid in space.ways(unit_id):
                    if is_raid == raid:
                        plain.setdefault(path[-1], path)
                assert list(space.destinations(unit_id, raid=raid).items()) == list(plain.items())
                compared += len(plain)
    assert compared > 20


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_leaders_are_the_units_with_a_way_that_ends_elsewhere(scenario: str) -> None:
    for game, decision in questions(scenario, "commander"):
        space: Any = decision.options
        if not isinstance(space, NonCombatMoves) or space.only or game.state.turn % 3 != 1:
            continue
        fresh = NonCombatMoves.on(Ground(game.state))
        for start, movers in fresh.ground.movers.items():
            for unit_id in movers:
                unit = game.state.units[unit_id]
                if unit.kind in PLANES:
                    ends = air.in_reach(fresh.ground, start, dict.fromkeys(fresh.ground.landable, 0), 6 - unit.moved)
                    far = fresh.ground.range_of(unit)
                    may = any(0 < game.state.board.air_distance[start][end] <= far for end in ends)
                else:
                    may = fresh.why_unit(unit_id, start) is None and any(True for _ in fresh.ways(unit_id))
                assert may == (unit_id in fresh.leaders.get(start, ()))


@pytest.mark.full
def test_a_commander_looks_once_a_phase_and_answers_as_one_who_looks_every_time() -> None:
    looks = asked = 0
    ready = shipped_one("western_desert", ())
    stream = Stream.for_player(key_from_seed("looks"), "x")
    quick: dict[str, Commander] = {}
    careful: dict[str, Commander] = {}
    for game, decision in questions("western_desert", "commander"):
        power = decision.power

        def look(side: str, game: Game = game) -> Any:
            nonlocal looks
            looks += 1
            return game.view(side)

        if power not in quick:
            quick[power], careful[power] = (Commander(power, stream, ready.board) for _ in range(2))
        order = quick[power].choose(decision, View(decision.side, look))
        careful[power]._ground = None
        assert careful[power].choose(decision, View(decision.side, game.view)) == order
        asked += 1
    assert asked > 100
    assert looks < asked


def test_combat_moves_find_every_unit_in_reach_of_the_enemy() -> None:
    for game, decision in questions("frontier", "random"):
        space = decision.options
        if isinstance(space, CombatMoves):
            fresh = CombatMoves.on(Ground(game.state))
            able = {unit_id for start in fresh.leaders.values() for unit_id in start}
            movers = {unit_id for start in fresh.ground.movers.values() for unit_id in start}
            for unit_id in sorted(movers):
                idle = fresh.why_unit(unit_id, game.state.units[unit_id].space) is not None
                assert (unit_id in able) == (not idle and any(True for _ in fresh.ways(unit_id)))


# ---------------------------------------------------------------- the numbers it plays by


def test_it_plays_by_other_numbers_and_refuses_what_is_none_of_them() -> None:
    commander = Commander("italy", Stream(b"s"), shipped_one("frontier", ()).board)
    commander.configure({"chance": 811, "spare": 4})
    assert commander.settings == USUAL._replace(chance=811, spare=4)
    for wrong, said in (({"bold": 1}, "no setting 'bold'"), ({"chance": 1001}, "chance is 1001"), ({"cut": -1}, "cut")):
        with pytest.raises(PlayError, match=said):
            commander.configure(wrong)
