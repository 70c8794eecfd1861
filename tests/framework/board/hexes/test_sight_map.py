"""A sight map gives the same results as tracing, for every pair of hexes, all blocking elements and all rulings."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sandtable.board.hexes import sight_map
from sandtable.board.hexes.grid import Direction, Hex, HexGrid, Hexside, range_hexes
from sandtable.board.hexes.line_of_sight import Ties, trace_sight
from sandtable.board.hexes.sight_map import SightMap
from sandtable.errors import RulesetError

GRIDS = (
    HexGrid(7, 9, lower_rows=8),
    HexGrid(6, 6, lower_columns="odd", first_column=0, first_row=0),
    HexGrid(8, 5, layout="rows", columns_grow="west"),
)
PLACES = [grid.hexes() for grid in GRIDS]
SIDES = [sorted({Hexside.of(space, each) for space in spaces for each in Direction}) for spaces in PLACES]


@pytest.mark.full
@given(some.data(), some.integers(0, 2), some.sampled_from(("blocked", "clear")), some.booleans())
def test_every_answer_matches_the_traced_line(data: some.DataObject, which: int, ties: Ties, adjacent: bool) -> None:
    grid, spaces = GRIDS[which], PLACES[which]
    hexes = data.draw(some.frozensets(some.sampled_from(spaces), max_size=8))
    sides = data.draw(some.frozensets(some.sampled_from(SIDES[which]), max_size=8))
    sight = SightMap(grid, hexes, sides, ties=ties, adjacent_always_clear=adjacent)
    for a, b in data.draw(some.lists(some.tuples(some.sampled_from(spaces), some.sampled_from(spaces)), max_size=12)):
        line = trace_sight(
            grid, a, b, hexes.__contains__, sides.__contains__, ties=ties, adjacent_always_clear=adjacent
        )
        assert sight.is_clear(a, b) == line.clear
        assert sight.is_clear(a, b) == sight.is_clear(b, a)
        assert sight.trace(a, b) == line


def test_a_hexside_of_the_rim_blocks_a_line_along_it() -> None:
    grid = GRIDS[0]
    a, b, between = (grid.hex_at(number) for number in ("0101", "0301", "0201"))
    rim = next(Hexside.of(between, each) for each in Direction if not grid.holds(between.neighbor(each, 1)))
    assert not trace_sight(grid, a, b, lambda _: False, {rim}.__contains__).clear
    assert not SightMap(grid, (), {rim}).is_clear(a, b)
    assert SightMap(grid).is_clear(a, b)


def test_elements_off_the_map_do_not_block() -> None:
    grid = GRIDS[0]
    a, b = grid.hex_at("0101"), grid.hex_at("0701")
    beyond = [space.neighbor(Direction.A, 1) for space in map(grid.hex_at, ("0201", "0301", "0401", "0501", "0601"))]
    sight = SightMap(grid, beyond, [Hexside.of(space, Direction.A) for space in beyond])
    assert not sight.blocking_hexes
    assert not sight.blocking_hexsides
    assert sight.is_clear(a, b)


@pytest.mark.parametrize("swapped", [False, True])
def test_an_end_off_the_map_is_refused(swapped: bool) -> None:
    grid = GRIDS[0]
    ends = [grid.hex_at("0101"), Hex(-1, 0)]
    with pytest.raises(RulesetError, match=r"\(-1, 0\): it is off the map"):
        SightMap(grid).is_clear(*(reversed(ends) if swapped else ends))


def test_cleared_answers_are_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight_map, "MAX_KEPT", 3)
    spaces = PLACES[0][:6]
    sight = SightMap(GRIDS[0], [spaces[2]])
    asked = [(a, b, sight.is_clear(a, b)) for a in spaces for b in spaces]
    assert all(sight.is_clear(a, b) == clear for a, b, clear in asked)
    assert {clear for _, _, clear in asked} == {False, True}


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("always", [None, True, False])
def test_adjacent_hexes_are_hidden_only_by_the_ruling(grid: HexGrid, always: bool | None) -> None:
    spaces = grid.hexes()
    sides = {Hexside.of(space, each) for space in spaces for each in Direction}
    make = partial(SightMap, grid, ())
    ruled = make if always is None else partial(make, adjacent_always_clear=always)  # no ruling: they see each other
    sight, nothing = ruled(sides), ruled(())
    pairs = [(a, b) for a in spaces[:20] for b in spaces if range_hexes(a, b) in (1, 2)]
    for a, b in pairs:
        assert sight.is_clear(a, b) is (always is not False and range_hexes(a, b) == 1)
        assert nothing.is_clear(a, b)
    assert {range_hexes(a, b) for a, b in pairs} == {1, 2}
    assert all(sight.is_clear(a, a) for a in spaces)
