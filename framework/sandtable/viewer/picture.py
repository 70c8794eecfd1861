"""What a map looks like, as plain data: a game makes a ``Picture``, the viewer draws it as SVG or as text.

The viewer knows no game: all words (names, legend, notes) and all colours come with the picture, and every place that
is drawn is in it. Coordinates are whole numbers, x to the right and y down, from 0 to ``width`` and ``height``.
Colours are ``#rrggbb``.
"""

from typing import Literal

from msgspec import Struct

Point = tuple[int, int]
Ground = Literal["open", "no_land", "closed"]
"""``no_land``: planes may cross, nobody may stand there; ``closed``: nobody may even cross."""


class Power(Struct, frozen=True):
    """Who may hold places and counters. ``letter`` stands for it where room is short, ``tint`` colours its land."""

    id: str
    name: str
    letter: str
    colour: str
    tint: str


class Counter(Struct, frozen=True):
    """Like units in one stack.

    ``symbol`` names the face (see ``counters.FACES``; another name is written out), ``letter`` stands for it on the
    text map, ``name`` is written in tables. ``mark`` is a short word for a condition that ``note`` explains and that
    comes from ``rule``; a counter that is ``down`` lies tilted.
    """

    symbol: str
    owner: str
    count: int = 1
    letter: str = ""
    name: str = ""
    mark: str = ""
    note: str = ""
    down: bool = False
    rule: str = ""


class Badge(Struct, frozen=True):
    """A small sign on a place: ``kind`` one of ``counters.BADGES``, ``letter`` for the text map, ``note`` in words.

    ``rule`` is what it comes from; the replay page tells it.
    """

    kind: str
    text: str = ""
    letter: str = ""
    note: str = ""
    rule: str = ""


class Place(Struct, frozen=True):
    """A space of the map at a point: ``label`` is its name, ``sublabel`` its short code.

    ``owner`` is the power that holds it, "" for nobody. ``value`` is what it is worth, 0 is not shown.
    """

    id: str
    x: int
    y: int
    label: str
    sublabel: str = ""
    owner: str = ""
    value: int = 0
    ground: Ground = "open"
    badges: tuple[Badge, ...] = ()
    counters: tuple[Counter, ...] = ()


class Link(Struct, frozen=True):
    """A way between two places: ``kind`` "road" is drawn as one, "trail" broken, "steep" hatched, any other dotted."""

    a: str
    b: str
    kind: str = "track"


class Move(Struct, frozen=True):
    """A move that is ordered but not made yet: an arrow along the places of ``path``."""

    owner: str
    path: tuple[str, ...]


class Caption(Struct, frozen=True):
    """Words on the map that belong to no place, such as the name of a sea; ``size`` is the height of the letters."""

    x: int
    y: int
    text: str
    size: int = 34


class LegendEntry(Struct, frozen=True):
    """A line of the legend: the sign ``key`` of the sort ``kind``, and what it means.

    Kinds: "counter" or "down" (key: symbol), "badge" (badge kind), "ground" (ground), "link" (link kind), "border" (no
    key). ``sign`` is what stands written on the badge, or on the counter's tab; ``letter`` is the sign of the text map.
    Powers need no entry: they are always in the legend.
    """

    kind: Literal["counter", "down", "badge", "ground", "link", "border"]
    key: str
    text: str
    letter: str = ""
    sign: str = ""


class Picture(Struct, frozen=True):
    """A whole map at one moment. ``coast`` is the outline of the land; without one all is land.

    ``subtitle`` tells the moment (turn and phase), ``notes`` are lines beside the legend (money, outcome).
    """

    title: str
    width: int
    height: int
    places: tuple[Place, ...]
    links: tuple[Link, ...]
    powers: tuple[Power, ...]
    subtitle: str = ""
    coast: tuple[Point, ...] = ()
    captions: tuple[Caption, ...] = ()
    moves: tuple[Move, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    notes: tuple[str, ...] = ()
    value_word: str = "value"

    def power(self, ident: str) -> Power | None:
        """Return the power of that id, None for "" or one that the picture does not have."""
        return next((power for power in self.powers if power.id == ident), None)
