"""Supply lines: how long, along what, to where, what cuts them; ways of any length; and all that against an oracle."""

from collections.abc import Collection
from functools import partial
from itertools import pairwise

import networkx as nx  # type: ignore[import-untyped]
import pytest
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET
from tests.plugins.damos.scattered import OTHER, scattered
from work import lines_run

from damos.map.rails import is_supply_source, rail_sources, supply_length
from damos.map.supply import (
    ENEMY,
    RAIL,
    ZONE,
    has_supply_line,
    is_isolated,
    reaches_source,
    supply_line,
)
from damos.model.state import DamosState
from damos.turn.strategic import surrendering

# The railway of the small map runs along row 28; what lies from column 16 on westwards is German, and converted.

# --- length ---


@pytest.mark.rule("AGC-4.3.1a", "DM-2.10a")
def test_a_german_line_is_three_hexes_long_off_the_railway(lay: Lay) -> None:
    state = lay(german="2518 I1; 2418 I2").state
    assert supply_line(state, GERMAN, "2518").path == ("2518", "2617", "2717", "2816")
    assert supply_line(state, GERMAN, "2518").rail_path[0] == "2816"
    assert supply_line(state, GERMAN, "2518").rail_path[-1] == "2830"
    assert not has_supply_line(state, GERMAN, "2418")
    assert supply_line(state, GERMAN, "2418").blocked == (), "nothing blocks: it is too far"


@pytest.mark.rule("AGC-4.3.1b", "R-DM-60")
@pytest.mark.parametrize(("turn", "supplied"), [(8, True), (9, False), (12, False)])
def test_it_is_shorter_in_winter(lay: Lay, turn: int, *, supplied: bool) -> None:
    state = lay(german="2518 I1; 2618 I2", turn=turn).state
    assert has_supply_line(state, GERMAN, "2518") is supplied
    assert has_supply_line(state, GERMAN, "2618")


@pytest.mark.rule("R-DM-60")
def test_winter_begins_by_the_calendar(lay: Lay) -> None:
    assert has_supply_line(lay(german="2518 I1", turn=9, calendar="t1_22_june").state, GERMAN, "2518")
    assert not has_supply_line(lay(german="2518 I1", turn=10, calendar="t1_22_june").state, GERMAN, "2518")


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.2c")
@pytest.mark.parametrize("turn", [3, 12])
def test_a_soviet_line_is_five_hexes_long_all_the_year(lay: Lay, turn: int) -> None:
    state = lay(soviet="2308 i1; 2208 i2", turn=turn).state
    line = supply_line(state, SOVIET, "2308")
    assert (len(line.path), line.rail_path[-1]) == (6, "2801")
    assert not has_supply_line(state, SOVIET, "2208")


@pytest.mark.rule("R-DM-36")
def test_no_length_at_all_on_the_railway_and_on_a_source(lay: Lay) -> None:
    state = lay(german="2820 I1", soviet="2806 i1; 3505 i2; 3601 i3; 3506 i4", city="3505").state
    assert supply_line(state, GERMAN, "2820").path == ("2820",)
    assert supply_line(state, SOVIET, "2806").path == ("2806",)
    assert supply_line(state, SOVIET, "3505") == (True, ("3505",), ("3505",), ())
    assert has_supply_line(state, SOVIET, "3601"), "it stands on the east edge"
    assert not has_supply_line(state, SOVIET, "3506"), "beside a city without railway there is none"


# --- railways and sources ---


@pytest.mark.rule("AGC-4.3.1c", "AGC-4.3.1a")
def test_unconverted_rail_does_not_serve_the_germans(lay: Lay) -> None:
    case = lay(german="2811 I1", control={GERMAN: "2815 2814 2813 2812 2811"})
    state = case.state
    line = supply_line(state, GERMAN, "2811")
    assert not line.supplied
    assert dict(line.blocked) == {f"28{place:02}": RAIL for place in (8, 9, 10, 12, 13, 14)}, "what rail is in reach"
    state.converted = sorted([*state.converted, "2815"])
    assert not has_supply_line(state, GERMAN, "2811")
    state.converted = sorted([*state.converted, "2814"])
    assert supply_line(state, GERMAN, "2811").path == ("2811", "2812", "2813", "2814")


