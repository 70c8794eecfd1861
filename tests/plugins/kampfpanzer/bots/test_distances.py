"""Fast searches compared with plain ones: distances, overrun paths, ground tables, shots and parsed plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.kampfpanzer.positions import shipped

from kampfpanzer.bots.distances import FAR, DistanceField
from kampfpanzer.bots.overruns import _possible_charges
from kampfpanzer.bots.position import Position
from kampfpanzer.model.tables import HEX_HALVES, LETTERS
from kampfpanzer.plotting.notation import _parse_canonical, _read_fire, _read_movement, _Reader
from kampfpanzer.plotting.situation import Situation
from kampfpanzer.terrain.terrain import Ground
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.players.players import seat_players

READY = shipped("spain")
HEXES = READY.board.hexmap.numbers
hexes = st.lists(st.sampled_from(HEXES), min_size=1, max_size=6, unique=True)
mobilities = st.sampled_from(tuple(HEX_HALVES))


def ground_with(wrecks: list[str]) -> Ground:
    return Ground.on(READY.board, READY.options, tuple(sorted(wrecks)))


def plain_distances(ground: Ground, mobility: str, goals: list[str], dear: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    queue = [(0, goal) for goal in goals]
    while queue:
        halves, here = heappop(queue)
        if here in found:
            continue
        found[here] = halves
        for before in filter(None, ground.around(here)):
            heappush(queue, (halves + dear.get(here, 0) + ground.step_halves(mobility, before, here), before))
    return found


@pytest.mark.full
@settings(max_examples=15, deadline=None)
@given(mobilities, hexes, st.lists(st.sampled_from(HEXES), max_size=5), st.lists(st.sampled_from(HEXES), max_size=40))
def test_distance_field_matches_a_plain_search(
    mobility: str, goals: list[str], wrecks: list[str], held: list[str]
) -> None:
    ground, dear = ground_with(wrecks), dict.fromkeys(held, 16)
    plain = plain_distances(ground, mobility, goals, dear)
    field = DistanceField(ground, mobility, tuple(goals), dear)
    queried = [*goals, *held, HEXES[0], HEXES[-1], *HEXES]
    assert {each: field.halves(each) for each in queried} == {each: plain.get(each, FAR) for each in queried}


def test_distance_field_without_goals_is_far_everywhere() -> None:
    assert DistanceField(ground_with([]), "armor", (), {}).halves(HEXES[0]) == FAR


@settings(max_examples=25, deadline=None)
@given(mobilities, st.lists(st.sampled_from(HEXES), max_size=5), st.data())
def test_ground_tables_agree_with_step_costs(mobility: str, wrecks: list[str], data: st.DataObject) -> None:
    ground = ground_with(wrecks)
    near_wrecks = [near for each in wrecks for near in ground.around(each) if near]
    hex_ = data.draw(st.sampled_from([*HEXES, *wrecks * 50, *near_wrecks * 20]))
    around = ground.around(hex_)
    costs = [ground.step_halves(mobility, hex_, near) if near else 0 for near in around]
    assert ground.six_steps(mobility, hex_) == tuple(zip(around, costs, strict=True))
    assert ground.steps(mobility, hex_) == tuple(
        (letter, near, cost) for letter, near, cost in zip(LETTERS, around, costs, strict=True) if near
    )
    into = {near: ground.step_halves(mobility, near, hex_) for near in around if near}
    assert dict(ground.steps_into(mobility, hex_)) == into


def moments(scenario: str, bot: str) -> Iterator[Any]:
    """Yield a game at every decision for plots."""
    ready = shipped(scenario)
    players = seat_players(ready, dict.fromkeys(ready.board.sides, bot), key_from_seed("ways"))
    game = ready.new_game(KeyedDice(key_from_seed("ways")))
    game.start()
    seats = game.seats_of(players)
    while game.pending:
        if game.state.phase == "plot" and len(game.waiting()) > 1:
            yield game
        decision = game.waiting()[0]
        choose, view = seats[decision.seat]
        game.submit(choose(decision, view), decision.seat)


def plain_ways_to_overrun(position: Position, unit_id: str, target: str) -> list[tuple[Any, ...]]:
    """Return the overruns of a target, by a plain search from every hex around it."""
    kind, ground = position.kind(unit_id), position.ground
    start, defenders = position.units[unit_id].hex, position.enemy_hexes[target]
    zones = [hex_ for hex_, row in position.zones.items() if any(each not in defenders for each in row)]
    reached: dict[str, tuple[int, str]] = {}
    queue = [(0, start, "")]
    while queue:
        halves, here, letters = heappop(queue)
        if here in reached:
            continue
        reached[here] = (halves, letters)
        for letter, there, cost in ground.steps(kind.mobility, here):
            total = halves + cost
            to_go = ground.range_hexes(there, target) - 1
            if there not in position.enemy_hexes and there not in zones and total + 2 * to_go <= 2 * kind.movement - 6:
                heappush(queue, (total, there, letters + letter))
    found = []
    around = ground.around(target)
    for place, direction in enumerate(LETTERS):
        before, behind = around[place - 3], around[place]
        if behind and before in reached and behind not in position.enemy_hexes:
            halves, letters = reached[before]
            halves += ground.step_halves(kind.mobility, before, target) + 4
            halves += ground.step_halves(kind.mobility, target, behind)
            if halves <= 2 * kind.movement:
                found.append((unit_id, letters, direction, behind, halves))
    return found


@pytest.mark.full
@pytest.mark.parametrize("scenario", ["spain", "poland", "summa"])
def test_overrun_paths_match_a_plain_search(scenario: str) -> None:
    compared = 0
    for game in moments(scenario, "hunter"):
        for side in game.state.board.sides:
            position = Position(game.view(side), game.state.board, side)
            movers = [each for each in position.mine if position.kind(each).hard]
            for unit_id in movers:
                for target in position.enemy_hexes:
                    found = [tuple(charge) for _, charge in _possible_charges(position, unit_id, [target])]
                    assert found == plain_ways_to_overrun(position, unit_id, target)
                    compared += len(found)
    assert compared > 20


@pytest.mark.full
def test_shots_within_range_match_hex_distances() -> None:
    for game in moments("poland", "random"):
        for side in game.state.board.sides:
            situation = Situation(game.state, side)
            for hex_ in [unit.hex for unit in game.state.units.values() if unit.hex]:
                for reach in (1, 4, 20):
                    near = [each for each in situation.shots if situation.ground.range_hexes(hex_, each[0]) <= reach]
                    assert situation.shots_within(hex_, reach) == near


LEGS = [f"{letter}{count}" for letter in "ABCDEFS" for count in (0, 1, 2, 12, 99, 100, "03")]
OTHERS = ["VA", "VG", "V", "A", "N", "0304", "T", "L", "P", "0704/38", "/38", "/038", "38", "Q", "M", "", "03041"]
words = st.sampled_from([*LEGS, *OTHERS, *OTHERS])


@pytest.mark.full
@settings(max_examples=400)
@given(st.lists(words, max_size=5).map(" ".join))
def test_fast_parser_agrees_with_the_full_parser(text: str) -> None:
    glance = _parse_canonical(text)
    if glance is not None:
        read = _read_fire if text[0] in "NTLP" else _read_movement
        assert read(_Reader(text)) == glance


@pytest.mark.parametrize(
    "text", ["S2", "A1 A2", "A0", "A100", "a1", "A1  B2", "N 0304/038", "N 0304/0", "0304 ", "T 0304/1"]
)
def test_fast_parser_declines_text_that_is_not_canonical(text: str) -> None:
    assert _parse_canonical(text) is None


def test_fast_parser_accepts_halts_with_an_overrun() -> None:
    plot = _parse_canonical("S2 VD")
    assert plot is not None
    assert (plot.kind, plot.legs, plot.overrun) == ("overrun", (("S", 2),), "D")
    with pytest.raises(IllegalOrder):
        _read_movement(_Reader("S2"))
