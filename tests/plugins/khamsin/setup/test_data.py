"""The shipped modules: Operation Crusader against its sources, the teaching module against its purpose."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.khamsin.cases import Lay
from tests.plugins.khamsin.modules import HOME, SHIPPED, board, scenario
from tests.plugins.khamsin.positions import installed, shipped

from khamsin.model.cards import ENEMY, SIDES, Board, Broken, Chain, Held
from khamsin.model.state import WAITING
from khamsin.setup.reading import opening_state


@pytest.mark.rule("KH-1.02", "KH-1.05", "KH-1.06", "KH-1.07", "KH-1.12", "KH-1.13", "KH-26.03", "KH-2.02", "KH-26.05")
def test_a_module_is_data(lay: Lay) -> None:
    found = {name: shipped(name).board for name in ("crusader", "teaching", "fixture")}
    assert {each.ruleset.id for each in map(shipped, found)} == {"khamsin"}
    for each in found.values():
        for card in each.formations.values():
            assert card.options or card.bombards
            assert all(option in each.companies for option in card.options)
            assert each.nations[card.nation].side == card.side
    assert found["crusader"].turns == 21
    assert all(nation.lists for nation in found["crusader"].nations.values())
    assert installed().manifest.hidden


@pytest.mark.rule("KH-11.01", "KH-11.04", "KH-10.04", "KH-25.01")
def test_every_area_has_one_controller_from_the_start() -> None:
    for name in ("crusader", "teaching", "fixture"):
        assert set(board(name).control) == set(board(name).areas)
        assert set(board(name).control.values()) <= {"axis", "allies"}


ALLOWANCE = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}
FOUND = {  # mobility, activation, strength: read in the opening of the printed module
    "21_pz_div": ("motor", 4, 3),
    "15_pz_div": ("motor", 4, 3),
    "panzer_recon": ("recon", 4, 1),
    "90_light_div": ("leg", 5, 3),
    "arko_104": ("motor", 6, 0),
    "savona": ("leg", 6, 2),
    "trieste": ("motor", 4, 3),
    "ariete": ("motor", 4, 3),
    "recam": ("motor", 4, 2),
    "pavia": ("leg", 6, 2),
    "7_armd_bde": ("motor", 3, 2),
    "4_armd_bde": ("motor", 3, 2),
    "22_armd_bde": ("motor", 2, 2),
    "7_support_group": ("motor", 4, 2),
    "1_sa_div": ("motor", 5, 2),
    "30_corps_recon": ("recon", 4, 2),
    "22_guards_bde": ("motor", 4, 1),
}
CLOSED = ("assembly_area", "tobruk", "gasr_el_arid", "bir_sceferzen", "sidi_suleiman", "bir_reghem", "gabr_saleh")
OPTIONAL = {"bologna", "trento", "brescia", "marmarica", "oasis_force"}
SOURCES = ("seed", "found", "reconstructed")


def days_needed(ground: Board, start: str, end: str, mobility: str) -> int:
    """Count the days from one area to another in clear weather: a plain search over areas and points left."""
    best = {start: (0, 0)}  # days begun, and the points used of the last
    edge = [start]
    while edge:
        here = min(edge, key=lambda area: best[area])
        edge.remove(here)
        for there in ground.neighbours[here]:
            cost = ground.cost[ground.kind_between[here, there]][mobility]
            day, used = best[here]
            fits = day > 0 and used + cost <= ALLOWANCE[mobility]
            reached = (day, used + cost) if fits else (day + 1, cost)
            if there not in best or reached < best[there]:
                best[there] = reached
                edge.append(there)
    return best[end][0]


def records(table: Mapping[str, Any], key: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of the tables of a file that stand for things of their own."""
    for name, row in table.items():
        if isinstance(row, dict):
            yield f"{key}.{name}", row


@pytest.mark.rule("KH-2.02", "KH-2.03")
def test_a_turn_of_crusader_is_a_day_from_18_november_on() -> None:  # KH-X02
    crusader = board("crusader")
    assert crusader.turns == len(crusader.calendar) == 21
    assert crusader.label(1) == "18 November 1941"
    assert [crusader.label(turn) for turn in (13, 14, 21)] == ["30 November 1941", "1 December 1941", "8 December 1941"]


@pytest.mark.rule("KH-2.07", "KH-1.04", "KH-1.05")
def test_formations_have_the_values_of_the_printed_module() -> None:
    cards = board("crusader").formations
    assert {key: (cards[key].mobility, cards[key].activation, cards[key].strength) for key in FOUND} == FOUND


