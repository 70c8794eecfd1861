"""The shipped scenario files, read without the ruleset."""

from __future__ import annotations

import pytest
from tests.plugins.desert_aa.oracle.scenarios import SIDES, Table, joined, read_scenario, spaces_away

STANDARD_COST = {"infantry": 3, "artillery": 4, "armor": 5, "fighter": 12, "bomber": 15, "aa_gun": 5}
ITALIAN_COST = STANDARD_COST | {"infantry": 2, "artillery": 3, "armor": 4, "fighter": 10}
AREA_KEYS = {"name", "terrain", "lon_milli", "lat_milli", "owner", "value", "road", "city", "zone", "capital"}


def ipc_of(scenario: Table, power: str) -> int:
    cost = ITALIAN_COST if power == "italy" else STANDARD_COST
    return sum(cost[unit] * number for stack in scenario["forces"][power].values() for unit, number in stack.items())


def zones_of(scenario: Table, side: str) -> set[str]:
    return {key for key, area in scenario["areas"].items() if area.get("zone") and SIDES[area["owner"]] == side}


@pytest.fixture(scope="module", params=["western_desert", "to_the_finish", "frontier"])
def scenario(request: pytest.FixtureRequest) -> Table:
    return read_scenario(request.param)


@pytest.fixture(scope="module")
def desert() -> Table:
    return read_scenario("western_desert")


@pytest.mark.rule("DAA-1.01", "DAA-1.02", "DAA-1.03")
def test_three_powers_on_two_sides_are_in_order_of_play(scenario: Table) -> None:
    assert [(power, facts["side"]) for power, facts in scenario["powers"].items()] == list(SIDES.items())


def test_areas_are_complete_and_of_known_kinds(scenario: Table) -> None:
    for key, area in scenario["areas"].items():
        assert {"name", "terrain", "lon_milli", "lat_milli", "owner"} <= set(area) <= AREA_KEYS, key
        assert area["terrain"] in ("desert", "impassable_land", "impassable_all")
        assert area["owner"] in ({*SIDES} if area["terrain"] == "desert" else {""}), key
        assert type(area["lon_milli"]) is type(area["lat_milli"]) is type(area.get("value", 0)) is int
    names = [area["name"] for area in scenario["areas"].values()]
    assert len(set(names)) == len(names)


def test_closed_ground_has_neither_value_nor_marks(scenario: Table) -> None:
    for area in scenario["areas"].values():
        if area["terrain"] != "desert":
            assert not set(area) & {"value", "road", "city", "zone", "capital"}


def test_connectors_are_unique_sorted_and_between_known_areas(scenario: Table) -> None:
    pairs = [tuple(connector["between"]) for connector in scenario["connectors"]]
    assert pairs == sorted(set(pairs))
    for first, second in pairs:
        assert first < second
        assert {first, second} <= set(scenario["areas"])
    assert {connector["kind"] for connector in scenario["connectors"]} == {"road", "desert"}


def test_all_open_ground_is_connected(scenario: Table) -> None:
    ground = {key for key, area in scenario["areas"].items() if area["terrain"] == "desert"}
    assert set(spaces_away(joined(scenario), min(ground), ground)) == ground


@pytest.mark.rule("DAA-6.01")
def test_road_is_one_chain_through_all_road_areas(scenario: Table) -> None:
    road = {key for key, area in scenario["areas"].items() if area.get("road")}
    along = joined(scenario, "road")
    assert {key for key in along if along[key]} == road
    assert sorted(len(along[key]) for key in road) == [1, 1] + [2] * (len(road) - 2)
    assert set(spaces_away(along, min(road), road)) == road


@pytest.mark.rule("DAA-R62")
def test_each_side_has_one_capital_on_its_own_road(scenario: Table) -> None:
    capitals = {key: area for key, area in scenario["areas"].items() if area.get("capital")}
    assert sorted(area["capital"] for area in capitals.values()) == ["allies", "axis"]
    for area in capitals.values():
        assert SIDES[area["owner"]] == area["capital"]
        assert area["road"]
        assert area["city"]


@pytest.mark.rule("DAA-14.08")
def test_incomes_equal_the_held_values_and_the_first_purse(scenario: Table) -> None:
    for side in ("axis", "allies"):
        powers = [power for power in scenario["powers"] if SIDES[power] == side]
        assert scenario["treasury"][side] == sum(scenario["powers"][power]["income"] for power in powers)
    for power, facts in scenario["powers"].items():
        held = [area.get("value", 0) for area in scenario["areas"].values() if area["owner"] == power]
        assert sum(held) == facts["income"], power


