"""Refusals of a user's scenario file."""

import re
import textwrap
from copy import deepcopy
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.damos.model.test_board import HOME, USUAL, Table, scenario
from transcripts import Transcript

import damos
from damos.model.board import Board
from damos.model.tables import GERMAN, SOVIET
from damos.setup.opening import read_board
from sandtable.errors import DataError
from sandtable.plugin.scenarios import Scenario, load_scenario, on_map, scenario_of

# a user's scenario


@cache
def frame() -> Table:
    """Return the tables of a small scenario that come from the campaign: all except map and forces."""
    data = deepcopy(scenario("agc").data)
    del data["map"], data["forces"]
    data["scenario"] |= {"id": "small", "title": "Small"}
    return data


def small() -> Table:
    """Return the tables of a small valid scenario."""
    data = deepcopy(frame())
    data["map"] = {
        "map": {"id": "small", "title": "Small", "provenance": "own", "reason": "a test"},
        "grid": {"layout": "rows", "columns": 5, "rows": 3, "columns_grow": "west", "eastern_rows": "odd"},
        "terrain": {"city": ["0202"], "town": ["0303"], "forest": ["0102"]},
        "hexsides": {"river": ["0203/0204"]},
        "places": {"Town": ["0303"], "City": ["0202"]},
        "rails": {"Line": "0205 0204 0203 0202 0201"},
        "theater": {
            "area": ["0101-0105 0201-0205 0301-0305"],
            "home": ["0104 0105 0204 0205 0304 0305"],
            "frontier": ["0103 0203 0303"],
            "set_up": ["0104 0204 0304"],
        },
    }
    unit = {"type": "infantry", "size": "division", "sp": 4, "ma": 3}
    data["forces"] = {
        "german": {"g-1": unit | {"name": "1"}},
        "soviet": {f"s-{number}": unit | {"name": str(number)} for number in (1, 2, 3)},
    }
    data["victory"]["objective"] = "City"
    data["exclusive"]["pause_city"] = "Town"
    return data


def accepted(data: Table) -> Board:
    return read_board(scenario_of(data, "small.toml", own=True), USUAL)


def faults(scenario: Scenario) -> list[str]:
    with pytest.raises(DataError) as refused:
        read_board(scenario, USUAL)
    return [str(each) for each in (refused.value, *refused.value.also)]


def refusal(data: Table) -> str:
    return faults(scenario_of(data, "small.toml", own=True))[0]


def changed(path: str, value: Any) -> Table:
    """Return the small scenario with one value replaced, or removed if it is None."""
    data = small()
    *way, last = path.split("/")
    inner: Any = data
    for name in way:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return data


def test_a_small_scenario_can_be_read() -> None:
    position = accepted(small())
    assert (len(position.counters), position.converted, position.railheads) == (4, ("0204", "0205"), ("0204",))
    assert (position.sources, position.beyond_marsh) == ({GERMAN: ("0205",), SOVIET: ("0201", "0202")}, frozenset())


