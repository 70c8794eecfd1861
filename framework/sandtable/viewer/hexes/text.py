"""Draw a map of hexes as text for a terminal: the map (``rows.py``), the meaning of signs, and the forces."""

from collections.abc import Iterator
from itertools import zip_longest

from sandtable.viewer.areas.text import Cell, clean, colored, filled
from sandtable.viewer.hexes.drawing.counters import caption, counter_facts
from sandtable.viewer.hexes.picture import HexCounter, HexPicture
from sandtable.viewer.hexes.rows import TROUBLE, breadth, by_hex, draw_sheet, more_sign, strips_of, way_signs
from sandtable.viewer.picture import Power
from sandtable.viewer.style import room_for

WIDTH, LEAST, ABREAST = 160, 120, 110
"""The maximum width, the preferred minimum width of tables, and the width from which two are side by side."""
MAX_RUNS = 12


def hexes_text(picture: HexPicture, width: int = 0, *, color: bool = False) -> str:
    """Return the picture as lines of at most ``width`` columns; ``color`` shows sides by ANSI codes.

    A ``width`` of 0 means the usual width. A wider map is shown in strips, one below the other.
    """
    width = width or room_for(WIDTH)
    strips = list(strips_of(picture, width))
    wide = min(width, max(LEAST, breadth(picture, strips[0])))
    title, moment = clean(picture.title), clean(picture.subtitle)
    space = wide - len(title) - len(moment)
    heading = [title + " " * space + moment] if space > 1 else [title[:wide], moment[:wide]]
    lines = [*heading, "-" * wide]
    for strip in strips:
        lines += [*draw_sheet(picture, strip, color=color), "-" * wide]
    lines += [*filled(_key(picture), "   ", wide), ""]
    lines += list(_forces(picture, wide, color=color))
    for tray in picture.trays:
        words = ", ".join(_named(counter) for counter in tray.counters)
        lines += filled([f"{tray.title} ({len(tray.counters)}): {words}"], "", wide)
    areas = [_area_words(area.note, area.hexes) for area in picture.areas if area.note]
    lines += [line for note in (*areas, *picture.notes) for line in filled([note], "", wide)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


# ---------------------------------------------------------------------- below the map


def _key(picture: HexPicture) -> list[str]:
    """Return the meaning of letters and signs that are in the picture."""
    style, ground = picture.style, picture.ground
    kinds = {kind for each in ground.grounds.values() for kind in each}
    features = {each for sides in ground.sides.values() for each in sides}
    signs = [f"{power.letter} {power.name}" for power in picture.powers]
    letters = {counter.letter: counter.type_words or counter.symbol for counter in picture.counters}
    signs += [f"{letter} {words}" for letter, words in sorted(letters.items())]
    signs += [f"{more_sign(picture)} more than one", f"{TROUBLE}.. see below"] if picture.counters else []
    signs += [f"{style.plain_letter} {style.plain}"]
    signs += [f"{fill.letter} {fill.name}" for fill in style.fills if fill.kind in kinds]
    signs += [f"{line.letter} {line.name}" for line in style.lines if line.kind in features]
    signs += [f"{way_signs(picture, way)} {way.name}" for way in style.ways if way.kind in features]
    marks = {mark.letter[:1]: mark.kind for mark in picture.marks if mark.letter}
    return signs + [f"{letter} {kind}" for letter, kind in sorted(marks.items())]


def _forces(picture: HexPicture, width: int, *, color: bool) -> Iterator[str]:
    """Yield the forces by hex, two sides next to each other if they fit."""
    half = (width - 3) // 2 if width >= ABREAST else width
    columns = [list(_force(picture, power, half, color=color)) for power in picture.powers]
    nothing: list[Cell] = []
    lefts, rights = (columns[::2], columns[1::2]) if half < width else (columns, [])
    for pair in zip_longest(lefts, rights, fillvalue=nothing):
        for (one, dye), (other, other_dye) in zip_longest(*pair, fillvalue=("", "")):
            yield f"{colored(f'{one:{half}}', dye)}   {colored(other, other_dye)}"
        yield ""


def _force(picture: HexPicture, power: Power, width: int, *, color: bool) -> Iterator[Cell]:
    """Yield the lines of a side, each with its color: a heading, then each counter on the map, by hex."""
    held = [counter for _, counters in by_hex(picture) for counter in counters if counter.owner == power.id]
    terrain = {fill.kind: fill.name for fill in picture.style.fills}
    ident = max((len(counter.id) + 1 for counter in held if counter.caption), default=0)
    yield clean(f"{power.name}: {len(held)} on the map")[:width], power.color if color else ""
    for counter in held:
        figures = " ".join(figure for figure in counter.corners if figure)
        named = (
            f"{counter.id:{ident}}{caption(counter):11} {figures:10}"
            if ident
            else f"{caption(counter):11} {figures:14}"
        )
        head = f"  {counter.hex:4} {named} "
        ground = picture.ground.grounds.get(counter.hex, ())
        words = [*(terrain.get(kind, kind) for kind in ground if kind != picture.style.plain), *counter_facts(counter)]
        yield from ((line, "") for line in filled(words, ", ", width, clean(head)) or [clean(head)])


def _named(counter: HexCounter) -> str:
    """Return the text on a counter, and its id if the text does not include it."""
    return f"{counter.caption} ({counter.id})" if counter.caption else caption(counter)


def _area_words(note: str, hexes: tuple[str, ...]) -> str:
    """Return an area in words: its hexes in runs along straight columns or rows, or their number if there are many."""
    runs: list[list[str]] = []
    for number in sorted(hexes):
        if runs and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{note}: {words}" if len(runs) <= MAX_RUNS else f"{note}: {len(hexes)} hexes"
