"""The look of a map of hexes as plain data: a game makes a ``HexPicture``, the viewer draws it as SVG or text.

The viewer does not know any game: the ground is a ``HexMap``, the look of its terrain is a table (``style.py``), and
all words come with the picture. Hexes are printed numbers. Directions are the letters A to F, oriented by the layout of
the map (see ``board.hexes``). Colors are ``#rrggbb``.
"""

from typing import Literal

from msgspec import Struct

from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.style import CLASSIC, HexStyle
from sandtable.viewer.picture import Power

Tone = Literal["alarm", "warning", "calm"]
AreaKind = Literal["set_up", "leave", "goal", "held", "zone"]
LEAST_COLUMNS = 14
"""Minimum number of columns of a part of a map, if the map has as many."""


class Tab(Struct, frozen=True):
    """A condition of a counter, shown on a tab at its edge: ``sign`` is one or two letters, ``note`` its description.

    ``rule`` is its rule, which the replay page shows.
    """

    sign: str
    note: str
    tone: Tone = "alarm"
    rule: str = ""


class HexCounter(Struct, frozen=True):
    """One counter. ``id`` is its identity number, ``name`` the type printed on it, ``letter`` the sign of the type.

    ``symbol`` names the drawing (see ``drawing/faces.py``; any other name is written out). ``corners`` are the
    figures in its corners: above left, above right, below left, below right. ``facing`` is a direction, or "".
    ``aboard`` is the id of the counter that carries it. ``order`` is its current order, and ``note`` more in words, by
    the rules ``note_rules``. ``type_words`` explains ``letter``. ``caption`` is written on it, or name and identity
    number if it is "". ``echelon`` is the sign of its size above the symbol, such as XX.
    """

    id: str
    owner: str
    hex: str
    symbol: str
    name: str
    letter: str
    corners: tuple[str, str, str, str] = ("", "", "", "")
    facing: str = ""
    tabs: tuple[Tab, ...] = ()
    aboard: str = ""
    order: str = ""
    note: str = ""
    type_words: str = ""
    caption: str = ""
    echelon: str = ""
    note_rules: tuple[str, ...] = ()


class HexMark(Struct, frozen=True):
    """A marker on a hex: ``kind`` is one of ``MARKS`` in ``drawing/marks.py`` (any other: a plate with its ``letter``).

    ``note`` describes it in words; ``letter`` is its sign on the text map. ``spread`` are all hexes that it affects,
    and ``rule`` is its rule.
    """

    kind: str
    hex: str
    owner: str = ""
    note: str = ""
    letter: str = ""
    spread: tuple[str, ...] = ()
    rule: str = ""


class HexArrow(Struct, frozen=True):
    """A path or a line on the map.

    A "move" follows the hexes of ``path``. "fire" and a "watch" go straight from its first hex to its last. A "supply"
    line follows the path from the force to its source.
    """

    kind: Literal["move", "fire", "watch", "supply"]
    owner: str
    path: tuple[str, ...]


class HexArea(Struct, frozen=True):
    """Hexes with a meaning, described by ``note``: set-up area ("set_up"), exit ("leave") or "goal" of ``owner``.

    A "held" area is controlled by a side; a "zone" is its zone of control or influence. ``rule`` is its rule, which the
    replay page shows.
    """

    kind: AreaKind
    hexes: tuple[str, ...]
    owner: str = ""
    note: str = ""
    rule: str = ""


class HexTray(Struct, frozen=True):
    """Counters beside the map under a title, such as reinforcements or losses."""

    title: str
    counters: tuple[HexCounter, ...]


Sign = Tab | HexMark | Literal["facing", "move", "fire", "watch", "supply", "set_up", "leave", "goal", "held", "zone"]


class HexEntry(Struct, frozen=True):
    """A line of the legend other than terrain and sides: a tab, mark, arrow or area, and its meaning."""

    sign: Sign
    text: str


class Part(Struct, frozen=True):
    """A part of the map: columns and rows by their printed numbers, the last ones included."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int


class HexPicture(Struct, frozen=True, kw_only=True):
    """A map at one moment.

    ``subtitle`` describes the moment, and ``notes`` are lines below the legend. ``corner_words`` give the meaning of
    the figures in the corners of counters. ``part`` is the part to draw, or None for the whole map.
    """

    title: str
    subtitle: str = ""
    ground: HexMap
    powers: tuple[Power, ...] = ()
    counters: tuple[HexCounter, ...] = ()
    marks: tuple[HexMark, ...] = ()
    arrows: tuple[HexArrow, ...] = ()
    areas: tuple[HexArea, ...] = ()
    trays: tuple[HexTray, ...] = ()
    legend: tuple[HexEntry, ...] = ()
    corner_words: tuple[str, str, str, str] = ("", "", "", "")
    notes: tuple[str, ...] = ()
    style: HexStyle = CLASSIC
    part: Part | None = None

    def power(self, ident: str) -> Power | None:
        """Return the side with that id, or None for "" or an id that the picture does not have."""
        return next((power for power in self.powers if power.id == ident), None)


def part_around(picture: HexPicture, margin: int = 2) -> Part | None:
    """Return the part with counters, markers and arrows, plus a margin of hexes, or None for the whole map.

    It has a minimum width, so it is never a narrow strip.
    """
    whole = whole_part(picture.ground)
    held = [*(counter.hex for counter in picture.counters), *(mark.hex for mark in picture.marks)]
    held += [number for arrow in picture.arrows for number in arrow.path]
    numbers = picture.ground.index.keys() & held
    if not numbers:
        return None
    columns, rows = zip(*map(picture.ground.grid.column_and_row, numbers), strict=True)
    first_row, last_row = max(whole.first_row, min(rows) - margin), min(whole.last_row, max(rows) + margin)
    lacking = max(LEAST_COLUMNS, (last_row - first_row) * 2 // 3) - (max(columns) - min(columns) + 1)
    aside = max(margin, -(-lacking // 2))
    first = max(whole.first_column, min(columns) - aside)
    last = min(whole.last_column, max(columns) + aside)
    found = Part(first, first_row, last, last_row)
    return None if found == whole else found


def whole_part(ground: HexMap) -> Part:
    """Return the whole of a map as a part."""
    grid = ground.grid
    columns, rows = max(grid.columns, grid.eastern_columns or 0), max(grid.rows, grid.lower_rows or 0)
    return Part(grid.first_column, grid.first_row, grid.first_column + columns - 1, grid.first_row + rows - 1)
