"""Hex geometry, compared with the printed numbers of two games, networkx and counting."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.graph.paths import distance_spaces
from sandtable.board.hexes.grid import (
    Direction,
    Hex,
    HexGrid,
    Hexside,
    direction_to,
    disc,
    line,
    range_hexes,
    ring,
    within_arc,
)
from sandtable.errors import DataError, RulesetError

PRINTED = HexGrid(39, 54, lower_rows=53)
"""The map of Kampfpanzer: even columns lower and one hex shorter."""

WESTWARD = HexGrid(30, 20, first_row=20, layout="rows", columns_grow="west")
"""The map of Army Group Center: straight rows, columns growing to the west, odd rows half a hex further east."""

IN_ROWS = [
    WESTWARD,
    HexGrid(6, 7, layout="rows"),
    HexGrid(6, 7, layout="rows", eastern_rows="even", eastern_columns=5),
    HexGrid(4, 9, layout="rows", columns_grow="west", eastern_rows="even", first_column=0, first_row=0),
    HexGrid(5, 4, layout="rows", columns_grow="west", eastern_columns=6, first_row=7),
]
GRIDS = [
    PRINTED,
    HexGrid(7, 5, "odd"),
    HexGrid(4, 6, "odd", 7, 0, 0),
    HexGrid(100, 3, first_column=0),
    HexGrid(1, 1),
    *IN_ROWS,
]

hexes = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
directions = st.sampled_from(Direction)


def numbers(*spaces: Hex) -> list[str]:
    return [PRINTED.number(each) for each in spaces]


def run(start: str, plot: str) -> list[str]:
    """Follow a plot such as F1A2F3 and return the entered hexes."""
    space, entered = PRINTED.hex_at(start), []
    for letter, count in zip(plot[::2], plot[1::2], strict=True):
        for _ in range(int(count)):
            space = space.neighbor(Direction[letter])
            entered.append(PRINTED.number(space))
    return entered


@pytest.mark.rule("KP-3.1a")
@pytest.mark.parametrize("grid", GRIDS)
def test_every_printed_number_round_trips_in_order(grid: HexGrid) -> None:
    spaces = grid.hexes()
    printed = [grid.number(each) for each in spaces]
    assert [grid.hex_at(each) for each in printed] == list(spaces)
    assert printed == sorted(set(printed))
    if grid.layout == "columns":
        assert list(spaces) == sorted(set(spaces))
    assert grid.within(spaces) == spaces


def test_kampfpanzer_has_39_columns_of_54_and_53_hexes() -> None:
    printed = [PRINTED.number(each) for each in PRINTED.hexes()]
    assert len(printed) == 20 * 54 + 19 * 53
    assert (printed[0], printed[-1]) == ("0101", "3954")
    assert {"0954", "3653"} < set(printed)


def test_loose_fire_on_0304_hits_the_seven_example_hexes() -> None:
    center = PRINTED.hex_at("0304")
    assert numbers(*ring(center, 1)) == ["0303", "0403", "0404", "0305", "0204", "0203"]
    assert numbers(*disc(center, 1))[0] == "0304"


@pytest.mark.rule("KP-5.4a")
@pytest.mark.parametrize(
    ("start", "plot", "entered"),
    [
        ("0102", "C7", "0202 0303 0403 0504 0604 0705 0805"),
        ("0702", "D5", "0703 0704 0705 0706 0707"),
        ("0804", "D4", "0805 0806 0807 0808"),
        ("0807", "E1", "0708"),
        ("0508", "A2F4", "0507 0506 0405 0305 0204 0104"),
        ("0509", "F1A2F3", "0408 0407 0406 0306 0205 0105"),
        ("1205", "F2", "1105 1004"),
        ("0607", "A2B1", "0606 0605 0705"),
        ("1206", "B1C1", "1306 1406"),
    ],
)
def test_example_plots_enter_the_documented_hexes(start: str, plot: str, entered: str) -> None:
    assert run(start, plot) == entered.split()


@pytest.mark.rule("KP-9.17a")
def test_ranges_match_the_examples() -> None:
    for a, b, expected in [("0313", "0304", 9), ("0708", "0706", 2), ("1302", "1306", 4), ("1402", "1406", 4)]:
        assert range_hexes(PRINTED.hex_at(a), PRINTED.hex_at(b)) == expected


@pytest.mark.parametrize(
    ("grid", "hexes_on_line"),
    [
        (PRINTED, "0603 0604 0605 0706 0707 0708"),  # an example of the rulebook
        (PRINTED, "0305 0404 0505 0604 0705 0804 0905"),  # along hexsides: west, then north
        (WESTWARD, "2410 2511 2610"),  # straight rows: north, then west, where columns increase
        (WESTWARD, "2410 2409 2509"),
        (WESTWARD, "2410 2411 2512"),
    ],
)
def test_line_follows_its_tie_rule(grid: HexGrid, hexes_on_line: str) -> None:
    start, *_, end = hexes_on_line.split()
    path = line(grid.hex_at(start), grid.hex_at(end))
    assert [grid.number(each) for each in path] == hexes_on_line.split()


def test_every_line_within_12_hexes_takes_one_hex_of_each_range() -> None:
    for goal in disc(Hex(0, 0), 12):
        path = line(Hex(0, 0), goal)
        assert [range_hexes(Hex(0, 0), each) for each in path] == list(range(len(path)))
        assert [range_hexes(goal, each) for each in path] == list(reversed(range(len(path))))
        assert all(range_hexes(a, b) == 1 for a, b in pairwise(path))


@given(hexes, hexes)
def test_line_is_the_same_in_both_directions(a: Hex, b: Hex) -> None:
    assert line(a, b) == line(b, a)[::-1]
    assert len(line(a, b)) == range_hexes(a, b) + 1


@given(hexes, st.integers(0, 12))
def test_ring_has_6n_adjacent_hexes(center: Hex, radius: int) -> None:
    around = ring(center, radius)
    assert len(set(around)) == len(around) == (6 * radius or 1)
    assert all(range_hexes(center, each) == radius for each in around)
    if radius:
        assert all(range_hexes(a, b) == 1 for a, b in pairwise((*around, around[0])))
    within = disc(center, radius)
    assert len(set(within)) == len(within) == 1 + 3 * radius * (radius + 1)
    assert within[len(within) - len(around) :] == around


@given(hexes, directions, st.integers(1, 30))
def test_directions_round_trip(space: Hex, direction: Direction, distance: int) -> None:
    goal = space.neighbor(direction, distance)
    assert direction_to(space, goal) is direction
    assert direction_to(goal, space) is direction.turned(3)
    assert goal.neighbor(direction.turned(3), distance) == space


def test_no_direction_leads_to_itself_or_off_a_straight_line() -> None:
    assert direction_to(Hex(2, 2), Hex(2, 2)) is None
    assert direction_to(Hex(0, 0), Hex(1, 1)) is None


def is_within_60_degrees(space: Hex, facing: Direction, target: Hex, *, edges: bool) -> bool:
    """Judge the angle by its cosine, at least a half, in a plane where a step north is 2 in the second coordinate.

    There (x, y) represents the point (x times the root of 3, y), so that squares and products are integers.
    """
    (front_x, front_y), (x, y) = (
        (end.q - space.q, end.q - space.q + 2 * (end.r - space.r)) for end in (space.neighbor(facing), target)
    )
    product = 3 * front_x * x + front_y * y
    squares = (3 * front_x**2 + front_y**2) * (3 * x**2 + y**2)
    return product > 0 and (4 * product**2 >= squares if edges else 4 * product**2 > squares)


@pytest.mark.rule("KP-9.4c", "R-KP-33")
@given(hexes, directions, hexes, st.booleans())
def test_arc_contains_hexes_up_to_60_degrees_off_the_facing(
    space: Hex, facing: Direction, target: Hex, edges: bool
) -> None:
    expected = is_within_60_degrees(space, facing, target, edges=edges)
    assert within_arc(space, facing, target, inclusive=edges) is expected


@pytest.mark.rule("KP-9.4c", "R-KP-33")
@pytest.mark.parametrize("facing", Direction)
def test_edges_of_the_arc_run_through_the_front_hexes(facing: Direction) -> None:
    space = PRINTED.hex_at("2020")
    for distance in (1, 2, 7):
        found = {each for each in Direction if within_arc(space, facing, space.neighbor(each, distance))}
        assert found == {facing, facing.turned(1), facing.turned(-1)}
        strictly = {
            each for each in Direction if within_arc(space, facing, space.neighbor(each, distance), inclusive=False)
        }
        assert strictly == {facing}
    arc = [each for each in disc(space, 9) if within_arc(space, facing, each)]
    assert len(arc) == sum(2 * radius + 1 for radius in range(1, 10))
    inside = [each for each in arc if within_arc(space, facing, each, inclusive=False)]
    assert len(inside) == len(arc) - 2 * 9


def test_hex_is_not_in_its_own_arc() -> None:
    assert not any(within_arc(Hex(2, 2), each, Hex(2, 2)) for each in Direction)
    assert not any(within_arc(Hex(2, 2), each, Hex(2, 2), inclusive=False) for each in Direction)


@given(hexes, directions)
def test_hexside_is_the_same_from_both_hexes(space: Hex, direction: Direction) -> None:
    beyond = space.neighbor(direction)
    side = Hexside.of(space, direction)
    assert side == Hexside.of(beyond, direction.turned(3)) == Hexside.between(space, beyond)
    assert side == Hexside.between(beyond, space)
    assert len({Hexside.of(space, each) for each in Direction}) == 6


def test_hexsides_have_printed_numbers() -> None:
    side = PRINTED.hexside_at("0405/0404")
    assert side == Hexside.of(PRINTED.hex_at("0404"), Direction.D)
    assert PRINTED.hexside_number(side) == "0404/0405"
    assert PRINTED.hexside_number(PRINTED.hexside_at("0304/0403")) == "0304/0403"


@pytest.mark.parametrize("grid", [HexGrid(9, 8, lower_rows=7), HexGrid(6, 9, "odd"), HexGrid(1, 5), *IN_ROWS[1:]])
def test_range_is_the_number_of_steps_on_the_grid(grid: HexGrid) -> None:
    neighbors, spaces = grid.adjacency(), grid.hexes()
    graph = nx.Graph()
    graph.add_nodes_from(range(len(spaces)))
    graph.add_edges_from((start, end) for start, row in enumerate(neighbors) for end in row)
    for start, lengths in nx.all_pairs_shortest_path_length(graph):
        assert {end: range_hexes(spaces[start], spaces[end]) for end in range(len(spaces))} == lengths
    assert distance_spaces(neighbors, 0, len(spaces) - 1) == range_hexes(spaces[0], spaces[-1])


@pytest.mark.full
@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from(["even", "odd"]), st.integers(0, 3))
def test_adjacency_is_sorted_mutual_and_complete(
    columns: int, rows: int, lower: Literal["even", "odd"], first: int
) -> None:
    grid = HexGrid(columns, rows, lower, first_column=first)
    neighbors, spaces = grid.adjacency(), grid.hexes()
    assert all(list(row) == sorted(set(row)) for row in neighbors)
    pairs = {(start, end) for start, row in enumerate(neighbors) for end in row}
    count = range(len(spaces))
    assert pairs == {(a, b) for a in count for b in count if range_hexes(spaces[a], spaces[b]) == 1}


@pytest.mark.parametrize(
    "number", ["", "304", "03041", "03a4", "-304", "٠٣٠٤", "0304\n", "4001", "0200", "0055", "0254"]
)
def test_invalid_or_off_map_number_is_refused(number: str) -> None:
    with pytest.raises(DataError, match=r"^hex grid: .*(four digits|off the map)") as caught:
        PRINTED.hex_at(number)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "ask", "problem"),
    [
        (
            DataError,
            lambda: PRINTED.hex_at("0254"),
            "hex grid: 0254: is off the map; the rows of column 02 run from 01 to 53",
        ),
        (DataError, lambda: PRINTED.hex_at("4001"), "4001: is off the map; its columns run from 01 to 39"),
        (DataError, lambda: PRINTED.number(Hex(0, 0)), "has no number"),
        (DataError, lambda: WESTWARD.hex_at("2431"), "2431: is off the map; the columns of row 24 run from 01 to 30"),
        (DataError, lambda: WESTWARD.hex_at("1901"), "1901: is off the map; its rows run from 20 to 39"),
        (
            DataError,
            lambda: WESTWARD.hex_at("24"),
            "is not a hex number; give four digits, row and column, such as 0304",
        ),
        (
            DataError,
            lambda: HexGrid(3, 3, lower_rows=2, layout="rows"),
            "lower_rows: is not used if rows are straight; remove it, or set",
        ),
        (RulesetError, lambda: ring(Hex(0, 0), -1), "radius of -1"),
        (RulesetError, lambda: disc(Hex(0, 0), -1), "radius of -1"),
        (RulesetError, lambda: Hexside.between(Hex(0, 0), Hex(1, 1)), "do not share a hexside"),
    ],
)
def test_refusal_names_the_limits_of_the_map(error: type[Exception], ask: Callable[[], object], problem: str) -> None:
    with pytest.raises(error, match=problem):
        ask()


@pytest.mark.parametrize("numbers_given", ["0404", "0404/0406", "0404/0404", "0404/0405/0406", "0153/9999"])
def test_invalid_hexside_is_refused(numbers_given: str) -> None:
    with pytest.raises(DataError):
        PRINTED.hexside_at(numbers_given)


@pytest.mark.parametrize(
    ("grid", "key"),
    [
        ({"columns": 0, "rows": 5}, "columns"),
        ({"columns": 100, "rows": 5}, "columns"),
        ({"columns": 5, "rows": 0}, "rows"),
        ({"columns": 5, "rows": 5, "lower_rows": 0}, "lower_rows"),
        ({"columns": 5, "rows": 5, "first_row": -1}, "rows"),
        ({"columns": 5, "rows": 90, "first_row": 20, "layout": "rows"}, "rows"),
        ({"columns": 5, "rows": 5, "eastern_columns": 0, "layout": "rows"}, "eastern_columns"),
        ({"columns": 5, "rows": 5, "layout": "diamonds"}, "layout"),
        ({"columns": 5, "rows": 5, "layout": "rows", "columns_grow": "north"}, "columns_grow"),
        ({"columns": 5, "rows": 5, "layout": "rows", "lower_columns": "odd"}, "lower_columns"),
        ({"columns": 5, "rows": 5, "layout": "rows", "lower_rows": 4}, "lower_rows"),
        ({"columns": 5, "rows": 5, "columns_grow": "west"}, "columns_grow"),
        ({"columns": 5, "rows": 5, "eastern_rows": "even"}, "eastern_rows"),
        ({"columns": 5, "rows": 5, "eastern_columns": 4}, "eastern_columns"),
    ],
)
def test_invalid_grid_is_refused(grid: dict[str, Any], key: str) -> None:
    with pytest.raises(DataError, match=f"hex grid: {key}: "):
        HexGrid(**grid)


# ---------------------------------------------------------------------- straight rows

NEIGHBOURS = {
    0: {"A": (-1, 0), "B": (0, -1), "C": (1, 0), "D": (1, 1), "E": (0, 1), "F": (-1, 1)},
    1: {"A": (-1, -1), "B": (0, -1), "C": (1, -1), "D": (1, 0), "E": (0, 1), "F": (-1, 0)},
}
"""By even and odd rows of Army Group Center: what a step changes in the row and in the column."""


@pytest.mark.rule("AGC-1.3d")
def test_neighbors_in_straight_rows_match_the_printed_map() -> None:
    for space in WESTWARD.hexes():
        number = WESTWARD.number(space)
        row, column = int(number[:2]), int(number[2:])
        for letter, (down, west) in NEIGHBOURS[row % 2].items():
            there = space.neighbor(Direction[letter])
            on_map = 20 <= row + down <= 39 and 1 <= column + west <= 30
            assert WESTWARD.holds(there) is on_map
            if on_map:
                assert WESTWARD.number(there) == f"{row + down:02}{column + west:02}"


@pytest.mark.rule("AGC-1.3d", "AGC-1.3f")
def test_army_group_center_map_matches_its_rules() -> None:
    assert WESTWARD.number(WESTWARD.hex_at("3218").neighbor(Direction.C, 5)) == "3716"
    row, vilnius = WESTWARD.rank_and_along(WESTWARD.hex_at("2422"))
    for number in ("2317", "2212"):  # columns increase to the west, and so does rank_and_along
        further_north, along = WESTWARD.rank_and_along(WESTWARD.hex_at(number))
        assert further_north < row
        assert along < vilnius


def center(grid: HexGrid, number: str) -> tuple[int, int]:
    """Return the center of a hex of straight rows: in half hexes to the east, and in rows to the south."""
    row, column = int(number[:2]), int(number[2:])
    east = 2 * column * (1 if grid.columns_grow == "east" else -1)
    return east + ((row % 2 == 1) == (grid.eastern_rows == "odd")), row


@pytest.mark.full
@pytest.mark.parametrize("grid", IN_ROWS)
def test_directions_in_straight_rows_are_correct(grid: HexGrid) -> None:
    towards = {(1, -1): "A", (2, 0): "B", (1, 1): "C", (-1, 1): "D", (-2, 0): "E", (-1, -1): "F"}
    spaces = grid.hexes()
    for a in spaces:
        x, y = center(grid, grid.number(a))
        for b in spaces:
            east, south = center(grid, grid.number(b))
            apart = (east - x, south - y)
            assert (range_hexes(a, b) == 1) is (apart in towards)
            if apart in towards:
                assert direction_to(a, b) is Direction[towards[apart]]
            assert range_hexes(a, b) == max(abs(apart[1]), (abs(apart[0]) + abs(apart[1])) // 2)


def test_columns_and_rows_of_numbers_are_distinguished() -> None:
    assert WESTWARD.column_and_row("2422") == (22, 24)
    assert PRINTED.column_and_row("2422") == (24, 22)
