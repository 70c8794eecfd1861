"""The faces of counters on a map of hexes: cards with corner figures and a symbol, as printed in the 1970s.

Symbols are silhouettes of vehicles, or the signs of troop types in a box, with an optional echelon above. A face is
drawn on a square of 132 by 132 and used at any size. A symbol is drawn on 88 by 40.
"""

from collections.abc import Callable

from sandtable.viewer.hexes.picture import HexCounter
from sandtable.viewer.picture import Power
from sandtable.viewer.side_marks import MARKS, SideMark, frame, outline
from sandtable.viewer.style import INK, PAPER, SANS
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label, mixed

FACE = 132
CORNER_SIZE = 31
_PLACES = (((9, 31), "start"), ((122, 31), "end"), ((9, 122), "start"), ((122, 122), "end"))
_LEFT, _TOP = 22, 36
_BOLD: dict[str, Attribute] = {"font_family": SANS, "font_weight": "bold", "fill": INK}


def _wheels(places: tuple[int, ...], y: int, radius: int, color: str) -> list[Svg]:
    return [element("circle", cx=x, cy=y, r=radius, fill=color) for x in places]


def _tank(color: str) -> list[Svg]:
    tracks = element("path", d="M5 23H72L85 25L86 31L76 39H13L3 33L1 27Z", fill=INK)
    hull = element("path", d="M9 24L13 16L22 14H62L78 20L80 24Z", fill=INK)
    turret = element("path", d="M25 14L28 5L33 4V1H43V4H50L54 7H87V11H55L57 14Z", fill=INK)
    return [tracks, hull, turret, *_wheels((15, 28, 41, 54, 67), 31, 4, color)]


def _apc(color: str) -> list[Svg]:
    tracks = element("path", d="M3 25H48L54 32L47 39H10L2 33Z", fill=INK)
    body = element("path", d="M2 9L8 8H47L54 12L72 15L82 20L84 30H2Z", fill=INK)
    wheel = [element("circle", cx=70, cy=31, r=9, fill=INK), element("circle", cx=70, cy=31, r=4, fill=color)]
    return [tracks, body, *wheel, *_wheels((13, 25, 37), 32, 4, color)]


def _truck(color: str) -> list[Svg]:
    load = element("path", d="M3 5Q28 0 53 5V25H3Z", fill=INK)
    cab = element("path", d="M55 10H66L71 18L83 20L85 30H3V26H55Z", fill=INK)
    tyres = _wheels((16, 38, 73), 31, 8, INK)
    return [load, cab, *tyres, *_wheels((16, 38, 73), 31, 4, color)]


def _gun(color: str) -> list[Svg]:
    barrel = element("path", d="M34 15H86V19H34Z", fill=INK)
    shield = element("path", d="M38 4H43L45 31H38Z", fill=INK)
    trail = element("path", d="M36 24L4 36L2 39L8 39L40 30Z", fill=INK)
    return [barrel, shield, trail, *_wheels((46,), 29, 10, INK), *_wheels((46,), 29, 5, color)]


def _howitzer(color: str) -> list[Svg]:
    barrel = element("path", d="M32 20L74 1L79 8L36 27Z", fill=INK)
    shield = element("path", d="M38 7L44 8L46 32H40Z", fill=INK)
    trail = element("path", d="M36 26L4 35L2 39H9L42 33Z", fill=INK)
    return [barrel, shield, trail, *_wheels((46,), 28, 11, INK), *_wheels((46,), 28, 6, color)]


def _box(*marks: Svg) -> list[Svg]:
    frame = element("rect", x=18, y=1, width=52, height=37, fill=PAPER)
    return [group([frame, *marks], fill="none", stroke=INK, stroke_width=4)]


_CROSS = "M18 1L70 38M18 38L70 1"


def _oval() -> Svg:
    return element("ellipse", cx=44, cy=19, rx=19, ry=10)


def _infantry(_color: str) -> list[Svg]:
    return _box(element("path", d=_CROSS))


def _armor(_color: str) -> list[Svg]:
    return _box(_oval())


def _mechanized(_color: str) -> list[Svg]:
    return _box(element("path", d=_CROSS), _oval())


def _motorized(_color: str) -> list[Svg]:
    return _box(element("path", d=f"{_CROSS}M44 1V38"))


def _cavalry(_color: str) -> list[Svg]:
    return _box(element("path", d="M18 38L70 1"))


def _artillery(_color: str) -> list[Svg]:
    return _box(element("circle", cx=44, cy=19, r=7, fill=INK))


def _airborne(_color: str) -> list[Svg]:
    return _box(element("path", d=f"{_CROSS}M34 36Q34 29 39 29T44 35Q44 29 49 29T54 36"))


def _headquarters(_color: str) -> list[Svg]:
    return [*_box(), label("HQ", (44, 29), 26, _BOLD)]


SYMBOLS: dict[str, Callable[[str], list[Svg]]] = {
    "tank": _tank,
    "apc": _apc,
    "truck": _truck,
    "gun": _gun,
    "howitzer": _howitzer,
    "infantry": _infantry,
    "artillery": _artillery,
    "armor": _armor,
    "mechanized": _mechanized,
    "motorized": _motorized,
    "cavalry": _cavalry,
    "airborne": _airborne,
    "headquarters": _headquarters,
}
"""The drawable symbols by name; each function takes the color of the card. Any other symbol is written out."""


def symbol_of(name: str, color: str) -> Svg:
    """Return a symbol without its counter, in a drawing of 88 by 40."""
    draw = SYMBOLS.get(name)
    return joined(draw(color)) if draw else label(name[:6], (44, 30), 26, _BOLD)


def face(counter: HexCounter, power: Power | None, mark: SideMark = MARKS[0]) -> Svg:
    """Return the face of a counter without its name and number; ``mark`` is that of its side.

    Counters of one owner with the same symbol, echelon and corners have the same face.
    """
    color = power.color if power else PAPER
    card = [*_card(mark, color), frame(mark, 4, 123, 6)]
    symbol = group([symbol_of(counter.symbol, color)], transform=f"translate({_LEFT} {_TOP})")
    corners = (
        label(text, at, CORNER_SIZE, _BOLD | {"text_anchor": anchor})
        for text, (at, anchor) in zip(counter.corners, _PLACES, strict=True)
        if text
    )
    echelon = label(counter.echelon[:6], (66, 33), 20, _BOLD) if counter.echelon else Svg("")
    return joined([*card, symbol, echelon, *corners])


def _card(mark: SideMark, color: str) -> list[Svg]:
    """Return the card of a counter in the outline of its side; a square one has edges of light and shadow."""
    card = outline(mark, 2, 127, 6, {"fill": color, "stroke": INK, "stroke_width": 3})
    if mark.corners != "square" or mark.frame:
        return [card]
    low = element("path", d="M4 130H130V4", fill="none", stroke=mixed(color, "#000000", 45), stroke_width=4)
    shine = element("path", d="M6 124V6H124", fill="none", stroke=mixed(color, "#ffffff", 60), stroke_width=4)
    return [card, low, shine]
