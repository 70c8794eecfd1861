"""Scenario files: bounds of numbers, values read, default values."""

from pathlib import Path
from typing import Any

import pytest
from changing import TAKEN_OUT, keys_of
from tests.plugins.axis_attack.modules import HOME, SHIPPED, USUAL, board, built, refusals, scenario

from axis_attack.forces.company import Companies, starting_force
from axis_attack.model.cards import Mission, PlatoonType, Size, Upgrade
from axis_attack.setup.reading import opening_state, read_board
from sandtable.errors import DataError
from sandtable.plugin.scenarios import load_scenario

PAK, PG = "german.types.pak40", "german.types.panzergrenadier"
BOUNDS = {
    "german.hq_points": (0, 10_000),
    "german.points": (1, 10_000),
    "german.combat.least": (2, 20),
    "german.combat.most": (2, 20),
    "german.weapons": (0, 20),
    "german.supports": (0, 20),
    "german.air.points.sporadic": (0, 10_000),
    f"{PAK}.sizes[0].teams": (1, 99),
    f"{PAK}.sizes[0].points": (0, 10_000),
    f"{PAK}.sizes[0].transports": (0, 99),
    f"{PAK}.carries": (0, 99),
    f"{PAK}.most": (1, 20),
    f"{PG}.upgrades.light_mortar.points": (0, 10_000),
    f"{PG}.upgrades.light_mortar.most": (1, 99),
    "german.start.platoons.pg1.teams": (1, 99),
    "german.start.platoons.pg1.upgrades.light_mortar": (1, 99),
    "campaign.points": (1, 10_000),
    "campaign.limit": (1, 10_000),
    "campaign.turns": (1, 99),
    "campaign.start_sector": (1, 15),
    "sectors.4.columns": (1, 40),
    "sectors.4.rows": (1, 40),
}
"""Minimum and maximum of each key with a whole number; inside them other checks may still refuse it."""


@pytest.mark.parametrize("key", BOUNDS)
def test_number_outside_its_bounds_is_refused(key: str) -> None:
    least, most = BOUNDS[key]
    advice = f"; use {least} to {most}"
    for value, allowed in ((least - 1, False), (least, True), (most, True), (most + 1, False)):
        found = [each.problem for each in refusals({key: value})]
        assert any(each == f"is {value}{advice}" for each in found) is not allowed, value


@pytest.mark.rule("AOA-R42")
def test_table_is_two_whole_numbers_from_one_to_forty() -> None:
    for pair, allowed in (
        ([3, 2], True), ([1, 1], True), ([40, 40], True), ([0, 2], False), ([3, 41], False), ([3, 2, 1], False),
        ([3], False), ([True, 2], False), (["3", 2], False),
    ):  # fmt: skip
        found = [each.problem for each in refusals({"campaign.table": pair})]
        assert any("write columns and rows, two numbers from 1 to 40" in each for each in found) is not allowed, pair
    assert built({"campaign.table": [6, 6]}).table == (6, 6)
    assert [each.key for each in refusals({"campaign.table": [6, 7]})] == [str(each) for each in range(1, 8)]
    assert [each.key for each in refusals({"campaign.table": [7, 6]})] == [str(each) for each in range(1, 8)]