UNIT = "forces/soviet/s-1"
BY_CALENDAR = {"by_option": "calendar", "t1_1st_july": 2, "t1_22_june": 2, "thirteen_turns": 2}
ALONG_THE_FRONTIER = ["0103/0104 0104/0203 0203/0204 0203/0304 0303/0304"]
UNITS = {f"s-{n}": {"name": f"{n}", "type": "armor", "size": "corps", "sp": 1, "ma": 1} for n in range(401)}
WRONG: dict[str, list[Any]] = {
    "map": [None],
    "aid": [3],
    "forces": [None],
    "weather": [{}],
    "scenario/game": ["ags"],
    "scenario/turns": [
        0,
        {"by_option": "weather"},
        {"by_option": "calendar"},
        2.5,
        float("nan"),
        date(1941, 7, 1),
        BY_CALENDAR | {"thirteen": 2},
        BY_CALENDAR | {"t1_1st_july": 2.5},
    ],
    "sides/german/zones": [["tank"], ["armor", "armor"]],
    "sides/german/title": [" "],
    "sides/french": [{}],
    "sides/soviet/replacements": [[[2]], [[2, 5], [2, 6]], [[2, -5]], [[2, 1.5]]],
    "stacking/german": [0, 1.0],
    "stacking/french": [2],
    "stacking/soviet": [None],
    "victory/objective": ["Paris"],
    "victory/edge": ["north"],
    "victory/adjacent": [7, -1],
    "exclusive/pause_city": ["Paris"],
    "map/terrain/city": [["0902"], ["0202 0202"]],
    "map/map": [None],
    "map/grid": [None],
    "map/grid/columns": [5.0, 0],
    "map/grid/rows": [-3],
    "map/theater": [None],
    "map/places": [None],
    "map/places/City": [[], ["0202 0101"], ["0209"], ["0201"]],
    "map/rails": [{f"{n}": "0205 0204" for n in range(201)}, None],
    "map/terrain/swamp": [["0101"]],
    "map/places/Other": [["0202"]],
    "map/terrain/town": [["0303 0202"]],
    "map/hexsides/river": [["0201/0205"]],
    "map/rails/Line": [
        "0205 0203",
        "0205 0206",
        "0205",
        "0205 0204 0205",
        ["0205"],
        "0204 0203 0202",
        "0205 0204",
        "0205 0204 0203",
    ],
    "map/theater/area": [
        ["0101-0105 0301-0305"],
        ["0103-0105 0203-0205 0303-0305 0201"],
        ["0102-0105 0202-0205 0302-0305"],
        ["0101-0104 0201-0204 0301-0304"],
        ["0101-0105 0201-0204 0301-0305"],
        [],
        None,
    ],
    "map/hexsides/lake": [ALONG_THE_FRONTIER],
    "map/theater/home": [[], ["0909"]],
    "map/theater/east": [[]],
    "map/theater/extension": [["0101 0101"]],
    "map/theater/frontier": [["0101"]],
    "map/theater/set_up": [["0103"]],
    "forces/soviet/s-1/sp": [None, 0, -4, 4.0, True],
    "forces/soviet/s-1/name": [None, "x" * 61, "2"],
    "forces/soviet": [UNITS, {}],
    "forces/soviet/s-1/ma": [21],
    "forces/soviet/s-1/type": ["tank"],
    "forces/soviet/s-1/size": ["platoon"],
    "forces/soviet/s-1/nation": ["french"],
    "forces/soviet/s-1/arrives": [-1, 2],
    "forces/soviet/s-1/set_up": [["moon"]],
    "forces/soviet/s-1/traits": [["brave"]],
    "forces/soviet/s-1/colour": ["red"],
    "forces/soviet/g-1": [{}],
    "forces/soviet/S 1": [{}],
    "forces/german/g-1/arrives": [2],
    "aid/terrain/clear": [None],
    "aid/terrain/clear/points": [None, 0.5],
    "aid/terrain/forest/points": [-1],
    "aid/hexsides/river/attack_per": [-2],
    "aid/strategic/rail_points": [-1],
    "aid/matrix/grand/delay/attacker_points": [1.0],
    "aid/counterattack/1:1": [["-1/1"] * 6, ["1/1"] * 5, ["1/1"] * 5 + ["1-1"]],
    "aid/terrain/forest/defense": [99],
    "aid/terrain/forest/closed": [["tank"]],
    "aid/hexsides/river/depth": [3],
    "aid/postures/steadfast": [None],
    "aid/postures/delay/sides": [["french"]],
    "aid/matrix/grand/delay": [None, {"defender_losses": 1}],
    "aid/matrix/raid": [{}],
    "aid/counterattack": [{}],
    "aid/counterattack/2-1": [["1/1"] * 6],
}
"""Wrong values by the path of the value that they replace. None removes it."""


@pytest.mark.parametrize("table", sorted({path.partition("/")[0] for path in WRONG}))
def test_each_fault_is_reported_with_file_and_key(table: str, transcript: Transcript) -> None:
    lines = []
    for path, values in WRONG.items():
        for value in values if path.partition("/")[0] == table else ():
            reported = faults(scenario_of(changed(path, value), "small.toml", own=True))
            assert all(line.startswith("small.toml") and line.isprintable() for line in reported)
            shown = "taken out" if value is None else textwrap.shorten(repr(value), 100)
            lines += [f"{path}: {shown}", *(f"  {line}" for line in reported[:3])]
    transcript("\n".join(lines))


def test_an_id_of_the_other_side_is_refused() -> None:
    data = changed("forces/soviet/g-1", small()["forces"]["soviet"]["s-1"] | {"name": "9"})
    assert "forces.soviet.g-1: is already an id of german; give this unit another" in refusal(data)


