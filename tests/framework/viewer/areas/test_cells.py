"""The ground of each place: cells that fill the frame and meet without gaps."""

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sandtable.viewer.areas.cells import Side, cells, wavy

WIDTH, HEIGHT = 900, 600
points = st.tuples(st.integers(1, WIDTH - 1), st.integers(1, HEIGHT - 1))


def area(sides: tuple[Side, ...]) -> int:
    """Twice the area within the sides."""
    return sum(side.start[0] * side.end[1] - side.end[0] * side.start[1] for side in sides)


@pytest.mark.full
@given(st.lists(points, min_size=1, max_size=12, unique=True))
def test_cells_fill_the_frame_and_share_their_borders(sites: list[tuple[int, int]]) -> None:
    found = cells(tuple(sites), WIDTH, HEIGHT)
    assert sum(area(sides) for sides in found) == 2 * WIDTH * HEIGHT
    borders = Counter(
        (frozenset((here, side.beyond)), frozenset((side.start, side.end)))
        for here, sides in enumerate(found)
        for side in sides
        if side.beyond >= 0
    )
    assert set(borders.values()) == ({2} if len(sites) > 1 else set())


def test_four_places_in_a_square_get_equal_cells() -> None:
    sites = ((100, 100), (300, 100), (100, 300), (300, 300))
    assert [area(sides) for sides in cells(sites, 400, 400)] == [2 * 200 * 200] * 4


def test_two_places_at_one_point_share_a_cell() -> None:
    both = cells(((200, 200), (200, 200), (600, 200)), 800, 400)
    assert both[0] == both[1]
    assert area(both[0]) == 2 * 400 * 400


@given(points, points)
@example((0, 0), (30, 0))
@example((0, 0), (300, 0))
def test_wavy_line_is_symmetric_and_keeps_its_ends(start: tuple[int, int], end: tuple[int, int]) -> None:
    line = wavy(start, end)
    assert (line[0], line[-1]) == (start, end)
    assert wavy(end, start) == line[::-1]
    if start == (0, 0):
        assert (len(line) > 2) is (end == (300, 0)), "only long lines are wavy"
