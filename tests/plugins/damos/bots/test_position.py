"""Cached results: they equal results that are computed again."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import pytest
from tests.plugins.damos.positions import shipped
from tests.plugins.damos.scattered import scattered

from damos.bots import marching
from damos.bots.position import StaffPosition
from damos.fog.views import view
from damos.map.stacking import excess_of, most_stacked
from damos.map.supply import has_supply_line, supply_line
from damos.map.terrain import hex_halves, hexsides_between, step_halves
from damos.map.zones import exerting, zone_of
from damos.model.board import Board
from damos.model.forces import position
from damos.model.state import ON_MAP, DamosState, Unit, changes, moves
from damos.movement.march import March
from damos.movement.steps import NextHex, cost_of, why_no_step
from sandtable.journal.format.header import make_dice
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.players.players import seat_players

GERMAN, SOVIET = "german", "soviet"
SIDES = (GERMAN, SOVIET)


@contextmanager
def without_cache(board: Board) -> Iterator[None]:
    """Clear the caches of a board for a while."""
    kept = dict(board.caches)
    board.caches.clear()
    yield
    board.caches.clear()
    board.caches.update(kept)


def placed(state: DamosState) -> dict[str, Any]:
    """Return the cached facts of a state: stacks in their order, hexes that exert zones, and the zones."""
    sides = position(state).sides
    return {side: (list(sides[side].stacks.items()), exerting(state, side), zone_of(state, side)) for side in SIDES}


def change_units(state: DamosState, chance: Stream, most: int) -> None:
    """Change some units at random."""
    hexes = sorted(state.board.area)
    for unit_id in chance.sample(sorted(state.units), 1 + chance.below(most)):
        unit = state.units[unit_id]
        unit.hex, unit.standing = ("" if chance.one_in(6) else chance.pick(hexes)), ON_MAP
        unit.demoralized, unit.spent = chance.one_in(4), chance.one_in(2)
        unit.sp = 1 + chance.below(9)


@pytest.mark.parametrize("seed", range(4))
def test_cached_positions_and_views_match_in_two_alternating_games(seed: int) -> None:
    games = (scattered(seed), scattered(seed + 20))
    chance = Stream(b"changes %d" % seed)
    for number in range(24):
        state = games[chance.below(2)]
        change_units(state, chance, 40 if number % 8 == 7 else 4)
        for each in games:
            known = placed(each), [view(each, side) for side in (*SIDES, "umpire")]
            with without_cache(each.board):
                assert known == (placed(each), [view(each, side) for side in (*SIDES, "umpire")])


def test_the_cache_of_a_side_survives_a_move_of_the_other_side() -> None:
    state = scattered(5)
    before = position(state)
    next(unit for unit in state.units.values() if unit.side == GERMAN and unit.hex == "").hex = "2816"
    after = position(state)
    assert after.sides[SOVIET] is before.sides[SOVIET]
    assert after.sides[GERMAN] is not before.sides[GERMAN]
    assert "2816" not in before.sides[GERMAN].stacks


def test_each_change_of_a_unit_is_counted() -> None:
    unit = Unit(GERMAN, 5)
    counted = changes(), moves()
    unit.sp = 4
    assert (changes() > counted[0], moves()) == (True, counted[1])
    unit.hex = "2816"
    assert moves() > counted[1]
    counted = changes(), moves()
    unit.demoralized = True
    assert (changes() > counted[0], moves() > counted[1]) == (True, True)


def test_changing_a_view_does_not_change_the_next_view() -> None:
    state = scattered(1)
    seen = view(state, GERMAN)
    seen.units.clear()
    assert list(view(state, GERMAN).units) == list(state.units)


@pytest.mark.full
@pytest.mark.rule("DM-2.10a")
@pytest.mark.parametrize("seed", range(6))
def test_a_hex_has_supply_if_and_only_if_a_line_is_shown(seed: int) -> None:
    state = scattered(seed)
    for side in SIDES:
        for hex_ in state.board.hexmap.numbers:
            assert has_supply_line(state, side, hex_) is supply_line(state, side, hex_).supplied, (side, hex_)


@pytest.mark.rule("DM-2.3a")
def test_the_excess_of_a_stack_does_not_depend_on_order() -> None:
    state = scattered(2)
    counters = state.board.counters
    for units in combinations(sorted(counters)[::6], 4):
        if len({counters[each].side for each in units}) == 1:
            expected = len(units) - most_stacked(state, [counters[each] for each in units])
            assert excess_of(state, units) == excess_of(state, units[::-1]) == expected


@pytest.mark.rule("DM-3.0a")
@pytest.mark.parametrize("seed", range(2))
def test_a_step_costs_its_terrain_and_its_hexside(seed: int) -> None:
    state = scattered(seed)
    board = state.board
    for unit_id in sorted(state.units)[::25]:
        side = state.units[unit_id].side
        for start in sorted(board.area)[::3]:
            for near in board.around[start]:
                halves = step_halves(state, [unit_id], start, near)
                between = hexsides_between(state, side, start, near)
                if halves is None:
                    closed = {each for row in board.hexmap.terrain_of(near) for each in board.aid.terrain[row].closed}
                    assert any(each.closed for each in between) or board.counters[unit_id].type in closed
                else:
                    assert halves == hex_halves(state, [unit_id], near) + sum(each.halves for each in between)


@pytest.mark.rule("DM-7.0j")
@pytest.mark.parametrize("seed", range(3))
def test_a_force_can_enter_each_hex_that_is_not_refused(seed: int) -> None:
    state = scattered(seed)
    state.phasing_side = GERMAN
    for unit_id, unit in sorted(state.units.items()):
        if unit.hex and unit.side == GERMAN:
            march = March(state, [unit_id], lambda _: 6)
            open_ = [each for each in sorted(state.board.around[unit.hex]) if why_no_step(state, march, each) is None]
            assert NextHex.of(state, march).halves == {each: cost_of(state, march, each) for each in open_}


@pytest.mark.full
def test_the_staff_marches_to_the_best_hex_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hexes that its search skips are never better, and the values that it keeps from earlier steps stay valid."""
    prepared = shipped("smolensk")
    chosen = marching._best_path
    marches: list[int] = []

    def compare(staff_position: StaffPosition, force: March, hexes: NextHex) -> tuple[str, ...]:
        path = chosen(staff_position, force, hexes)
        marches.append(len(path))
        with without_cache(prepared.board):
            again = StaffPosition(staff_position.view, prepared.board, staff_position.side)
            again.duties = staff_position.duties
            assert path == best_of_all(again, force, hexes)
        return path

    monkeypatch.setattr(marching, "_best_path", compare)
    key = key_from_seed("bounds")
    prepared.new_game(make_dice("open", key)).play(seat_players(prepared, {GERMAN: "staff", SOVIET: "staff"}, key))
    assert len(marches) > 100


def best_of_all(staff_position: StaffPosition, force: March, hexes: NextHex) -> tuple[str, ...]:
    """Evaluate every hex and every enemy in order, and return the path to the first of the best."""
    weighed: list[tuple[int, tuple[str, ...]]] = []
    for hex_, route in marching._reachable(staff_position, force, hexes).items():
        weighed.append((marching._stay(staff_position, force, hex_, route), route.path))
        weighed += [
            (marching._assault(staff_position, force, hex_, near, route), (*route.path, near))
            for near in staff_position.board.around[hex_]
            if staff_position.enemies_in(near) and (route.path or near in hexes.halves)
        ]
    return max(weighed, key=lambda each: each[0])[1]
