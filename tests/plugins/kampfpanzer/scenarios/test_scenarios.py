"""The nine scenarios, 14.1 to 14.9: forces, places, panic levels and lengths as the book lists them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Prepare

# --- forces ---

INFANTRY_AND_GUNS = {"Inf-Fr": 9, "75mmH": 2, "25mm": 2}

FORCES: dict[str, dict[str, list[tuple[dict[str, int], str]]]] = {
    # by scenario and side, in the order of deployment: units, and where
    "spain": {
        "nationalists": [
            (INFANTRY_AND_GUNS, "rows 29-54"),
            ({"BT7": 3, "PzI": 3, "25mm": 2, "Truck": 2}, "6 3953"),
        ],
        "republicans": [({"BT7": 10, "Inf-Br": 6, "Truck": 6}, "rows 01-17")],
    },
    "czechoslovakia": {
        "germans": [({"Inf-Ge": 4, "37mm": 1}, "Town 1"), ({"APC": 5}, "1 of 2037"), ({"PzI": 2, "PzII": 4}, "3 3653")],
        "czechs": [({"Pz38": 4, "Inf-Fr": 4, "25mm": 1, "Truck": 5}, "1 0954")],
    },
    "bain_tsagan": {
        "russians": [({"BT7": 7}, "2 of 0908"), ({"BT7": 2}, "2 of 3631"), ({"BT7": 1, "Inf-Ru": 3}, "4 of 0938")],
        "japanese": [({"T97": 8, "Inf-Fr": 9, "75mmH": 2, "25mm": 2, "Truck": 5}, "5 of 2121")],
    },
    "poland": {
        "germans": [({"PzIIID": 2, "PzII": 4, "Inf-Ge": 4, "37mm": 2}, "5 of 1016")],
        "poles": [({"FT17": 5, "R35": 5}, "1 0101 0201 0301 0401 0501 0601 0701 0801 0901 1001")],
    },
    "summa": {
        "finns": [({"Inf-Br": 6, "37mm": 4, "75mmH": 4}, "rows 01-13")],
        "russians": [({"BT7": 10}, "2 of 2319"), ({"Inf-Ru": 10}, "2 of 2528")],
    },
    "hannut": {
        "french": [({"S35": 5, "H39": 5, "25mm": 4, "Inf-Fr": 4, "APC": 4}, "2 of 1903")],
        "germans": [({"PzII": 7, "PzIVE": 7, "Inf-Ge": 2, "APC": 2}, "Town 1 and around")],
    },
    "flavion": {
        "french": [({"B1": 2, "R35": 5, "H39": 8}, "Town 1 and roads")],
        "germans": [({"Pz38": 8, "PzIIID": 3, "PzII": 2, "Inf-Ge": 6, "37mm": 2, "APC": 8}, "rows 01-03")],
    },
    "arras": {
        "germans": [({"Inf-Ge": 4, "37mm": 2}, "Town 1"), ({"PzII": 3, "PzIIID": 2}, "2 of 0753")],
        "british": [
            ({"Inf-Br": 3, "2lb": 1}, "2 of 3437"),
            ({"Inf-Br": 3, "75mmH": 1}, "2 of 3532"),
            ({"A11": 3, "A12": 2, "M6": 1}, "2 of 3930"),
        ],
    },
    "abbeville": {
        "british": [({"A10": 6, "A13": 4, "M6": 4}, "2 of 0621")],
        "germans": [({"PzII": 6}, "3001 3002 3003 3004 3005 3006"), ({"Inf-Ge": 3, "37mm": 3}, "Hill 3")],
    },
}

PANIC_AND_TURNS = {
    "spain": ({"nationalists": 2, "republicans": 3}, 10),
    "czechoslovakia": ({"germans": 2, "czechs": 2}, 10),
    "bain_tsagan": ({"russians": 2, "japanese": 3}, 16),
    "poland": ({"germans": 2, "poles": 4}, 10),
    "summa": ({"finns": 1, "russians": 5}, 10),
    "hannut": ({"french": 3, "germans": 1}, 10),
    "flavion": ({"french": 3, "germans": 1}, 10),
    "arras": ({"germans": 3, "british": 2}, 18),
    "abbeville": ({"british": 4, "germans": 1}, 10),
}


def area_of(board: Any, words: str) -> set[str]:
    """Return the hexes that a deployment of the book means, worked out from the numbers alone."""
    numbers = set(board.hexmap.numbers)
    places = {name: set(hexes) for name, hexes in board.hexmap.places.items()}
    if words.startswith("rows"):
        first, last = (int(row) for row in words.removeprefix("rows ").split("-"))
        return {number for number in numbers if first <= int(number[2:]) <= last}
    if " of " in words:
        distance, _, centre = words.partition(" of ")
        return {number for number in numbers if board.hexmap.range_hexes(number, centre) <= int(distance)}
    if words == "Town 1 and around":
        return {near for hex_ in places["Town 1"] for near in (hex_, *board.hexmap.around[hex_]) if near}
    if words == "Town 1 and roads":
        near = {each for each in numbers if min(board.hexmap.range_hexes(each, hex_) for hex_ in places["Town 1"]) <= 2}
        sides = board.hexmap.sides
        road = {a for (a, _), kinds in sides.items() if {"road", "bridge"} & set(kinds)}
        return places["Town 1"] | (near & road)
    return places[words] if words in places else set(words.split())


@pytest.mark.rule("KP-14.1.1", "KP-14.1.2", "KP-14.1.4", "KP-14.2.1", "KP-14.2.2", "KP-14.2.4", "KP-14.3.1")
@pytest.mark.rule("KP-14.3.2", "KP-14.3.4", "KP-14.4.1", "KP-14.4.2", "KP-14.5.1", "KP-14.5.2", "KP-14.6.1")
@pytest.mark.rule("KP-14.6.2", "KP-14.7.1", "KP-14.7.3", "KP-14.8.1", "KP-14.8.2", "KP-14.9.1", "KP-14.9.2")
@pytest.mark.rule("KP-14.0a", "KP-14.0b", "KP-14.0c", "KP-14.0k", "KP-3.2b", "R-KP-04", "R-KP-02")
@pytest.mark.parametrize("scenario", FORCES)
def test_forces_and_where_they_set_up(prepare: Prepare, scenario: str) -> None:
    board = prepare(scenario).board
    assert list(board.sides) == list(FORCES[scenario])
    found: dict[str, list[tuple[dict[str, int], set[str]]]] = {side: [] for side in board.sides}
    for group in board.groups:
        places = set(group.area) if not group.enters else {str(group.enters), *group.entries}
        found[group.side].append((dict(Counter(board.units[unit] for unit in group.units)), places))
    expected = {
        side: [(units, area_of(board, words)) for units, words in rows] for side, rows in FORCES[scenario].items()
    }
    assert found == expected


@pytest.mark.rule("KP-14.1.3", "KP-14.1.5", "KP-14.1.6", "KP-14.2.3", "KP-14.2.5", "KP-14.3.3", "KP-14.3.5")
@pytest.mark.rule("KP-14.3.6", "KP-14.4.1", "KP-14.4.2", "KP-14.4.3", "KP-14.5.1", "KP-14.5.2", "KP-14.5.9")
@pytest.mark.rule("KP-14.6.1", "KP-14.6.2", "KP-14.6.3", "KP-14.7.1", "KP-14.7.3", "KP-14.7.4", "KP-14.8.1")
@pytest.mark.rule("KP-14.8.2", "KP-14.8.3", "KP-14.9.1", "KP-14.9.2", "KP-14.9.3", "KP-11.11a", "KP-4.0c")
@pytest.mark.parametrize("scenario", PANIC_AND_TURNS)
def test_panic_levels_and_length(prepare: Prepare, scenario: str) -> None:
    board = prepare(scenario).board
    assert (board.panic, board.last_turn) == PANIC_AND_TURNS[scenario]


@pytest.mark.rule("R-KP-84", "KP-14.1.2", "R-KP-92", "R-KP-83", "R-KP-05")
def test_forces_by_option(prepare: Prepare) -> None:
    def kinds(group: Any, board: Any) -> Counter[str]:
        return Counter(board.units[unit] for unit in group.units)

    board = prepare("spain").board
    assert sorted((unit for unit, kind in board.units.items() if kind == "BT7"), key=int) == [
        *(str(number) for number in range(69, 81)),
        "154",
    ]
    board = prepare("spain", bt7_13="12_only").board
    assert "154" not in board.units
    late = next(group for group in board.groups if group.enters)
    assert kinds(late, board)["BT7"] == 2
    assert prepare("spain", spain_entry="entry_3653").board.group_of[late.units[0]].entries == ("3653",)
    assert [prepare("poland", ft17_movement=points).board.kinds["FT17"].movement for points in "83"] == [8, 3]
    assert {hex_[:2] for hex_ in prepare("flavion").board.exits["germans"]} == {"01"}
    rows = {hex_[2:] for hex_ in prepare("flavion", edge_w="bottom_rows").board.exits["germans"]}
    assert rows == {"53", "54"}


@pytest.mark.rule("KP-14.2.6", "KP-14.5.10", "KP-14.7.5", "KP-14.0i", "KP-14.3.2", "KP-14.5.3")
def test_ways_out_and_other_facts(prepare: Prepare) -> None:
    assert prepare("czechoslovakia").board.exits == {"czechs": ("2701", "2801", "2901", "3001")}
    assert prepare("summa").board.exits == {"russians": tuple(f"{column}01" for column in range(13, 20))}
    assert len(prepare("flavion").board.exits["germans"]) == 54
    assert all(prepare(name).board.exits == {} for name in FORCES if name not in {"czechoslovakia", "summa", "flavion"})
    group = prepare("bain_tsagan").board.group_of["81"]
    assert group.entrenched == ("81", "82", "83")
    assert [name for name in FORCES if prepare(name).board.riders] == ["summa"]