def test_each_invalid_unit_is_reported() -> None:
    unit = small()["forces"]["soviet"]["s-1"]
    data = changed("forces/soviet", {"S 1": unit, "t-1": 5, "u-1": unit | {"sp": 0}, "s-1": unit})
    with pytest.raises(DataError) as refused:
        accepted(data)
    message = [str(each) for each in (refused.value, *refused.value.also)]
    for number, key in enumerate(("'S 1'", "t-1", "u-1.sp")):
        assert f"forces.soviet.{key}: " in message[number]


def test_a_duplicate_id_in_a_file_is_reported_with_its_line(tmp_path: Path) -> None:
    unit = '{ name = "1", type = "armor", size = "corps", sp = 1, ma = 1 }'
    (tmp_path / "forces.toml").write_text(f"[soviet]\ns-1 = {unit}\ns-1 = {unit}\n")
    path = tmp_path / "mine.toml"
    path.write_text('[scenario]\nid = "x"\ntitle = "x"\nbase = "agc"\nfiles = { forces = "forces.toml" }\n')
    with pytest.raises(DataError, match=r"forces\.toml: line 3, column \d+: is not TOML"):
        load_scenario(str(path), damos.ruleset_scenarios())


def test_a_force_too_large_for_its_set_up_area_is_refused() -> None:
    data = small()
    data["forces"]["german"] = {f"g-{n}": data["forces"]["german"]["g-1"] | {"name": str(n)} for n in range(13)}
    message = refusal(data)
    assert "forces.german: has 13 units at the start, but the set-up area holds 12; take some out" in message


STRANGE: list[Any] = [None, True, -1, 7, 10**30, 1.5, "", "x" * 200, "0101", [], [[]], [{}], ["0101"], {}]
BEST_LEFT = ("scenario", "scenario/id", "scenario/title")


def paths(tables: Any, so_far: str = "") -> list[str]:
    """Return the paths of all tables and values."""
    found = []
    for name, each in tables.items() if isinstance(tables, dict) else ():
        found += [f"{so_far}{name}", *paths(each, f"{so_far}{name}/")]
    return found


@pytest.mark.full
@pytest.mark.parametrize("path", [path for path in paths(small()) if path not in BEST_LEFT])
def test_any_value_in_a_file_is_read_or_refused_in_one_line(path: str) -> None:
    for value in STRANGE:
        message = "small.toml"
        try:
            accepted(changed(path, value))
        except DataError as error:
            message = str(error)
        assert message.startswith("small.toml")
        assert message.isprintable()


# The scenarios of the README


