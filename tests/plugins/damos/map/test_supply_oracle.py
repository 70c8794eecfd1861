"""Supply of random positions, compared with a second implementation on graphs."""

from collections.abc import Collection
from functools import partial
from itertools import pairwise

import networkx as nx
import pytest
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import OTHER, scattered
from work import lines_run

from damos.map.rails import supply_length
from damos.map.supply import RAIL, has_supply_line, reaches_source, supply_line
from damos.model.state import DamosState


def oracle(state: DamosState, side: str, ignoring: Collection[str] = ()) -> tuple[nx.Graph, nx.Graph, set[str]]:
    """Return the graphs of land and usable rail, and the closed hexes, computed from the rules."""
    board, enemy = state.board, OTHER[side]
    on_map = [unit for unit in state.units.values() if unit.hex]
    enemies = {unit.hex for unit in on_map if unit.side == enemy and unit.hex not in ignoring}
    friends = {unit.hex for unit in on_map if unit.side == side}
    steady = {unit.hex for unit in on_map if unit.side == enemy and not unit.demoralized and unit.hex not in ignoring}
    zone = {near for hex_ in steady for near in board.around[hex_]}
    closed = enemies | (zone - friends)
    ground = {*board.area, *(hex_ for hex_, holder in board.home.items() if holder == GERMAN)}
    land, rails = nx.Graph(), nx.Graph()
    land.add_nodes_from(ground)
    for hex_ in ground:
        for near in board.around[hex_]:
            if near in ground:
                land.add_edge(hex_, near)
                if "rail" in board.hexmap.side_of(hex_, near):
                    rails.add_edge(hex_, near)
    own = {
        hex_
        for hex_ in rails
        if state.control[hex_] == side and (hex_ in state.converted) == (side == GERMAN) and hex_ not in closed
    }
    return land, rails.subgraph(own), closed


def source_hexes(state: DamosState, side: str) -> set[str]:
    board = state.board
    if side == GERMAN:
        return {hex_ for hex_ in board.hexmap.numbers if hex_.endswith("30")}
    cities = {*board.hexmap.hexes_with("city"), *board.hexmap.hexes_with("major_city")}
    friendly = {hex_ for hex_ in cities & board.area if state.control[hex_] == SOVIET and board.home[hex_] == SOVIET}
    return friendly | {hex_ for hex_ in board.area if hex_.endswith("01")}


def hexes_by_oracle(state: DamosState, side: str, ignoring: Collection[str] = ()) -> set[str]:
    """Return every hex with a supply line."""
    land, rails, closed = oracle(state, side, ignoring)
    sources = source_hexes(state, side)
    length = 5 if side == SOVIET else 2 if state.turn >= 9 else 3
    served: set[str] = {hex_ for part in nx.connected_components(rails) if part & sources for hex_ in part}
    open_land = land.subgraph([hex_ for hex_ in land if hex_ not in closed])
    near: dict[str, int] = (
        nx.multi_source_dijkstra_path_length(open_land, served & set(open_land), cutoff=length) if served else {}
    )
    found: set[str] = (sources & state.board.area) | set(near)
    for hex_ in set(land) & closed:  # the unit's own hex does not matter
        if any(near.get(each, length) < length for each in land[hex_]):
            found.add(hex_)
    return found


def hexes_supplied(state: DamosState, side: str) -> set[str]:
    """Return every hex in which a force of a side would have a supply line."""
    return {hex_ for hex_ in state.board.hexmap.numbers if has_supply_line(state, side, hex_)}


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1b", "AGC-4.3.2a", "AGC-4.3.2b", "DM-2.10a", "DM-2.10b", "R-DM-75")
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
def test_supplied_hexes_match_the_oracle(seed: int, side: str) -> None:
    state = scattered(seed)
    expected = hexes_by_oracle(state, side)
    assert hexes_supplied(state, side) == expected


