"""Zones of control: their spaces, the spaces that they close, and where a friendly unit cancels them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board.graph.masks import places_of
from sandtable.board.graph.zones import Zones
from sandtable.board.hexes.grid import HexGrid

LINE = [[1], [0, 2], [1, 3], [2, 4], [3]]
"""Five spaces in a row, 0 to 4."""
FIELD = HexGrid(5, 4).adjacency()
few = st.lists(st.integers(0, len(FIELD) - 1), max_size=6)


@pytest.mark.parametrize(
    ("enemies", "zoned", "cancelled", "closed"),
    [
        ([], [], [], []),
        ([2], [], [], [2]),
        ([], [2], [], [1, 3]),
        ([2], [2], [], [1, 2, 3]),
        ([2], [2], [1], [2, 3]),
        ([2], [2], [1, 3], [2]),
        ([2], [2], [4, 1, 1], [2, 3]),
        ([1, 3], [3, 1], [2], [0, 1, 3, 4]),
        ([1, 2], [1, 2], [1], [0, 1, 2, 3]),  # cancelling a zone in the space of an enemy does not open that space
        ([4], [4, 4], [], [3, 4]),
        ([0], [0], [1], [0]),
    ],
)
def test_closed_spaces_of_a_row_of_five_are_computed(
    enemies: list[int], zoned: list[int], cancelled: list[int], closed: list[int]
) -> None:
    assert places_of(Zones(LINE).closed(enemies, zoned, cancelled)) == closed
    if not cancelled:
        assert places_of(Zones(LINE).closed(enemies, zoned)) == closed


@pytest.mark.full
@given(few, few, few)
def test_closed_spaces_match_set_arithmetic(enemies: list[int], zoned: list[int], ours: list[int]) -> None:
    zones = Zones(FIELD)
    around = {near for space in zoned for near in FIELD[space]}
    assert places_of(zones.around(zoned)) == sorted(around)
    flags = zones.closed(enemies, zoned, ours)
    assert set(flags) <= {0, 1}
    assert len(flags) == len(FIELD)
    assert places_of(flags) == sorted((around - {*ours}) | {*enemies})


def test_duplicate_neighbor_counts_once() -> None:
    assert Zones([[1, 1], [0, 0]]).around([0, 1, 0]) == bytes((1, 1))
