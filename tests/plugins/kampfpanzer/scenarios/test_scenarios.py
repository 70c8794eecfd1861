"""The nine scenarios (14.1 to 14.9): forces, areas, panic levels, lengths and victory as in the book."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.plugins.kampfpanzer.positions import DEFAULTS, board_of

import kampfpanzer
from kampfpanzer import SCENARIOS
from kampfpanzer.setup.opening import opening_state
from kampfpanzer.setup.reading import sides_of
from sandtable.plugin.scenarios import load_scenario

BOOK = """
spain 10 nationalists 2 republicans 3
  nationalists: 9 Inf-Fr 2 75mmH 2 25mm @ rows 29-54 @ may
  nationalists: 3 BT7 3 PzI 2 25mm 2 Truck @ turn 6 3953 @
  republicans: 10 BT7 6 Inf-Br 6 Truck @ rows 01-17 @
czechoslovakia 10 germans 2 czechs 2
  germans: 4 Inf-Ge 1 37mm @ Town 1 @
  germans: 5 APC @ 1 of 2037 @
  germans: 2 PzI 4 PzII @ turn 3 3653 @
  czechs: 4 Pz38 4 Inf-Fr 1 25mm 5 Truck @ turn 1 0954 @
bain_tsagan 16 russians 2 japanese 3
  russians: 7 BT7 @ 2 of 0908 @
  russians: 2 BT7 @ 2 of 3631 @
  russians: 1 BT7 3 Inf-Ru @ 4 of 0938 @ must
  japanese: 8 T97 9 Inf-Fr 2 75mmH 2 25mm 5 Truck @ 5 of 2121 @
poland 10 germans 2 poles 4
  germans: 2 PzIIID 4 PzII 4 Inf-Ge 2 37mm @ 5 of 1016 @
  poles: 5 FT17 5 R35 @ turn 1 0101 0201 0301 0401 0501 0601 0701 0801 0901 1001 @
summa 10 finns 1 russians 5
  finns: 6 Inf-Br 4 37mm 4 75mmH @ rows 01-13 @ may
  russians: 10 BT7 @ 2 of 2319 @
  russians: 10 Inf-Ru @ 2 of 2528 @
hannut 10 french 3 germans 1
  french: 5 S35 5 H39 4 25mm 4 Inf-Fr 4 APC @ 2 of 1903 @
  germans: 7 PzII 7 PzIVE 2 Inf-Ge 2 APC @ Town 1 and around @
flavion 10 french 3 germans 1
  french: 2 B1 5 R35 8 H39 @ Town 1 and roads @
  germans: 8 Pz38 3 PzIIID 2 PzII 6 Inf-Ge 2 37mm 8 APC @ rows 01-03 @
arras 18 germans 3 british 2
  germans: 4 Inf-Ge 2 37mm @ Town 1 @
  germans: 3 PzII 2 PzIIID @ 2 of 0753 @
  british: 3 Inf-Br 1 2lb @ 2 of 3437 @
  british: 3 Inf-Br 1 75mmH @ 2 of 3532 @
  british: 3 A11 2 A12 1 M6 @ 2 of 3930 @
abbeville 10 british 4 germans 1
  british: 6 A10 4 A13 4 M6 @ 2 of 0621 @
  germans: 6 PzII @ 3001 3002 3003 3004 3005 3006 @
  germans: 3 Inf-Ge 3 37mm @ Hill 3 @ may
