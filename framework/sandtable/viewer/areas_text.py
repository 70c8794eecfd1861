"""Draws an area map as text for a terminal: a schematic map, and below it who holds what.

On the map each place is a small block: its code with signs, its owner's letter and its value, and under them the units,
such as ``TOB* G3`` over ``3i 1a 1f``. Blocks stand about where the places lie, pushed apart until none covers another.
"""

import unicodedata
from collections.abc import Iterator
from itertools import groupby

from sandtable.viewer.blocks import Block, arrange
from sandtable.viewer.picture import Counter, Picture, Place, Point

WIDTH = 100
SEA, ROAD = "~", "="
NOBODY = "nobody"


def areas_text(picture: Picture, width: int = WIDTH, *, colour: bool = False) -> str:
    """Return the picture as lines of at most ``width`` columns; with ``colour`` owners are shown by ANSI codes."""
    parts = [_heading(picture, width), *_map(picture, width, colour=colour), *_key(picture, width), ""]
    parts += _table(picture, width, colour=colour)
    return "\n".join(line.rstrip() for line in parts) + "\n"


def clean(text: str) -> str:
    """Return ``text`` without anything that a terminal would obey instead of showing."""
    return "".join("?" if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} else letter for letter in text)


def _heading(picture: Picture, width: int) -> str:
    title, moment = clean(picture.title), clean(picture.subtitle)
    return f"{title}{moment:>{max(len(moment) + 2, width - len(title))}}"


# ---------------------------------------------------------------------- the map


def place_lines(place: Place, picture: Picture) -> tuple[str, ...]:
    """Return the block of a place: code and signs, owner and value; below, the units of each owner."""
    power = picture.power(place.owner)
    signs = "".join(dict.fromkeys(badge.letter for badge in place.badges))
    held = f" {power.letter if power else ''}{place.value or ''}"
    head = (place.sublabel or place.label)[:12] + signs + (held if place.ground == "open" else " ///")
    rows = []
    for owner, counters in groupby(place.counters, key=lambda counter: counter.owner):
        whose = picture.power(owner)
        prefix = f"{whose.letter}:" if whose and owner != place.owner else ""
        rows.append(prefix + " ".join(f"{counter.count}{counter.letter or counter.symbol[:1]}" for counter in counters))
    return tuple(clean(line) for line in (head.rstrip(), *rows))


def _map(picture: Picture, width: int, *, colour: bool) -> Iterator[str]:
    blocks = [
        Block(place.x, place.y, max(map(len, lines)), len(lines))
        for place in picture.places
        for lines in [place_lines(place, picture)]
    ]
    sheet = arrange(blocks, picture.width, picture.height, width)
    ...


# ---------------------------------------------------------------------- the table