@pytest.mark.rule("KH-2.07", "KH-1.06")
def test_7th_armoured_brigade_is_that_of_the_example() -> None:  # KH-X01
    card = board("crusader").formations["7_armd_bde"]
    assert (card.title, card.mobility, card.activation, card.strength) == ("7th Armoured Brigade", "motor", 3, 2)
    assert card.options == ("crusader_squadron", "a13_squadron")


@pytest.mark.rule("KH-2.09")
def test_21st_panzer_and_the_afrika_division_make_six() -> None:  # KH-X03
    cards = board("crusader").formations
    assert cards["21_pz_div"].strength + cards["90_light_div"].strength == 6


@pytest.mark.rule("KH-13.01")
def test_15th_panzer_has_three_types_of_company() -> None:  # KH-X04
    crusader = board("crusader")
    titles = [crusader.companies[each].title for each in crusader.formations["15_pz_div"].options]
    assert titles == ["Panzer company", "Afrika Schuetzen company", "Panzer engineer company"]


@pytest.mark.rule("KH-1.08")
def test_the_axis_deploys_where_the_printed_module_lets_it() -> None:
    crusader = board("crusader")
    assert crusader.closed["axis"] == CLOSED
    free = crusader.formations["21_pz_div"].start
    assert len(free) == 18
    assert not set(free) & set(CLOSED)
    assert all(crusader.control[area] == "axis" for area in free)
    assert crusader.formations["ariete"].start == ("bir_el_gubi",)


@pytest.mark.rule("KH-1.09", "KH-4.03", "KH-7.03")
def test_reinforcements_and_who_is_held() -> None:
    cards = board("crusader_full").formations
    assert {key: (card.enters, card.entries) for key, card in cards.items() if card.enters} == {
        "2_sa_div": (8, ("assembly_area", "sidi_barrani")),
        "marmarica": (7, ("gazala", "tmimi")),
    }
    held = {key: card.held_until for key, card in cards.items() if card.held_until}
    assert held == {"70_div": 3, "32_army_tank_bde": 3, "polish_bde": 3, "22_guards_bde": 5}


def test_what_is_uncertain_takes_part_only_if_asked_for() -> None:
    usual, full = board("crusader"), board("crusader_full")
    assert full.formations.keys() - usual.formations.keys() == OPTIONAL
    assert set(full.areas) - set(usual.areas) == {"giarabub"}
    assert "giarabub" not in usual.neighbours["maddalena"]
    assert usual.turns == full.turns


@pytest.mark.rule("KH-8.09", "KH-8.10")
def test_distances_are_those_of_the_campaign() -> None:
    crusader = board("crusader")
    assert crusader.cost["escarpment"]["leg"] == 3
    assert days_needed(crusader, "assembly_area", "gabr_saleh", "motor") == 1
    assert days_needed(crusader, "gabr_saleh", "sidi_rezegh", "motor") == 1
    assert days_needed(crusader, "sidi_rezegh", "sidi_omar", "motor") == 1  # the dash to the wire
    assert days_needed(crusader, "gazala", "tobruk", "leg") == 2


@pytest.mark.rule("KH-10.04", "KH-22.14", "KH-11.04")
def test_supply_bases_and_control() -> None:
    crusader = board("crusader")
    assert crusader.supply == {
        **dict.fromkeys(("assembly_area", "sidi_barrani", "tobruk"), ("allies",)),
        **dict.fromkeys(("bardia", "gazala", "mechili", "tmimi"), ("axis",)),
    }
    assert crusader.stocks == {"bardia": 3}
    assert crusader.base == {"allies": "assembly_area", "axis": "tmimi"}
    assert sorted(area for area, side in crusader.control.items() if side == "allies") == sorted(
        [*(area for area in CLOSED if area != "gasr_el_arid"), "maddalena", "sidi_barrani"]
    )


@pytest.mark.rule("KH-5.01", "KH-5.10")
def test_replacements_and_their_systems() -> None:
    crusader = board("crusader")
    assert {pool.id: (pool.armor, pool.general, pool.first, pool.last) for pool in crusader.pools} == {
        "commonwealth": (8, 8, 1, 21),
        "german": (3, 4, 1, 21),
        "italian": (2, 3, 1, 21),
    }
    assert [key for key, nation in crusader.nations.items() if nation.system == "pool"] == ["german"]
    assert [key for key, nation in crusader.nations.items() if nation.doctrine] == ["german"]
    assert {nation for pool in crusader.pools for nation in pool.nations} == set(crusader.nations)


