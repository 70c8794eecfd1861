"""Maps of hexes on printed numbers, compared with the geometry of the grid and counting."""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.graph.paths import reach
from sandtable.board.hexes.grid import Direction, HexGrid, range_hexes
from sandtable.board.hexes.map import HexMap
from sandtable.errors import DataError, RulesetError

PRINTED = HexGrid(39, 54, lower_rows=53)
"""The map of Kampfpanzer."""

SMALL = (
    HexGrid(7, 5, "odd"),
    HexGrid(6, 7, lower_rows=6),
    HexGrid(4, 6, "odd", 7, 0, 0),
    HexGrid(1, 5),
    HexGrid(1, 1),
    HexGrid(6, 7, layout="rows"),
    HexGrid(5, 6, layout="rows", columns_grow="west", first_row=20),
    HexGrid(6, 6, layout="rows", eastern_rows="even", eastern_columns=5, first_column=0, first_row=3),
    HexGrid(4, 7, layout="rows", columns_grow="west", eastern_rows="even", eastern_columns=5),
)

FIELD = HexMap(
    "field",
    PRINTED,
    terrain={"0405": ("woods", "slope"), "0304": ("woods",)},
    hexsides={
        "0405/0404": ("stream",),
        "0404/0405": ("ford", "stream"),
        "1901/1902": ("road",),
        "1902/1903": ("road",),
    },
    places={"Town 1": ("2139", "2138", "2139")},
)


def test_tables_are_sorted_without_duplicates() -> None:
    assert list(FIELD.terrain.items()) == [("0304", ("woods",)), ("0405", ("slope", "woods"))]
    assert FIELD.hexsides["0404/0405"] == ("ford", "stream")
    assert list(FIELD.hexsides) == ["0404/0405", "1901/1902", "1902/1903"]
    assert FIELD.places == {"Town 1": ("2138", "2139")}


def test_terrain_is_looked_up_by_hex_with_a_default() -> None:
    assert FIELD.terrain_of("0405") == ("slope", "woods")
    assert FIELD.terrain_of("0101") == ("clear",)
    assert HexMap("steppe", PRINTED, default_terrain="grass").terrain_of("0101") == ("grass",)
    assert FIELD.hexes_with("woods") == ("0304", "0405")
    assert len(FIELD.hexes_with("clear")) == len(FIELD.numbers) - 2


def test_features_of_a_hexside_are_the_same_from_both_hexes() -> None:
    assert FIELD.side_of("0404", "0405") == FIELD.side_of("0405", "0404") == ("ford", "stream")
    assert FIELD.side_of("0404", "0403") == ()
    assert FIELD.side_of("0404", "3954") == FIELD.side_of("0404", "9999") == ()
    assert FIELD.hexes_beside("road") == ("1901", "1902", "1903")
    assert FIELD.hexes_beside("canal") == ()


def test_numbers_and_index_are_inverse() -> None:
    assert (FIELD.numbers[0], FIELD.numbers[-1], len(FIELD.numbers)) == ("0101", "3954", 20 * 54 + 19 * 53)
    assert [FIELD.index[number] for number in FIELD.numbers] == list(range(len(FIELD.numbers)))
    assert FIELD.holds("3954")
    assert not FIELD.holds("3854")
    assert not FIELD.holds("")


@pytest.mark.parametrize("grid", [*SMALL, PRINTED])
def test_compiled_lattice_matches_the_grid(grid: HexGrid) -> None:
    made = HexMap("m", grid)
    assert made.numbers == tuple(map(grid.number, grid.hexes()))
    assert made.adjacency == grid.adjacency()
    for number, space in made.axial.items():
        assert grid.hex_at(number) == space
        for each in Direction:
            beyond = space.neighbor(each)
            expected = grid.number(beyond) if grid.holds(beyond) else ""
            assert made.around[number][each] == made.neighbor(number, each) == expected


@pytest.mark.rule("KP-9.17a")
@pytest.mark.parametrize("grid", SMALL)
def test_ranges_and_discs_match_the_hexes(grid: HexGrid) -> None:
    made = HexMap("m", grid)
    for a in made.numbers:
        steps = {b: range_hexes(made.axial[a], made.axial[b]) for b in made.numbers}
        assert {b: made.range_hexes(a, b) for b in made.numbers} == steps
        for radius in range(-1, 14):
            assert made.within(a, radius) == tuple(b for b in made.numbers if steps[b] <= radius)


@pytest.mark.full
@given(st.sampled_from(FIELD.numbers), st.integers(-2, 80))
def test_within_is_sorted_and_complete_on_a_large_map(center: str, radius: int) -> None:
    assert FIELD.within(center, radius) == tuple(b for b in FIELD.numbers if FIELD.range_hexes(center, b) <= radius)


