"""The board from the data files: map, player aid, order of battle and scenarios."""

import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import damos
from damos.model.board import Board
from damos.model.tables import ATTACK_PLANS, GERMAN, SOVIET
from damos.model.terrain_chart import Cell
from damos.setup.opening import opening_state, read_board
from sandtable.board.hexes.map import HexMap
from sandtable.plugin.scenarios import Scenario, load_scenario

HOME = Path(__file__).parents[4] / "plugins" / "damos"
USUAL = {option.name: option.default for option in damos.options()}
NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST = range(6)

Table = dict[str, Any]


def read(name: str) -> Table:
    return tomllib.loads((HOME / name).read_text(encoding="utf-8"))


def scenario(name: str) -> Scenario:
    return load_scenario(name, damos.ruleset_scenarios())


@cache
def board(name: str = "agc", **chosen: str) -> Board:
    return read_board(scenario(name), USUAL | chosen)


@pytest.fixture(scope="module")
def ground() -> HexMap:
    return board().hexmap


# The map: facts in the rules


@pytest.mark.rule("R-DM-59", "AGC-1.3d")
def test_five_steps_southeast_of_3218_end_at_3716(ground: HexMap) -> None:
    path = ["3218"]
    for _ in range(5):
        path.append(ground.around[path[-1]][SOUTH_EAST])
    assert path == ["3218", "3318", "3417", "3517", "3616", "3716"]


@pytest.mark.rule("R-DM-59", "AGC-1.3f")
def test_columns_grow_to_the_west(ground: HexMap) -> None:
    assert (ground.around["2212"][WEST], ground.around["2212"][EAST]) == ("2213", "2211")
    assert ground.around["2815"] == ("2715", "2814", "2915", "2916", "2816", "2716")
    assert ground.around["2915"] == ("2814", "2914", "3014", "3015", "2916", "2815")
    assert board().names["2422"] == "Vilnius"
    assert board().names["2212"] == "Velikiye Luki"


ROWS = [
    *[("22", 12), ("23", 17), ("24", 22)],  # from Velikiye Luki, 2317 and Vilnius
    *[(str(row), 30) for row in range(25, 33)],
    *[("33", 18), ("34", 17), ("35", 17), ("36", 16), ("37", 16)],
]


@pytest.mark.rule("AGC-1.3a", "AGC-1.3d", "AGC-1.3f")
def test_each_row_of_the_area_runs_from_the_east_edge_to_its_boundary() -> None:
    assert board().area == {f"{row}{column:02}" for row, last in ROWS for column in range(1, last + 1)}


@pytest.mark.rule("AGC-1.3h", "R-DM-49")
def test_the_combined_game_is_played_on_the_whole_map() -> None:
    assert board(combined_game="on").area == frozenset(board().hexmap.numbers)
    assert not board(combined_game="on").extension


@pytest.mark.rule("AGC-1.3b", "R-DM-55")
def test_the_south_opens_east_of_the_marsh() -> None:
    usual = board()
    assert {int(number[:2]) for number in usual.extension} == {33, 34, 35, 36, 37}
    assert usual.extension < usual.beyond_marsh | {"3318"}
    assert min(int(number[2:]) for number in usual.marsh) == 18
    assert max(int(number[2:]) for number in usual.beyond_marsh) == 17
    assert "2817" in usual.beyond_marsh
    free = board(marsh_boundary="free")
    assert not free.extension | free.marsh | free.beyond_marsh


@pytest.mark.rule("R-DM-71")
def test_retreats_may_leave_the_area_by_option() -> None:
    assert board().retreat_area == board().area
    assert board(boundaries_retreat="ignore").retreat_area == frozenset(board().hexmap.numbers)


@pytest.mark.rule("AGC-6.0b")
def test_the_frontier_is_each_soviet_hex_beside_the_german_side() -> None:
    usual = board()
    chain = [
        number
        for number in sorted(usual.area)
        if 25 <= int(number[:2]) <= 32
        and usual.home[number] == SOVIET
        and any(usual.home[near] == GERMAN for near in usual.around[number])
    ]
    assert list(usual.frontier) == chain
    assert len(chain) >= 8


@pytest.mark.rule("AGC-6.0d")
def test_germans_set_up_on_their_side_of_rows_25_to_32() -> None:
    usual = board()
    assert set(usual.set_up) == {number for number in usual.area if usual.home[number] == GERMAN}
    assert {int(number[:2]) for number in usual.set_up} == set(range(25, 33))


