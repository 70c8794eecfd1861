"""User scenarios: accepted values, and faults that are refused by file and key."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.kampfpanzer.positions import DEFAULTS

import kampfpanzer
from kampfpanzer.model.board import Board
from kampfpanzer.setup.opening import read_board
from sandtable.errors import DataError
from sandtable.plugin.scenarios import load_scenario, scenario_of

HOME = Path(__file__).parents[4] / "plugins" / "kampfpanzer"

Table = dict[str, Any]

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
    """Return the small scenario with one changed value; None removes the key."""
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
        read_board(scenario_of(tables, "small.toml", own=True), DEFAULTS | chosen)
    return str(caught.value)


def accepted(tables: Table, **chosen: str) -> Board:
    return read_board(scenario_of(tables, "small.toml", own=True), DEFAULTS | chosen)


def test_small_scenario_is_valid() -> None:
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
def test_area_may_be_written_in_any_form(area: Table, hexes: str) -> None:
    tables = changed("forces/germans/groups", [{"units": {"PzI": 1}} | area])
    assert accepted(tables).groups[-1].area == tuple(sorted(set(hexes.split())))


@pytest.mark.rule("R-KP-03")
def test_user_scatter_table_applies_by_option() -> None:
    tables = changed("scenario/scatter", ["D", "E", "F", "A", "B", "C"])
    assert accepted(tables).scatter == dict(enumerate("ABCDEF", start=1))
    assert accepted(tables, scatter="custom_table").scatter == dict(enumerate("DEFABC", start=1))
    assert accepted(SMALL, scatter="custom_table").scatter == dict(enumerate("ABCDEF", start=1))


def test_value_may_depend_on_an_option() -> None:
    choice = {"by_option": "edge_w", "column_01": {"edge": "west"}, "bottom_rows": ["0308"]}
    tables = changed("forces/french/exits", choice)
    assert len(accepted(tables).exits["french"]) == 8
    assert accepted(tables, edge_w="bottom_rows").exits == {"french": ("0308",)}


GROUP = "forces/french/groups/0"
LATE = "forces/french/groups/1"
FOE = "forces/germans/groups/0"
FAULTS = [
    tuple(line.split(" | ")) for line in Path(__file__).with_name("faults.txt").read_text("utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("path", "value", "expected"), FAULTS, ids=[f"{row[0]}-{at}" for at, row in enumerate(FAULTS)])
def test_fault_is_refused_with_file_and_key(path: str, value: str, expected: str) -> None:
    message = refusal(changed(path, None if value == "-" else json.loads(value)))
    assert message.startswith("small.toml")
    assert expected in message
    assert message.isprintable()


STRANGE: list[Any] = [None, True, -1, 7, 10**30, 1.5, "", "x" * 200, "0101", [], [[]], ["0101"], {}, {"by_option": []}]


def paths(tables: Any, so_far: str = "") -> list[str]:
    """Return the paths of all values in the tables, including tables."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(tables, dict):
        inner = list(tables.items())
    elif isinstance(tables, list):
        inner = list(enumerate(tables))
    found = [f"{so_far}{name}" for name, _ in inner]
    return found + [path for name, each in inner for path in paths(each, f"{so_far}{name}/")]


@pytest.mark.parametrize("path", [path for path in paths(SMALL) if path != "scenario" and path[:11] != "scenario/id"])
def test_strange_value_is_read_or_refused_in_one_line(path: str) -> None:
    for value in STRANGE:
        message = "small.toml"
        try:
            accepted(changed(path, value))
        except DataError as error:
            message = str(error)
        assert message.startswith("small.toml")
        assert message.isprintable()


def test_groups_too_large_for_their_shared_area_are_refused() -> None:
    tables = changed(
        "forces/germans/groups", [{"units": {"PzI": 1}, "hexes": ["0505"]}, {"units": {"PzII": 1}, "hexes": ["0505"]}]
    )
    assert (
        "groups[1]: the units of these 2 groups together need a larger area to set up: hexes needed 2, in the area 1"
        in refusal(tables)
    )


def test_second_side_requires_space_left_to_set_up() -> None:
    tables = changed(FOE, {"units": {"PzI": 2}, "hexes": ["0203 0204 0205"]})
    assert "hexes needed 2, in the area 3, of which the enemy may hold 2" in refusal(tables)


ROOM = [
    # units, entrenched, riders, required hexes
    ("1 PzI", False, False, 1), ("2 Inf-Ge", False, False, 2), ("2 37mm", True, False, 2),
    ("3 37mm 2 Inf-Ge", False, False, 3), ("3 37mm 2 Inf-Ge", True, False, 3), ("2 37mm 3 Inf-Ge", True, False, 3),
    ("1 APC 1 Inf-Ge", False, False, 1), ("1 APC 1 Inf-Ge", True, False, 2),
    ("3 37mm 1 Inf-Ge 2 APC", False, False, 3), ("3 37mm 1 Inf-Ge 2 APC", True, False, 5),
    ("1 37mm 3 Inf-Ge 2 APC", False, False, 3), ("2 37mm 2 Inf-Ge 2 APC", False, False, 3),
    ("2 37mm 2 Inf-Ge 3 APC", False, False, 4), ("2 BT7 2 Inf-Ru", False, False, 4),
    ("2 BT7 2 Inf-Ru", False, True, 2), ("1 BT7 3 Inf-Ru 1 Truck", False, True, 3), ("2 BT7 2 37mm", False, True, 4),
]  # fmt: skip


