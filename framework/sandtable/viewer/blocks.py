"""Sets blocks of text on a sheet: each near its point, none over another."""

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.viewer.picture import Point

ROUNDS = 120
MOST_ROWS = 400


class Block(NamedTuple):
    """A block of ``wide`` columns and ``high`` rows that wants to stand around the point (x, y) of a map."""

    x: int
    y: int
    wide: int
    high: int


class Sheet(NamedTuple):
    """Blocks set: the top left corner (column, row) of each, and how many rows the sheet has."""

    corners: tuple[tuple[int, int], ...]
    columns: int
    rows: int


def arrange(blocks: list[Block], width: int, height: int, columns: int, rows: int) -> Sheet:
    """Set ``blocks`` of a map of ``width`` by ``height`` on a sheet of ``columns`` by ``rows``.

    The sheet gets more rows if they are needed. Blocks that are wider than the sheet are set at its left edge.
    """
    while True:
        corners = _spread(blocks, width, height, columns, rows)
        if not _overlaps(blocks, corners) or rows > MOST_ROWS:
            return Sheet(tuple(corners), columns, rows)
        rows += 1 + rows // 12


def _spread(blocks: list[Block], width: int, height: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Push blocks off each other, a step at a time, from where they want to be."""
    corners = [
        (block.x * columns // width - block.wide // 2, block.y * rows // height - block.high // 2) for block in blocks
    ]
    for _ in range(ROUNDS):
        corners = [_inside(block, corner, columns, rows) for block, corner in zip(blocks, corners, strict=True)]
        pairs = _overlaps(blocks, corners)
        if not pairs:
            break
        for a, b in pairs:
            _part(blocks, corners, a, b)
    return [_inside(block, corner, columns, rows) for block, corner in zip(blocks, corners, strict=True)]


def _inside(block: Block, corner: tuple[int, int], columns: int, rows: int) -> tuple[int, int]:
    return (max(0, min(corner[0], columns - block.wide)), max(0, min(corner[1], rows - block.high)))


def _overlaps(blocks: list[Block], corners: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs of blocks that touch in a row: at least one free column stays between two."""
    found = []
    for a, (x, y) in enumerate(corners):
        for b in range(a + 1, len(blocks)):
            other_x, other_y = corners[b]
            side_by_side = x - blocks[b].wide - 1 < other_x < x + blocks[a].wide + 1
            if side_by_side and y - blocks[b].high < other_y < y + blocks[a].high:
                found.append((a, b))
    return found


def _part(blocks: list[Block], corners: list[tuple[int, int]], a: int, b: int) -> None:
    """Move two blocks apart by one step, the way that is shorter, each towards the side where it belongs."""
    (ax, ay), (bx, by) = corners[a], corners[b]
    first, second = blocks[a], blocks[b]
    right = 1 if (second.x, b) > (first.x, a) else -1
    low = 1 if (second.y, b) > (first.y, a) else -1
    across = ax + first.wide + 1 - bx if right > 0 else bx + second.wide + 1 - ax
    down = ay + first.high - by if low > 0 else by + second.high - ay
    if across <= 2 * down:  # a row is twice as high as a column is wide
        corners[a], corners[b] = (ax - right, ay), (bx + right, by)
    elif (ax + ay + a) % 2:  # now the one gives way by a row, now the other
        corners[a] = (ax, ay - low)
    else:
        corners[b] = (bx, by + low)


GRAIN = 20
ROOM = (190, 170)


def spread(points: Sequence[Point], width: int) -> tuple[list[Point], int]:
    """Return drawing positions for places that have none drawn by hand, and the height that they take.

    ``points`` may be of any unit, such as thousandths of a degree with y down. They are brought to ``width`` and pushed
    apart until each place has room for its name and a row of counters.
    """
    left, top = (min((point[axis] for point in points), default=0) for axis in (0, 1))
    wide, high = (max((point[axis] for point in points), default=0) - low for axis, low in ((0, left), (1, top)))
    scale = max(wide, 2 * high, 1)  # a map higher than half its width is squeezed into that shape
    inner, margin = width - 2 * ROOM[0], ROOM[0]
    blocks = [
        Block(
            margin + (x - left) * inner // scale,
            margin + (y - top) * inner // scale,
            ROOM[0] // GRAIN,
            ROOM[1] // GRAIN,
        )
        for x, y in points
    ]
    sheet = arrange(
        blocks, width, 2 * margin + high * inner // scale, width // GRAIN, (2 * margin + high * inner // scale) // GRAIN
    )
    corners = [((2 * x * GRAIN + ROOM[0]) // 2, (2 * y * GRAIN + ROOM[1]) // 2) for x, y in sheet.corners]
    return corners, sheet.rows * GRAIN