@pytest.mark.rule("AGC-4.3.1c")
def test_a_unit_on_unconverted_rail_goes_across_country_to_the_railhead(lay: Lay) -> None:
    line = supply_line(lay(german="2815 I1").state, GERMAN, "2815")
    assert line.path == ("2815", "2816")
    assert line.rail_path[:2] == ("2816", "2817")


@pytest.mark.rule("AGC-4.3.1a", "DM-2.9d")
def test_rail_in_enemy_control_does_not_serve(lay: Lay) -> None:
    state = lay(german="2816 I1", control={SOVIET: "2822"}).state
    assert not has_supply_line(state, GERMAN, "2816")
    assert has_supply_line(state, GERMAN, "2823")


@pytest.mark.rule("AGC-4.3.2a", "AGC-4.3.2b")
def test_the_soviets_need_unconverted_rail_of_their_own(lay: Lay) -> None:
    case = lay(soviet="2812 i1")
    state = case.state
    assert has_supply_line(state, SOVIET, "2812")
    state.converted = sorted([*state.converted, *(f"28{place:02}" for place in range(3, 16))])
    assert not has_supply_line(state, SOVIET, "2812")
    assert has_supply_line(state, SOVIET, "2807"), "five hexes from there to 2802"


@pytest.mark.rule("AGC-4.3.2b")
def test_a_city_is_a_source_while_it_is_friendly(lay: Lay) -> None:
    state = lay(soviet="2813 i1", city="2810", control={GERMAN: "2808"}).state
    assert supply_line(state, SOVIET, "2813").rail_path == ("2813", "2812", "2811", "2810")
    state.control["2810"] = GERMAN
    assert not has_supply_line(state, SOVIET, "2813"), "and it is six hexes to 2807"


@pytest.mark.rule("AGC-1.3e")
def test_cities_outside_the_area_are_no_sources(stage: Stage) -> None:
    state = stage(soviet="2811 s-4rc").state
    board = state.board
    outside = [hex_ for hex_ in board.hexmap.hexes_with("city") if hex_ not in board.area]
    assert outside
    assert not [hex_ for hex_ in outside if is_supply_source(state, SOVIET, hex_)]
    assert not set(outside) & set(rail_sources(state, SOVIET))


@pytest.mark.rule("R-DM-74", "DM-2.10c")
def test_german_cities_are_sources_by_the_series_only(lay: Lay) -> None:
    for token, supplied in (("agc_replaces_core", False), ("both", True)):
        state = lay(german="2311 I1; 2312 I2", city="2314", los_core_vs_agc=token, control={GERMAN: "2314"}).state
        assert has_supply_line(state, GERMAN, "2311") is supplied
        state.control["2314"] = SOVIET
        assert not has_supply_line(state, GERMAN, "2311")


# --- what cuts it ---


@pytest.mark.rule("DM-2.10a", "DM-2.5c", "R-DM-75")
def test_enemies_and_their_zones_cut_both_parts(lay: Lay) -> None:
    state = lay(german="2816 I1; 2618 I2", soviet="2923 i1").state
    assert not has_supply_line(state, GERMAN, "2816")
    assert set(supply_line(state, GERMAN, "2816").blocked) >= {("2822", ZONE)}
    state = lay(german="2816 I1", soviet="2822 i1!").state
    blocked = dict(supply_line(state, GERMAN, "2816").blocked)
    assert blocked["2822"] == ENEMY
    assert ZONE not in blocked.values(), "a demoralised force has no zone"


@pytest.mark.rule("DM-2.10b", "R-DM-38")
def test_a_friendly_force_cancels_zones_in_its_own_hex(lay: Lay) -> None:
    soviet = "2923 i1; 2723 i2"
    assert not has_supply_line(lay(german="2816 I1", soviet=soviet).state, GERMAN, "2816")
    assert not has_supply_line(lay(german="2816 I1; 2822 I2", soviet=soviet).state, GERMAN, "2816")
    friends = "2816 I1; 2822 I2!; 2823 I3"
    assert has_supply_line(lay(german=friends, soviet=soviet).state, GERMAN, "2816"), "even a demoralised one"


