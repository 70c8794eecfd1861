"""The data files of KampfPanzer: counters, map, scenarios, and what is refused in a user's own."""

from __future__ import annotations

import re
import tomllib
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kampfpanzer
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Group, counters
from kampfpanzer.setup.opening import opening_state, read_board
from kampfpanzer.setup.reading import sides_of
from sandtable.errors import DataError
from sandtable.plugin.scenarios import Scenario, load_scenario, scenario_of

if TYPE_CHECKING:
    from sandtable.board.hexes.map import HexMap

HOME = Path(__file__).parents[4] / "plugins" / "kampfpanzer"
USUAL = {option.name: option.default for option in kampfpanzer.options()}

Table = dict[str, Any]


def read(name: str) -> Table:
    return tomllib.loads((HOME / name).read_text(encoding="utf-8"))


def scenario(name: str) -> Scenario:
    return load_scenario(name, kampfpanzer.ruleset_scenarios())


@cache
def board(name: str, **chosen: str) -> Board:
    return read_board(scenario(name), USUAL | chosen)


@pytest.fixture(scope="module")
def ground() -> HexMap:
    return board("spain").hexmap


# Counters: the sheet, typed again: type, attack, weapon, range, defence (hard in brackets), movement, numbers

SHEET = """
S35    5 A  15 [4] 12 1-5          R35    2 A  8  [4] 6  6-10         H39    4 A 10 [4] 10 11-18
B1     6 M  10 [5] 8  19-20        FT17   2 A  8  [3] 8  21-25        Inf-Fr 4 R 10 5   1  26-34
25mm   2 A  5  4   0  35-38        75mmH  0 H  100 1  0  39-41,51     A10    5 A 10 [4] 8  42-47
A11    5 R  5  [6] 3  48-50        A12    5 A  10 [8] 6  52-53        A13    5 A 10 [2] 11 54-57
M6     5 R  5  [1] 16 58-61        2lb    5 A  10 4   0  62           Inf-Br 4 R 10 4   1  63-68
BT7    6 A  15 [1] 15 69-80,154    Inf-Ru 2 R  8  3   1  81-90        PzI    5 R 5  [1] 10 91-93
PzII   2 A  5  [3] 15 94-99,101    PzIIID 5 A  10 [3] 11 102-104      PzIVE  5 M 10 [4] 10 105-111
Inf-Ge 6 R  12 8   1  112-114,117-119                                 37mm   3 A 5  4   0  115-116,120-121
Pz38   5 A  10 [2] 11 122-129      T97    3 A  6  [1] 12 130-137
Truck  0 -  0  1   20 138-145      APC    0 -  0  [3] 18 146-153
"""
COUNTERS = [SHEET.split()[place : place + 7] for place in range(0, len(SHEET.split()), 7)]


def numbers(runs: str) -> list[str]:
    ends = [[int(end) for end in run.split("-")] for run in runs.split(",")]
    return [str(number) for end in ends for number in range(end[0], end[-1] + 1)]


@pytest.mark.rule("KP-3.24a", "KP-3.24b", "KP-3.24c", "KP-3.24d", "KP-3.24e", "KP-3.24f", "KP-12.31b")
@pytest.mark.parametrize("row", COUNTERS, ids=[row[0] for row in COUNTERS])
def test_each_type_of_counter_has_its_printed_figures(row: list[str]) -> None:
    name, attack, weapon, reach, defence, movement, runs = row
    kind = board("spain").kinds[name]
    assert (kind.attack, kind.weapon, kind.range_hexes) == (int(attack), weapon.strip("-"), int(reach))
    assert (kind.defence, kind.hard) == (int(defence.strip("[]")), defence.startswith("["))
    assert kind.movement == int(movement)
    assert counters(USUAL).ids[name] == tuple(numbers(runs))


def test_no_identity_number_is_given_twice_and_none_is_left_out_but_100() -> None:
    ids = sorted(int(number) for row in COUNTERS for number in numbers(row[-1]))
    assert len(COUNTERS) == 27
    assert ids == [number for number in range(1, 155) if number != 100]


@pytest.mark.rule("KP-12.2c", "R-KP-17")
def test_tanks_and_carriers_move_alike_and_trucks_otherwise() -> None:
    kinds = board("spain").kinds
    assert {name for name, kind in kinds.items() if kind.mobility == "wheels"} == {"Truck"}
    assert {name for name, kind in kinds.items() if kind.mobility == "foot"} == {
        name for name, kind in kinds.items() if not kind.hard and name != "Truck"
    }
    assert {name for name, kind in kinds.items() if kind.is_gun} == {
        name for name, kind in kinds.items() if kind.movement == 0
    }
    assert {name for name, kind in kinds.items() if kind.is_vehicle} == {"Truck", "APC"}


@pytest.mark.rule("R-KP-83")
@pytest.mark.parametrize("allowance", ["8", "3"])
def test_the_movement_of_the_ft17_is_an_option(allowance: str) -> None:
    assert board("poland", ft17_movement=allowance).kinds["FT17"].movement == int(allowance)


@pytest.mark.rule("R-KP-84")
def test_without_the_thirteenth_bt7_the_nationalists_have_two() -> None:
    made, missed = board("spain"), board("spain", bt7_13="12_only")
    assert "154" in made.units
    assert "154" not in missed.units
    for position, tanks in ((made, (3, 10)), (missed, (2, 10))):
        of = [position.side_of[unit_id] for unit_id, kind in position.units.items() if kind == "BT7"]
        assert (of.count("nationalists"), of.count("republicans")) == tanks


# The map


@pytest.mark.rule("R-KP-01")
def test_the_hexes_around_0304_are_those_of_the_example(ground: HexMap) -> None:
    assert ground.around["0304"] == ("0303", "0403", "0404", "0305", "0204", "0203")


