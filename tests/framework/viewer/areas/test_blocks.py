"""Blocks of text on a sheet: near their points, none over another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.viewer.areas.blocks import ROOM, Block, arrange, spread_positions

blocks = st.builds(Block, st.integers(0, 999), st.integers(0, 499), st.integers(1, 18), st.integers(1, 4))


def covered(block: Block, corner: tuple[int, int]) -> set[tuple[int, int]]:
    return {(corner[0] + x, corner[1] + y) for x in range(block.wide) for y in range(block.high)}


@pytest.mark.full
@given(st.lists(blocks, max_size=20))
def test_no_block_covers_another_or_leaves_the_sheet(wanted: list[Block]) -> None:
    sheet = arrange(wanted, 1000, 500, 80, 20)
    seen: set[tuple[int, int]] = set()
    for block, corner in zip(wanted, sheet.corners, strict=True):
        cells = covered(block, corner)
        assert not cells & seen
        seen |= cells
    assert all(0 <= x < sheet.columns and 0 <= y < sheet.rows for x, y in seen)


def test_blocks_with_space_keep_their_positions() -> None:
    sheet = arrange([Block(100, 100, 6, 2), Block(900, 400, 6, 2)], 1000, 500, 100, 30)
    assert sheet.corners == ((7, 5), (87, 23))
    assert sheet.rows == 30


def test_blocks_that_are_pushed_apart_keep_their_order() -> None:
    west, east = arrange([Block(500, 250, 6, 4), Block(510, 250, 6, 4)], 1000, 500, 100, 30).corners
    assert west[0] + 6 < east[0]
    north, south = arrange([Block(500, 250, 30, 1), Block(500, 260, 30, 1)], 1000, 500, 100, 30).corners
    assert north[1] + 1 <= south[1]


@pytest.mark.full
def test_a_crowded_sheet_grows() -> None:
    assert arrange([Block(500, 250, 40, 3)] * 30, 1000, 500, 80, 10).rows > 10


def test_places_without_positions_are_spread_until_each_has_room() -> None:
    at, height = spread_positions([(24000, -31800), (24010, -31790), (24010, -31790), (26000, -30000)], 1600)
    assert len(set(at)) == 4
    for number, (x, y) in enumerate(at):
        assert 0 < x < 1600
        assert 0 < y < height
        for other_x, other_y in at[:number]:
            assert abs(x - other_x) >= ROOM[0] - 20 or abs(y - other_y) >= ROOM[1] - 20
    assert spread_positions([], 1600)[0] == []
