"""Draw an area map as text for a terminal: a schematic map, and below it a list of holdings.

On the map each place is a small block: its code with signs, its owner's letter and its value, and below them the units,
such as ``TOB* G3`` over ``3i 1a 1f``. Blocks are near the places' positions, moved apart so that none overlap.
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby

from sandtable.viewer.areas.blocks import Block, TextCanvas, arrange
from sandtable.viewer.areas.places import counter_words
from sandtable.viewer.picture import Picture, Place, Point, Power
from sandtable.viewer.style import room_for

WIDTH = 100
SEA, ROAD, TRAIL = "~", "=", "."
WAYS = {"trail": TRAIL, "road": ROAD}
"""The kinds of link that are drawn; later kinds cover earlier ones."""
WAY_WORDS = {"trail": "track", "road": "road"}
IN_ROW, LONGEST_NAME = 3, 13
BARRED = "///"
"""The letters of ground that is not open and has no letter in the legend."""
HARD_SPACE, LONG_ITEM = "\xa0", 40
CONTROL = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}

Cell = tuple[str, str]
"""A character on the sheet and its color, or ""."""


def areas_text(picture: Picture, width: int = 0, *, color: bool = False) -> str:
    """Return the picture as lines of at most ``width`` columns; ``color`` shows owners by ANSI codes.

    A ``width`` of 0 means the usual width.
    """
    width = width or room_for(WIDTH)
    title, moment = clean(picture.title), clean(picture.subtitle)
    lines = [f"{title}{moment:>{max(len(moment) + 2, width - len(title))}}", "-" * width]
    lines += _map_lines(picture, width, color=color)
    lines += ["-" * width, *_key_lines(picture, width), ""]
    lines += [line for owner in (*picture.powers, None) for line in _holdings(picture, owner, width, color=color)]
    lines += [line for note in picture.notes for line in filled([note], "", width)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def clean(text: str) -> str:
    """Return ``text`` with control characters, which a terminal would obey, replaced."""
    return "".join("?" if unicodedata.category(letter) in CONTROL else letter for letter in text)


def colored(text: str, color: str) -> str:
    """Return ``text`` in a color (#rrggbb) by ANSI codes; unchanged if the color is ""."""
    if not color:
        return text
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"\x1b[38;2;{red};{green};{blue}m{text}\x1b[0m"


def colored_row(cells: Iterable[Cell]) -> str:
    """Return a row of cells as text, each run of one color by ANSI codes."""
    runs = groupby(cells, key=lambda cell: cell[1])
    return "".join(colored("".join(letter for letter, _ in run), dye) for dye, run in runs)


# ---------------------------------------------------------------------- the map


def place_lines(place: Place, picture: Picture) -> tuple[str, ...]:
    """Return the block of a place: code, signs, owner and value; below them, the units of each owner.

    Ground that is not open has the letters of its line in the legend.
    """
    power = picture.power(place.owner)
    signs = "".join(dict.fromkeys(badge.letter for badge in place.badges))
    held = f"{power.letter if power else ''}{place.value or ''}"
    if place.ground != "open":
        letters = (each.letter for each in picture.legend if (each.kind, each.key) == ("ground", place.ground))
        held = next(letters, "") or BARRED
    rows = [f"{(place.sublabel or place.label)[:LONGEST_NAME]}{signs} {held}".rstrip()]
    for owner, counters in groupby(place.counters, key=lambda counter: counter.owner):
        owner_power = picture.power(owner)
        prefix = f"{owner_power.letter}:" if owner_power and owner != place.owner else ""
        stacks = [f"{counter.count}{counter.letter or counter.symbol[:1]}" for counter in counters]
        cut = [" ".join(stacks[at : at + IN_ROW]) for at in range(0, len(stacks), IN_ROW)]
        rows += [(" " * len(prefix) if at else prefix) + row for at, row in enumerate(cut)]
    return tuple(clean(row) for row in rows)


def _map_lines(picture: Picture, width: int, *, color: bool) -> Iterator[str]:
    """Yield the rows of the map: sea, roads over it, and blocks over both."""
    texts = [place_lines(place, picture) for place in picture.places]
    blocks = [
        Block(place.x, place.y, min(width, max(map(len, rows))), len(rows))
        for place, rows in zip(picture.places, texts, strict=True)
    ]
    # Two thirds of the columns look right, although characters are twice as high as wide: blocks need the space.
    rows_wanted = max(1, 2 * width * picture.height // (3 * picture.width))
    sheet = arrange(blocks, picture.width, picture.height, width, rows_wanted)
    cells: dict[Point, Cell] = dict.fromkeys(
        _sea(picture.coast, picture.width, picture.height, sheet.columns, sheet.rows), (SEA, "")
    ) | dict(_road_cells(picture, sheet, blocks))
    for place, rows, (left, top), block in zip(picture.places, texts, sheet.corners, blocks, strict=True):
        power = picture.power(place.owner)
        dye = power.color if power and color else ""
        for down, text in enumerate(rows):
            cells |= {
                (left + at, top + down): (letter, dye)
                for at, letter in enumerate(f"{text[:width]:{block.wide}} "[:width])
            }
    for row in range(sheet.rows):
        yield colored_row(cells.get((column, row), (" ", "")) for column in range(width))


@lru_cache(maxsize=16)
def _sea(coast: tuple[Point, ...], width: int, height: int, columns: int, rows: int) -> tuple[Point, ...]:
    """Return every other cell whose middle is outside the coast; cached, because all pictures have the same sea."""
    middles = {
        (column, row): ((2 * column + 1) * width // (2 * columns), (2 * row + 1) * height // (2 * rows))
        for row in range(rows if coast else 0)
        for column in range(row % 2, columns, 2)
    }
    return tuple(cell for cell, middle in middles.items() if not is_inside(middle, coast))


def is_inside(point: Point, outline: Iterable[Point]) -> bool:
    """Return whether a point is inside a closed outline."""
    x, y = point
    corners = list(outline)
    inside = False
    for place, (ax, ay) in enumerate(corners):
        bx, by = corners[place - 1]
        if (ay > y) != (by > y) and (x < ax + (bx - ax) * (y - ay) // (by - ay)):
            inside = not inside
    return inside


def _road_cells(picture: Picture, sheet: TextCanvas, blocks: list[Block]) -> Iterator[tuple[Point, Cell]]:
    """Yield the cells of straight lines between blocks that are joined by a trail, or by a road, which covers it."""
    middle = {
        place.id: (left + block.wide // 2, top)
        for place, (left, top), block in zip(picture.places, sheet.corners, blocks, strict=True)
    }
    for kind, sign in WAYS.items():
        for link in picture.links:
            if link.kind != kind or link.a not in middle or link.b not in middle:
                continue
            (ax, ay), (bx, by) = middle[link.a], middle[link.b]
            steps = max(abs(bx - ax), abs(by - ay), 1)
            for step in range(steps + 1):
                # Rounded to the nearest cell, in whole numbers.
                cell = (
                    ax + (2 * (bx - ax) * step + steps) // (2 * steps),
                    ay + (2 * (by - ay) * step + steps) // (2 * steps),
                )
                yield cell, (sign, "")


# ---------------------------------------------------------------------- the tables below


def _key_lines(picture: Picture, width: int) -> list[str]:
    """Return the meaning of letters and signs, as wide as the map."""
    signs = [f"{power.letter} {power.name}" for power in picture.powers]
    signs += [f"{entry.letter} {entry.text}" for entry in picture.legend if entry.letter]
    worth = next((place for place in picture.places if place.value and picture.power(place.owner)), None)
    if worth is not None and (power := picture.power(worth.owner)):
        signs.append(f"{power.letter}{worth.value} {worth.value} {picture.value_word}")  # by example
    kinds = {link.kind for link in picture.links}
    signs += [f"{sign}{sign} {WAY_WORDS[kind]}" for kind, sign in WAYS.items() if kind in kinds]
    return filled(signs, "   ", width)


def _holdings(picture: Picture, owner: Power | None, width: int, *, color: bool) -> Iterator[str]:
    """Yield the holdings of a power, or of none: a line for each place with units or notes, and one for all others."""
    ident = owner.id if owner else ""
    held = [place for place in picture.places if place.owner == ident and (owner or place.counters)]
    if not held:
        return
    total = (
        f"{len(held)} space{'s' if len(held) != 1 else ''}, {picture.value_word} {sum(place.value for place in held)}"
    )
    yield colored(clean(f"{owner.name if owner else 'Nobody'}: {total}"), owner.color if owner and color else "")
    quiet = []
    for place in held:
        words = [_counters_told(place, picture)] if place.counters else []
        words += [badge.note for badge in place.badges if badge.note]
        if words:
            head = f"  {clean(place.sublabel):4} {clean(place.label):22.22} {place.value or '':>2}  "
            yield from filled(words, "; ", width, head)
        else:
            quiet.append(f"{place.sublabel} {place.label}".strip() + (f" {place.value}" if place.value else ""))
    if quiet:
        yield from filled(quiet, ", ", width, "  nothing at: ")


def _counters_told(place: Place, picture: Picture) -> str:
    """Return the counters of a place in words; owners other than the holder are named."""
    stacks = []
    for ident, counters in groupby(place.counters, key=lambda counter: counter.owner):
        power = picture.power(ident)
        owner_power = f"{power.name}: " if power and ident != place.owner else ""
        stacks.append(owner_power + ", ".join(counter_words(counter) for counter in counters))
    return "; ".join(stacks)


def filled(items: Iterable[str], between: str, width: int, head: str = "") -> list[str]:
    """Return items as lines of at most ``width`` columns; only long items are broken."""
    held = (item.replace(" ", HARD_SPACE) if len(item) < LONG_ITEM else item for item in items)
    hang = " " * len(head)
    lines = textwrap.wrap(
        clean(between.join(held)), width, initial_indent=head, subsequent_indent=hang, break_on_hyphens=False
    )
    return [line.replace(HARD_SPACE, " ") for line in lines]
