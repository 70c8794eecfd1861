"""Draw the map itself as text: hexes in their staggered positions, counters, and features between hexes.

With straight columns, a hex takes three columns and every second line; columns that are half a hex lower fill the lines
between. With straight rows, a hex takes four columns, and the lines between have only features on hexsides.

A hex is one letter of terrain, or the counter in it: side, type and number, ``Gt94``. With straight rows it is side,
type and number of counters, ``Ga3``, or both sides, ``GS5``.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from msgspec import structs

from sandtable.board.hexes.map import HexMap
from sandtable.viewer.areas.text import Cell, clean, colored_row
from sandtable.viewer.hexes.map_cache import MapCache
from sandtable.viewer.hexes.picture import HexCounter, HexPicture, Part, whole_part
from sandtable.viewer.hexes.style import HexStyle, Way
from sandtable.viewer.picture import Point

LEFT = 7
"""Columns before the first hex."""
STACK, TROUBLE = "+", "!"
"""The signs before a counter: the hex has more counters; the counter has a condition."""
JUNCTION = "+"
"""The sign of a hex with a road but without terrain of its own."""


class HexTextLayout(NamedTuple):
    """The arrangement of hexes: the columns from one to the next, and three sides of each hex.

    A side is its number, the position of its mark relative to the hex, and the stroke of a road there. ``strokes``
    lists all strokes.
    """

    pitch: int
    sides: tuple[tuple[int, Point, str], ...]
    strokes: str


WEAVES = {
    "columns": HexTextLayout(3, ((1, (2, 0), "/"), (2, (1, 1), "\\"), (3, (0, 1), "|")), "| / \\"),
    "rows": HexTextLayout(4, ((1, (2, 0), "-"), (2, (1, 1), "\\"), (3, (-1, 1), "/")), "- / \\"),
}


def breadth(picture: HexPicture, part: Part) -> int:
    """Return the number of text columns that a part of the map takes."""
    return LEFT + 2 + WEAVES[picture.ground.layout].pitch * (part.last_column - part.first_column + 1)


def strips_of(picture: HexPicture, width: int) -> Iterator[Part]:
    """Yield the map in parts that fit into ``width`` columns, from west to east."""
    part = picture.part or whole_part(picture.ground)
    most = max(1, (width - LEFT - 2) // WEAVES[picture.ground.layout].pitch)
    if picture.ground.grid.columns_grow == "east":
        for first in range(part.first_column, part.last_column + 1, most):
            yield structs.replace(part, first_column=first, last_column=min(part.last_column, first + most - 1))
    else:
        for last in range(part.last_column, part.first_column - 1, -most):
            yield structs.replace(part, first_column=max(part.first_column, last - most + 1), last_column=last)


def draw_sheet(picture: HexPicture, part: Part, *, color: bool) -> Iterator[str]:
    """Yield the lines of a part, with the numbers of columns above and below it, and of rows at the left."""
    weave = WEAVES[picture.ground.layout]
    places, printed = _printed(picture.ground, part, picture.style)
    cells = dict(printed)
    for mark in reversed(picture.marks):
        if mark.letter and mark.hex in places:
            cells[places[mark.hex]] = (mark.letter[0], "")
    for x, y, text, dye in _pieces(picture, places, color=color):
        cells |= {(x + at, y): (letter, dye) for at, letter in enumerate(text)}
    columns = range(part.first_column, part.last_column + 1)
    eastward = columns if picture.ground.grid.columns_grow == "east" else reversed(columns)
    head = " " * (LEFT - 1) + (" " * (weave.pitch - 2)).join(f"{column:02}" for column in eastward)
    yield head
    wide = LEFT + weave.pitch * len(columns) + 2
    for line in range(2 * (part.last_row - part.first_row + 1)):
        row = (cells.get((x, line), (" ", "")) for x in range(LEFT - 3, wide))
        label = "" if line % 2 else f"{part.first_row + line // 2:02}"
        yield f"{label:{LEFT - 3}}{colored_row(row)}"
    yield head


@MapCache
def _printed(ground: HexMap, part: Part, style: HexStyle) -> tuple[dict[str, Point], dict[Point, Cell]]:
    """Return the position of each hex, and the printed map: terrain, and features between hexes."""
    places = _places(ground, part)
    cells: dict[Point, Cell] = {}
    for number, at in places.items():
        _put_sides(cells, ground, style, number, at)
    for number, at in places.items():
        cells[at] = (_ground_letter(ground, style, number), "")
    return places, cells


def _places(ground: HexMap, part: Part) -> dict[str, Point]:
    """Return the column and line of the middle of each hex."""
    grid, pitch = ground.grid, WEAVES[ground.layout].pitch
    found = {}
    for number in ground.numbers:
        column, row = grid.column_and_row(number)
        if part.first_column <= column <= part.last_column and part.first_row <= row <= part.last_row:
            aside = column - part.first_column if grid.columns_grow == "east" else part.last_column - column
            x, line = LEFT + pitch * aside, 2 * (row - part.first_row)
            if grid.layout == "columns":
                found[number] = (x, line + (column % 2 == (grid.lower_columns == "odd")))
            else:
                found[number] = (x + pitch // 2 * (row % 2 == (grid.eastern_rows == "odd")), line)
    return found


def _ground_letter(ground: HexMap, style: HexStyle, number: str) -> str:
    """Return the letter of a hex: its topmost terrain, or the sign of a road."""
    kinds = ground.grounds[number]
    letter = next((fill.letter for fill in reversed(style.fills) if fill.kind in kinds), "")
    if letter:
        return letter
    unknown = next((kind for kind in kinds if kind != style.plain), "")
    ways = {way.kind for way in style.ways}
    around = ground.around[number]
    on_way = any(ways.intersection(ground.side_of(number, other)) for other in around if other)
    return unknown[:1] or (JUNCTION if on_way else style.plain_letter)


def _put_sides(cells: dict[Point, Cell], ground: HexMap, style: HexStyle, number: str, at: Point) -> None:
    """Write the features on three sides of a hex between it and its neighbors."""
    crossings = [line for line in style.lines if line.drawing in ("bridge", "ford")]
    others = [line for line in style.lines if line.drawing not in ("bridge", "ford")]
    for side, (across, down), stroke in WEAVES[ground.layout].sides:
        features = ground.side_of(number, ground.around[number][side])
        if not features:
            continue
        letter = next((line.letter for line in crossings if line.kind in features), "")
        letter = letter or next((way.letter or stroke for way in reversed(style.ways) if way.kind in features), "")
        letter = letter or next((line.letter for line in others if line.kind in features), "")
        if letter:
            cells[at[0] + across, at[1] + down] = (letter, "")


# ---------------------------------------------------------------------- counters


def by_hex(picture: HexPicture) -> Iterator[tuple[str, list[HexCounter]]]:
    """Yield the counters on the map by hex; in each hex, carried counters follow their carriers."""
    shown = sorted(picture.counters, key=lambda each: (each.hex, bool(each.aboard), len(each.id), each.id))
    for number, counters in groupby(shown, key=lambda each: each.hex):
        yield number, list(counters)


def more_sign(picture: HexPicture) -> str:
    """Return the sign for more than one counter in a hex."""
    return f"{STACK}.." if picture.ground.layout == "columns" else "2 3.."


def way_signs(picture: HexPicture, way: Way) -> str:
    """Return the signs for a road, railway or track."""
    return f"{JUNCTION} {way.letter or WEAVES[picture.ground.layout].strokes}"


def _pieces(picture: HexPicture, places: dict[str, Point], *, color: bool) -> Iterator[tuple[int, int, str, str]]:
    """Yield the counters, one for each hex, as column, line, text and color, with signs before and after it."""
    marks = {mark.hex: mark.letter[:1] for mark in picture.marks if mark.letter}
    for number, counters in by_hex(picture):
        if number not in places:
            continue
        x, y = places[number]
        power = picture.power(counters[0].owner)
        text, sign = _stacked(picture, counters)
        start = x - (2 if picture.ground.layout == "columns" else 1)
        yield start, y, text, power.color if power and color else ""
        if sign:
            yield start - 1, y, sign, ""
        if number in marks:
            yield start + len(text), y, marks[number], ""


def _stacked(picture: HexPicture, counters: list[HexCounter]) -> tuple[str, str]:
    """Return the text for the counters of a hex, and the sign before it."""
    first = counters[0]
    owners = list(dict.fromkeys(counter.owner for counter in counters))
    powers = [picture.power(owner) for owner in owners]
    letters = "".join(power.letter[:1] if power else "?" for power in powers)
    if picture.ground.layout == "columns":
        text = clean(f"{powers[0].letter if powers[0] else '?'}{first.letter}{first.id}")[:5]
        return text, STACK if len(counters) > 1 else TROUBLE if first.tabs else ""
    text = letters[:2] if len(powers) > 1 else clean(f"{letters}{first.letter}")[:2]
    count = "" if len(counters) == 1 else str(len(counters)) if len(counters) < 10 else STACK
    return text + count, TROUBLE if any(counter.tabs for counter in counters) else ""