@pytest.mark.rule("R-KP-02", "KP-3.1a")
def test_the_map_has_39_columns_of_54_and_53_rows(ground: HexMap) -> None:
    assert len(ground.numbers) == 20 * 54 + 19 * 53
    assert (ground.numbers[0], ground.numbers[-1]) == ("0101", "3954")
    assert not ground.holds("3963")
    assert not ground.holds("3654")


@pytest.mark.rule("R-KP-04")
def test_the_map_says_that_it_is_reconstructed(ground: HexMap) -> None:
    assert ground.provenance == "reconstructed"
    assert ground.reason
    assert ground.default_terrain == "clear"


@pytest.mark.rule("R-KP-31")
def test_crests_are_the_sides_between_slopes_and_hilltops(ground: HexMap) -> None:
    expected = {
        (slope, near)
        for slope in ground.hexes_with("slope")
        for near in ground.around[slope]
        if near and "hilltop" in ground.terrain_of(near)
    }
    assert {pair for pair, features in ground.sides.items() if "crest" in features} == {
        *expected,
        *((top, slope) for slope, top in expected),
    }


@pytest.mark.rule("R-KP-30")
@pytest.mark.parametrize("terrain", ["woods", "town"])
def test_sides_of_woods_and_towns_are_those_between_two_such_hexes(ground: HexMap, terrain: str) -> None:
    hexes = ground.hexes_with(terrain)
    assert {pair for pair, features in ground.sides.items() if terrain in features} == {
        (one, other) for one in hexes for other in ground.around[one] if other in hexes
    }


def test_each_hex_of_the_map_has_one_terrain(ground: HexMap) -> None:
    assert all(len(kinds) == 1 for kinds in ground.grounds.values())


def beside(ground: HexMap, feature: str) -> set[tuple[str, str]]:
    return {pair for pair, features in ground.sides.items() if feature in features and pair[0] < pair[1]}


def test_roads_cross_the_stream_on_bridges_only_and_fords_are_in_it(ground: HexMap) -> None:
    stream, road = beside(ground, "stream"), beside(ground, "road")
    assert beside(ground, "bridge") == stream & road == {("2023", "2024"), ("2726", "2727")}
    assert beside(ground, "ford") < stream - road
    assert len(beside(ground, "ford")) == 4


def test_nobody_gets_across_the_stream_dry_shod(ground: HexMap) -> None:
    stream, reached = beside(ground, "stream"), ["0101"]
    for here in reached:
        for near in ground.around[here]:
            if near and near not in reached and (min(here, near), max(here, near)) not in stream:
                reached.append(near)
    assert "2701" in reached
    assert not {"0154", "2138", "3930", "3954"} & set(reached)


def test_all_roads_lead_to_the_town(ground: HexMap) -> None:
    road = {pair for pair, features in ground.sides.items() if "road" in features}
    reached = ["2138"]
    for here in reached:
        reached += [near for near in ground.around[here] if (here, near) in road and near not in reached]
    assert set(reached) == set(ground.hexes_beside("road"))


# What rules and scenarios say about the map (inventory 4.2)


@pytest.mark.rule("KP-14.2.2", "KP-14.2.4", "KP-14.1.2")
@pytest.mark.parametrize(("number", "edge"), [("0954", "south"), ("3653", "south"), ("3953", "east")])
def test_entry_hexes_are_on_the_edge(ground: HexMap, number: str, edge: Any) -> None:
    assert number in ground.edge(edge)


@pytest.mark.parametrize(
    ("centre", "radius", "stacks"),
    [
        ("0908", 2, 7),
        ("3631", 2, 2),
        ("0938", 4, 4),
        ("2121", 5, 17),
        ("1016", 5, 12),
        ("2319", 2, 10),
        ("2528", 2, 10),
        ("1903", 2, 14),
        ("0621", 2, 14),
        ("0753", 2, 5),
        ("3930", 2, 6),
        ("3437", 2, 4),
        ("3532", 2, 4),
    ],
)
def test_forces_have_room_about_their_centres(ground: HexMap, centre: str, radius: int, stacks: int) -> None:
    assert len(ground.within(centre, radius)) >= stacks


@pytest.mark.rule("KP-14.2.1")
def test_the_carriers_of_2037_stand_next_to_the_town(ground: HexMap) -> None:
    town = ground.places["Town 1"]
    assert "2138" in ground.within("2037", 1)
    assert min(ground.range_hexes("2037", number) for number in town) == 1
    assert len(town) == 9
    assert all(29 <= int(number[2:]) <= 54 for number in town)


@pytest.mark.rule("KP-14.8.4")
def test_2341_is_a_road_hex_at_the_far_end_of_the_town(ground: HexMap) -> None:
    assert "2341" in ground.places["Town 1"]
    assert "2341" in ground.hexes_beside("road")


@pytest.mark.parametrize("centre", ["3437", "3532", "3930", "0753"])
def test_a_road_passes_near_the_forces_of_arras(ground: HexMap, centre: str) -> None:
    assert set(ground.within(centre, 2)) & set(ground.hexes_beside("road"))


@pytest.mark.parametrize(("name", "side"), [("czechoslovakia", "czechs"), ("summa", "russians")])
def test_a_road_leaves_the_map_where_a_force_may(ground: HexMap, name: str, side: str) -> None:
    assert set(board(name).exits[side]) & set(ground.hexes_beside("road"))


def test_hill_3_is_about_the_one_hilltop_that_the_book_names(ground: HexMap) -> None:
    assert ground.terrain_of("0807") == ground.terrain_of("0708") == ("hilltop",)
    assert {"0807", "0708"} < set(ground.places["Hill 3"])
    assert {ground.terrain_of(number) for number in ("0303", "0304", "0403")} == {("clear",)}
    assert len(ground.places["Hill 3"]) >= 6


