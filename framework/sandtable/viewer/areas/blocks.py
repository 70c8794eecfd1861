"""Arrange blocks of text on a sheet: each near its point, without overlaps."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.viewer.picture import Point

ROUNDS = 80


class Block(NamedTuple):
    """A block of ``wide`` columns and ``high`` rows that belongs around the point (x, y) of a map."""

    x: int
    y: int
    wide: int
    high: int


class TextCanvas(NamedTuple):
    """The arranged blocks: the top left corner (column, row) of each, and the size of the sheet."""

    corners: tuple[Point, ...]
    columns: int
    rows: int


def arrange(blocks: list[Block], width: int, height: int, columns: int, rows: int) -> TextCanvas:
    """Arrange ``blocks`` of a map of ``width`` by ``height`` on a sheet of ``columns`` by ``rows``.

    The sheet gets more rows if they are needed. No block may be wider than the sheet.
    """
    for taller in range(rows, rows * 3 // 2 + 1, 1 + rows // 12):
        corners = _spread(blocks, width, height, columns, taller)
        if not _overlaps(blocks, corners):
            return TextCanvas(tuple(corners), columns, taller)
    # Too dense to find a balance: each block that still overlaps goes to the nearest gap.
    rows = max(rows, sum((block.wide + 1) * block.high for block in blocks) // columns)
    while (settled := _settle(blocks, _spread(blocks, width, height, columns, rows), columns, rows)) is None:
        rows += 1 + rows // 3
    return TextCanvas(
        tuple(settled), columns, max(y + block.high for (_, y), block in zip(settled, blocks, strict=True))
    )


def _settle(blocks: list[Block], corners: list[Point], columns: int, rows: int) -> list[Point] | None:
    """Return corners without overlaps, each the nearest that is free at its turn, or None if they do not fit."""
    reach = ((x, y) for x in range(-columns, columns + 1) for y in range(-rows, rows + 1))
    steps = sorted(reach, key=lambda step: (step[0] ** 2 + 4 * step[1] ** 2, step))
    taken: set[Point] = set()
    settled: list[Point] = []
    for block, (left, top) in zip(blocks, corners, strict=True):
        places = ((left + x, top + y) for x, y in steps)
        inside = (place for place in places if place == _inside(block, place, columns, rows))
        corner = next((place for place in inside if taken.isdisjoint(_ground(block, place))), None)
        if corner is None:
            return None
        taken.update(_ground(block, corner))
        settled.append(corner)
    return settled


def _ground(block: Block, corner: Point) -> Iterator[Point]:
    """Yield the cells of a block and of the free column beside it."""
    return ((corner[0] + x, corner[1] + y) for x in range(block.wide + 1) for y in range(block.high))


def _spread(blocks: list[Block], width: int, height: int, columns: int, rows: int) -> list[Point]:
    """Push overlapping blocks apart, a step at a time, from their preferred positions."""
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


def _inside(block: Block, corner: Point, columns: int, rows: int) -> Point:
    return (max(0, min(corner[0], columns - block.wide)), max(0, min(corner[1], rows - block.high)))


def _overlaps(blocks: list[Block], corners: list[Point]) -> list[tuple[int, int]]:
    """Return the pairs of blocks that touch in a row; at least one column between blocks must be free."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for number, (x, y) in enumerate(corners):
        for row in range(y, y + blocks[number].high):
            rows.setdefault(row, []).append((x, number))
    found: set[tuple[int, int]] = set()
    for line in rows.values():
        line.sort()
        for place, (x, number) in enumerate(line):
            for other_x, other in line[place + 1 :]:
                if other_x > x + blocks[number].wide:
                    break
                found.add((min(number, other), max(number, other)))
    return sorted(found)


def _part(blocks: list[Block], corners: list[Point], a: int, b: int) -> None:
    """Move two blocks one step apart, in the shorter direction and each toward its own side."""
    (ax, ay), (bx, by) = corners[a], corners[b]
    first, second = blocks[a], blocks[b]
    right = 1 if (second.x, b) > (first.x, a) else -1
    low = 1 if (second.y, b) > (first.y, a) else -1
    across = ax + first.wide + 1 - bx if right > 0 else bx + second.wide + 1 - ax
    down = ay + first.high - by if low > 0 else by + second.high - ay
    if across <= 2 * down:  # a row is twice as high as a column is wide
        corners[a], corners[b] = (ax - right, ay), (bx + right, by)
    elif (ax + ay + a) % 2:  # alternately one or the other block moves by a row
        corners[a] = (ax, ay - low)
    else:
        corners[b] = (bx, by + low)


GRAIN = 20
ROOM = (190, 170)


def spread_positions(points: Sequence[Point], width: int) -> tuple[list[Point], int]:
    """Return drawing positions for places without positions drawn by hand, and the height that they take.

    ``points`` may have any unit, such as thousandths of a degree with y down. They are scaled to ``width`` and pushed
    apart until each place has space for its name and a row of counters.
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