@pytest.mark.parametrize("grid", [*SMALL, PRINTED])
def test_edge_consists_of_hexes_without_neighbors(grid: HexGrid) -> None:
    made = HexMap("m", grid)
    ranks = [each[:2] for each in made.numbers]
    first, last = (tuple(each for each in made.numbers if each[:2] == rank) for rank in (ranks[0], ranks[-1]))
    ends = {
        way: tuple(each for each in made.numbers if not made.around[each][Direction[way]])
        for way in ("AD" if made.layout == "columns" else "EB")
    }
    if made.layout == "columns":
        assert (made.edge("north"), made.edge("south")) == (ends["A"], ends["D"])
        assert (made.edge("west"), made.edge("east")) == (first, last)
    else:
        assert (made.edge("north"), made.edge("south")) == (first, last)
        assert (made.edge("west"), made.edge("east")) == (ends["E"], ends["B"])


def test_entry_hexes_of_scenarios_are_on_their_edges() -> None:
    assert {"1301", "2701", "3001"} < set(FIELD.edge("north"))
    assert {"0954", "3653"} < set(FIELD.edge("south"))
    assert FIELD.edge("east")[-1] == "3954"
    with pytest.raises(RulesetError, match="no edge 'up'; use north, south, east or west"):
        FIELD.edge("up")  # type: ignore[arg-type]  # a wrong edge on purpose


def test_cost_table_takes_printed_numbers_and_gives_indexes() -> None:
    def halves(a: str, b: str) -> int | None:
        if "stream" in FIELD.side_of(a, b):
            return None
        return 1 if "road" in FIELD.side_of(a, b) else 2

    table = FIELD.cost_table(halves)
    found = reach(table, FIELD.index["1901"], 2)
    assert [FIELD.numbers[place] for place in found.costs] == ["1901", "1902", "1801", "1903", "2001"]
    assert table.cost(FIELD.index["0404"], FIELD.index["0405"]) is None


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"terrain": {"0254": ("woods",)}}, "0254: is off the map; the rows of column 02 run from 01 to 53"),
        ({"terrain": {"254": ("woods",)}}, "'254': is not a hex number"),
        ({"places": {"Town 1": ("4001",)}}, "4001: is off the map; its columns run from 01 to 39"),
        (
            {"hexsides": {"0404/0406": ("stream",)}},
            "0404/0406: is not a hexside; give the numbers of two adjacent hexes",
        ),
        ({"hexsides": {"0404/0404": ("stream",)}}, "0404/0404: is not a hexside"),
        ({"hexsides": {"0404": ("stream",)}}, "'': is not a hex number"),
        ({"hexsides": {"0101/": ("stream",)}}, "'': is not a hex number"),
        ({"hexsides": {"0153/0253/0252": ("stream",)}}, "'0253/0252': is not a hex number"),
        ({"hexsides": {"0100/0101": ("stream",)}}, "0100: is off the map"),
    ],
)
def test_map_with_invalid_hexes_or_hexsides_is_refused(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError) as refusal:
        HexMap("m", PRINTED, **fields)
    assert str(refusal.value).startswith(f"hex grid: {problem}")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: FIELD.terrain_of("4001"),
        lambda: FIELD.neighbor("4001", Direction.A),
        lambda: FIELD.range_hexes("0101", "4001"),
        lambda: FIELD.range_hexes("4001", "0101"),
        lambda: FIELD.within("4001", 2),
    ],
)
def test_off_map_hex_is_refused_with_the_limits_of_the_map(ask: Callable[[], object]) -> None:
    with pytest.raises(DataError, match="4001: is off the map; its columns run from 01 to 39"):
        ask()


def test_map_is_independent_of_its_arguments() -> None:
    terrain: dict[str, tuple[str, ...]] = {"0304": ("woods",)}
    made = HexMap("m", PRINTED, terrain)
    terrain["0305"] = ("woods",)
    assert made.terrain == {"0304": ("woods",)}
    with pytest.raises(FrozenInstanceError):
        made.title = "other"  # type: ignore[misc]  # a frozen field on purpose
    assert repr(made) == "HexMap('m', 2087 hexes)"


def test_equal_maps_compare_equal_and_can_be_pickled() -> None:
    other: Mapping[str, tuple[str, ...]] = {"0405": ("slope", "woods"), "0304": ("woods", "woods"), "0505": ()}
    again = HexMap("field", PRINTED, other, {**FIELD.hexsides, "0101/0102": ()}, FIELD.places)
    assert again == FIELD
    copy = pickle.loads(pickle.dumps(FIELD))  # noqa: S301 - our own bytes
    assert copy == FIELD
    assert copy.sides == FIELD.sides
    assert HexMap("field", PRINTED) != FIELD