def test_the_tanks_of_abbeville_stand_on_clear_ground(ground: HexMap) -> None:
    assert {ground.terrain_of(f"30{row:02}") for row in range(1, 7)} == {("clear",)}


def test_hill_1_lies_within_the_area_of_its_garrison(ground: HexMap) -> None:
    assert set(ground.places["Hill 1"]) <= set(ground.within("0938", 4))


def test_hills_are_all_their_slopes_and_tops(ground: HexMap) -> None:
    hills = {number for name in ("Hill 1", "Hill 2", "Hill 3") for number in ground.places[name]}
    assert hills == {*ground.hexes_with("slope"), *ground.hexes_with("hilltop")}


def test_hill_2_lies_between_1903_and_the_town(ground: HexMap) -> None:
    hill, town = ground.places["Hill 2"], ground.places["Town 1"]
    apart = min(ground.range_hexes("1903", number) for number in town)
    assert all(ground.range_hexes("1903", number) < apart for number in hill)
    assert all(ground.range_hexes(one, number) < apart for one in town[:1] for number in hill)


def test_a_trench_line_of_a_published_variant_lies_on_the_map(ground: HexMap) -> None:
    trench = ("0151", "0251", "0352", "0452", "0553", "0653")
    assert all(ground.holds(number) for number in [*trench, "0353", "0253", "0154"])
    assert all(here in ground.around[there] for here, there in pairwise(trench))


# The scenarios: side, panic level, units, where (hexes of the area, or entry hexes and turn), entrenchments

FORCES: dict[str, list[tuple[str, int, str, str, Any, str]]] = {
    "spain": [
        ("nationalists", 2, "9 Inf-Fr 2 75mmH 2 25mm", "2129 0154 3954", 995, "may"),
        ("nationalists", 2, "3 BT7 3 PzI 2 25mm 2 Truck", "3953", "turn 6", ""),
        ("republicans", 3, "10 BT7 6 Inf-Br 6 Truck", "0101 3917", 17 * 39, ""),
    ],
    "czechoslovakia": [
        ("germans", 2, "4 Inf-Ge 1 37mm", "2138 2341", 9, ""),
        ("germans", 2, "5 APC", "2037 2036 2038 2138", 7, ""),
        ("germans", 2, "2 PzI 4 PzII", "3653", "turn 3", ""),
        ("czechs", 2, "4 Pz38 4 Inf-Fr 1 25mm 5 Truck", "0954", "turn 1", ""),
    ],
    "bain_tsagan": [
        ("russians", 2, "7 BT7", "0908 0906 0910", 19, ""),
        ("russians", 2, "2 BT7", "3631 3629 3633", 19, ""),
        ("russians", 2, "1 BT7 3 Inf-Ru", "0938 0934 0942", 61, "must"),
        ("japanese", 3, "8 T97 9 Inf-Fr 2 75mmH 2 25mm 5 Truck", "2121 2116 2126", 91, ""),
    ],
    "poland": [
        ("germans", 2, "2 PzIIID 4 PzII 4 Inf-Ge 2 37mm", "1016 1011 1021", 91, ""),
        ("poles", 4, "5 FT17 5 R35", "0101 0201 0901 1001", "turn 1", ""),
    ],
    "summa": [
        ("finns", 1, "6 Inf-Br 4 37mm 4 75mmH", "0101 3913", 13 * 39, "may"),
        ("russians", 5, "10 BT7", "2319 2317 2321", 19, ""),
        ("russians", 5, "10 Inf-Ru", "2528 2526 2530", 19, ""),
    ],
    "hannut": [
        ("french", 3, "5 S35 5 H39 4 25mm 4 Inf-Fr 4 APC", "1903 1901 1905", 19, ""),
        ("germans", 1, "7 PzII 7 PzIVE 2 Inf-Ge 2 APC", "2138 2341 2137 2342", 9 + 14, ""),
    ],
    "flavion": [
        ("french", 3, "2 B1 5 R35 8 H39", "2138 2136 2039 1940 2440 2540", 21, ""),
        ("germans", 1, "8 Pz38 3 PzIIID 2 PzII 6 Inf-Ge 2 37mm 8 APC", "0101 3903", 3 * 39, ""),
    ],
    "arras": [
        ("germans", 3, "4 Inf-Ge 2 37mm", "2138 2341", 9, ""),
        ("germans", 3, "3 PzII 2 PzIIID", "0753 0751 0754", 16, ""),
        ("british", 2, "3 Inf-Br 1 2lb", "3437 3435 3439", 19, ""),
        ("british", 2, "3 Inf-Br 1 75mmH", "3532 3530 3534", 19, ""),
        ("british", 2, "3 A11 2 A12 1 M6", "3930 3928 3932", 12, ""),
    ],
    "abbeville": [
        ("british", 4, "6 A10 4 A13 4 M6", "0621 0619 0623", 19, ""),
        ("germans", 1, "6 PzII", "3001 3002 3003 3004 3005 3006", 6, ""),
        ("germans", 1, "3 Inf-Ge 3 37mm", "0807 0606 1008", 19, "may"),
    ],
}
ROWS = [(name, place, row) for name, rows in FORCES.items() for place, row in enumerate(rows)]


def mix(position: Board, group: Group) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit_id in group.units:
        found[position.units[unit_id]] = found.get(position.units[unit_id], 0) + 1
    return found