@pytest.mark.rule("AGC-5.0b")
def test_there_are_hexes_east_of_moscow() -> None:
    assert board().names[board().victory.objective] == "Moscow"
    assert board().hexmap.around["2702"][EAST] == "2701"


@pytest.mark.rule("AGC-1.3e", "AGC-4.3.2b")
def test_soviet_sources_are_cities_and_rail_of_the_east_edge() -> None:
    usual = board()
    named = {usual.names[number] for number in usual.sources[SOVIET] if number in usual.names}
    assert {"Moscow", "Smolensk", "Minsk", "Gomel", "Kalinin", "Orel", "Vilnius"} <= named
    assert not named & {"Daugavpils", "Chernigov", "Kursk", "Suwalki", "Siedlce", "Mozyr"}
    east = {number for number in usual.sources[SOVIET] if number.endswith("01")}
    assert east == {number for number in usual.edges["east"] if number in usual.rail_around}
    assert len(east) >= 3


@pytest.mark.rule("AGC-4.3.1a")
def test_german_sources_are_rail_hexes_of_the_west_edge() -> None:
    usual = board()
    assert usual.sources[GERMAN] == ("2430", "2830", "2930")
    assert all(not usual.hexmap.around[number][WEST] for number in usual.sources[GERMAN])


@pytest.mark.rule("AGC-4.9a")
def test_reinforcements_arrive_at_edges_and_cities() -> None:
    usual = board()
    assert usual.entries[GERMAN] == usual.edges["west"]
    assert set(usual.entries[SOVIET]) == {*usual.edges["east"], *usual.cities, *usual.major_cities}
    assert {number[2:] for number in usual.edges["east"]} == {"01"}
    assert {number[2:] for number in usual.edges["west"]} == {"30"}


# The map: railways, rivers, terrain


def reached(start: str, steps: dict[str, tuple[str, ...]]) -> set[str]:
    found = [start]
    for here in found:
        found += [near for near in steps.get(here, ()) if near not in found]
    return set(found)


def test_railways_have_no_gaps(ground: HexMap) -> None:
    for line in board().rails:
        assert len(line.hexes) > 1
        for one, other in pairwise(line.hexes):
            assert other in ground.around[one], line.name
            assert "rail" in ground.side_of(one, other)


def test_all_railways_are_connected_from_edge_to_edge() -> None:
    usual = board()
    net = reached("2830", usual.rail_around)
    assert net == set(usual.rail_around)
    assert {*usual.sources[GERMAN], "2701", "2702", "2811", "3127"} <= net


def test_each_soviet_city_of_the_area_is_on_a_railway() -> None:
    usual = board()
    assert {*usual.cities, *usual.major_cities} <= set(usual.rail_around)


@pytest.mark.rule("AGC-4.3.1c", "AGC-4.3.1d")
def test_german_rail_is_converted_up_to_the_frontier() -> None:
    usual = board()
    assert usual.converted == tuple(n for n in sorted(usual.rail_around) if usual.home[n] == GERMAN)
    assert usual.railheads == ("2526", "2829", "2929", "3128")
    assert set(usual.railheads) <= set(usual.converted)


@pytest.mark.rule("AGC-4.3.1a")
def test_each_german_set_up_hex_is_within_three_hexes_of_supply_rail() -> None:
    usual = board()
    own = {number: tuple(n for n in near if n in usual.converted) for number, near in usual.rail_around.items()}
    fed = set().union(*(reached(source, own) for source in usual.sources[GERMAN]))
    for number in usual.set_up:
        assert min(usual.hexmap.range_hexes(number, rail) for rail in fed) <= 3, number


@pytest.mark.rule("AGC-4.3.1f")
def test_a_junction_has_three_or_more_rail_neighbors() -> None:
    usual = board()
    assert {"2923", "2819", "2811", "2702"} <= usual.junctions
    assert all(len(usual.rail_around[number]) >= 3 for number in usual.junctions)


def test_the_germans_can_take_the_main_railways() -> None:
    usual = board()
    trunk = next(line for line in usual.rails if line.name == "Warsaw-Brest-Minsk-Smolensk-Moscow")
    assert set(trunk.hexes) <= usual.area
    luki = next(line for line in usual.rails if "Velikiye Luki" in line.name)
    assert set(luki.hexes) <= usual.area


