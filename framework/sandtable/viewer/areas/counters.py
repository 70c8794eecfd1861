"""The signs on a map: faces of unit counters in the style of NATO symbols, and badges of places.

A face is drawn on a square of 40 by 40 and may be used at any size. A badge is drawn around its middle point.
"""

from collections.abc import Callable

from sandtable.viewer.picture import Badge, Point, Power
from sandtable.viewer.side_marks import MARKS, SideMark, frame, outline
from sandtable.viewer.style import ALARM, FLAME, FLAME_EDGE, INK, PAPER, SANS, ZONE
from sandtable.viewer.svg import Svg, element, group, joined, label, mixed, polygon_path

SIDE = 40

_LEFT, _TOP, _RIGHT, _LOW = 6, 4, 34, 22
_CROSS = f"M{_LEFT} {_TOP}L{_RIGHT} {_LOW}M{_LEFT} {_LOW}L{_RIGHT} {_TOP}"
_DOME = f"M{_LEFT} {_LOW}C{_LEFT + 3} {_TOP + 1} {_RIGHT - 3} {_TOP + 1} {_RIGHT} {_LOW}"
_FIGHTER = "M20 3L22 8L22 11L33 15L33 18L22 17L21 20L25 22L25 24L20 23L15 24L15 22L19 20L18 17L7 18L7 15L18 11L18 8Z"
_BOMBER = (
    "M20 2L22 5L22 9L25 10L25 7L27 7L27 10L30 11L30 8L32 8L32 11L37 13L37 16L22 15L22 20L26 22L26 24L20 23L14 24L14 22"
    "L18 20L18 15L3 16L3 13L8 11L8 8L10 8L10 11L13 10L13 7L15 7L15 10L18 9L18 5Z"
)


def _box(*marks: Svg) -> Svg:
    frame = element("rect", x=_LEFT, y=_TOP, width=_RIGHT - _LEFT, height=_LOW - _TOP, fill=PAPER)
    return group([frame, *marks], fill="none", stroke=INK, stroke_width=2)


def _oval() -> Svg:
    return element("ellipse", cx=20, cy=13, rx=11, ry=6)


def _silhouette(path: str) -> Svg:
    return element("path", d=path, fill=INK)


FACES: dict[str, Callable[[], Svg]] = {
    "infantry": lambda: _box(element("path", d=_CROSS)),
    "mechanized": lambda: _box(element("path", d=_CROSS), _oval()),
    "armor": lambda: _box(_oval()),
    "artillery": lambda: _box(element("circle", cx=20, cy=13, r=4, fill=INK)),
    "recon": lambda: _box(element("path", d=f"M{_LEFT} {_LOW}L{_RIGHT} {_TOP}")),
    "anti_tank": lambda: _box(element("path", d=f"M{_LEFT} {_LOW}L20 {_TOP}L{_RIGHT} {_LOW}")),
    "aa_gun": lambda: _box(element("path", d=_DOME)),
    "headquarters": lambda: _box(element("path", d=f"M{_LEFT} 13L{_RIGHT} 13")),
    "fighter": lambda: _silhouette(_FIGHTER),
    "bomber": lambda: _silhouette(_BOMBER),
}
"""The drawable faces, by symbol; any other symbol is written in letters."""


def face(symbol: str, power: Power | None, mark: SideMark = MARKS[0]) -> Svg:
    """Return the face of a counter, without its count; ``mark`` is that of its side."""
    color = power.color if power else PAPER
    shadow = outline(mark, 3, 37, 4, {"fill": mixed(color, "#000000", 60)})
    card = outline(mark, 1, 37, 4, {"fill": color, "stroke": INK, "stroke_width": 2})
    shine = element("path", d="M3 36L3 3L36 3", fill="none", stroke=mixed(color, "#ffffff", 55), stroke_width=2)
    edge = shine if mark.corners == "square" and not mark.frame else frame(mark, 2, 35, 4)
    draw = FACES.get(symbol)
    sign = draw() if draw else label(symbol[:4], (20, 18), 12, {"font_family": SANS, "fill": INK})
    return joined([shadow, card, edge, sign])


BADGES = ("city", "capital", "zone", "mine", "mine_known", "battle")
"""The badges with their own drawing; any other kind is a small label with the badge's text."""

_STAR = ((0, -13), (4, -4), (13, -4), (6, 2), (8, 11), (0, 6), (-8, 11), (-6, 2), (-13, -4), (-4, -4))
_BURST = ((0, -15), (4, -6), (12, -11), (9, -3), (16, 0), (9, 4), (12, 12), (4, 7), (0, 16), (-4, 7), (-12, 12),
          (-9, 4), (-16, 0), (-9, -3), (-12, -11), (-4, -6))  # fmt: skip


def _moved(shape: tuple[Point, ...], at: Point) -> str:
    return polygon_path((at[0] + x, at[1] + y) for x, y in shape)


def site(kinds: frozenset[str], at: Point) -> Svg:
    """Return the mark of a place itself: a star in a ring for a capital, a filled ring for a city, or a dot."""
    x, y = at
    if "capital" in kinds:
        ring = element("circle", cx=x, cy=y, r=17, fill=PAPER, stroke=INK, stroke_width=3)
        return joined([ring, element("path", d=_moved(_STAR, at), fill=ALARM)])
    if "city" in kinds:
        outer = element("circle", cx=x, cy=y, r=11, fill=PAPER, stroke=INK, stroke_width=3)
        return joined([outer, element("circle", cx=x, cy=y, r=5, fill=INK)])
    return element("circle", cx=x, cy=y, r=6, fill=PAPER, stroke=INK, stroke_width=3)


def badge_width(badge: Badge) -> int:
    """Return the width of a badge."""
    return 36 if badge.kind in BADGES else 12 + 11 * len(badge.text)


def draw_badge(badge: Badge, at: Point) -> Svg:
    """Return a badge around ``at``. City and capital are drawn by ``site``."""
    x, y = at
    letters = {"font_family": SANS, "font_weight": "bold"}
    if badge.kind == "zone":
        shape = polygon_path(
            [(x - 17, y), (x - 9, y - 13), (x + 9, y - 13), (x + 17, y), (x + 9, y + 13), (x - 9, y + 13)]
        )
        plate = element("path", d=shape, fill=ZONE, stroke=PAPER, stroke_width=2)
        return joined([plate, label(badge.text[:2], (x, y + 6), 16, letters | {"fill": PAPER})])
    if badge.kind in {"mine", "mine_known"}:
        spikes = f"M{x - 17} {y}L{x + 17} {y}M{x} {y - 17}L{x} {y + 17}M{x - 12} {y - 12}L{x + 12} {y + 12}"
        spikes += f"M{x - 12} {y + 12}L{x + 12} {y - 12}"
        horns = element("path", d=spikes, stroke=INK, stroke_width=4)
        ball = element("circle", cx=x, cy=y, r=13, fill=ALARM if badge.kind == "mine_known" else INK, stroke=PAPER)
        return joined([horns, ball, label(badge.text[:2], (x, y + 6), 16, letters | {"fill": PAPER})])
    if badge.kind == "battle":
        return element("path", d=_moved(_BURST, at), fill=FLAME, stroke=FLAME_EDGE, stroke_width=3)
    wide = badge_width(badge)
    plate = element("rect", x=x - wide // 2, y=y - 12, width=wide, height=24, rx=5, fill=PAPER, stroke=INK)
    return joined([plate, label(badge.text, (x, y + 6), 16, letters | {"fill": INK})])
