"""What is refused in a scenario, by file and key; what it may leave out; what the options change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.axis_attack.modules import (
    HOME,
    SHIPPED,
    TAKEN_OUT,
    USUAL,
    board,
    built,
    changed,
    refusals,
    scenario,
)

import axis_attack
from axis_attack.forces.company import Companies, starting_force
from axis_attack.model.cards import SIDES
from axis_attack.setup.reading import opening_state, read_board
from axis_attack.setup.validation import start_points
from sandtable.errors import DataError
from sandtable.plugin.scenarios import load_scenario

PAK, PG, START = "german.types.pak40", "german.types.panzergrenadier", "german.start.platoons"
BUY = {"type": "pak40", "teams": 3}
TANKS = {"type": "t34", "teams": 5, "upgrades": {"cupola": 6}}
SCOUTED = "soviet.start.platoons"
SCOUTS = {f"{SCOUTED}.more{number}": {"type": "scouts", "teams": 5} for number in range(30)}
EIGHTH = {"title": "Beyond", "columns": 6, "rows": 6}
FILES = {"german": "panzergrenadiers.toml", "soviet": "strelkovy.toml"} | {
    name: f"{name}.toml" for name in ("missions", "sectors")
}


def case(changes: dict[str, Any], key: str, reason: str, *rules: str) -> Any:
    return pytest.param(changes, key, reason, marks=pytest.mark.rule(*rules) if rules else ())


BAD = [
    # points
    case({"campaign.points": 2900}, "soviet.start", "costs 2960 points, campaign.points allows 2900", "AOA-1.01"),
    case({"campaign.points": -1}, "campaign.points", "is -1; use 1 to 10000", "AOA-1.01"),
    case({"campaign.limit": 400}, "campaign.limit", "2 depleted combat platoons of soviet cost 450", "AOA-3.02"),
    case({"german.hq_points": -5}, "german.hq_points", "is -5", "AOA-1.01"),
    case({f"{PAK}.sizes[0].points": -185}, f"{PAK}.sizes[0].points", "is -185; use 0 to", "AOA-1.05"),
    case({f"{PG}.upgrades.light_mortar.points": -1}, f"{PG}.upgrades.light_mortar.points", "is -1", "AOA-1.02"),
    case({"german.air.points.limited": -1}, "german.air.points.limited", "is -1", "AOA-1.12"),
    case({"german.air.points.limited": 500}, "german.air.points", "fall from sporadic to priority", "AOA-1.13"),
    # platoons of the starting force
    case({f"{START}.pak40.type": "pak43"}, f"{START}.pak40.type", "there is no type 'pak43' in the list", "AOA-1.05"),
    case({f"{START}.pak40.teams": 6}, f"{START}.pak40.teams", "is 6; pak40 has sizes 2, 3, 4", "AOA-1.05"),
    case({f"{START}.pg1.upgrades": {"tiger": 1}}, f"{START}.pg1.upgrades.tiger", "is no upgrade of", "AOA-1.02"),
    case({f"{START}.pg1.upgrades.light_mortar": 2}, f"{START}.pg1.upgrades.light_mortar", "can have 1", "AOA-1.16"),
    case({f"{START}.pg1.upgrades.light_mortar": 0}, f"{START}.pg1.upgrades.light_mortar", "is 0; use 1", "AOA-1.16"),
    case(
        {f"{SCOUTED}.t34": TANKS, "soviet.types.t34.upgrades.cupola.most": 9},
        f"{SCOUTED}.t34.upgrades.cupola",
        "can have 5",
        "AOA-1.16",
    ),
    case({"soviet.types.scouts.most": 20, "soviet.supports": 20} | SCOUTS, SCOUTED, "has 43 platoons", "AOA-1.01"),
    case({f"{START}.pak2": BUY}, START, "has 2 platoons of type pak40; the list allows 1", "AOA-1.01"),
    case({"german.supports": 5}, START, "has 6 support platoons; the list allows 5", "AOA-1.01"),
    case({"german.weapons": 1}, START, "has 2 weapons platoons; the list allows 1", "AOA-1.01"),
    case({f"{START}.PaK": BUY}, f"{START}.PaK", "cannot be an id"),
    case({"german.combat.least": 1}, "german.combat.least", "is 1; use 2 to", "AOA-11.14"),
    case({"german.combat.most": 2}, START, "has 3 combat platoons; the list wants 2 to 2", "AOA-1.01"),
    case({"german.combat": {"least": 4, "most": 3}}, "german.combat.most", "under the least 4", "AOA-3.01"),
    # types
    case({f"{PAK}.sizes[1].teams": 2}, f"{PAK}.sizes[1].teams", "is 2, after 2 in the size before it", "AOA-1.05"),
    case({f"{PAK}.sizes[2].points": 100}, f"{PAK}.sizes[2].points", "is 100, after 265", "AOA-1.05"),
    case({f"{PAK}.sizes[2].transports": 1}, f"{PAK}.sizes[2].transports", "is 1, after 4", "AOA-1.05"),
    case({f"{PAK}.sizes": []}, f"{PAK}.sizes", "names no size; the first is that of depleted", "AOA-1.07"),
    case({f"{PAK}.sizes": TAKEN_OUT}, f"{PAK}.sizes", "is missing", "AOA-1.07"),
    case({f"{PAK}.sizes[0].teams": 0}, f"{PAK}.sizes[0].teams", "is 0; use 1 to", "AOA-1.07"),
    case({f"{PAK}.sizes[0].transports": 0}, f"{PAK}.sizes[0].transports", "is missing; say how many", "AOA-10.17"),
    case({f"{PAK}.vehicle": TAKEN_OUT}, f"{PAK}.vehicle", "is missing; name the type", "AOA-10.19"),
    case({f"{PAK}.transport": "foot"}, f"{PAK}.vehicle", "but its transport is foot", "AOA-10.19"),
    case({f"{PAK}.transport": "foot"}, f"{PAK}.sizes[0].transports", "is 3, but the platoon's", "AOA-3.11"),
    case({f"{PAK}.transport": "rail"}, f"{PAK}.transport", "is 'rail'; choose foot", "AOA-3.11"),
    case({f"{PAK}.slot": "reserve"}, f"{PAK}.slot", "is 'reserve'; choose hq", "AOA-1.05"),
    case({f"{PAK}.kind": "tank"}, f"{PAK}.kind", "is 'tank'; choose afv", "AOA-1.05"),
    case({f"{PAK}.all_tanks": True}, f"{PAK}.all_tanks", "but its kind is gun", "AOA-11.12"),
    case({f"{PG}.towed": True}, f"{PG}.towed", "but its kind is infantry", "AOA-3.14"),
    case({f"{PG}.carries": 3}, f"{PG}.carries", "only platoons that are vehicles", "AOA-3.12"),
    case({f"{PG}.smoke": True}, f"{PG}.smoke", "smoke is a bombardment", "AOA-5.09"),
    case({"german.types.panzer_3j.transport": "foot"}, "german.types.panzer_3j.transport", "use organic", "AOA-3.11"),
    case({f"{PAK}.title": TAKEN_OUT}, f"{PAK}.title", "is missing"),
    case({f"{PAK}.speed": 4}, f"{PAK}.speed", "is no key of this table"),
    case({f"{PAK}.most": 0}, f"{PAK}.most", "is 0; use 1 to"),
    # the list
    case({"german.side": "soviet"}, "german.side", "but this is the list of german", "AOA-R03"),
    case({"german.side": "polish"}, "german.side", "is 'polish'; choose german, soviet", "AOA-R03"),
    case({"german.company": "cavalry"}, "german.company", "choose tank, mechanised, infantry", "AOA-R38"),
    case({"german.skill": "elite"}, "german.skill", "choose conscript"),
    case({"german.start.air.ju_87d": "heavy"}, "german.start.air.ju_87d", "choose sporadic", "AOA-1.13"),
    case({"german.start.air": {"me_262": "limited"}}, "german.start.air.me_262", "air.types has no me_262", "AOA-1.12"),
    case({"german.air.bombers": ["me_262"]}, "german.air.bombers", "none of air.types", "AOA-4.09"),
    case({"german.air.types": ["ju_87d", "ju_87d"]}, "german.air.types", "has 'ju_87d' twice", "AOA-1.14"),
    # missions and sectors
    case({"missions.last_stand": {"title": "X"}}, "missions.last_stand", "is no key of this table", "AOA-7.01"),
    case({"missions.cauldron": TAKEN_OUT}, "missions.cauldron", "is missing", "AOA-8.15"),
    case({"missions.cauldron.attacker": "flee"}, "missions.cauldron.attacker", "choose hold, advance", "AOA-7.01"),
    case({"missions.encounter.defensive_battle": True}, "missions.encounter.fair_fight", "one of them", "AOA-R34"),
    case({"missions.trench_fight.defender": TAKEN_OUT}, "missions.trench_fight.defender", "has a defender", "AOA-7.12"),
    case({"missions.encounter.attacker": "retreat"}, "missions.encounter.attacker", "that it has not", "AOA-7.06"),
    case({"sectors.7": TAKEN_OUT}, "sectors", "has 6 sectors, the track has 7", "AOA-2.02"),
    case({"sectors.8": EIGHTH}, "sectors", "play with sector_graph=custom_graph", "AOA-R01"),
    case({"sectors.9": EIGHTH}, "sectors.9", "is no number of the track; number the sectors 1 to 8", "AOA-2.02"),
    case({"sectors.4.columns": 0}, "sectors.4.columns", "is 0; use 1 to 40", "AOA-R42"),
    case({"sectors.4.rows": 1}, "sectors.4", "a table of 3 by 2 does not fit in", "AOA-R42"),
    case({"campaign.table": [3]}, "campaign.table", "write columns and rows", "AOA-R42"),
    case({"campaign.start_sector": 9}, "campaign.start_sector", "the track has 7 sectors", "AOA-R02"),
    case({"campaign.turns": 0}, "campaign.turns", "is 0; use 1 to 99", "AOA-12.02"),
    # the file
    case({"soviet": TAKEN_OUT}, "scenario.files.soviet", "is missing; name a file"),
    case({"sectors": TAKEN_OUT}, "scenario.files.sectors", "is missing; name a file"),
    case({"sides.soviet.title": " "}, "sides.soviet.title", "is blank"),
    case({"sides.romans": {}}, "sides.romans", "is no key of this table"),
    case({"dice": {}}, "dice", "is no key of this table"),
    case({"scenario.turns": 4}, "scenario.turns", "is no key of this table"),
]


@pytest.mark.parametrize(("changes", "key", "reason"), BAD)
def test_what_is_wrong_is_named_by_file_and_key_with_a_reason(changes: dict[str, Any], key: str, reason: str) -> None:
    found = refusals(changes)
    table, _, rest = key.partition(".")
    place = (FILES[table], rest) if table in FILES and table in changed(changes).files else ("eastern_front.toml", key)
    assert any((each.where, each.key) == place and reason in each.problem for each in found), [str(it) for it in found]
    assert all("\n" not in str(each) for each in found)


WEIRD: tuple[Any, ...] = (-1, 7, True, 1.5, "", "x y", "\u2028", [], [[]], {}, {"a": {}}, 10**30)


def keys_of(table: Any, before: str = "") -> list[str]:
    """Return the keys of all values of a scenario, of tables and lists too."""
    rows = enumerate(table) if isinstance(table, list) else table.items()
    found = []
    for name, value in rows:
        key = f"{before}[{name}]" if isinstance(table, list) else f"{before}.{name}".lstrip(".")
        found += [key, *(keys_of(value, key) if isinstance(value, dict | list) else [])]
    return found


@pytest.mark.full
@pytest.mark.parametrize("start", range(len(WEIRD)))
def test_no_value_however_strange_gets_past_the_reader(start: int) -> None:
    keys = [key for key in keys_of(scenario("eastern_front").data) if not key.startswith("scenario")]
    for place, key in enumerate(keys[start::5]):
        for found in refusals({key: WEIRD[(place + start) % len(WEIRD)]}):
            assert str(found).isprintable()


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = refusals({"sectors.4.rows": 1, "german.side": "soviet", "soviet.supports": 1, f"{START}.pak40.teams": 9})
    assert [each.key for each in found] == ["4", "side", "start.platoons.pak40.teams", "start.platoons"]


@pytest.mark.rule("AOA-1.01", "AOA-O2")
def test_a_list_in_any_order_gives_the_same_board(tmp_path: Path) -> None:
    """A log keeps a list with its keys sorted: what is trimmed from its end may not depend on how it was written."""
    text = (HOME / "scenarios" / "panzergrenadiers.toml").read_text(encoding="utf-8")
    head, _, rows = text.partition("[start.platoons]\n")
    turned = "\n".join(reversed(rows.strip().splitlines()))
    (tmp_path / "turned.toml").write_text(f"{head}[start.platoons]\n{turned}\n", encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(
        '[scenario]\nid = "own"\ntitle = "Own"\nbase = "eastern_front"\nfiles = { german = "turned.toml" }\n',
        encoding="utf-8",
    )
    for total in ("scenario", "1500", "900"):
        options = USUAL | {"start_total": total}
        mine = read_board(load_scenario(str(own), SHIPPED), options).lists["german"]
        usual = board("eastern_front", start_total=total).lists["german"]
        assert (mine.start, list(mine.types)) == (usual.start, list(usual.types))
        slots = [mine.types[each.type].slot for each in mine.start]
        assert slots == sorted(slots, key=["hq", "combat", "weapons", "support"].index)


def test_a_platoon_that_stands_twice_is_no_toml(tmp_path: Path) -> None:
    file = tmp_path / "twice.toml"
    text = (HOME / "scenarios" / "panzergrenadiers.toml").read_text(encoding="utf-8")
    file.write_text(text + 'pak40 = { type = "pak40", teams = 2 }\n', encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(
        '[scenario]\nid = "own"\ntitle = "Own"\nbase = "eastern_front"\nfiles = { german = "twice.toml" }\n',
        encoding="utf-8",
    )
    with pytest.raises(DataError, match=r"twice\.toml: line \d+, column \d+: is not TOML"):
        load_scenario(str(own), SHIPPED)


@pytest.mark.rule("AOA-1.01")
def test_a_file_of_ones_own_may_name_its_own_list(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[scenario]\nid = "own"\ntitle = "Own"\nbase = "eastern_front"\nfiles = { german = "mine.toml" }\n'
        "[campaign]\nturns = 5\n",
        encoding="utf-8",
    )
    text = (HOME / "scenarios" / "panzers.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    mine = read_board(load_scenario(str(own), SHIPPED), USUAL)
    assert (mine.scenario, mine.turns, mine.lists["german"].company) == ("own", 5, "tank")
    assert mine.lists["soviet"] == board().lists["soviet"]
    (tmp_path / "mine.toml").write_text(text.replace("hq_points = 190", "hq_points = 990"), encoding="utf-8")
    with pytest.raises(DataError, match=r"mine\.toml: start: costs 3330 points, .*take 780 off"):
        read_board(load_scenario(str(own), SHIPPED), USUAL)


# What a scenario may leave out


def test_a_list_without_aircraft_or_limits_has_the_usual_ones() -> None:
    gone = {f"soviet.{name}": TAKEN_OUT for name in ("air", "combat", "weapons", "supports", "skill", "motivation")}
    bare = built(gone | {"soviet.start.air": TAKEN_OUT}).lists["soviet"]
    assert (bare.aircraft, bare.air, bare.air_points) == ((), {}, {})
    assert (bare.least, bare.most, bare.weapons, bare.supports) == (2, 3, 9, 9)
    assert (bare.skill, bare.motivation) == ("trained", "confident")


def test_players_and_names_for_the_table_have_usual_values() -> None:
    bare = built({"sides.german.player": TAKEN_OUT, "missions.cauldron.tabletop": TAKEN_OUT})
    assert bare.players["german"] == "german"
    assert bare.missions["cauldron"].tabletop == bare.missions["cauldron"].title


# What the options change


@pytest.mark.rule("AOA-R02")
def test_the_campaign_begins_in_the_middle_unless_scenario_or_players_say_otherwise() -> None:
    assert board().start_sector == 4
    assert built({"campaign.start_sector": 2}).start_sector == 2
    assert built({"campaign.start_sector": 2}, start_sector="6").start_sector == 6
    (found,) = refusals({}, start_sector="8")
    assert str(found) == "the options: start_sector: is 8; choose one of the sectors 1 to 7 (AOA-R02)"


@pytest.mark.rule("AOA-R01", "AOA-2.04")
def test_a_track_of_another_length_has_its_homes_at_its_ends() -> None:
    longer = built({"sectors.8": EIGHTH, "sectors.9": EIGHTH}, sector_graph="custom_graph")
    assert longer.home == {"german": 1, "soviet": 9}
    assert longer.start_sector == 5
    assert longer.sector(9).title == "Beyond"
    assert board().home == {"german": 1, "soviet": 7}
    short = refusals({f"sectors.{number}": TAKEN_OUT for number in range(3, 8)}, sector_graph="custom_graph")
    assert [each.problem for each in short] == [
        "has 2 sectors; a track needs 3 or more, two homes and one between (AOA-2.04)"
    ]


@pytest.mark.rule("AOA-R03")
def test_any_two_lists_may_meet_if_the_players_say_so() -> None:
    civil = {"soviet": scenario("armoured_clash").data["german"]}
    assert [each.key for each in refusals(civil)] == ["side"]
    assert built(civil, sides="any_two").lists["soviet"].title == "Panzerkompanie"


@pytest.mark.rule("AOA-R07", "AOA-R04")
def test_both_sides_begin_with_the_victory_points_agreed() -> None:
    assert opening_state(board(), USUAL).balance == {"german": 0, "soviet": 0}
    state = opening_state(board(vp_start="3"), USUAL | {"vp_start": "3"})
    assert state.balance == {"german": 3, "soviet": 3}
    assert state.earned == state.raw == {"german": 0, "soviet": 0}
    (found,) = refusals({}, vp_start="101")
    assert (found.key, found.problem) == ("vp_start", "is 101; use 0 to 100 (AOA-R07)")


@pytest.mark.rule("AOA-O2", "AOA-1.01")
@pytest.mark.parametrize("total", ["900", "1500", "2000", "2980", "5000"])
@pytest.mark.parametrize("name", SHIPPED)
def test_with_another_total_the_starting_forces_are_cut_to_it(name: str, total: str) -> None:
    agreed = board(name, start_total=total)
    assert agreed.points == int(total)
    for side in SIDES:
        usual, cut = board(name).lists[side], agreed.lists[side]
        assert start_points(cut) <= int(total)
        assert sum(cut.types[each.type].slot == "combat" for each in cut.start) >= cut.least
        assert (cut == replace(usual, points=0)) == (start_points(usual) <= int(total))
        assert agreed.points_of(side) == int(total)


@pytest.mark.rule("AOA-1.01", "AOA-O2")
@pytest.mark.parametrize("total", ["scenario", "900", "2000"])
@pytest.mark.parametrize("name", SHIPPED)
def test_the_starting_force_is_a_company_that_may_be_built(name: str, total: str) -> None:
    agreed = board(name, start_total=total)
    for company in agreed.lists.values():
        assert Companies(company, agreed.points_of(company.side)).why_not(starting_force(company)) is None


@pytest.mark.rule("AOA-1.01")
def test_a_list_may_have_another_total_than_the_campaign() -> None:
    agreed = board("eastern_front")
    assert (agreed.points, agreed.points_of("german"), agreed.points_of("soviet")) == (3000, 2500, 3000)
    assert [board("armoured_clash").points_of(side) for side in SIDES] == [2550, 3000]
    (found,) = refusals({"german.points": 2000})
    assert found.problem == "costs 2495 points, german.points allows 2000; take 495 off, or agree on more (AOA-1.01)"


@pytest.mark.rule("AOA-O3", "AOA-O4")
def test_there_is_a_bid_for_each_side() -> None:
    bids = {option.bid: option for option in axis_attack.options() if option.bid}
    assert set(bids) == set(SIDES)
    assert all(bids[side].name == f"bid_{side}" and bids[side].number for side in SIDES)


@pytest.mark.rule("AOA-O3", "AOA-O4")
def test_a_bid_is_victory_points_for_one_side() -> None:
    for side, other in (("german", "soviet"), ("soviet", "german")):
        options = USUAL | {"vp_start": "2", f"bid_{side}": "7"}
        assert opening_state(board("eastern_front", **options), options).balance == {side: 9, other: 2}
    assert opening_state(board(), USUAL).balance == {"german": 0, "soviet": 0}


@pytest.mark.rule("AOA-O2")
def test_a_total_under_the_smallest_company_is_refused() -> None:
    (found,) = refusals({}, start_total="400")
    left = "the least that is left of the starting force of soviet costs 450; agree on more (AOA-O2)"
    assert str(found) == f"the options: start_total: is 400, but {left}"


@pytest.mark.rule("AOA-2.05")
def test_the_first_state_has_empty_rosters_and_the_first_sector() -> None:
    state = opening_state(board(), USUAL)
    for each in (state.rosters, state.aircraft, state.ladder):
        assert each == {"german": {}, "soviet": {}}
    assert (state.sector, state.mud, state.weather, state.track) == (4, 0, "clear", [])
    assert state.options == USUAL