def test_forces_are_on_open_ground_of_their_power(scenario: Table) -> None:
    assert set(scenario["forces"]) == set(SIDES)
    for power, stacks in scenario["forces"].items():
        for key, stack in stacks.items():
            assert scenario["areas"][key]["owner"] == power, key
            assert scenario["areas"][key]["terrain"] == "desert"
            assert stack.keys() <= STANDARD_COST.keys()
            assert all(number > 0 for number in stack.values())


def test_each_side_can_mine_ground_that_it_holds(scenario: Table) -> None:
    for side in ("axis", "allies"):
        own = [area for area in scenario["areas"].values() if SIDES.get(area["owner"]) == side]
        assert any(not area.get("road") and not area.get("city") for area in own)


def test_map_states_its_provenance(scenario: Table) -> None:
    assert scenario["map"]["provenance"] in ("reconstructed", "invented for teaching")
    assert scenario["map"]["reason"]


@pytest.mark.rule("DAA-1.05", "DAA-R02", "DAA-2.01", "DAA-3.13")
def test_western_desert_begins_with_the_printed_figures(desert: Table) -> None:
    incomes = {power: facts["income"] for power, facts in desert["powers"].items()}
    assert incomes == {"italy": 12, "england": 24, "germany": 10}
    assert desert["treasury"] == {"axis": 22, "allies": 24, "bonus": 12}
    assert zones_of(desert, "axis") == {"TRI", "SIR", "BEN"}
    assert zones_of(desert, "allies") == {"MAT", "ALX", "SUE"}
    assert (desert["areas"]["TRI"]["capital"], desert["areas"]["CAI"]["capital"]) == ("axis", "allies")
    assert len(desert["areas"]) == 39 + 4
    assert {power: ipc_of(desert, power) for power in SIDES} == {"italy": 43, "england": 122, "germany": 118}


@pytest.mark.rule("DAA-6.01")
def test_coast_road_runs_from_tripoli_to_suez(desert: Table) -> None:
    along = joined(desert, "road")
    distance = spaces_away(along, "TRI", set(along))
    assert " ".join(sorted(distance, key=distance.__getitem__)) == (
        "TRI HOM BUE SIR NOF AGH BRE AGE BEN BAR DER TMI TOB BDI BUQ SIB MAT FUK ALA ALX CAI SUE"
    )
    assert list(distance.values()) == list(range(22))


@pytest.mark.rule("DAA-11.03", "DAA-11.04")
def test_two_barriers_stop_land_units_and_two_stop_all_units(desert: Table) -> None:
    closed = {area["name"]: area["terrain"] for area in desert["areas"].values() if area["terrain"] != "desert"}
    assert closed == {
        "Qattara Depression": "impassable_land",
        "Jebel Akhdar heights": "impassable_land",
        "Great Sand Sea": "impassable_all",
        "Dehan Ubari": "impassable_all",
    }


def test_only_two_areas_are_between_sea_and_qattara_at_el_alamein(desert: Table) -> None:
    ground = {key for key, area in desert["areas"].items() if area["terrain"] == "desert"}
    reached = spaces_away(joined(desert), "TRI", ground - {"ALA", "RUW"})
    assert not {"ALX", "CAI", "NAT", "FAY", "SUE"} & set(reached)


def test_to_the_finish_is_western_desert_without_a_limit(desert: Table) -> None:
    finish = read_scenario("to_the_finish")
    assert desert["scenario"]["round_limit"] == 12
    assert finish["scenario"]["round_limit"] == 0
    for section in ("powers", "treasury", "map", "areas", "connectors", "forces"):
        assert finish[section] == desert[section]


def test_frontier_is_small_and_symmetric() -> None:
    frontier = read_scenario("frontier")
    assert frontier["scenario"]["round_limit"] == 6
    assert 8 <= len(frontier["areas"]) <= 10
    assert len(zones_of(frontier, "axis")) == len(zones_of(frontier, "allies")) == 2
    assert sorted(area["terrain"] for area in frontier["areas"].values()).count("impassable_land") == 1
    mirror = {"MGH": "MSH", "TEL": "RAS", "WAZ": "KHA", "BTR": "BTR", "OAS": "OAS", "SHO": "SHO"}
    mirror |= {east: west for west, east in mirror.items()}
    links = {(frozenset(c["between"]), c["kind"]) for c in frontier["connectors"]}
    assert {(frozenset(mirror[key] for key in pair), kind) for pair, kind in links} == links
    assert frontier["treasury"]["axis"] == frontier["treasury"]["allies"]
    # England has one more infantry, because the Axis has two turns in a round.
    assert ipc_of(frontier, "italy") + ipc_of(frontier, "germany") == ipc_of(frontier, "england") - 3


def test_frontier_capitals_are_four_spaces_apart() -> None:
    frontier = read_scenario("frontier")
    ground = {key for key, area in frontier["areas"].items() if area["terrain"] == "desert"}
    assert spaces_away(joined(frontier), "MGH", ground)["MSH"] == 4
