"""Draws a map of hexes as text for a terminal: staggered columns, and below it who stands where.

A hex takes three columns, and every second line: columns that stand half a hex lower fill the lines between. A hex is
one letter of terrain, or the counter in it: side, type and number, ``Gt94``. Between two hexes stands what lies on
their common side: a way, a stream, a crest.
"""

from collections.abc import Iterator
from itertools import groupby, zip_longest

from msgspec import structs

from sandtable.viewer.areas_text import clean, dyed, filled
from sandtable.viewer.hexes_counters import counter_facts
from sandtable.viewer.hexes_picture import HexCounter, HexPicture, Part, whole_part
from sandtable.viewer.picture import Point, Power

WIDTH, LEAST, ABREAST = 160, 120, 110
"""The most columns, how broad the tables are at least if they may, and from when on two stand beside each other."""
PITCH, LEFT = 3, 7
"""Columns between two columns of hexes, and before the first."""
STACK, TROUBLE = "+", "!"
"""In front of a counter: there are more in the hex; it has a condition."""
JUNCTION = "+"
"""A hex with a way that has no terrain of its own to show."""
# A hex's north-eastern, south-eastern and southern side: where its mark stands from the hex, and how a way runs there.
SIDES = ((1, (2, 0), "/"), (2, (1, 1), "\\"), (3, (0, 1), "|"))
MOST_RUNS = 12

Cell = tuple[str, str]
"""A letter, and the colour that it is shown in, "" for none."""