@pytest.mark.rule("AOA-1.05", "AOA-1.16", "AOA-3.11")
def test_platoon_type_is_read_with_defaults_for_omitted_keys() -> None:
    bare = {"title": "Tiny", "slot": "support", "kind": "infantry", "sizes": [{"teams": 1, "points": 5}]}
    whole = {
        "title": "Guns", "slot": "support", "kind": "artillery", "transport": "motor", "vehicle": "truck",
        "recon": True, "towed": True, "bombards": True, "smoke": True, "staff": True, "most": 3,
        "sizes": [{"teams": 2, "points": 50, "transports": 3}, {"teams": 4, "points": 90, "transports": 4}],
        "upgrades": {"crew": {"title": "Crew", "points": 7}, "shield": {"title": "Shield", "points": 0, "most": 4}},
    }  # fmt: skip
    tank = {
        "title": "Tank", "slot": "combat", "kind": "afv", "transport": "organic", "all_tanks": True, "carries": 3,
        "sizes": [{"teams": 2, "points": 50}],
    }  # fmt: skip
    read = (
        built({"german.types.bare": bare, "german.types.whole": whole, "german.types.tank": tank}).lists["german"].types
    )
    assert read["bare"] == PlatoonType("bare", "Tiny", "support", "infantry", (Size(1, 5, 0),))
    assert read["whole"] == PlatoonType(
        "whole", "Guns", "support", "artillery", (Size(2, 50, 3), Size(4, 90, 4)), "motor", "truck",
        recon=True, towed=True, bombards=True, smoke=True, staff=True,
        upgrades=(Upgrade("crew", "Crew", 7), Upgrade("shield", "Shield", 0, 4)), most=3,
    )  # fmt: skip
    assert read["tank"] == PlatoonType(
        "tank", "Tank", "combat", "afv", (Size(2, 50),), "organic", all_tanks=True, carries=3
    )


@pytest.mark.rule("AOA-7.01", "AOA-R34")
def test_mission_and_campaign_are_read() -> None:
    mission = {
        "title": "Pocket",
        "attacker": "breakthrough",
        "defender": "advance",
        "defensive_battle": True,
        "tabletop": "P",
    }
    changes = {"missions.cauldron": mission, "campaign.points": 4000, "campaign.limit": 1750, "campaign.turns": 11}
    read = built(changes | {"campaign.start_sector": 6, "sides.german.title": "Axis", "sides.soviet.player": "Konev"})
    assert read.missions["cauldron"] == Mission("cauldron", "Pocket", "breakthrough", "advance", False, True, "P")
    assert (read.points, read.limit, read.turns, read.start_sector, read.start_points) == (4000, 1750, 11, 6, 0)
    assert (read.sides["german"], read.players["soviet"]) == ("Axis", "Konev")
    assert refusals({"scenario.endless": True, "scenario.description": "a\tb\nc"}) == []


@pytest.mark.rule("AOA-1.01", "AOA-1.12", "AOA-1.14")
def test_list_is_read_with_its_aircraft_and_limits() -> None:
    prices = {"sporadic": 1, "limited": 2, "priority": 3}
    changes = {
        "german.combat": {"least": 3, "most": 5}, "german.weapons": 4, "german.supports": 11, "german.points": 3100,
        "german.air": {"types": ["ju_87d", "me_110"], "bombers": ["me_110"], "points": prices},
    }  # fmt: skip
    read = built(changes).lists["german"]
    assert (read.least, read.most, read.weapons, read.supports, read.points) == (3, 5, 4, 11, 3100)
    assert (read.aircraft, read.bombers) == (("ju_87d", "me_110"), ("me_110",))
    assert read.air_points == prices
    assert (read.air, read.side, read.id) == ({"ju_87d": "limited"}, "german", "german")


WEIRD: tuple[Any, ...] = (-1, 7, True, 1.5, "", "x y", "\u2028", [], [[]], {}, {"a": {}}, 10**30)


def own_scenario(folder: Path, german: str, more: str = "") -> str:
    """Write a scenario whose German list is ``german``, and return its path."""
    head = '[scenario]\nid = "own"\ntitle = "Own"\nbase = "eastern_front"\nfiles = { german = "mine.toml" }\n'
    (folder / "own.toml").write_text(head + more, encoding="utf-8")
    (folder / "mine.toml").write_text(german, encoding="utf-8")
    return str(folder / "own.toml")


@pytest.mark.full
@pytest.mark.parametrize("start", range(len(WEIRD)))
def test_strange_values_give_errors_of_one_line(start: int) -> None:
    keys = [key for key in keys_of(scenario("eastern_front").data) if not key.startswith("scenario")]
    for place, key in enumerate(keys[start::5]):
        for found in refusals({key: WEIRD[(place + start) % len(WEIRD)]}):
            assert str(found).isprintable()