def test_each_settlement_has_one_size_and_one_name(ground: HexMap) -> None:
    usual = board()
    sizes = [set(kinds) & {"town", "city", "major_city"} for kinds in ground.terrain.values()]
    assert max(len(size) for size in sizes) == 1
    assert {n for n, kinds in ground.terrain.items() if set(kinds) & {"town", "city", "major_city"}} == set(usual.names)
    assert usual.major_cities == ("2702",)
    assert len(usual.names) == 66


def test_the_map_is_marked_as_reconstructed(ground: HexMap) -> None:
    assert ground.provenance == "reconstructed"
    assert ground.reason
    assert (len(ground.numbers), ground.numbers[0], ground.numbers[-1]) == (600, "2001", "3930")


def test_rivers_are_on_hexsides_of_the_map(ground: HexMap) -> None:
    assert sum("river" in kinds for kinds in ground.hexsides.values()) == 274
    assert "river" in ground.side_of("3127", "3128")  # the Bug at Brest
    assert "river" in ground.side_of("2710", "2810")  # the Dnieper above Smolensk


# The player aid


@pytest.mark.rule("DM-3.0a", "R-DM-50")
def test_the_terrain_chart_matches_the_rules() -> None:
    chart = board().aid.terrain
    assert (chart["clear"].attack, chart["clear"].defense, chart["clear"].reaction) == (0, 0, 0)
    assert chart["forest"].reaction == -1
    assert {name for name, row in chart.items() if row.attrition == 1} == {"town", "city", "major_city"}
    assert {name for name, row in chart.items() if row.steadfast} == {"city", "major_city"}
    river = board().aid.hexsides["river"]
    assert river.halves > 0
    assert river.attack_per > 0
    assert river.reaction < 0
    assert board().aid.rail_halves < min(row.halves for row in chart.values() if row.halves is not None)


@pytest.mark.rule("DM-8.4a", "DM-8.4b", "R-DM-51")
def test_the_combat_matrix_matches_the_rules() -> None:
    aid = board().aid
    assert aid.matrix["penetration"]["counterattack"] == Cell(attacker_points=1, defender_modifier=-1)
    assert all(set(row) == set(aid.postures) for row in aid.matrix.values())
    assert set(aid.matrix) == set(ATTACK_PLANS)
    assert aid.postures["counterattack"].mobile
    assert aid.postures["steadfast"].sides == (GERMAN, SOVIET)
    assert aid.postures["delay"].sides == (GERMAN,)


@pytest.mark.rule("DM-8.9f", "DM-8.9g", "R-DM-45")
@pytest.mark.parametrize(("counter", "attack", "title"), [
    (3, 5, "1:2"), (6, 14, "1:3"), (5, 5, "1:1"), (9, 4, "2:1"), (1, 20, "1:4"), (4, 5, "1:2"), (5, 4, "1:1"),
    (30, 2, "3:1"),
])  # fmt: skip
def test_ratios_are_rounded_in_favor_of_the_attacker(counter: int, attack: int, title: str) -> None:
    table = board().aid.counterattack
    assert table.title(table.column(counter, attack)) == title


@pytest.mark.rule("DM-8.9h", "R-DM-52")
def test_the_counterattack_table_has_the_example_and_is_monotonic() -> None:
    table = board().aid.counterattack
    assert table.result(table.column(6, 14), 6) == (1, 3)
    gains = [[enemy - own for own, enemy in column] for column in table.results]
    assert all(column == sorted(column) for column in gains)
    assert all(low <= high for less, more in pairwise(gains) for low, high in zip(less, more, strict=True))


# The order of battle


@pytest.mark.rule("R-DM-78", "DM-2.2a", "DM-2.4a", "DM-2.1g")
def test_order_of_battle_matches_its_totals() -> None:
    counters = board().counters.values()
    assert len(counters) == 151
    assert [sum(each.side == side for each in counters) for side in (GERMAN, SOVIET)] == [70, 81]
    assert all(1 <= each.sp <= 8 and 3 <= each.ma <= 6 and each.name and each.army for each in counters)
    names = [(each.side, each.name) for each in counters]
    assert len(set(names)) == len(names)
    tanks = board().counters["g-3pz"]
    assert (tanks.name, tanks.side, tanks.type, tanks.size) == ("3 Pz", "german", "armor", "division")
    assert tanks.corps
    assert {each.type for each in counters} == {"infantry", "cavalry", "motorized", "mechanized", "armor"}
    assert {0, 2, 3, 7} <= {each.arrives for each in counters}