@pytest.mark.rule("R-DM-37")
@pytest.mark.parametrize("seed", range(6))
def test_supply_with_an_ignored_combat_hex_matches_the_oracle(seed: int) -> None:
    state = scattered(seed)
    for side in (GERMAN, SOVIET):
        combat = sorted({unit.hex for unit in state.units.values() if unit.hex and unit.side != side})[seed]
        expected = hexes_by_oracle(state, side, [combat])
        assert has_supply_line(state, side, combat, [combat]) is (combat in expected)


@pytest.mark.full
@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.2a")
@pytest.mark.parametrize("seed", range(6))
def test_each_line_is_valid_and_each_named_hex_blocks(seed: int) -> None:
    state = scattered(seed)
    board = state.board
    for side in (GERMAN, SOVIET):
        _, rails, closed = oracle(state, side)
        length = supply_length(state, side)
        for hex_ in sorted(board.area):
            line = supply_line(state, side, hex_)
            if not line.supplied:
                assert not line.path
                assert not line.rail_path
                for each, why in line.blocked:
                    assert why == RAIL or each in closed
                continue
            assert line.path[0] == hex_
            assert line.path[-1] == line.rail_path[0]
            assert len(line.path) - 1 <= length
            assert line.rail_path[-1] in source_hexes(state, side)
            assert not set(line.path[1:]) & closed
            assert all(near in board.around[here] for here, near in pairwise(line.path))
            if len(line.rail_path) > 1 or len(line.path) > 1:
                assert all(rails.has_edge(here, near) for here, near in pairwise(line.rail_path))
                assert line.rail_path[0] in rails


@pytest.mark.full
@pytest.mark.rule("DM-10.0b", "DM-10.0c", "R-DM-23")
@pytest.mark.parametrize("seed", range(8))
def test_hexes_with_a_path_to_a_source_match_the_oracle(seed: int) -> None:
    for option in ("exclusive_sources_any_length", "rail_needed"):
        state = scattered(seed, surrender_sources=option)
        for side in (GERMAN, SOVIET):
            land, rails, closed = oracle(state, side)
            sources = source_hexes(state, side) & state.board.area
            ends = sources - closed
            if option == "rail_needed":
                served = source_hexes(state, side)
                ends = {hex_ for part in nx.connected_components(rails) if part & served for hex_ in part}
            open_ = land.subgraph([hex_ for hex_ in land if hex_ not in closed])
            safe = {hex_ for part in nx.connected_components(open_) if part & ends for hex_ in part}
            for hex_ in sorted(state.board.area):
                expected = hex_ in sources or hex_ in safe or bool(safe & set(state.board.around[hex_]))
                assert reaches_source(state, side, hex_) is expected, (side, hex_)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_supply_after_each_change_matches_the_oracle(seed: int) -> None:
    state = scattered(seed)
    hexes = sorted(state.board.area)
    for number, unit_id in enumerate(sorted(state.units)[:24]):
        unit = state.units[unit_id]
        unit.hex = hexes[(number * 37 + seed * 11) % len(hexes)]
        unit.demoralized = number % 5 == 0
        if number % 3 == 0:
            state.control[unit.hex] = unit.side
        if number % 4 == 0:
            state.converted = state.converted[:-1]
        for side in (GERMAN, SOVIET):
            assert hexes_supplied(state, side) == hexes_by_oracle(state, side)


# --- work ---


@pytest.mark.full
def test_supply_after_a_move_takes_little_work() -> None:
    state = scattered(3, most=150)
    hexes = sorted(state.board.area)
    moved = [unit for unit in state.units.values() if unit.hex]
    work: list[int] = []
    for number, unit in enumerate(moved):
        for side in (GERMAN, SOVIET):
            has_supply_line(state, side, hexes[0])
        near = state.board.around[unit.hex] if unit.hex else hexes
        unit.hex = near[number % len(near)]
        state.control[unit.hex] = unit.side
        work += [lines_run(partial(has_supply_line, state, side, hexes[0])) for side in (GERMAN, SOVIET)]
    assert sorted(work)[len(work) * 95 // 100] < 12_000  # measured: 3,400
