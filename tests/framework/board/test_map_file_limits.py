"""Map files at their limits, and the rest of a list after an error: all errors are reported, not only the first."""

import tomllib
from typing import Any

import pytest

from sandtable.board.areas.file import find_problems, parse_map
from sandtable.board.hexes.file import MAX_NAME, HexVocabulary, find_hex_problems, parse_hex_map
from sandtable.errors import DataError

WORDS = HexVocabulary(("clear", "woods", "slope"), ("stream",), ("road",))
FIELD = '[map]\nid = "f"\ntitle = "f"\nprovenance = "own"\nreason = "for tests"\n[grid]\ncolumns = 9\nrows = 9\n'
LAND = '[map]\nid = "l"\ntitle = "l"\nprovenance = "own"\nreason = "for tests"\n'


def slips(text: str) -> list[str]:
    return [each.removeprefix("map: ").split(";")[0] for each in find_hex_problems(tomllib.loads(text), WORDS)]


def area(area_id: str, more: str = "") -> str:
    return f'[areas.{area_id}]\nname = "Somewhere"\nterrain = "desert"\n{more}\n'


@pytest.mark.parametrize(
    ("first", "second", "limit"),
    [
        ("lon_milli", "lat_milli", 180_000),
        ("lat_milli", "lon_milli", 90_000),
        ("x", "y", 1_000_000),
        ("y", "x", 1_000_000),
    ],
)
def test_coordinates_are_limited_to_the_globe_or_sheet(first: str, second: str, limit: int) -> None:
    for value in (limit, -limit, 0):
        made = parse_map((LAND + area("A", f"{first} = {value}\n{second} = 1")).encode(), "x").area("A")
        assert (getattr(made, first), getattr(made, second)) == (value, 1)
    for value in (limit + 1, -limit - 1):
        with pytest.raises(DataError, match=rf"^x: areas.A.{first}: is {value}; use -{limit} to {limit}$"):
            parse_map((LAND + area("A", f"{first} = {value}\n{second} = 1")).encode(), "x")


@pytest.mark.parametrize(
    ("given", "expected"),
    [(each, expected) for expected in ("lon_milli and lat_milli", "x and y") for each in expected.split(" and ")],
)
def test_single_coordinate_is_refused(given: str, expected: str) -> None:
    with pytest.raises(DataError, match=rf"areas.A.{given}: is incomplete; give both {expected}, or neither$"):
        parse_map((LAND + area("A", f"{given} = 1")).encode(), "x")


def test_fact_is_limited_to_64_bits() -> None:
    most = 2**63 - 1
    for value in (most, -most):
        assert parse_map((LAND + area("A", f"value = {value}")).encode(), "x").area("A").number("value") == value
    for value in (most + 1, -most - 1):
        with pytest.raises(DataError, match=rf"areas.A.value: is {value}; use a whole number of at most 64 bits"):
            parse_map((LAND + area("A", f"value = {value}")).encode(), "x")


def test_neighbors_after_an_invalid_one_are_read(tmp_path: Any) -> None:
    path = tmp_path / "l.toml"
    path.write_text(LAND + area("A", 'adjacent = [3, "B", "C", "B"]') + area("B") + area("C", 'adjacent = ["A"]'))
    assert [each.removeprefix(f"{path}: ").split(";")[0] for each in find_problems(path)] == [
        "areas.A.adjacent[0]: is 3",
        "areas.A.adjacent[3]: names 'B' a second time",
        "areas.A.adjacent[1]: is one-sided, 'B' does not list 'A'",
    ]


def test_place_name_may_have_sixty_characters() -> None:
    name = "x" * 60
    assert MAX_NAME == 60
    made = parse_hex_map(tomllib.loads(FIELD + f'[places]\n{name} = ["0101"]\n" y " = ["0102"]'), "x", WORDS)
    assert dict(made.places) == {name: ("0101",), " y ": ("0102",)}


def test_lists_are_read_after_an_error() -> None:
    text = (
        FIELD
        + '[terrain]\nmud = ["9999"]\nwoods = [3, "9901", " ", "9902"]\nslope = ["9903"]\n'
        + '[ways]\nmud = []\nroad = ["0101"]'
    )
    assert slips(text) == [
        "terrain.mud: is unknown here",
        "terrain.woods[0]: is 3",
        "terrain.woods[1]: 9901 is off the map",
        "terrain.woods[2]: is blank",
        "terrain.woods[3]: 9902 is off the map",
        "terrain.slope[0]: 9903 is off the map",
        "ways.mud: is unknown here",
        "ways.road[0]: '0101' alone is not a way",
    ]


def test_range_reports_its_first_duplicate_and_both_off_map_ends() -> None:
    assert slips(FIELD + '[terrain]\nwoods = ["0103 0104", "0102-0106 0109 0101-0102"]') == [
        "terrain.woods[1]: 0103 is already listed in terrain.woods[0]",
        "terrain.woods[1]: 0102 is already listed in terrain.woods[1]",
    ]
    assert slips(FIELD + '[terrain]\nwoods = ["9901-9902"]\n[hexsides]\nstream = ["9901/9902"]') == [
        "terrain.woods[0]: 9901 is off the map",
        "terrain.woods[0]: 9902 is off the map",
        "hexsides.stream[0]: 9901 is off the map",
        "hexsides.stream[0]: 9902 is off the map",
    ]


def test_range_of_one_hex_and_hex_of_two_kinds_are_valid() -> None:
    made = parse_hex_map(tomllib.loads(FIELD + '[terrain]\nwoods = ["0102-0102"]\nslope = ["0102"]'), "x", WORDS)
    assert made.terrain == {"0102": ("slope", "woods")}


@pytest.mark.parametrize(("entry", "quote"), [("3, ", ""), ("x ", '"')])
def test_exactly_a_hundred_problems_are_reported_without_a_remark(entry: str, quote: str) -> None:
    for number, expected in ((99, 99), (100, 100), (101, 101), (150, 101)):
        found = slips(FIELD + f"[terrain]\nwoods = [{quote}{entry * number}{quote}]")
        assert len(found) == expected
        assert (found[-1] == "has more problems than these 100") is (number > 100)