@pytest.mark.rule("AGC-3.1a", "AGC-3.2a", "DM-2.6a")
def test_mobile_units_have_a_zone_of_influence() -> None:
    for each in board().counters.values():
        mobile = each.type != "infantry" if each.side == GERMAN else each.type in ("armor", "mechanized")
        assert each.zoi == mobile, each.id


@pytest.mark.rule("AGC-6.0b", "AGC-6.0c")
def test_soviet_units_can_occupy_each_frontier_hex() -> None:
    there = [each for each in board().counters.values() if each.side == SOVIET and each.arrives == 0]
    assert len(there) == 23
    assert sum("border" in each.posts for each in there) == len(board().frontier) == 12


@pytest.mark.rule("AGC-4.1e")
def test_four_nkvd_units_are_regiments() -> None:
    guards = [each for each in board().counters.values() if "nkvd" in each.traits]
    assert len(guards) == 4
    assert {each.size for each in guards} == {"regiment"}


@pytest.mark.rule("DM-8.12.1c", "R-DM-43")
def test_each_unit_has_the_rating_of_its_type() -> None:
    usual, other = board().counters, board(exploit_rating_motorized="zero").counters
    assert (usual["g-3pz"].rating, usual["g-10mot"].rating, usual["g-267"].rating) == (2, 1, 0)
    assert (other["g-3pz"].rating, other["g-10mot"].rating) == (2, 0)


@pytest.mark.rule("AGC-4.6.2a")
def test_four_german_divisions_can_overwhelm_a_weak_hex() -> None:
    units = board().counters.values()
    best = sorted((each.sp for each in units if each.side == GERMAN and each.arrives == 0), reverse=True)[:4]
    assert sum(best) >= 12 * min(each.sp for each in units if "border" in each.posts)


# The scenarios


@pytest.mark.rule("AGC-4.5a", "AGC-4.5b", "R-DM-61")
def test_replacement_points_match_the_schedule() -> None:
    assert board().replacements == {GERMAN: (0, 0, *(2,) * 10), SOVIET: (0, *(5,) * 11)}
    assert board(russian_rp_turn1="5").replacements[SOVIET] == (5,) * 12


@pytest.mark.rule("R-DM-60", "AGC-1.0a")
@pytest.mark.parametrize(
    ("calendar", "turns", "august"), [("t1_1st_july", 12, 4), ("t1_22_june", 13, 5), ("thirteen_turns", 13, 4)]
)
def test_the_calendar_sets_length_and_dates(calendar: str, turns: int, august: int) -> None:
    chosen = board(calendar=calendar)
    assert (chosen.last_turn, chosen.turn_of(8, 2)) == (turns, august)
    assert board("smolensk", calendar=calendar).last_turn == august
    assert chosen.period(august).name == "2nd August"


@pytest.mark.rule("R-DM-01")
def test_the_first_player_is_an_option() -> None:
    assert (board().first_player, board(first_player="russian").first_player) == (GERMAN, SOVIET)


def test_the_short_scenario_leaves_out_later_arrivals() -> None:
    short, whole = board("smolensk"), board()
    assert short.names[short.victory.objective] == "Smolensk"
    assert (short.victory.edge, short.victory.adjacent, short.last_turn) == ("east", 1, 4)
    assert set(short.counters) == {ident for ident, each in whole.counters.items() if each.arrives <= 4}
    assert short.pause_city == whole.pause_city == "2811"


@pytest.mark.parametrize("name", ["agc", "smolensk"])
def test_opening_state_has_all_units_off_the_map(name: str) -> None:
    chosen = board(name)
    state = opening_state(chosen, USUAL)
    assert chosen.sides == (GERMAN, SOVIET)
    assert {unit.standing for unit in state.units.values()} == {"pool"}
    assert all(state.units[each.id].sp == each.sp for each in chosen.counters.values())
    assert state.control == chosen.home
    assert state.converted == list(chosen.converted)
    assert state.replacements == {GERMAN: 0, SOVIET: 0}


def test_a_board_returns_the_enemy_of_a_side_and_movement_in_halves() -> None:
    assert (board().enemy_of(GERMAN), board().enemy_of(SOVIET)) == (SOVIET, GERMAN)
    assert board().counters["g-3pz"].ma_halves == 12