@pytest.mark.rule("KP-14.1.1", "KP-14.1.2", "KP-14.1.3", "KP-14.1.4", "KP-14.1.5", "KP-14.2.1", "KP-14.2.2")
@pytest.mark.rule("KP-14.2.3", "KP-14.2.4", "KP-14.3.1", "KP-14.3.2", "KP-14.3.3", "KP-14.3.4", "KP-14.3.5")
@pytest.mark.rule("KP-14.4.1", "KP-14.4.2", "KP-14.5.1", "KP-14.5.2", "KP-14.6.1", "KP-14.6.2", "KP-14.7.1")
@pytest.mark.rule("KP-14.7.3", "KP-14.8.1", "KP-14.8.2", "KP-14.9.1", "KP-14.9.2")
@pytest.mark.rule("KP-3.2b", "KP-14.0b", "KP-14.0c", "KP-14.0k", "KP-11.11a")
@pytest.mark.parametrize(("name", "place", "row"), ROWS, ids=[f"{name}-{place}" for name, place, _ in ROWS])
def test_forces_and_places_are_the_books(name: str, place: int, row: tuple[str, int, str, str, Any, str]) -> None:
    side, panic, units, hexes, extent, dug = row
    position = board(name)
    group = position.groups[place]
    words = units.split()
    assert (group.side, position.panic[side]) == (side, panic)
    assert mix(position, group) == {kind: int(number) for number, kind in zip(words[::2], words[1::2], strict=True)}
    if isinstance(extent, int):
        assert (len(group.area), group.enters, group.entries) == (extent, 0, ())
        assert set(hexes.split()) <= set(group.area)
    else:
        assert (group.area, f"turn {group.enters}") == ((), extent)
        assert set(hexes.split()) <= set(group.entries)
        assert len(group.entries) == (10 if name == "poland" else 1)
    assert (group.may_entrench, bool(group.entrenched)) == (bool(dug), dug == "must")


@pytest.mark.rule("KP-14.3.2")
def test_at_bain_tsagan_the_infantry_is_dug_in_and_the_tank_is_not() -> None:
    position = board("bain_tsagan")
    assert [position.units[unit_id] for unit_id in position.groups[2].entrenched] == ["Inf-Ru"] * 3


@pytest.mark.rule("KP-14.0a", "KP-4.0c", "KP-2.0a")
@pytest.mark.rule("KP-14.1.6", "KP-14.2.5", "KP-14.3.6", "KP-14.4.3", "KP-14.5.9", "KP-14.6.3", "KP-14.7.4")
@pytest.mark.rule("KP-14.8.3", "KP-14.9.3")
@pytest.mark.parametrize(
    ("name", "sides", "turns"),
    [
        ("spain", "nationalists republicans", 10),
        ("czechoslovakia", "germans czechs", 10),
        ("bain_tsagan", "russians japanese", 16),
        ("poland", "germans poles", 10),
        ("summa", "finns russians", 10),
        ("hannut", "french germans", 10),
        ("flavion", "french germans", 10),
        ("arras", "germans british", 18),
        ("abbeville", "british germans", 10),
    ],
)
def test_sides_in_the_order_of_setting_up_and_turns(name: str, sides: str, turns: int) -> None:
    position = board(name)
    assert position.sides == tuple(sides.split()) == sides_of(scenario(name))
    assert position.last_turn == turns
    assert [position.side_of[unit_id] for unit_id in position.units] == [
        group.side for group in position.groups for _ in group.units
    ]


@pytest.mark.parametrize(
    ("name", "kind", "side", "looks_at", "figures"),
    [
        ("spain", "majority", "", "Town 1", (0, 0, 0, 0)),
        ("czechoslovakia", "exit", "czechs", "", (5, 0, 6, 0)),
        ("bain_tsagan", "multiple", "russians", "Hill 1", (2, 0, 0, 0)),
        ("poland", "destroy", "poles", "", (0, 4, 0, 0)),
        ("summa", "exit", "russians", "", (6, 0, 0, 0)),
        ("hannut", "majority", "", "Hill 2", (0, 0, 0, 0)),
        ("flavion", "break_through", "germans", "", (11, 8, 10, 0)),
        ("arras", "reach", "british", "2341", (0, 0, 0, 15)),
        ("abbeville", "clear", "british", "Hill 3", (3, 0, 0, 0)),
    ],
)
def test_victory_is_the_books(
    name: str, kind: str, side: str, looks_at: str, figures: tuple[int, int, int, int]
) -> None:
    position = board(name)
    victory = position.victory
    assert (victory.kind, victory.side) == (kind, side)
    assert (victory.needed, victory.losses_needed, victory.loss_limit, victory.from_turn) == figures
    named = {"": (), "2341": ("2341",)} | dict(position.hexmap.places)
    assert victory.hexes == named[looks_at]
    assert victory.place == ("" if name == "arras" else looks_at)


@pytest.mark.parametrize(
    ("name", "side", "hexes"),
    [
        ("czechoslovakia", "czechs", "2701 2801 2901 3001"),
        ("summa", "russians", "1301 1401 1501 1601 1701 1801 1901"),
    ],
)
def test_a_side_may_leave_by_the_hexes_named_and_by_no_others(name: str, side: str, hexes: str) -> None:
    assert board(name).exits == {side: tuple(hexes.split())}


@pytest.mark.rule("R-KP-05", "KP-14.7.5")
@pytest.mark.parametrize(("token", "edge"), [("column_01", "west"), ("bottom_rows", "south")])
def test_edge_w_is_the_west_or_the_south(token: str, edge: Any) -> None:
    position = board("flavion", edge_w=token)
    assert position.exits == {"germans": position.hexmap.edge(edge)}


@pytest.mark.rule("R-KP-92")
@pytest.mark.parametrize("number", ["3953", "3653"])
def test_the_misprinted_entry_hex_is_an_option(number: str) -> None:
    assert board("spain", spain_entry=f"entry_{number}").groups[1].entries == (number,)


@pytest.mark.rule("KP-14.7.2", "KP-14.5.3")
def test_two_scenarios_have_a_rule_of_their_own() -> None:
    assert {name: board(name).no_move for name in FORCES if board(name).no_move} == {"flavion": {"french": 1}}
    assert [name for name in FORCES if board(name).riders] == ["summa"]