@pytest.mark.rule("AGC-4.6.1b")
def test_on_turn_1_soviet_zones_cut_nothing(lay: Lay) -> None:
    state = lay(german="2816 I1", soviet="2923 i1", turn=1).state
    assert has_supply_line(state, GERMAN, "2816")
    state.turn = 2
    assert not has_supply_line(state, GERMAN, "2816"), "nobody has moved, but now they are awake"


@pytest.mark.rule("R-DM-37")
def test_forces_in_the_combat_hex_may_be_left_out(lay: Lay) -> None:
    state = lay(german="2816 I1; 2815 I2", soviet="2815 i1").state
    for side in (GERMAN, SOVIET):
        assert has_supply_line(state, side, "2815", ignoring=("2815",))
    assert not has_supply_line(state, SOVIET, "2815"), "all six hexes lie in the zone of I2"
    assert has_supply_line(state, GERMAN, "2815"), "I1 cancels the zone in 2816"
    state.units["I1"].hex = "2813"
    assert not has_supply_line(state, GERMAN, "2815")


# --- ways of any length ---


@pytest.mark.rule("DM-10.0b", "R-DM-23")
def test_the_way_out_needs_no_railway(lay: Lay) -> None:
    options = {"exclusive_sources_any_length": True, "rail_needed": False}
    for token, reaches in options.items():
        state = lay(german="2204 I1", surrender_sources=token, control={SOVIET: "2830 2829"}).state
        assert not has_supply_line(state, GERMAN, "2204")
        assert reaches_source(state, GERMAN, "2204") is reaches


RING = "2910 I1; 2710 I2; 2812 I3"
"""Around 2810: their zones cover all six hexes."""


@pytest.mark.rule("DM-10.0b", "DM-10.0c")
def test_zones_all_around_leave_no_way_out(lay: Lay) -> None:
    soviet = "2810 i1"
    assert not reaches_source(lay(german=RING, soviet=soviet).state, SOVIET, "2810")
    assert reaches_source(lay(german="2910 I1!; 2710 I2!; 2812 I3", soviet=soviet).state, SOVIET, "2810")
    friend = f"{soviet}; 2809 i2; 2808 i3"
    assert reaches_source(lay(german=RING, soviet=friend).state, SOVIET, "2810")


@pytest.mark.rule("AGC-5.0b", "R-DM-76", "C-DM-05")
def test_moscow_is_isolated_by_zones_whatever_the_railways(stage: Stage) -> None:
    ring = "2602 g-3pz; 2802 g-4pz; 2703 g-10pz"
    assert not is_isolated(stage(german="2802 g-3pz").state, SOVIET)
    assert is_isolated(stage(german=f"{ring}; 2701 g-17pz").state, SOVIET)
    assert is_isolated(stage(german=f"{ring}; 2601 g-17pz; 2801 g-18pz").state, SOVIET)
    cancelled = stage(german=f"{ring}; 2601 g-17pz; 2801 g-18pz", soviet="2701 s-4rc").state
    assert not is_isolated(cancelled, SOVIET), "a force on the way cancels the zones in its hex"


# --- surrender ---


@pytest.mark.rule("DM-10.0a", "DM-10.0b")
def test_only_who_is_cut_off_and_pressed_surrenders(lay: Lay) -> None:
    rail = {GERMAN: "2815 2814 2813 2812"}
    state = lay(german=RING, soviet="2810 i1; 2601 i2", side=SOVIET, control=rail).state
    assert surrendering(state, SOVIET) == {}, "none of the enemies is supplied"
    state.converted = sorted([*state.converted, "2815", "2814", "2813", "2812"])
    assert surrendering(state, SOVIET) == {}, "I3 is supplied, but two hexes away"
    state.units["I3"].hex = "2811"
    assert surrendering(state, SOVIET) == {"2810": ["i1"]}
    state.units["I3"].demoralized = True
    assert surrendering(state, SOVIET) == {}