@pytest.mark.rule("KH-4.02", "KH-7.04", "KH-7.06")
def test_weather_and_air() -> None:
    crusader = board("crusader")
    weather, rain = crusader.weather, crusader.weather.cards["rain"]
    assert (weather.first, weather.table) == ("rain", ("rain", "dust", "clear", "clear", "clear", "clear"))
    assert (rain.extra, rain.air, rain.interdiction) == ({"desert": 1, "track": 1}, "none", False)
    assert (weather.cards["dust"].air, weather.cards["dust"].composition) == ("needs_six", False)
    air = {side: (card.engagements, card.interdictions, card.needs) for side, card in crusader.air.items()}
    assert air == {"axis": (1, 1, 5), "allies": (2, 2, 4)}


@pytest.mark.rule("KH-25.01", "KH-25.03", "KH-R111")
def test_how_crusader_is_won() -> None:
    victory = board("crusader").victory
    assert sum(victory.score.values()) == 23
    assert (victory.margin, victory.ineffective) == (5, 2)
    relief, armour, fall, army = victory.conditions
    assert relief == Chain("allies", "tobruk", "assembly_area", 4, relief.text)
    assert fall == Held("axis", "tobruk", 7, fall.text)
    assert isinstance(armour, Broken)
    assert isinstance(army, Broken)
    assert (armour.side, armour.count, army.side, army.count) == ("allies", 4, "axis", 5)
    cards = board("crusader").formations
    assert set(armour.of) == {
        key for key, card in cards.items() if card.nation == "german" or (card.side, card.corps) == ("axis", "xx")
    }


@pytest.mark.rule("KH-9.03")
def test_each_leader_helps_his_corps_and_rommel_everybody() -> None:
    leaders = board("crusader").leaders
    assert {key: (card.bonus, card.corps) for key, card in leaders.items()} == {
        "rommel": (1, ""),
        "cruewell": (1, "dak"),
        "gambara": (1, "xx"),
        "norrie": (1, "xxx"),
        "godwin_austen": (1, "xiii"),
        "scobie": (1, "tobruk"),
    }


@pytest.mark.parametrize("name", ["crusader", "crusader_full"])
def test_everything_in_crusader_tells_where_it_comes_from(name: str) -> None:
    data = scenario(name).data
    rows = [row for table in ("areas",) for row in records(data["map"][table], table)]
    rows += [row for table in data["forces"] for row in records(data["forces"][table], table)]
    rows += [row for table in ("sides", "air", "replacements") for row in records(data[table], table)]
    rows += [(table, data[table]) for table in ("calendar", "movement", "weather", "victory")]
    assert len(rows) > 90
    for key, row in rows:
        assert row["provenance"].startswith(SOURCES), key


@pytest.mark.parametrize("name", [*SHIPPED, "fixture"])
def test_a_module_hangs_together(name: str) -> None:
    ground = board(name)
    assert all(len(row) == len(ground.areas) for row in ground.distances.values())
    for card in ground.formations.values():
        assert card.historical in (card.start or card.entries)
        assert card.commander in ground.commanders[card.side]
    for side in SIDES:
        reached = {area for card in ground.formations.values() if card.side == side for area in card.start}
        assert reached
        assert all(ground.control[area] != ENEMY[side] for area in reached)
    assert set(ground.terrain.values()) <= set(ground.guides) or name == "fixture"
    assert list(ground.formations) == sorted(ground.formations)


@pytest.mark.parametrize("name", [*SHIPPED, "fixture"])
def test_a_campaign_begins_with_everybody_off_the_map(name: str) -> None:
    ground = board(name)
    state = opening_state(ground, {})
    assert {formation.standing for formation in state.formations.values()} == {WAITING}
    assert state.formations.keys() == ground.formations.keys()
    assert state.leaders.keys() == ground.leaders.keys()
    assert state.control == ground.control
    assert set(state.honour) == {name for side in SIDES for name in ground.commanders[side]}


def test_the_teaching_module_is_small_and_even() -> None:
    teaching = board("teaching")
    assert (len(teaching.areas), teaching.turns) == (4, 9)
    sides = {side: [card for card in teaching.formations.values() if card.side == side] for side in SIDES}
    values = [sorted((card.mobility, card.activation, card.strength) for card in cards) for cards in sides.values()]
    assert values[0] == values[1]
    kinds = [{aim.kind for aim in teaching.victory.conditions if aim.side == side} for side in SIDES]
    assert kinds == [{"chain", "area", "ineffective"}] * 2


def test_shipped_files_are_all_in_use() -> None:
    used = set(SHIPPED) | {f"crusader_{part}" for part in ("map", "forces")}
    assert {path.stem for path in (HOME / "scenarios").glob("*.toml")} == used
    for path in (HOME / "scenarios").glob("*.toml"):
        assert tomllib.loads(path.read_text(encoding="utf-8"))