@pytest.mark.rule("KP-14.7.1")
def test_at_flavion_the_french_stand_in_the_town_or_on_its_roads(ground: HexMap) -> None:
    area = set(board("flavion").groups[0].area)
    roads = area - set(ground.places["Town 1"])
    assert len(roads) == 12
    assert roads <= set(ground.hexes_beside("road"))
    assert all(min(ground.range_hexes(hex_, town) for town in ground.places["Town 1"]) <= 2 for hex_ in roads)


@pytest.mark.rule("KP-3.2b")
@pytest.mark.parametrize("name", FORCES)
def test_a_game_opens_with_every_unit_off_the_map(name: str) -> None:
    position = board(name)
    state = opening_state(position, USUAL)
    assert {unit_id: unit.kind for unit_id, unit in state.units.items()} == position.units
    assert {(unit.hex, unit.standing) for unit in state.units.values()} == {("", "waiting")}
    assert all(position.group_of[unit_id].side == unit.side for unit_id, unit in state.units.items())
    assert state.options == USUAL


@pytest.mark.parametrize("name", FORCES)
def test_each_scenario_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    head = read(f"scenarios/{name}.toml")["scenario"]
    assert head["id"] == name
    assert head["title"]
    assert head["description"].endswith(".")
    assert head["provenance"].startswith("the book, 14.")


# Scenarios of a user's own: what can be written, and what is refused

SMALL: Table = {
    "scenario": {"id": "small", "title": "Small", "turns": 3, "sides": ["french", "germans"]},
    "forces": {
        "french": {
            "title": "French",
            "panic": 1,
            "exits": "0101-0401",
            "groups": [
                {"units": {"R35": 2, "Inf-Fr": 1, "25mm": 1}, "hexes": ["0202-0204"], "may_entrench": True},
                {"units": {"Truck": 1, "25mm": 1}, "enters": 2, "entries": ["0108"]},
            ],
        },
        "germans": {"title": "Germans", "panic": 2, "groups": [{"units": {"PzI": 2}, "rows": [7, 8]}]},
    },
    "victory": {"kind": "exit", "side": "french", "needed": 2},
    "map": {
        "map": {"id": "field", "title": "Field", "provenance": "own work", "reason": "for a test"},
        "grid": {"columns": 6, "rows": 8},
        "terrain": {"woods": ["0405"]},
        "ways": {"road": ["0101 0102 0103"]},
        "places": {"Farm": ["0103"]},
    },
}


def changed(path: str, value: Any) -> Table:
    """Return the small scenario with one value changed; None takes it out."""
    tables = deepcopy(SMALL)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    here: Any = tables
    for step in way:
        here = here[step]
    if value is None:
        del here[last]
    else:
        here[last] = value
    return tables


def refusal(tables: Table, **chosen: str) -> str:
    with pytest.raises(DataError) as caught:
        read_board(scenario_of(tables, "small.toml", own=True), USUAL | chosen)
    return str(caught.value)


def accepted(tables: Table, **chosen: str) -> Board:
    return read_board(scenario_of(tables, "small.toml", own=True), USUAL | chosen)


def test_the_small_scenario_is_sound() -> None:
    position = accepted(SMALL)
    assert position.exits == {"french": ("0101", "0201", "0301", "0401")}
    assert [group.units for group in position.groups] == [("6", "7", "26", "35"), ("36", "138"), ("91", "92")]
    assert position.groups[0].area == ("0202", "0203", "0204")


AREAS = [
    ({"rows": [7, 8]}, "0107 0108 0207 0208 0307 0308 0407 0408 0507 0508 0607 0608"),
    ({"within": 1, "of": "0405"}, "0305 0306 0404 0405 0406 0505 0506"),
    ({"place": "Farm"}, "0103"),
    ({"place": "Farm", "adjacent": True}, "0102 0103 0104 0202 0203"),
    ({"place": "Farm", "roads": 2}, "0101 0102 0103"),
    ({"hexes": ["0608 0605-0606"]}, "0605 0606 0608"),
    ({"edge": "east"}, "0601 0602 0603 0604 0605 0606 0607 0608"),
    ({"span": "0508-0308"}, "0308 0408 0508"),
]


@pytest.mark.rule("KP-14.0k")
@pytest.mark.parametrize(("area", "hexes"), AREAS)
def test_an_area_can_be_written_in_many_ways(area: Table, hexes: str) -> None:
    tables = changed("forces/germans/groups", [{"units": {"PzI": 1}} | area])
    assert accepted(tables).groups[-1].area == tuple(sorted(set(hexes.split())))


@pytest.mark.rule("R-KP-03")
def test_a_scatter_of_ones_own_counts_where_the_option_says_so() -> None:
    tables = changed("scenario/scatter", ["D", "E", "F", "A", "B", "C"])
    assert accepted(tables).scatter == dict(enumerate("ABCDEF", start=1))
    assert accepted(tables, scatter="custom_table").scatter == dict(enumerate("DEFABC", start=1))
    assert accepted(SMALL, scatter="custom_table").scatter == dict(enumerate("ABCDEF", start=1))


def test_a_value_may_depend_on_an_option() -> None:
    choice = {"by_option": "edge_w", "column_01": {"edge": "west"}, "bottom_rows": ["0308"]}
    tables = changed("forces/french/exits", choice)
    assert len(accepted(tables).exits["french"]) == 8
    assert accepted(tables, edge_w="bottom_rows").exits == {"french": ("0308",)}


