"""The look of terrain: tables of fills, hexsides and roads, with their letters on a text map.

``CLASSIC`` is the look of the printed maps of the 1970s: few flat inks on buff paper. A game with other terrain has its
own table. A kind that is in no table is drawn in a plain tint and described by its name. Colors are ``#rrggbb``.
"""

from typing import Literal

from msgspec import Struct


class Fill(Struct, frozen=True):
    """A kind of terrain that fills hexes.

    ``texture`` is "plain", "trees" (a scalloped wood), "houses" or "reeds" (a marsh). A "town" or a "city" is a sign in
    the middle of the hex, over the roads, instead of a field. A ``height`` above 0 makes it part of a hill: the fill of
    a lower height continues under the higher. Hexes are drawn as one field across a hexside with the feature
    ``joined_by`` or, if that is "", if both have the terrain.
    """

    kind: str
    name: str
    letter: str
    color: str
    edge: str
    texture: Literal["plain", "trees", "houses", "reeds", "town", "city"] = "plain"
    height: int = 0
    joined_by: str = ""


class LineStyle(Struct, frozen=True):
    """A kind of hexside.

    ``drawing`` is "water", a "ford" or "bridge" over it, a "crest", a "border" (dashed), or a plain "line".
    """

    kind: str
    name: str
    letter: str
    drawing: Literal["water", "ford", "bridge", "crest", "line", "border"]
    color: str
    edge: str


class Way(Struct, frozen=True):
    """A kind of road from center to center, with a ``width`` (a hex is 120 from corner to corner).

    A "road" is a bed with edges, a "rail" a dark line with gaps of its color, a "track" a dark line with ties across.
    On a text map it is drawn in strokes or, if it has one, with its ``letter``. Of two kinds on one hexside, the later
    in the table covers the other; roads are covered by all other kinds.
    """

    kind: str
    name: str
    color: str
    edge: str
    width: int
    drawing: Literal["road", "rail", "track"] = "road"
    letter: str = ""


class HexStyle(Struct, frozen=True):
    """A complete table of terrain.

    Fills are ordered from the lowest to the topmost; ``plain`` is the name of ground without a fill. Names of places
    are ``over`` their hexes, large, or ``in`` them, small, below the counters.
    """

    fills: tuple[Fill, ...]
    lines: tuple[LineStyle, ...]
    ways: tuple[Way, ...]
    plain: str = "clear"
    plain_letter: str = "."
    ground: str = "#f1e9cf"
    grid: str = "#b3a684"
    numbers: str = "#7b6b46"
    place_names: Literal["over", "in"] = "over"


CLASSIC = HexStyle(
    fills=(
        Fill("slope", "slope", ",", "#dfc793", "#b08d52", height=1),
        Fill("hilltop", "hilltop", "^", "#c9a566", "#96713a", height=2),
        Fill("woods", "woods", "%", "#a3b878", "#5f7b3d", "trees", joined_by="woods"),
        Fill("town", "town", "#", "#e0cdb8", "#8c6f5a", "houses", joined_by="town"),
    ),
    lines=(
        LineStyle("stream", "stream", "~", "water", "#79aac0", "#3e7590"),
        LineStyle("ford", "ford", ":", "ford", "#e9d9a8", "#3e7590"),
        LineStyle("bridge", "bridge", "H", "bridge", "#fbf3dc", "#3a2c1c"),
        LineStyle("crest", "crest", "'", "crest", "#6f4520", "#6f4520"),
    ),
    ways=(Way("road", "road", "#fff8e6", "#5a4430", 16),),
)

OPERATIONAL = HexStyle(
    fills=(
        Fill("marsh", "marsh", '"', "#c9d6b4", "#7d9a83", "reeds"),
        Fill("forest", "forest", "%", "#a9bd85", "#67834a", "trees"),
        Fill("town", "town", "o", "#fdf6e3", "#1d1a14", "town"),
        Fill("city", "city", "O", "#d98b5f", "#5a2a17", "city"),
        Fill("major_city", "major city", "#", "#dcae96", "#7c3f30", "houses"),
    ),
    lines=(
        LineStyle("river", "river", "~", "water", "#6f9fbe", "#3f7191"),
        LineStyle("frontier", "frontier", "'", "border", "#c46a5a", "#7a2a1e"),
    ),
    ways=(
        Way("road", "road", "#fff8e6", "#5a4430", 12),
        Way("rail", "railway", "#efe6cf", "#2b2722", 9, "track"),
        Way("converted_rail", "railway, converted", "#ffffff", "#2b2722", 12, "rail", "="),
    ),
    ground="#f3ecd8",
    grid="#b9ae92",
    numbers="#8a7d5f",
    place_names="in",
)
"""Land at about ten kilometers or more per hex, for games of corps and armies: rivers, railways, towns."""