def samples() -> list[str]:
    return re.findall(r"```toml\n(.*?)```", (HOME / "README.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.rule("R-DM-50", "R-DM-51", "R-DM-52", "R-DM-69", "R-DM-78")
def test_the_scenarios_of_the_readme_can_be_played(tmp_path: Path) -> None:
    for name in ("map", "aid", "forces"):
        text = (HOME / f"scenarios/{name}.toml").read_text(encoding="utf-8")
        (tmp_path / f"my_{name}.toml").write_text(text, encoding="utf-8")
    found = []
    for place, text in enumerate(samples()):
        path = tmp_path / f"{place}.toml"
        path.write_text(text, encoding="utf-8")
        position = read_board(load_scenario(str(path), damos.ruleset_scenarios()), USUAL)
        mine, objective = position.counters["s-6mc"], position.names[position.victory.objective]
        found.append((position.scenario, len(position.counters), mine.sp, mine.arrives, objective))
    assert found == [("my_campaign", 151, 5, 0, "Moscow"), ("more_tanks", 113, 10, 0, "Vyazma")]


@pytest.mark.parametrize(
    ("name", "before", "after", "message"),
    [
        ("map", '[map]\nid = "agc"', "[map]", "my_map.toml: map.id: is missing; add text"),
        ("map", 'city = [\n  "', 'city = [\n  "4001 ', "my_map.toml: terrain.city[0]: 4001 is off the map"),
        ("map", '"2702 2701"', '"2702 2501 2701"', "my_map.toml: rails.Moscow-Vladimir: has a gap: 2702 and 2501"),
        ("map", "frontier = [", 'frontier = [\n  "2702",', "my_map.toml: theater.frontier: has 2702, which is not adj"),
        (
            "forces",
            'name = "6 MC", type = "armor", size = "corps", sp = 5, ',
            'name = "6 MC", type = "armor", size = "corps", ',
            "my_forces.toml: soviet.s-6mc.sp: is missing; add a whole number",
        ),
        ("aid", "[terrain.town]", "[terrain.village]", "my_aid.toml: terrain.village.points: is missing"),
    ],
)
def test_a_fault_in_a_file_is_reported_with_its_name(
    tmp_path: Path, name: str, before: str, after: str, message: str
) -> None:
    text = (HOME / f"scenarios/{name}.toml").read_text(encoding="utf-8")
    assert before in text
    (tmp_path / f"my_{name}.toml").write_text(text.replace(before, after, 1), encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(f'[scenario]\nid = "x"\ntitle = "x"\nbase = "agc"\nfiles = {{ {name} = "my_{name}.toml" }}\n')
    with pytest.raises(DataError) as refused:
        read_board(load_scenario(str(path), damos.ruleset_scenarios()), USUAL)
    assert str(refused.value).startswith(f"{tmp_path}/{message}")


def test_a_fault_in_a_changed_value_names_the_scenario_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[scenario]\nid = "x"\ntitle = "x"\nbase = "agc"\n[forces.soviet.s-6mc]\nsp = 0\n')
    with pytest.raises(DataError, match=r"mine\.toml: forces\.soviet\.s-6mc\.sp: is 0; use 1 to 40"):
        read_board(load_scenario(str(path), damos.ruleset_scenarios()), USUAL)


# All faults at once, also of a map alone


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            [("[terrain]", '[terrain]\nswamp = ["2101"]'), ('city = [\n  "', 'city = [\n  "4001 ')],
            ["my.toml: terrain.swamp: is unknown here", "my.toml: terrain.city[0]: 4001 is off the map"],
        ),
        (
            [('"2702 2701"', '"2702 2501 2701"'), ("home = [", "homes = ["), ("Moscow = ", "Moskva = ")],
            [
                "my.toml: rails.Moscow-Vladimir: has a gap: 2702 and 2501 are not adjacent",
                "my.toml: theater.homes: is not a key of this table",
                "my.toml: theater.home: is missing; list its hexes",
                "my.toml on agc.toml: victory.objective: is 'Moscow'; name a place of the map that has one hex",
            ],
        ),
        (
            [("frontier = [", 'frontier = [\n  "2801",'), ("\narea = [\n", '\narea = [\n  "2030",\n')],
            [
                "my.toml: theater.frontier: has 2801, which is not adjacent to a hex of home",
                "my.toml: theater.area: is not connected: no path leads from 2030 to 2201",
            ],
        ),
    ],
)
def test_all_faults_of_a_map_are_reported_at_once(
    tmp_path: Path, changes: list[tuple[str, str]], message: list[str]
) -> None:
    text = (HOME / "scenarios/map.toml").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    (tmp_path / "my.toml").write_text(text, encoding="utf-8")
    found = faults(on_map(scenario("agc"), str(tmp_path / "my.toml")))
    assert len(found) == len(message)
    for line, start in zip(found, message, strict=True):
        assert line.startswith(f"{tmp_path}/{start}")


def test_a_game_is_played_on_a_users_map(tmp_path: Path) -> None:
    text = (HOME / "scenarios/map.toml").read_text(encoding="utf-8")
    (tmp_path / "my.toml").write_text(
        text.replace('title = "Army Group Center"', 'title = "Mine"', 1), encoding="utf-8"
    )
    mine = read_board(on_map(scenario("smolensk"), str(tmp_path / "my.toml")), USUAL)
    assert (mine.hexmap.title, mine.scenario, mine.last_turn) == ("Mine", "smolensk", 4)


def test_all_faults_of_a_force_are_reported() -> None:
    data = changed(f"{UNIT}/sp", None)
    data["forces"]["soviet"]["s-2"]["ma"] = 2.5
    data["forces"]["german"]["g-1"]["type"] = "tank"
    message = [line.removeprefix("small.toml: forces.") for line in faults(scenario_of(data, "small.toml", own=True))]
    assert [line.partition(":")[0] for line in message] == ["german.g-1.type", "soviet.s-1.sp", "soviet.s-2.ma"]