GROUP = "forces/french/groups/0"
LATE = "forces/french/groups/1"
FOE = "forces/germans/groups/0"
HOSTILE: list[tuple[str, Any, str]] = [
    # what stands in the file
    ("forces", None, "forces: is missing; add a table"),
    ("victory", None, "victory: is missing; add a table"),
    ("map", None, 'scenario.map: is missing; name a map file, such as map = "map.toml"'),
    ("weather", {}, "weather: is no key of this table"),
    ("scenario/turns", 0, "scenario.turns: is 0; use 1 to 200"),
    ("scenario/turns", "ten", "scenario.turns: is 'ten'; write a whole number"),
    ("scenario/turns", True, "scenario.turns: is True; write a whole number"),
    ("scenario/sides", ["french"], "scenario.sides: is ['french']; name two"),
    ("scenario/sides", ["french", "french"], "scenario.sides: is ['french', 'french']; name two"),
    ("scenario/sides", ["french", "swiss"], "scenario.sides: is ['french', 'swiss']; name two"),
    ("scenario/sides", ["french", ["germans"]], "scenario.sides: is ['french', ['germans']]; name two"),
    ("scenario/riders", 1, "scenario.riders: is 1; write true or false"),
    ("scenario/scatter", ["A"] * 5, "scenario.scatter: is ['A', 'A', 'A', 'A', 'A']; give six letters"),
    ("scenario/scatter", ["A", "B", "C", "D", "E", "FA"], "scenario.scatter: is"),
    ("scenario/description", "bell \x07", "scenario.description: holds the character '\\x07'"),
    ("scenario/author", "me", "scenario.author: is no key of this table"),
    ("forces/poles", {}, "forces.poles: is no key of this table"),
    ("forces/germans", None, "forces.germans: is missing; add a table"),
    (f"{FOE}", {"units": {"PzI": 2}}, "which hexes it means; none of them is given"),
    (f"{GROUP}/edge", "west", "which hexes it means; hexes and edge are given"),
    (FOE, {"units": {"PzI": 2}, "rows": [7, 100]}, "forces.germans.groups[0].rows: is [7, 100]; give the first row"),
    (FOE, {"units": {"PzI": 2}, "within": 61, "of": "0101"}, "forces.germans.groups[0].within: is 61; use 0 to 60"),
    ("forces/french/title", " ", "forces.french.title: is blank"),
    ("forces/french/panic", 6, "forces.french.panic: is 6; use 1 to 5"),
    ("forces/french/groups", [], "forces.french.groups: has 0 groups; use 1 to 40"),
    ("forces/french/groups", [{}] * 41, "forces.french.groups: has 41 groups; use 1 to 40"),
    ("forces/french/groups", ["R35"], "forces.french.groups[0]: is 'R35'; write a table"),
    (f"{GROUP}/units", {}, "forces.french.groups[0].units: is empty"),
    (f"{GROUP}/units", {"Tiger": 1}, "forces.french.groups[0].units.Tiger: is no type of unit; the types are: S35"),
    (f"{GROUP}/units/R35", 0, "forces.french.groups[0].units.R35: is 0; use 1 to 200"),
    (f"{GROUP}/units/R35", 10**12, "forces.french.groups[0].units.R35: is 1000000000000; use 1 to 200"),
    (f"{GROUP}/morale", 3, "forces.french.groups[0].morale: is no key of this table"),
    # where
    (f"{GROUP}/hexes", None, "forces.french.groups[0]: must say by one of rows, within, place, hexes, edge, span"),
    (f"{GROUP}/rows", [1, 2], "forces.french.groups[0]: must say by one of"),
    (f"{GROUP}/of", "0101", "forces.french.groups[0].of: goes with within only"),
    (f"{GROUP}/hexes", ["0299"], "forces.french.groups[0].hexes[0]: has 0299, which is off the map"),
    (f"{GROUP}/hexes", ["0207-0209"], "forces.french.groups[0].hexes[0]: has 0209, which is off the map"),
    (f"{GROUP}/hexes", ["0201-0301"], "forces.french.groups[0].hexes[0]: has '0201-0301'; write hex numbers"),
    (f"{GROUP}/hexes", ["0204-0202"], "forces.french.groups[0].hexes[0]: has '0204-0202'; write hex numbers"),
    (f"{GROUP}/hexes", ["٠٢٠٢"], "forces.french.groups[0].hexes[0]: has '٠٢٠٢'; write hex numbers"),
    (f"{GROUP}/hexes", [202], "forces.french.groups[0].hexes[0]: is 202; write text"),
    (f"{GROUP}/hexes", [], "forces.french.groups[0].hexes: means no hex of this map"),
    (f"{GROUP}/hexes", "0202", "forces.french.groups[0].hexes: is '0202'; write a list"),
    (FOE, {"units": {"PzI": 2}, "rows": [8, 7]}, "forces.germans.groups[0].rows: is [8, 7]; give the first row"),
    (FOE, {"units": {"PzI": 2}, "rows": [50, 54]}, "forces.germans.groups[0].rows: means no hex of this map"),
    (FOE, {"units": {"PzI": 2}, "within": 2, "of": "0909"}, "forces.germans.groups[0].of: is '0909', which is no hex"),
    (FOE, {"units": {"PzI": 2}, "within": 2}, "forces.germans.groups[0].of: is missing; add text"),
    (FOE, {"units": {"PzI": 2}, "within": 900, "of": "0101"}, "forces.germans.groups[0].within: is 900; use 0 to 60"),
    (
        FOE,
        {"units": {"PzI": 2}, "place": "Town 1"},
        "groups[0].place: is 'Town 1', which this map has not; its places are: Farm",
    ),
    (FOE, {"units": {"PzI": 2}, "edge": "up"}, "forces.germans.groups[0].edge: is 'up'; choose north, south"),
    (FOE, {"units": {"PzI": 2}, "span": "0101-0608"}, "groups[0].span: is '0101-0608'; give two hexes of one edge"),
    # ways in and out
    (f"{LATE}/entries", ["0404"], "forces.french.groups[1].entries: 0404 is not on the edge of the map"),
    (f"{LATE}/entries", None, "forces.french.groups[1].entries: is missing; add a list"),
    (f"{LATE}/enters", None, "forces.french.groups[1].enters: is missing; add a whole number"),
    (f"{LATE}/enters", 4, "forces.french.groups[1].enters: is 4, but the game has 3 turns"),
    (f"{LATE}/hexes", ["0101"], "forces.french.groups[1].hexes: is where a group sets up, but this one enters later"),
    (
        f"{LATE}/units",
        {"25mm": 1},
        "forces.french.groups[1].units: has more guns than vehicles, 1 against 0: no gun enters",
    ),
    (f"{LATE}/may_entrench", True, "groups[1].may_entrench: is given, but who enters later finds no entrenchment"),
    ("forces/french/exits", ["0303"], "forces.french.exits: 0303 is not on the edge of the map"),
    ("forces/french/exits", "0101-0404", "forces.french.exits: is '0101-0404'; give two hexes of one edge"),
    ("forces/french/exits", 101, "forces.french.exits: is 101; write a list"),
    ("forces/french/exits", {"edge": "west", "row": 3}, "forces.french.exits.row: is no key of this table"),
    ("forces/french/no_move", 4, "forces.french.no_move: is 4, but the game has 3 turns"),
    # counters, room, entrenchments
    (f"{FOE}/units/PzI", 4, "groups[0].units.PzI: makes 4 PzI in all, and there are 3 counters"),
    (f"{LATE}/units/25mm", 4, "groups[1].units.25mm: makes 5 25mm in all, and there are 4 counters"),
    (
        f"{GROUP}/hexes",
        ["0202 0203"],
        "groups[0]: the units need more room to set up: hexes needed 3, in the area 2; enlarge it",
    ),
    (f"{FOE}/may_entrench", True, "groups[0].may_entrench: is given, but there is neither infantry nor a gun"),
    (f"{GROUP}/entrenched", True, "groups[0].may_entrench: goes without saying where entrenched = true"),
    # victory
    ("victory/kind", "glory", "victory.kind: is 'glory'; choose majority, multiple"),
    ("victory/side", "poles", "victory.side: is 'poles'; choose french, germans"),
    ("victory/needed", 8, "victory.needed: is 8, and french have 5 combat units"),
    ("victory/needed", None, "victory.needed: is missing; add a whole number"),
    ("victory/place", "Farm", "victory.place: is no key of this table"),
    ("forces/french/exits", None, "forces.french.exits: is missing: the victory asks for units that leave the map"),
    ("victory", {"kind": "destroy", "side": "french", "losses_needed": 3}, "victory.losses_needed: is 3, and germans"),
    ("victory", {"kind": "reach", "side": "french", "hexes": ["0101"], "from_turn": 4}, "victory.from_turn: is 4, but"),
    ("victory", {"kind": "majority", "side": "french", "place": "Farm"}, "victory.side: is no key of this table"),
    ("victory", {"kind": "majority"}, "victory: must say by one of rows, within"),
    (f"{FOE}/units", {"APC": 2}, "forces.germans.groups: have no combat unit, and nothing else counts"),
    # the map
    ("map/grid/columns", 0, "small.toml: map: "),
    ("map/terrain/swamp", ["0101"], "small.toml: map: terrain.swamp: "),
    ("map/map/title", "", "small.toml: map: map.title: "),
    # options
    ("forces/french/exits", {"by_option": "weather"}, "exits.by_option: is 'weather', which is no option of the game"),
    ("forces/french/exits", {"by_option": "edge_w"}, "exits.by_option: nothing is given for edge_w = column_01"),
]


