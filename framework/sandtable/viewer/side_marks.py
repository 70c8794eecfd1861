"""Marks that distinguish sides without color: the outline and frame of their counters, and a stitch along their lines.

A side has the mark of its position among the powers of a picture. The first side has plain squares and plain lines.
About one man in twelve confuses some colors, and a print may be black and white, so hue alone must not identify a side.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from sandtable.viewer.picture import Power
from sandtable.viewer.style import INK
from sandtable.viewer.svg import Attribute, Svg, element, polygon_path

FRAME, CUT, ROUND = 7, 13, 28
"""The width of a frame, of a cut corner, and the radius of a round one, in percent of a counter."""


class SideMark(NamedTuple):
    """The mark of a side.

    ``corners`` is the outline of its counters, ``frame`` the look of a frame inside it ("" for none). ``stitch`` is
    the dash pattern of a dark line on its arrows and borders, in percent of a counter, or "".
    """

    corners: Literal["square", "cut", "round"]
    frame: Literal["", "solid", "dashed"]
    stitch: tuple[int, ...]


MARKS = (
    SideMark("square", "", ()),
    SideMark("cut", "solid", (16, 16)),
    SideMark("round", "dashed", (4, 14)),
    SideMark("square", "solid", (36, 10, 5, 10)),
    SideMark("cut", "dashed", (9, 5)),
    SideMark("round", "", (30, 30)),
    SideMark("square", "dashed", (5, 28)),
    SideMark("round", "solid", (14, 6, 4, 6)),
)
"""The marks by position; a picture with more sides uses them again from the start."""


def mark_of(powers: Sequence[Power], owner: str) -> SideMark:
    """Return the mark of ``owner``, or that of the first side if it is not one of ``powers``."""
    place = next((place for place, power in enumerate(powers) if power.id == owner), 0)
    return MARKS[place % len(MARKS)]


def outline(mark: SideMark, start: int, side: int, rx: int, style: dict[str, Attribute]) -> Svg:
    """Return the outline of a counter from (``start``, ``start``); ``rx`` rounds the corners of a square one."""
    if mark.corners != "cut":
        radius = rx if mark.corners == "square" else side * ROUND // 100
        return element("rect", x=start, y=start, width=side, height=side, rx=radius, **style)
    near, end = start + side * CUT // 100, start + side
    far = end - side * CUT // 100
    points = [
        (near, start),
        (far, start),
        (end, near),
        (end, far),
        (far, end),
        (near, end),
        (start, far),
        (start, near),
    ]
    return element("path", d=polygon_path(points), **style)


def frame(mark: SideMark, start: int, side: int, rx: int) -> Svg:
    """Return the frame inside the outline of a counter, or "" for a mark without a frame."""
    if not mark.frame:
        return Svg("")
    wide = max(2, side * FRAME // 100)
    style: dict[str, Attribute] = {"fill": "none", "stroke": INK, "stroke_width": wide}
    if mark.frame == "dashed":
        style["stroke_dasharray"] = f"{side * 11 // 100} {side * 9 // 100}"
    return outline(mark, start + wide // 2, side - wide, rx, style)


def stitch(mark: SideMark, path: str, width: int, unit: int) -> Svg:
    """Return the stitch over a line with that path data, for counters of size ``unit``, or "" for a mark without it."""
    if not mark.stitch:
        return Svg("")
    dashes = " ".join(str(max(2, each * unit // 100)) for each in mark.stitch)
    return element("path", d=path, fill="none", stroke=INK, stroke_width=width, stroke_dasharray=dashes)
