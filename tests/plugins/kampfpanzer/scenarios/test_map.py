"""The map compared with statements of the rules and scenarios about it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.positions import board_of

if TYPE_CHECKING:
    from sandtable.board.hexes.map import HexMap


@pytest.fixture(scope="module")
def ground() -> HexMap:
    return board_of("spain").hexmap


# --- the map ---


@pytest.mark.rule("R-KP-01")
def test_hexes_around_0304_match_the_example(ground: HexMap) -> None:
    assert ground.around["0304"] == ("0303", "0403", "0404", "0305", "0204", "0203")


@pytest.mark.rule("R-KP-02", "KP-3.1a")
def test_map_has_39_columns_of_54_and_53_rows(ground: HexMap) -> None:
    assert len(ground.numbers) == 20 * 54 + 19 * 53
    assert (ground.numbers[0], ground.numbers[-1]) == ("0101", "3954")
    assert not ground.holds("3963")
    assert not ground.holds("3654")


@pytest.mark.rule("R-KP-04")
def test_map_is_marked_as_reconstructed(ground: HexMap) -> None:
    assert ground.provenance == "reconstructed"
    assert ground.reason
    assert ground.default_terrain == "clear"


@pytest.mark.rule("R-KP-31")
def test_crests_separate_slopes_from_hilltops(ground: HexMap) -> None:
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
def test_woods_and_town_hexsides_join_hexes_of_that_terrain(ground: HexMap, terrain: str) -> None:
    hexes = ground.hexes_with(terrain)
    assert {pair for pair, features in ground.sides.items() if terrain in features} == {
        (one, other) for one in hexes for other in ground.around[one] if other in hexes
    }


def test_each_hex_of_the_map_has_one_terrain(ground: HexMap) -> None:
    assert all(len(kinds) == 1 for kinds in ground.grounds.values())


def beside(ground: HexMap, feature: str) -> set[tuple[str, str]]:
    return {pair for pair, features in ground.sides.items() if feature in features and pair[0] < pair[1]}


def test_roads_cross_the_stream_on_bridges_and_fords_have_no_road(ground: HexMap) -> None:
    stream, road = beside(ground, "stream"), beside(ground, "road")
    assert beside(ground, "bridge") == stream & road == {("2023", "2024"), ("2726", "2727")}
    assert beside(ground, "ford") < stream - road
    assert len(beside(ground, "ford")) == 4


def test_stream_divides_the_map(ground: HexMap) -> None:
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


# --- statements of rules and scenarios about the map (inventory 4.2) ---


@pytest.mark.rule("KP-14.2.2", "KP-14.2.4", "KP-14.1.2")
@pytest.mark.parametrize(("number", "edge"), [("0954", "south"), ("3653", "south"), ("3953", "east")])
def test_entry_hexes_are_on_the_edge(ground: HexMap, number: str, edge: Any) -> None:
    assert number in ground.edge(edge)


@pytest.mark.parametrize(
    ("center", "radius", "stacks"),
    [
        ("0908", 2, 7), ("3631", 2, 2), ("0938", 4, 4), ("2121", 5, 17), ("1016", 5, 12), ("2319", 2, 10),
        ("2528", 2, 10), ("1903", 2, 14), ("0621", 2, 14), ("0753", 2, 5), ("3930", 2, 6), ("3437", 2, 4),
        ("3532", 2, 4),
    ],
)  # fmt: skip
def test_areas_around_centers_fit_their_forces(ground: HexMap, center: str, radius: int, stacks: int) -> None:
    assert len(ground.within(center, radius)) >= stacks


@pytest.mark.rule("KP-14.2.1")
def test_carriers_of_2037_start_next_to_the_town(ground: HexMap) -> None:
    town = ground.places["Town 1"]
    assert "2138" in ground.within("2037", 1)
    assert min(ground.range_hexes("2037", number) for number in town) == 1
    assert len(town) == 9
    assert all(29 <= int(number[2:]) <= 54 for number in town)


@pytest.mark.rule("KP-14.8.4")
def test_2341_is_a_road_hex_at_the_far_end_of_the_town(ground: HexMap) -> None:
    assert "2341" in ground.places["Town 1"]
    assert "2341" in ground.hexes_beside("road")


@pytest.mark.parametrize("center", ["3437", "3532", "3930", "0753"])
def test_a_road_passes_near_the_forces_of_arras(ground: HexMap, center: str) -> None:
    assert set(ground.within(center, 2)) & set(ground.hexes_beside("road"))


@pytest.mark.parametrize(("name", "side"), [("czechoslovakia", "czechs"), ("summa", "russians")])
def test_road_leaves_the_map_at_an_exit(ground: HexMap, name: str, side: str) -> None:
    assert set(board_of(name).exits[side]) & set(ground.hexes_beside("road"))


def test_hill_3_surrounds_the_hilltop_named_in_the_book(ground: HexMap) -> None:
    assert ground.terrain_of("0807") == ground.terrain_of("0708") == ("hilltop",)
    assert {"0807", "0708"} < set(ground.places["Hill 3"])
    assert {ground.terrain_of(number) for number in ("0303", "0304", "0403")} == {("clear",)}
    assert len(ground.places["Hill 3"]) >= 6


def test_tanks_of_abbeville_start_on_clear_ground(ground: HexMap) -> None:
    assert {ground.terrain_of(f"30{row:02}") for row in range(1, 7)} == {("clear",)}


def test_hill_1_lies_within_the_area_of_its_garrison(ground: HexMap) -> None:
    assert set(ground.places["Hill 1"]) <= set(ground.within("0938", 4))


def test_hills_contain_every_slope_and_hilltop(ground: HexMap) -> None:
    hills = {number for name in ("Hill 1", "Hill 2", "Hill 3") for number in ground.places[name]}
    assert hills == {*ground.hexes_with("slope"), *ground.hexes_with("hilltop")}


def test_hill_2_lies_between_1903_and_the_town(ground: HexMap) -> None:
    hill, town = ground.places["Hill 2"], ground.places["Town 1"]
    apart = min(ground.range_hexes("1903", number) for number in town)
    assert all(ground.range_hexes("1903", number) < apart for number in hill)
    assert all(ground.range_hexes(one, number) < apart for one in town[:1] for number in hill)


def test_trench_line_of_a_published_variant_is_on_the_map(ground: HexMap) -> None:
    trench = ("0151", "0251", "0352", "0452", "0553", "0653")
    assert all(ground.holds(number) for number in [*trench, "0353", "0253", "0154"])
    assert all(here in ground.around[there] for here, there in pairwise(trench))