"""
"""For each scenario, turns and sides with panic levels, followed by groups: units, area or entries, entrenchments."""


def area_of(board: Any, words: str) -> set[str]:
    """Return the hexes of a deployment area as worded in ``BOOK``, computed independently."""
    numbers = set(board.hexmap.numbers)
    places = {name: set(hexes) for name, hexes in board.hexmap.places.items()}
    if words.startswith("rows"):
        first, last = (int(row) for row in words.removeprefix("rows ").split("-"))
        return {number for number in numbers if first <= int(number[2:]) <= last}
    if " of " in words:
        distance, _, center = words.partition(" of ")
        return {number for number in numbers if board.hexmap.range_hexes(number, center) <= int(distance)}
    if words == "Town 1 and around":
        return {near for hex_ in places["Town 1"] for near in (hex_, *board.hexmap.around[hex_]) if near}
    if words == "Town 1 and roads":
        near = {each for each in numbers if min(board.hexmap.range_hexes(each, hex_) for hex_ in places["Town 1"]) <= 2}
        road = {a for (a, _), kinds in board.hexmap.sides.items() if {"road", "bridge"} & set(kinds)}
        return places["Town 1"] | (near & road)
    return places[words] if words in places else set(words.split())


@pytest.mark.rule("KP-14.1.1", "KP-14.1.2", "KP-14.1.3", "KP-14.1.4", "KP-14.1.5", "KP-14.1.6", "KP-14.2.1")
@pytest.mark.rule("KP-14.2.2", "KP-14.2.3", "KP-14.2.4", "KP-14.2.5", "KP-14.3.1", "KP-14.3.2", "KP-14.3.3")
@pytest.mark.rule("KP-14.3.4", "KP-14.3.5", "KP-14.3.6", "KP-14.4.1", "KP-14.4.2", "KP-14.4.3", "KP-14.5.1")
@pytest.mark.rule("KP-14.5.2", "KP-14.5.9", "KP-14.6.1", "KP-14.6.2", "KP-14.6.3", "KP-14.7.1", "KP-14.7.3")
@pytest.mark.rule("KP-14.7.4", "KP-14.8.1", "KP-14.8.2", "KP-14.8.3", "KP-14.9.1", "KP-14.9.2", "KP-14.9.3")
@pytest.mark.rule("KP-3.2b", "KP-14.0a", "KP-14.0b", "KP-14.0c", "KP-14.0k", "KP-11.11a", "KP-4.0c", "KP-2.0a")
@pytest.mark.rule("R-KP-02", "R-KP-04")
@pytest.mark.parametrize("text", BOOK.strip().replace("\n  ", "|").splitlines(), ids=SCENARIOS)
def test_scenario_matches_the_book(text: str) -> None:
    head, *groups = text.split("|")
    name, turns, *panic = head.split()
    board = board_of(name)
    assert (board.last_turn, board.sides) == (int(turns), tuple(panic[::2]))
    assert board.sides == sides_of(load_scenario(name, kampfpanzer.ruleset_scenarios()))
    assert board.panic == {side: int(level) for side, level in zip(panic[::2], panic[1::2], strict=True)}
    assert [board.side_of[each] for each in board.units] == [group.side for group in board.groups for _ in group.units]
    for group, row in zip(board.groups, groups, strict=True):
        force, place, dug = (part.strip() for part in row.split("@"))
        side, _, units = force.partition(": ")
        words = units.split()
        mix = {kind: int(number) for number, kind in zip(words[::2], words[1::2], strict=True)}
        assert (group.side, Counter(board.units[each] for each in group.units)) == (side, mix)
        assert (group.may_entrench, [board.units[each] for each in group.entrenched]) == (
            dug != "",
            ["Inf-Ru"] * 3 if dug == "must" else [],  # the tank is not entrenched
        )
        if place.startswith("turn"):
            _, turn, *entries = place.split()
            assert (group.area, group.enters, list(group.entries)) == ((), int(turn), entries)
        else:
            assert (set(group.area), group.enters, group.entries) == (area_of(board, place), 0, ())


@pytest.mark.parametrize(
    ("name", "kind", "side", "place", "figures"),
    [
        ("spain", "majority", "", "Town 1", (0, 0, 0, 0)),
        ("czechoslovakia", "exit", "czechs", "", (5, 0, 6, 0)),
        ("bain_tsagan", "multiple", "russians", "Hill 1", (2, 0, 0, 0)),
        ("poland", "destroy", "poles", "", (0, 4, 0, 0)),
        ("summa", "exit", "russians", "", (6, 0, 0, 0)),
        ("hannut", "majority", "", "Hill 2", (0, 0, 0, 0)),
        ("flavion", "break_through", "germans", "", (11, 8, 10, 0)),
        ("arras", "reach", "british", "2341", (0, 0, 0, 15)),
        ("abbeville", "clear", "british", "Hill 3", (3, 0, 0, 0)),
    ],
)
def test_victory_conditions_match_the_book(
    name: str, kind: str, side: str, place: str, figures: tuple[int, int, int, int]
) -> None:
    position = board_of(name)
    victory = position.victory
    assert (victory.kind, victory.side) == (kind, side)
    assert (victory.needed, victory.losses_needed, victory.loss_limit, victory.from_turn) == figures
    named = {"": (), "2341": ("2341",)} | dict(position.hexmap.places)
    assert victory.hexes == named[place]
    assert victory.place == ("" if name == "arras" else place)


@pytest.mark.rule("KP-14.2.6", "KP-14.5.10", "KP-14.7.5", "KP-14.0i", "KP-14.5.3", "KP-14.7.2")
def test_exits_and_special_rules_of_each_scenario() -> None:
    boards = {name: board_of(name) for name in SCENARIOS}
    west = boards["flavion"].hexmap.edge("west")
    assert {name: board.exits for name, board in boards.items() if board.exits} == {
        "czechoslovakia": {"czechs": ("2701", "2801", "2901", "3001")},
        "summa": {"russians": tuple(f"{column}01" for column in range(13, 20))},
        "flavion": {"germans": west},
    }
    assert (len(west), {hex_[:2] for hex_ in west}) == (54, {"01"})
    assert {name: board.no_move for name, board in boards.items() if board.no_move} == {"flavion": {"french": 1}}
    assert [name for name, board in boards.items() if board.riders] == ["summa"]


@pytest.mark.rule("R-KP-84", "KP-14.1.2", "R-KP-92", "R-KP-83", "R-KP-05", "KP-14.7.5")
def test_forces_and_exits_follow_the_options() -> None:
    made, missed = board_of("spain"), board_of("spain", bt7_13="12_only")
    tanks = [unit for unit, kind in made.units.items() if kind == "BT7"]
    assert sorted(tanks, key=int) == [*map(str, range(69, 81)), "154"]
    assert "154" not in missed.units
    for board, numbers in ((made, (3, 10)), (missed, (2, 10))):
        sides = [board.side_of[unit_id] for unit_id, kind in board.units.items() if kind == "BT7"]
        assert (sides.count("nationalists"), sides.count("republicans")) == numbers
    for number in ("3953", "3653"):
        assert board_of("spain", spain_entry=f"entry_{number}").groups[1].entries == (number,)
    assert [board_of("poland", ft17_movement=points).kinds["FT17"].movement for points in "83"] == [8, 3]
    south = board_of("flavion", edge_w="bottom_rows")
    assert south.exits == {"germans": south.hexmap.edge("south")}
    assert {hex_[2:] for hex_ in south.exits["germans"]} == {"53", "54"}


@pytest.mark.rule("KP-3.2b")
@pytest.mark.parametrize("name", SCENARIOS)
def test_game_opens_with_every_unit_off_the_map(name: str) -> None:
    board = board_of(name)
    state = opening_state(board, DEFAULTS)
    assert {unit_id: unit.kind for unit_id, unit in state.units.items()} == board.units
    assert {(unit.hex, unit.standing) for unit in state.units.values()} == {("", "waiting")}
    assert all(board.group_of[unit_id].side == unit.side for unit_id, unit in state.units.items())
    assert state.options == DEFAULTS
    head = load_scenario(name, kampfpanzer.ruleset_scenarios()).data["scenario"]
    assert (head["id"], bool(head["title"]), head["description"][-1]) == (name, True, ".")
    assert head["provenance"].startswith("the book, 14.")
