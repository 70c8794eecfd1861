"""Shipped scenarios compared with the rulebook, and the provenance of each record."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from tests.plugins.axis_attack.modules import HOME, SHIPPED, board, scenario

from axis_attack.model.cards import COMBAT, DEPLETED, FULL, MISSIONS, SIDES, UNDER, CompanyList, PlatoonType
from axis_attack.model.strength import level_of, levels_of, size_of_level
from axis_attack.setup.validation import start_points
from sandtable.tabletop.resolver.constants import SR1, table_key

SOURCES = ("seed", "found", "reconstructed")
RESULTS = {  # results if the attacker wins, if the defender wins (AOA-7.07 to AOA-7.12)
    "encounter": ("advance", ""),
    "hold_the_line": ("advance", "hold"),
    "breakthrough": ("breakthrough", "hold"),
    "cauldron": ("hold", "advance"),
    "fighting_withdrawal": ("retreat", "retreat"),
    "trench_fight": ("advance", "hold"),
}
TITLES = (
    *("German home", "German rear", "German forward", "Center"),
    *("Soviet forward", "Soviet rear", "Soviet home"),
)


def lists() -> Iterator[CompanyList]:
    for name in SHIPPED:
        yield from board(name).lists.values()


def sizes(kind: PlatoonType) -> dict[int, int]:
    """Return points by teams."""
    return {size.teams: size.points for size in kind.sizes}


def of_level(kind: PlatoonType, level: int) -> int:
    size = size_of_level(kind, level)
    return size.teams if size else 0


@pytest.mark.rule("AOA-1.05", "AOA-1.09")
def test_platoons_of_the_examples_have_the_printed_sizes() -> None:
    german, soviet = board().lists["german"].types, board().lists["soviet"].types
    assert [size.teams for size in german["panzergrenadier"].sizes] == [5, 7]
    assert levels_of(german["panzergrenadier"])[2:] == (DEPLETED, FULL)
    assert [of_level(soviet["t34"], level) for level in (DEPLETED, UNDER, FULL)] == [5, 7, 10]
    assert level_of(soviet["t34"], 8) == UNDER
    assert [of_level(german["panzer_3j"], level) for level in (DEPLETED, UNDER, FULL)] == [3, 4, 5]
    assert of_level(german["machine_guns"], FULL) == 5


@pytest.mark.rule("AOA-11.24")
def test_prices_of_the_exchange_are_the_printed_ones() -> None:
    types = board().lists["german"].types
    assert sizes(types["panzer_3j"])[3] == 315
    assert (sizes(types["pak40"])[3], sizes(types["pak40"])[4]) == (265, 345)


def test_prices_of_other_sources_are_kept() -> None:
    company = board().lists["soviet"]
    assert company.hq_points == 30
    assert company.types["strelkovy"].sizes[-1].points == 305
    assert (company.skill, company.motivation) == ("conscript", "fearless")


@pytest.mark.rule("AOA-3.14", "AOA-3.15", "AOA-10.19")
def test_platoons_have_the_transport_of_the_examples() -> None:
    german = board().lists["german"].types
    assert german["panzer_3j"].carries == board().lists["soviet"].types["t34"].carries == 3
    assert german["pak38"].towed
    assert german["pak40"].towed
    half_tracks = board("armoured_clash").lists["german"].types["armoured_grenadier"]
    assert half_tracks.vehicle == "half_track"
    assert [(size.teams, size.transports) for size in half_tracks.sizes] == [(5, 2), (7, 3)]


@pytest.mark.rule("AOA-3.12", "AOA-3.13")
def test_each_list_has_a_support_platoon_of_transports() -> None:
    for company in lists():
        column = company.types["lorry_column"]
        assert (column.slot, column.carries, column.all_tanks) == ("support", 2, False)


@pytest.mark.rule("AOA-1.01", "AOA-1.11", "AOA-1.12")
@pytest.mark.parametrize("name", SHIPPED)
def test_starting_forces_nearly_use_their_agreed_points(name: str) -> None:
    """The Germans have 450 to 500 points less, and the panzer company one platoon less, so that sides are even."""
    for side, company in board(name).lists.items():
        least = 2450 if side == "german" else 2900
        assert least <= start_points(company) <= board(name).points_of(side) <= 3000
        combat = sum(company.types[each.type].slot == COMBAT for each in company.start)
        assert combat == (2 if (name, side) == ("armoured_clash", "german") else 3)
        assert list(company.air.values()) == ["limited"]
        assert any(company.types[each.type].recon for each in company.start)
        assert any(company.types[each.type].bombards for each in company.start)
    assert board().lists["german"].types["hq_panzerknacker"].slot == "hq"


@pytest.mark.rule("AOA-1.13", "AOA-1.14")
def test_higher_level_of_air_support_costs_more() -> None:
    for company in lists():
        prices = [company.air_points[level] for level in ("sporadic", "limited", "priority")]
        assert prices == sorted(set(prices))


@pytest.mark.rule("AOA-7.07", "AOA-7.08", "AOA-7.09", "AOA-7.10", "AOA-7.11", "AOA-7.12")
def test_missions_have_the_printed_results() -> None:
    missions = board().missions
    assert tuple(missions) == MISSIONS
    assert {each.id: (each.attacker, each.defender) for each in missions.values()} == RESULTS


@pytest.mark.rule("AOA-R34", "AOA-R37")
def test_classes_of_missions_and_recon_platoons_are_data() -> None:
    missions = board().missions
    assert [each for each in missions if missions[each].fair_fight] == ["encounter"]
    defensive = ["fighting_withdrawal", "hold_the_line", "trench_fight"]
    assert [each for each in missions if missions[each].defensive_battle] == defensive
    recon = {kind.id for company in lists() for kind in company.types.values() if kind.recon}
    assert recon == {"armoured_cars", "motorcycles", "ba64", "scouts"}


def test_resolver_recognizes_each_mission_by_name() -> None:
    assert {table_key(each.tabletop) for each in board().missions.values()} <= set(SR1.bias)


@pytest.mark.rule("AOA-2.02", "AOA-2.04", "AOA-R42")
def test_the_track_has_seven_sectors_from_west_to_east() -> None:
    sectors = board().sectors
    assert tuple(sector.title for sector in sectors) == TITLES
    assert [sector.number for sector in sectors] == list(range(1, 8))
    assert {(sector.columns, sector.rows) for sector in sectors} == {(6, 6)}
    assert board().table == (3, 2)
    assert (board().limit, board().turns) == (1500, 9)


def test_both_scenarios_share_track_and_missions() -> None:
    first, second = board("eastern_front"), board("armoured_clash")
    assert (first.sectors, first.missions, first.turns) == (second.sectors, second.missions, second.turns)
    companies = {(side, each.lists[side].company) for each in (first, second) for side in SIDES}
    assert companies == {("german", "mechanized"), ("german", "tank"), ("soviet", "infantry"), ("soviet", "tank")}


def records(name: str) -> Iterator[tuple[str, Any]]:
    """Yield the records of a file that state their provenance: the file itself, or its rows and types."""
    data = tomllib.loads((HOME / "scenarios" / name).read_text(encoding="utf-8"))
    if "types" not in data:
        yield from data.items()
        return
    yield name, data
    for key, kind in data["types"].items():
        yield key, kind
        yield from kind.get("upgrades", {}).items()


FILES = ("panzergrenadiers.toml", "panzers.toml", "strelkovy.toml", "tankovy.toml", "missions.toml", "sectors.toml")


@pytest.mark.parametrize("name", FILES)
def test_every_record_states_its_provenance(name: str) -> None:
    for key, row in records(name):
        assert row["provenance"] in SOURCES, key
        assert row["provenance"] == "reconstructed" or row.get("reason") or "points" in row, key


def test_scenario_keys_are_located_in_their_files() -> None:
    assert scenario("eastern_front").place("german.side") == ("panzergrenadiers.toml", "side")
    assert scenario("armoured_clash").place("german.side") == ("panzers.toml", "side")
    assert scenario("armoured_clash").place("sectors.4") == ("sectors.toml", "4")
