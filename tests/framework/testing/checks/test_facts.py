"""The contract suite's look at maps: borders that lead one way only are found, on areas and on hexes."""

from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from sandtable.board.areas.map import Area, AreaMap, Connector
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.testing.checks.bench import FaultError
from sandtable.testing.checks.facts import check_hexes, check_map, check_symmetry, maps_in

GRID = HexGrid(columns=4, rows=4)


def river() -> HexMap:
    """Return a separate map, with look-ups that a test may change."""
    made = HexMap("river", GRID, hexsides={"0202/0203": ("stream",)})
    object.__setattr__(made, "around", dict(made.around))
    object.__setattr__(made, "sides", dict(made.sides))
    return made


def spoilt(name: str, value: Any) -> HexMap:
    made = river()
    object.__setattr__(made, name, value)
    return made


def test_map_with_a_one_way_border_is_found() -> None:
    class Lopsided:
        id = "crooked"
        neighbors = ((1,), (0, 2), ())
        kinds = (("border",), ("border", "border"), ())

        def ids_of(self, numbers: Iterable[int]) -> tuple[str, ...]:
            return tuple("abc"[number] for number in numbers)

    with pytest.raises(FaultError, match=r"map crooked: b borders on c .border., but c does not border on b"):
        check_symmetry(Lopsided())  # type: ignore[arg-type]  # as much of a map as is used


def test_maps_are_found_in_every_form_of_board() -> None:
    area_map = AreaMap("m", (Area("a", "A", "clear"), Area("b", "B", "clear")), (Connector("a", "b", "border"),))

    class Board(msgspec.Struct):
        map: AreaMap
        turns: int = 3

    hexmap = HexMap("h", HexGrid(columns=3, rows=3))
    boards = [area_map, {"map": area_map}, Board(area_map), SimpleNamespace(map=area_map)]
    assert [list(maps_in(board)) for board in boards] == [[area_map]] * 4
    assert list(maps_in(SimpleNamespace(ground=hexmap, old=area_map, turns=3))) == [hexmap, area_map]
    assert [list(maps_in(board)) for board in (None, {"turns": 3}, 7)] == [[]] * 3
    check_symmetry(area_map)


def test_newly_made_hex_map_is_valid() -> None:
    check_hexes(river())
    check_hexes(replace(river(), terrain={"0101": ("woods",)}))


def test_hex_with_a_one_way_border_is_found() -> None:
    made = river()
    near = list(made.around["0202"])
    place = near.index("0203")
    near[place] = "0404"
    spoiled = spoilt("around", dict(made.around) | {"0202": tuple(near)})
    object.__setattr__(spoiled, "adjacency", adjacency_of(spoiled))
    with pytest.raises(FaultError, match=r"map river: 0202 has 0404 as a neighbor, but 0404 does not have 0202 on"):
        check_hexes(spoiled)


def test_contradictory_lookups_are_found() -> None:
    made = river()
    with pytest.raises(FaultError, match=r"map river: 0101 has different neighbors in adjacency"):
        check_hexes(spoilt("adjacency", ((), *made.adjacency[1:])))


def test_one_way_hexside_feature_is_found() -> None:
    one_way = {("0202", "0203"): ("stream",)}
    with pytest.raises(FaultError, match=r"map river: the hexside 0202/0203 has stream, but not 0203/0202"):
        check_hexes(spoilt("sides", one_way))


def adjacency_of(made: HexMap) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(made.index[each] for each in made.around[number] if each)) for number in made.numbers)


def test_check_names_the_maps_it_checked() -> None:
    area_map = AreaMap("m", (Area("a", "A", "clear"), Area("b", "B", "clear")), (Connector("a", "b", "border"),))

    def map_result(*boards: Any) -> str:
        return check_map(SimpleNamespace(settings=[SimpleNamespace(board=board) for board in boards]))  # type: ignore[arg-type]  # as much of a trial as is used

    assert map_result(None, {"turns": 3}) == "not checked: the board has no map of areas or hexes"
    assert map_result({"map": river()}, {"map": river()}) == "every border of river is mutual (hexes)"
    assert (
        map_result(area_map, river()) == "every border of m is mutual (areas); every border of river is mutual (hexes)"
    )
    with pytest.raises(FaultError):
        map_result({"map": spoilt("sides", {("0202", "0203"): ("stream",)})})