@pytest.mark.parametrize(
    ("path", "value", "expected"), HOSTILE, ids=[f"{each[0]}-{place}" for place, each in enumerate(HOSTILE)]
)
def test_what_is_wrong_is_told_with_file_and_key(path: str, value: Any, expected: str) -> None:
    told = refusal(changed(path, value))
    assert told.startswith("small.toml")
    assert expected in told
    assert told.isprintable()


STRANGE: list[Any] = [None, True, -1, 7, 10**30, 1.5, "", "x" * 200, "0101", [], [[]], ["0101"], {}, {"by_option": []}]


def paths(tables: Any, so_far: str = "") -> list[str]:
    """Return the paths of all that stands in the tables, the tables themselves included."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(tables, dict):
        inner = list(tables.items())
    elif isinstance(tables, list):
        inner = list(enumerate(tables))
    found = [f"{so_far}{name}" for name, _ in inner]
    return found + [path for name, each in inner for path in paths(each, f"{so_far}{name}/")]


@pytest.mark.parametrize("path", [path for path in paths(SMALL) if path != "scenario" and path[:11] != "scenario/id"])
def test_whatever_stands_in_a_file_it_is_read_or_refused_in_one_line(path: str) -> None:
    for value in STRANGE:
        told = "small.toml"
        try:
            accepted(changed(path, value))
        except DataError as error:
            told = str(error)
        assert told.startswith("small.toml")
        assert told.isprintable()


def test_groups_that_crowd_each_other_are_noticed() -> None:
    tables = changed(
        "forces/germans/groups", [{"units": {"PzI": 1}, "hexes": ["0505"]}, {"units": {"PzII": 1}, "hexes": ["0505"]}]
    )
    assert (
        "groups[1]: the units of these 2 groups together need more room to set up: hexes needed 2, in the area 1"
        in refusal(tables)
    )


def test_a_side_that_sets_up_second_must_have_room_left() -> None:
    tables = changed(FOE, {"units": {"PzI": 2}, "hexes": ["0203 0204 0205"]})
    assert "hexes needed 2, in the area 3, of which the enemy may hold 2" in refusal(tables)


ROOM = [
    # units, dug in, riders, hexes that they need
    ("1 PzI", False, False, 1),
    ("2 Inf-Ge", False, False, 2),
    ("2 37mm", True, False, 2),
    ("3 37mm 2 Inf-Ge", False, False, 3),
    ("3 37mm 2 Inf-Ge", True, False, 3),
    ("2 37mm 3 Inf-Ge", True, False, 3),
    ("1 APC 1 Inf-Ge", False, False, 1),
    ("1 APC 1 Inf-Ge", True, False, 2),
    ("3 37mm 1 Inf-Ge 2 APC", False, False, 3),
    ("3 37mm 1 Inf-Ge 2 APC", True, False, 5),
    ("1 37mm 3 Inf-Ge 2 APC", False, False, 3),
    ("2 37mm 2 Inf-Ge 2 APC", False, False, 3),
    ("2 37mm 2 Inf-Ge 3 APC", False, False, 4),
    ("2 BT7 2 Inf-Ru", False, False, 4),
    ("2 BT7 2 Inf-Ru", False, True, 2),
    ("1 BT7 3 Inf-Ru 1 Truck", False, True, 3),
    ("2 BT7 2 37mm", False, True, 4),
]


@pytest.mark.rule("KP-7.0a", "KP-7.1a", "KP-14.0h")
@pytest.mark.parametrize(("units", "dug", "riders", "need"), ROOM)
def test_infantry_shares_a_hex_with_a_gun_and_rides_where_it_can(
    units: str, dug: bool, riders: bool, need: int
) -> None:
    words = units.split()
    mixed = {kind: int(number) for number, kind in zip(words[::2], words[1::2], strict=True)}
    tables = changed("scenario/riders", riders)
    tables["forces"]["germans"]["groups"][0] = {"units": mixed, "hexes": [f"0501-050{need}"]}
    if dug:
        tables["forces"]["germans"]["groups"][0]["entrenched"] = True
    accepted(tables)
    if need > 1:
        tables["forces"]["germans"]["groups"][0]["hexes"] = [f"0501-050{need - 1}"]
        assert f"the units need more room to set up: hexes needed {need}, in the area {need - 1};" in refusal(tables)


LEAST_AND_MOST: list[tuple[str, Any]] = [
    ("scenario/turns", 200),
    ("forces/french/panic", 5),
    ("forces/french/no_move", 3),
    (f"{LATE}/enters", 3),
    ("victory/needed", 5),
    ("victory/needed", 1),
    ("victory", {"kind": "destroy", "side": "french", "losses_needed": 2}),
    ("victory", {"kind": "reach", "side": "french", "hexes": ["0101"], "from_turn": 3}),
    (FOE, {"units": {"PzI": 3}, "rows": [7, 7]}),
    (FOE, {"units": {"PzI": 3}, "rows": [0, 99]}),
    (FOE, {"units": {"PzI": 1}, "within": 0, "of": "0505"}),
    (FOE, {"units": {"PzI": 1}, "within": 60, "of": "0505"}),
    ("forces/germans/groups", [{"units": {name: 1}, "edge": "east"} for name in ("PzI", "PzII", "APC", "Truck") * 2]),
    ("forces/french/groups", [{"units": {"H39": 1}, "edge": "west"}] * 8),
]


@pytest.mark.parametrize(("path", "value"), LEAST_AND_MOST)
def test_the_least_and_the_most_of_a_value_may_be(path: str, value: Any) -> None:
    accepted(changed(path, value))


def test_many_groups_are_looked_at_one_by_one_and_all_together() -> None:
    one = {"units": {"37mm": 1}, "edge": "east"}
    groups = [{"units": {"PzI": 1}, "hexes": ["0501"]}, *([one] * 4), *([{"units": {"APC": 1}, "edge": "east"}] * 8)]
    tables = changed("forces/germans/groups", groups)
    accepted(tables)
    groups[1] = {"units": {"37mm": 1, "PzII": 2}, "hexes": ["0502"]}
    assert "groups[1]: the units need more room to set up: hexes needed 3, in the area 1;" in refusal(tables)
    groups[1] = one
    groups += [{"units": {name: 1}, "edge": "east"} for name in ("PzII", "Truck")]
    assert "groups[14]: the units of these 15 groups together need more room to set up: hexes needed 11" in refusal(
        tables
    )


def test_a_board_knows_the_enemy_of_a_side_and_the_type_of_a_unit() -> None:
    position = accepted(SMALL)
    assert (position.enemy_of("french"), position.enemy_of("germans")) == ("germans", "french")
    assert position.kind_of("138").name == "Truck"


# The scenarios of the README


def samples() -> list[str]:
    """Return the samples that are scenarios; another shows a table of one."""
    found = re.findall(r"```toml\n(.*?)```", (HOME / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return [each for each in found if each.startswith("[scenario]")]


@pytest.mark.rule("R-KP-02", "R-KP-04")
def test_the_scenarios_of_the_readme_can_be_played(tmp_path: Path) -> None:
    (tmp_path / "my_map.toml").write_text((HOME / "scenarios/map.toml").read_text(encoding="utf-8"), encoding="utf-8")
    found = []
    for place, text in enumerate(samples()):
        path = tmp_path / f"{place}.toml"
        path.write_text(text, encoding="utf-8")
        position = read_board(load_scenario(str(path), kampfpanzer.ruleset_scenarios()), USUAL)
        found.append((position.scenario, position.sides, len(position.units)))
    assert found == [
        ("spain_on_my_map", ("nationalists", "republicans"), 45),
        ("outpost", ("germans", "poles"), 8),
    ]


def test_a_smaller_map_that_lacks_what_a_scenario_needs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "my_map.toml").write_text("[grid]\ncolumns = 39\nrows = 54\n", encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(samples()[0], encoding="utf-8")
    with pytest.raises(DataError, match=r"mine\.toml: "):
        read_board(load_scenario(str(path), kampfpanzer.ruleset_scenarios()), USUAL)
