"""The look of a map as plain data: a game makes a ``Picture``, the viewer draws it as SVG or as text.

The viewer does not know any game: all words (names, legend, notes), all colors and all places come with the picture.
Coordinates are integers, x to the right and y down, from 0 to ``width`` and ``height``. Colors are ``#rrggbb``.
"""

from typing import Literal

from msgspec import Struct

Point = tuple[int, int]
"""A position on a drawing: right and down from its corner."""
Ground = Literal["open", "no_land", "closed"]
"""``no_land``: planes may cross, but no unit may be there. ``closed``: no unit may even cross."""


class Power(Struct, frozen=True):
    """An owner of places and counters. ``letter`` is its short name; ``tint`` is the color of its land."""

    id: str
    name: str
    letter: str
    color: str
    tint: str


class Counter(Struct, frozen=True):
    """Like units in one stack.

    ``symbol`` names the face (see ``counters.FACES``; any other name is written out). ``letter`` is the sign on the
    text map, and ``name`` is written in tables. ``mark`` is a short word for a condition that ``note`` explains and
    ``rule`` causes. A counter that is ``down`` is tilted.
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
    """A small sign on a place, of a ``kind`` from ``counters.BADGES`` or any other.

    ``letter`` is its sign on the text map, ``note`` its description. ``rule`` is its rule, which the replay page shows.
    """

    kind: str
    text: str = ""
    letter: str = ""
    note: str = ""
    rule: str = ""


class Place(Struct, frozen=True):
    """A space of the map at a point: ``label`` is its name, ``sublabel`` its short code.

    ``owner`` is the power that holds it, or "". ``value`` is its worth; 0 is not shown.
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
    """A link between two places.

    It is drawn by ``kind``: "road" as a road, "trail" broken, "steep" hatched, any other dotted.
    """

    a: str
    b: str
    kind: str = "track"


class Move(Struct, frozen=True):
    """An ordered move that has not been made yet: an arrow along the places of ``path``."""

    owner: str
    path: tuple[str, ...]


class Caption(Struct, frozen=True):
    """Text on the map that belongs to no place, such as the name of a sea; ``size`` is the height of the letters."""

    x: int
    y: int
    text: str
    size: int = 34


class LegendEntry(Struct, frozen=True):
    """A line of the legend: a sign, and its meaning.

    ``kind`` says what ``key`` is: for "counter" or "down" a symbol, for "badge" its kind, for "ground" the ground, for
    "link" its kind. A "border" has no key. ``sign`` is the text on the badge, or on the counter's tab; ``letter`` is
    the sign of the text map. Powers need no entry: they are always in the legend.
    """

    kind: Literal["counter", "down", "badge", "ground", "link", "border"]
    key: str
    text: str
    letter: str = ""
    sign: str = ""


class Picture(Struct, frozen=True):
    """A whole map at one moment. ``coast`` is the outline of the land; without it, all is land.

    ``subtitle`` describes the moment (turn and phase). ``notes`` are lines beside the legend (money, outcome).
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
        """Return the power with that id, or None for "" or an id that the picture does not have."""
        return next((power for power in self.powers if power.id == ident), None)