@pytest.mark.rule("KP-7.0a", "KP-7.1a", "KP-14.0h")
@pytest.mark.parametrize(("units", "dug", "riders", "need"), ROOM)
def test_required_area_counts_shared_hexes_and_riders(units: str, dug: bool, riders: bool, need: int) -> None:
    words = units.split()
    mixed = {kind: int(number) for number, kind in zip(words[::2], words[1::2], strict=True)}
    tables = changed("scenario/riders", riders)
    tables["forces"]["germans"]["groups"][0] = {"units": mixed, "hexes": [f"0501-050{need}"]}
    if dug:
        tables["forces"]["germans"]["groups"][0]["entrenched"] = True
    accepted(tables)
    if need > 1:
        tables["forces"]["germans"]["groups"][0]["hexes"] = [f"0501-050{need - 1}"]
        assert f"the units need a larger area to set up: hexes needed {need}, in the area {need - 1};" in refusal(
            tables
        )


LEAST_AND_MOST: list[tuple[str, Any]] = [
    ("scenario/turns", 200), ("forces/french/panic", 5), ("forces/french/no_move", 3), (f"{LATE}/enters", 3),
    ("victory/needed", 5), ("victory/needed", 1),
    ("victory", {"kind": "destroy", "side": "french", "losses_needed": 2}),
    ("victory", {"kind": "reach", "side": "french", "hexes": ["0101"], "from_turn": 3}),
    (FOE, {"units": {"PzI": 3}, "rows": [7, 7]}), (FOE, {"units": {"PzI": 3}, "rows": [0, 99]}),
    (FOE, {"units": {"PzI": 1}, "within": 0, "of": "0505"}), (FOE, {"units": {"PzI": 1}, "within": 60, "of": "0505"}),
    ("forces/germans/groups", [{"units": {name: 1}, "edge": "east"} for name in ("PzI", "PzII", "APC", "Truck") * 2]),
    ("forces/french/groups", [{"units": {"H39": 1}, "edge": "west"}] * 8),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value"), LEAST_AND_MOST)
def test_extreme_values_are_accepted(path: str, value: Any) -> None:
    accepted(changed(path, value))


def test_many_groups_are_checked_singly_and_together() -> None:
    one = {"units": {"37mm": 1}, "edge": "east"}
    groups = [{"units": {"PzI": 1}, "hexes": ["0501"]}, *([one] * 4), *([{"units": {"APC": 1}, "edge": "east"}] * 8)]
    tables = changed("forces/germans/groups", groups)
    accepted(tables)
    groups[1] = {"units": {"37mm": 1, "PzII": 2}, "hexes": ["0502"]}
    assert "groups[1]: the units need a larger area to set up: hexes needed 3, in the area 1;" in refusal(tables)
    groups[1] = one
    groups += [{"units": {name: 1}, "edge": "east"} for name in ("PzII", "Truck")]
    assert "groups[14]: the units of these 15 groups together need a larger area to set up: hexes needed 11" in refusal(
        tables
    )


def test_board_returns_the_enemy_of_a_side_and_the_type_of_a_unit() -> None:
    position = accepted(SMALL)
    assert (position.enemy_of("french"), position.enemy_of("germans")) == ("germans", "french")
    assert position.kind_of("138").name == "Truck"


# --- scenarios of the README ---


def samples() -> list[str]:
    """Return the samples that are complete scenarios."""
    found = re.findall(r"```toml\n(.*?)```", (HOME / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return [each for each in found if each.startswith("[scenario]")]


@pytest.mark.rule("R-KP-02", "R-KP-04")
def test_readme_scenarios_are_playable(tmp_path: Path) -> None:
    (tmp_path / "my_map.toml").write_text((HOME / "scenarios/map.toml").read_text(encoding="utf-8"), encoding="utf-8")
    found = []
    for place, text in enumerate(samples()):
        path = tmp_path / f"{place}.toml"
        path.write_text(text, encoding="utf-8")
        position = read_board(load_scenario(str(path), kampfpanzer.ruleset_scenarios()), DEFAULTS)
        found.append((position.scenario, position.sides, len(position.units)))
    assert found == [
        ("spain_on_my_map", ("nationalists", "republicans"), 45),
        ("outpost", ("germans", "poles"), 8),
    ]


def test_map_without_places_of_the_scenario_is_refused(tmp_path: Path) -> None:
    (tmp_path / "my_map.toml").write_text("[grid]\ncolumns = 39\nrows = 54\n", encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(samples()[0], encoding="utf-8")
    with pytest.raises(DataError, match=r"mine\.toml: "):
        read_board(load_scenario(str(path), kampfpanzer.ruleset_scenarios()), DEFAULTS)