# --- against an oracle ---


def oracle(state: DamosState, side: str, ignoring: Collection[str] = ()) -> tuple[nx.Graph, nx.Graph, set[str]]:
    """Return the graphs of land and of usable railways, and what is closed, computed afresh from the rules."""
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


def expected(state: DamosState, side: str, ignoring: Collection[str] = ()) -> set[str]:
    """Return every hex with a supply line."""
    land, rails, closed = oracle(state, side, ignoring)
    sources = source_hexes(state, side)
    length = 5 if side == SOVIET else 2 if state.turn >= 9 else 3
    served: set[str] = {hex_ for part in nx.connected_components(rails) if part & sources for hex_ in part}
    ways = land.subgraph([hex_ for hex_ in land if hex_ not in closed])
    near: dict[str, int] = (
        nx.multi_source_dijkstra_path_length(ways, served & set(ways), cutoff=length) if served else {}
    )
    found: set[str] = (sources & state.board.area) | set(near)
    for hex_ in set(land) & closed:  # where a unit stands is not asked
        if any(near.get(each, length) < length for each in land[hex_]):
            found.add(hex_)
    return found


def supplied(state: DamosState, side: str) -> set[str]:
    """Return every hex in which a force of a side would have a supply line."""
    return {hex_ for hex_ in state.board.hexmap.numbers if has_supply_line(state, side, hex_)}


@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.1b", "AGC-4.3.2a", "AGC-4.3.2b", "DM-2.10a", "DM-2.10b", "R-DM-75")
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
def test_supply_of_the_whole_map_is_the_oracles(seed: int, side: str) -> None:
    state = scattered(seed)
    wanted = expected(state, side)
    assert supplied(state, side) == wanted


@pytest.mark.rule("R-DM-37")
@pytest.mark.parametrize("seed", range(6))
def test_with_a_combat_hex_left_out_as_well(seed: int) -> None:
    state = scattered(seed)
    for side in (GERMAN, SOVIET):
        combat = sorted({unit.hex for unit in state.units.values() if unit.hex and unit.side != side})[seed]
        wanted = expected(state, side, [combat])
        assert has_supply_line(state, side, combat, [combat]) is (combat in wanted)


@pytest.mark.full
@pytest.mark.rule("AGC-4.3.1a", "AGC-4.3.2a")
@pytest.mark.parametrize("seed", range(6))
def test_every_line_that_is_shown_is_one_and_every_frontier_blocks(seed: int) -> None:
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


@pytest.mark.rule("DM-10.0b", "DM-10.0c", "R-DM-23")
@pytest.mark.parametrize("seed", range(8))
def test_ways_of_any_length_are_the_oracles(seed: int) -> None:
    for reading in ("exclusive_sources_any_length", "rail_needed"):
        state = scattered(seed, surrender_sources=reading)
        for side in (GERMAN, SOVIET):
            land, rails, closed = oracle(state, side)
            sources = source_hexes(state, side) & state.board.area
            ends = sources - closed
            if reading == "rail_needed":
                served = source_hexes(state, side)
                ends = {hex_ for part in nx.connected_components(rails) if part & served for hex_ in part}
            open_ = land.subgraph([hex_ for hex_ in land if hex_ not in closed])
            safe = {hex_ for part in nx.connected_components(open_) if part & ends for hex_ in part}
            for hex_ in sorted(state.board.area):
                wanted = hex_ in sources or hex_ in safe or bool(safe & set(state.board.around[hex_]))
                assert reaches_source(state, side, hex_) is wanted, (side, hex_)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_after_any_change_the_answer_is_the_same_as_afresh(seed: int) -> None:
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
            assert supplied(state, side) == expected(state, side)


# --- work ---


def test_supply_is_known_again_with_little_work_after_a_move() -> None:
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
    assert sorted(work)[len(work) * 95 // 100] < 12_000  # counted 3,400