def hexes_text(picture: HexPicture, width: int = WIDTH, *, colour: bool = False) -> str:
    """Return the picture as lines of at most ``width`` columns; with ``colour`` sides are shown by ANSI codes.

    A map that is wider is shown in strips, one below the other.
    """
    part = picture.part or whole_part(picture.ground)
    strips = list(_strips(part, width))
    wide = min(width, max(LEAST, LEFT + 2 + PITCH * (strips[0].last_column - strips[0].first_column + 1)))
    title, moment = clean(picture.title), clean(picture.subtitle)
    room = wide - len(title) - len(moment)
    heading = [title + " " * room + moment] if room > 1 else [title[:wide], moment[:wide]]
    lines = [*heading, "-" * wide]
    for strip in strips:
        lines += [*_sheet(picture, strip, colour=colour), "-" * wide]
    lines += [*filled(_key(picture), "   ", wide), ""]
    lines += list(_forces(picture, wide, colour=colour))
    for tray in picture.trays:
        told = ", ".join(f"{counter.name} {counter.id}" for counter in tray.counters)
        lines += filled([f"{tray.title} ({len(tray.counters)}): {told}"], "", wide)
    areas = [_area_words(area.note, area.hexes) for area in picture.areas if area.note]
    lines += [line for note in (*areas, *picture.notes) for line in filled([note], "", wide)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _strips(part: Part, width: int) -> Iterator[Part]:
    """Yield parts of as many columns as have room in ``width``."""
    most = max(1, (width - LEFT - 2) // PITCH)
    for first in range(part.first_column, part.last_column + 1, most):
        last = min(part.last_column, first + most - 1)
        yield structs.replace(part, first_column=first, last_column=last)


# ---------------------------------------------------------------------- the map


def _sheet(picture: HexPicture, part: Part, *, colour: bool) -> Iterator[str]:
    """Yield the rows of the map, the numbers of the columns above and below, of the rows at the left."""
    places = _places(picture, part)
    cells: dict[Point, Cell] = {}
    for number, at in places.items():
        _put_sides(cells, picture, number, at)
    for number, (x, y) in places.items():
        cells[x, y] = (_ground_letter(picture, number), "")
    for x, y, text, dye in _pieces(picture, places, colour=colour):
        cells |= {(x + at, y): (letter, dye) for at, letter in enumerate(text)}
    columns = range(part.first_column, part.last_column + 1)
    head = " " * (LEFT - 1) + " ".join(f"{column:02}" for column in columns)
    yield head
    wide = LEFT + PITCH * len(columns) + 2
    for line in range(2 * (part.last_row - part.first_row + 1)):
        row = (cells.get((x, line), (" ", "")) for x in range(LEFT - 3, wide))
        drawn = "".join(
            dyed("".join(letter for letter, _ in run), dye) for dye, run in groupby(row, key=lambda cell: cell[1])
        )
        label = "" if line % 2 else f"{part.first_row + line // 2:02}"
        yield f"{label:{LEFT - 3}}{drawn}"
    yield head


def _places(picture: HexPicture, part: Part) -> dict[str, Point]:
    """Return column and line of the middle of each hex."""
    lower = picture.ground.grid.lower_columns == "odd"
    found = {}
    for number in picture.ground.numbers:
        column, row = int(number[:2]), int(number[2:])
        if part.first_column <= column <= part.last_column and part.first_row <= row <= part.last_row:
            line = 2 * (row - part.first_row) + (column % 2 == lower)
            found[number] = (LEFT + PITCH * (column - part.first_column), line)
    return found


def _ground_letter(picture: HexPicture, number: str) -> str:
    """Return the letter of a hex: its topmost terrain, a marker, or that a way goes there."""
    mark = next((mark.letter for mark in picture.marks if mark.hex == number and mark.letter), "")
    if mark:
        return mark[0]
    kinds = picture.ground.grounds[number]
    style = picture.style
    letter = next((fill.letter for fill in reversed(style.fills) if fill.kind in kinds), "")
    if letter:
        return letter
    strange = next((kind for kind in kinds if kind != style.plain), "")
    ways = {way.kind for way in style.ways}
    around = picture.ground.around[number]
    on_way = any(ways.intersection(picture.ground.side_of(number, other)) for other in around if other)
    return strange[:1] or (JUNCTION if on_way else style.plain_letter)


def _put_sides(cells: dict[Point, Cell], picture: HexPicture, number: str, at: Point) -> None:
    """Put what lies on the eastern and southern sides of a hex between it and its neighbours."""
    style = picture.style
    ways = {way.kind for way in style.ways}
    crossings = [line for line in style.lines if line.drawing in ("bridge", "ford")]
    others = [line for line in style.lines if line.drawing not in ("bridge", "ford")]
    for side, (across, down), stroke in SIDES:
        other = picture.ground.around[number][side]
        features = picture.ground.side_of(number, other)
        if not features:
            continue
        letter = next((line.letter for line in crossings if line.kind in features), "")
        letter = letter or (stroke if ways.intersection(features) else "")
        letter = letter or next((line.letter for line in others if line.kind in features), "")
        if letter:
            cells[at[0] + across, at[1] + down] = (letter, "")


def _pieces(picture: HexPicture, places: dict[str, Point], *, colour: bool) -> Iterator[tuple[int, int, str, str]]:
    """Yield the counters: column, line, text and colour; one for each hex, with signs before and behind it."""
    marks = {mark.hex: mark.letter[:1] for mark in picture.marks if mark.letter}
    for number, counters in _by_hex(picture):
        if number not in places:
            continue
        x, y = places[number]
        first = counters[0]
        power = picture.power(first.owner)
        text = clean(f"{power.letter if power else '?'}{first.letter}{first.id}")[:5]
        sign = STACK if len(counters) > 1 else TROUBLE if first.tabs else ""
        yield x - 2, y, text, power.colour if power and colour else ""
        if sign:
            yield x - 3, y, sign, ""
        if number in marks:
            yield x - 2 + len(text), y, marks[number], ""


def _by_hex(picture: HexPicture) -> Iterator[tuple[str, list[HexCounter]]]:
    """Yield the counters on the map by hex; in each those that are carried after those that carry them."""
    shown = sorted(picture.counters, key=lambda each: (each.hex, bool(each.aboard), len(each.id), each.id))
    for number, counters in groupby(shown, key=lambda each: each.hex):
        yield number, list(counters)


# ---------------------------------------------------------------------- below the map


def _key(picture: HexPicture) -> list[str]:
    """Return what letters and signs mean: what is not in the picture is left out."""
    style, ground = picture.style, picture.ground
    kinds = {kind for each in ground.grounds.values() for kind in each}
    features = {each for sides in ground.sides.values() for each in sides}
    signs = [f"{power.letter} {power.name}" for power in picture.powers]
    letters = {counter.letter: counter.type_words or counter.symbol for counter in picture.counters}
    signs += [f"{letter} {words}" for letter, words in sorted(letters.items())]
    signs += [f"{STACK}.. more than one", f"{TROUBLE}.. see below"] if picture.counters else []
    signs += [f"{style.plain_letter} {style.plain}"]
    signs += [f"{fill.letter} {fill.name}" for fill in style.fills if fill.kind in kinds]
    signs += [f"{line.letter} {line.name}" for line in style.lines if line.kind in features]
    signs += [f"{JUNCTION} | / \\ {way.name}" for way in style.ways if way.kind in features]
    marks = {mark.letter[:1]: mark.kind for mark in picture.marks if mark.letter}
    return signs + [f"{letter} {kind}" for letter, kind in sorted(marks.items())]


def _forces(picture: HexPicture, width: int, *, colour: bool) -> Iterator[str]:
    """Yield who stands where, two sides beside each other if there is room."""
    half = (width - 3) // 2 if width >= ABREAST else width
    columns = [list(_force(picture, power, half, colour=colour)) for power in picture.powers]
    nothing: list[Cell] = []
    lefts, rights = (columns[::2], columns[1::2]) if half < width else (columns, [])
    for pair in zip_longest(lefts, rights, fillvalue=nothing):
        for (one, dye), (other, other_dye) in zip_longest(*pair, fillvalue=("", "")):
            yield f"{dyed(f'{one:{half}}', dye)}   {dyed(other, other_dye)}"
        yield ""


def _force(picture: HexPicture, power: Power, width: int, *, colour: bool) -> Iterator[Cell]:
    """Yield the lines of a side, each with its colour: a heading, then each counter on the map, by hex."""
    held = [counter for _, counters in _by_hex(picture) for counter in counters if counter.owner == power.id]
    yield clean(f"{power.name}: {len(held)} on the map")[:width], power.colour if colour else ""
    for counter in held:
        figures = " ".join(figure for figure in counter.corners if figure)
        head = f"  {counter.hex:4} {counter.name + ' ' + counter.id:11} {figures:14} "
        ground = picture.ground.grounds.get(counter.hex, ())
        told = [*(kind for kind in ground if kind != picture.style.plain), *counter_facts(counter)]
        yield from ((line, "") for line in filled(told, ", ", width, clean(head)) or [clean(head)])


def _area_words(note: str, hexes: tuple[str, ...]) -> str:
    """Return an area in words: its hexes in runs down their columns."""
    runs: list[list[str]] = []
    for number in sorted(hexes):
        if runs and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{note}: {told}" if len(runs) <= MOST_RUNS else f"{note}: {len(hexes)} hexes"
