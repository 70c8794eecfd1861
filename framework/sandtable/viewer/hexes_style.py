"""How terrain looks: tables of fills, hexsides and ways, with the letters that stand for them on a text map.

``CLASSIC`` is the look of the printed maps of the 1970s: few flat inks on buff paper. A game with other terrain makes
a table of its own; a kind that no table knows is drawn in a plain tint and told by its name. Colours are ``#rrggbb``.
"""

from typing import Literal

from msgspec import Struct


class Fill(Struct, frozen=True):
    """A kind of terrain that fills hexes.

    ``texture``: "plain", "trees" (a scalloped wood), "houses". ``height`` above 0 makes it part of a hill: the fill of
    a lower height runs on under the higher. Hexes are drawn as one field across a hexside if it bears ``joined_by``,
    or, where that is "", if both have the terrain.
    """

    kind: str
    name: str
    letter: str
    colour: str
    edge: str
    texture: Literal["plain", "trees", "houses"] = "plain"
    height: int = 0
    joined_by: str = ""


class Line(Struct, frozen=True):
    """A kind of hexside: "water", a "ford" or "bridge" over it, a "crest", or a plain "line"."""

    kind: str
    name: str
    letter: str
    drawing: Literal["water", "ford", "bridge", "crest", "line"]
    colour: str
    edge: str


class Way(Struct, frozen=True):
    """A kind of way from centre to centre, as wide as ``width`` (a hex is 120 from corner to corner)."""

    kind: str
    name: str
    colour: str
    edge: str
    width: int


class HexStyle(Struct, frozen=True):
    """A whole table. Fills stand from the lowest to the topmost; ``plain`` is the name of ground without any."""

    fills: tuple[Fill, ...]
    lines: tuple[Line, ...]
    ways: tuple[Way, ...]
    plain: str = "clear"
    plain_letter: str = "."
    ground: str = "#f1e9cf"
    grid: str = "#b3a684"
    numbers: str = "#7b6b46"


CLASSIC = HexStyle(
    fills=(
        Fill("slope", "slope", ",", "#dfc793", "#b08d52", height=1),
        Fill("hilltop", "hilltop", "^", "#c9a566", "#96713a", height=2),
        Fill("woods", "woods", "%", "#a3b878", "#5f7b3d", "trees", joined_by="woods"),
        Fill("town", "town", "#", "#e0cdb8", "#8c6f5a", "houses", joined_by="town"),
    ),
    lines=(
        Line("stream", "stream", "~", "water", "#79aac0", "#3e7590"),
        Line("ford", "ford", ":", "ford", "#e9d9a8", "#3e7590"),
        Line("bridge", "bridge", "H", "bridge", "#fbf3dc", "#3a2c1c"),
        Line("crest", "crest", "'", "crest", "#6f4520", "#6f4520"),
    ),
    ways=(Way("road", "road", "#fff8e6", "#5a4430", 16),),
)
