"""Bounds of the numbers in a scenario file."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.desert_aa.conftest import ready
from tests.plugins.desert_aa.setup.files import Data, problems, shipped

from sandtable.plugin.scenarios import scenario_of


def put(data: Data, path: str, value: Any) -> Data:
    *outer, last = path.split(".")
    for key in outer:
        data = data[key]
    data[last] = value
    return data


def area(**more: Any) -> Data:
    return {"name": "There", "terrain": "desert", "lon_milli": 1, "lat_milli": 1, "owner": "italy", **more}


@pytest.mark.parametrize(
    ("path", "least", "most"),
    [
        ("scenario.round_limit", 0, 1_000),
        ("powers.italy.income", 0, 100_000),
        ("treasury.axis", 0, 100_000),
        ("treasury.allies", 0, 100_000),
        ("treasury.bonus", 0, 1_000),
        ("areas.TEL.value", 0, 1_000),
        ("forces.italy.MGH.infantry", 0, 200),
        ("forces.england.OAS.aa_gun", 0, 200),
    ],
)
def test_numbers_are_within_bounds(path: str, least: int, most: int) -> None:
    for number in (least, most):
        data = shipped()
        put(data, path, number)
        assert "; use" not in problems(data).get(path, "")
    for number in (least - 1, most + 1):
        data = shipped()
        put(data, path, number)
        assert problems(data)[path] == f"is {number}; use {least} to {most}"


@pytest.mark.parametrize(("name", "most"), [("lon_milli", 180_000), ("lat_milli", 90_000)])
def test_coordinates_are_required_and_on_the_globe(name: str, most: int) -> None:
    for number, right in ((most, True), (-most, True), (most + 1, False), (-most - 1, False)):
        data = shipped()
        data["areas"]["TEL"][name] = number
        assert (f"areas.TEL.{name}" not in problems(data)) is right
    data = shipped()
    del data["areas"]["TEL"][name]
    assert problems(data)[f"areas.TEL.{name}"].startswith("is missing; add a whole number in thousandths of a degree")


def test_map_has_at_most_400_areas() -> None:
    for number, problem in ((400, None), (401, "has 401 areas; use at most 400")):
        data = shipped()
        data["areas"] |= {f"N{place:03}": area() for place in range(number - len(data["areas"]))}
        assert problems(data).get("areas") == problem


@pytest.mark.parametrize("amount", [0, 1, 9])
def test_omitted_keys_have_defaults(amount: int) -> None:
    """The defaults: no round limit, no value, and no road, city, zone, capital or forces."""
    data = shipped()
    del data["scenario"]["round_limit"]
    data["areas"]["FAR"] = area()
    data["connectors"].append({"between": ["FAR", "WAZ"], "kind": "desert"})
    data["forces"] = {"italy": {"FAR": {"infantry": amount}}}
    board = ready(scenario_of(data, "changed.toml", own=True)).board
    assert board.round_limit == 0
    assert (board.value["FAR"], "FAR" in board.mineable, "FAR" in board.zones, "FAR" in board.cities) == (
        0,
        True,
        False,
        False,
    )
    assert "FAR" not in board.road_next
    assert board.forces == {"italy": {"FAR": {"infantry": amount}}}