@pytest.mark.rule("AOA-1.01", "AOA-O2")
def test_list_in_any_order_gives_the_same_board(tmp_path: Path) -> None:
    """A log stores a list with sorted keys, so cuts from the end of a list must not depend on the written order."""
    text = (HOME / "scenarios" / "panzergrenadiers.toml").read_text(encoding="utf-8")
    head, _, rows = text.partition("[start.platoons]\n")
    turned = "\n".join(reversed(rows.strip().splitlines()))
    own = own_scenario(tmp_path, f"{head}[start.platoons]\n{turned}\n")
    for total in ("scenario", "1500", "900"):
        options = USUAL | {"start_total": total}
        mine = read_board(load_scenario(own, SHIPPED), options).lists["german"]
        usual = board("eastern_front", start_total=total).lists["german"]
        assert (mine.start, list(mine.types)) == (usual.start, list(usual.types))
        slots = [mine.types[each.type].slot for each in mine.start]
        assert slots == sorted(slots, key=["hq", "combat", "weapons", "support"].index)


def test_repeated_platoon_is_invalid_toml(tmp_path: Path) -> None:
    text = (HOME / "scenarios" / "panzergrenadiers.toml").read_text(encoding="utf-8")
    own = own_scenario(tmp_path, text + 'pak40 = { type = "pak40", teams = 2 }\n')
    with pytest.raises(DataError, match=r"mine\.toml: line \d+, column \d+: is not TOML"):
        load_scenario(own, SHIPPED)


@pytest.mark.rule("AOA-1.01")
def test_users_scenario_may_name_its_own_list(tmp_path: Path) -> None:
    text = (HOME / "scenarios" / "panzers.toml").read_text(encoding="utf-8")
    own = own_scenario(tmp_path, text, "[campaign]\nturns = 5\n")
    mine = read_board(load_scenario(own, SHIPPED), USUAL)
    assert (mine.scenario, mine.turns, mine.lists["german"].company) == ("own", 5, "tank")
    assert mine.lists["soviet"] == board().lists["soviet"]
    (tmp_path / "mine.toml").write_text(text.replace("hq_points = 190", "hq_points = 990"), encoding="utf-8")
    with pytest.raises(DataError, match=r"mine\.toml: start: costs 3330 points, .*reduce it by 780"):
        read_board(load_scenario(own, SHIPPED), USUAL)


def test_list_without_aircraft_or_limits_has_defaults() -> None:
    gone = {f"soviet.{name}": TAKEN_OUT for name in ("air", "combat", "weapons", "supports", "skill", "motivation")}
    bare = built(gone | {"soviet.start.air": TAKEN_OUT}).lists["soviet"]
    assert (bare.aircraft, bare.air, bare.air_points) == ((), {}, {})
    assert (bare.least, bare.most, bare.weapons, bare.supports) == (2, 3, 9, 9)
    assert (bare.skill, bare.motivation) == ("trained", "confident")


def test_players_and_tabletop_names_have_defaults() -> None:
    bare = built({"sides.german.player": TAKEN_OUT, "missions.cauldron.tabletop": TAKEN_OUT})
    assert bare.players["german"] == "german"
    assert bare.missions["cauldron"].tabletop == bare.missions["cauldron"].title


@pytest.mark.rule("AOA-1.01", "AOA-O2")
@pytest.mark.parametrize("total", ["scenario", "900", "2000"])
@pytest.mark.parametrize("name", SHIPPED)
def test_starting_force_is_a_legal_company(name: str, total: str) -> None:
    agreed = board(name, start_total=total)
    for company in agreed.lists.values():
        assert Companies(company, agreed.points_of(company.side)).why_not(starting_force(company)) is None


@pytest.mark.rule("AOA-2.05")
def test_first_state_has_empty_rosters_and_the_first_sector() -> None:
    state = opening_state(board(), USUAL)
    for each in (state.rosters, state.aircraft, state.ladder):
        assert each == {"german": {}, "soviet": {}}
    assert (state.sector, state.mud, state.weather, state.track) == (4, 0, "clear", [])
    assert state.options == USUAL
