"""Draw counters on a map of hexes: position in the hex, number, conditions, facing and tooltip."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from sandtable.viewer.faces import CounterFaces
from sandtable.viewer.hexes.drawing.faces import FACE, face
from sandtable.viewer.hexes.layout import FLAT, LETTERS, SHAPES, HexLayout, Shape
from sandtable.viewer.hexes.picture import HexCounter, HexPicture, Tab, Tone
from sandtable.viewer.picture import Point
from sandtable.viewer.side_marks import mark_of
from sandtable.viewer.style import ALARM, INK, PAPER, SANS
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label, text_node

SIZE, SMALL, PASSENGER = 68, 52, 44
"""The side of a counter alone in its hex, of one of several, and of one aboard another."""
BROAD, HIGH = 100, 78
"""The space for counters in rows in a hex."""
DROP = 8
"""The distance of counters below the middle, which keeps the printed number visible."""
TONES: dict[Tone, tuple[str, str]] = {"alarm": (ALARM, PAPER), "warning": ("#e8a317", INK), "calm": ("#3f6f8f", PAPER)}


class Stand(NamedTuple):
    """The position of a counter: its upper left corner relative to the center of its hex, and its size."""

    x: int
    y: int
    size: int


class HexFaces(CounterFaces):
    """The faces that a picture uses, and the shape of its hexes."""

    def __init__(self, picture: HexPicture, ident: str) -> None:
        super().__init__(f"{ident}-f", FACE)
        self._picture = picture
        self.shape = SHAPES[picture.ground.layout]
        for counter in (*picture.counters, *(counter for tray in picture.trays for counter in tray.counters)):
            self.name(counter)

    def name(self, counter: HexCounter) -> str:
        """Return the name of a counter's face."""
        key = (counter.owner, counter.symbol, counter.name, counter.echelon, *counter.corners)
        picture, owner = self._picture, counter.owner
        return self.named(key, lambda: face(counter, picture.power(owner), mark_of(picture.powers, owner)))


def draw_counters(layout: HexLayout, picture: HexPicture, faces: HexFaces) -> Svg:
    """Return all counters on the map, hex by hex."""
    order = {power.id: place for place, power in enumerate(picture.powers)}
    inside = frozenset(layout.numbers)
    shown = sorted(
        (counter for counter in picture.counters if counter.hex in inside),
        key=lambda each: (each.hex, order.get(each.owner, len(order)), bool(each.aboard), len(each.id), each.id),
    )
    return joined(
        group(_stack(layout.center[number], list(counters), faces), data_hex=number)
        for number, counters in groupby(shown, key=lambda each: each.hex)
    )


def stands(counters: list[HexCounter], shape: Shape = FLAT) -> list[Stand]:
    """Return the positions of the counters of one hex, in order: one alone, two side by side, more in a pile.

    In pointed hexes, more than two are in rows, because stacks may be large and every figure must be readable.
    """
    if len(counters) == 1:
        return [Stand(-SIZE // 2, DROP - SIZE // 2, SIZE)]
    if len(counters) == 2:
        second = PASSENGER if counters[1].aboard == counters[0].id else SMALL
        return [Stand(-SMALL, DROP - SMALL // 2, SMALL), Stand(1, DROP + SMALL // 2 - second, second)]
    if shape is not FLAT:
        return list(_rows(len(counters)))
    step = 36 // (len(counters) - 1)
    return [Stand(-44 + place * step, 2 - place * step // 2, SMALL) for place in range(len(counters))]


def _rows(count: int) -> Iterator[Stand]:
    """Yield the positions of three or more counters; the more counters, the smaller."""
    in_row = 2 if count <= 4 else 3 if count <= 9 else 4
    rows = -(-count // in_row)
    pitch = min(BROAD // in_row, HIGH // rows)
    top = DROP - rows * pitch // 2 - 3
    for place in range(count):
        yield Stand(-in_row * pitch // 2 + place % in_row * pitch, top + place // in_row * pitch, pitch - 1)


def _stack(at: Point, counters: list[HexCounter], faces: HexFaces) -> Iterator[Svg]:
    """Yield the counters of a hex."""
    for counter, stand in zip(counters, stands(counters, faces.shape), strict=True):
        yield draw_counter(counter, (at[0] + stand.x, at[1] + stand.y), stand.size, faces)


def draw_counter(counter: HexCounter, corner: Point, size: int, faces: HexFaces) -> Svg:
    """Return one counter with its upper left corner at a point."""
    x, y = corner
    title = caption(counter)[:14]
    number: dict[str, Attribute] = {"font_family": SANS, "font_weight": "bold", "fill": INK}
    parts = [
        element("title", text_node(counter_words(counter))),
        element("use", href=f"#{faces.name(counter)}", x=x, y=y, width=size, height=size),
        label(title, (x + size // 2, y + size * 73 // 100), size * min(17, 154 // len(title)) // 100, number),
        _facing(counter.facing, (x + size // 2, y + size // 2), size, faces.shape),
        *_tabs(counter.tabs, corner, size),
    ]
    return group(parts, data_counter=counter.id)


def counter_words(counter: HexCounter) -> str:
    """Return the description of a counter in one line, as in its tooltip."""
    facts = ", ".join(counter_facts(counter))
    return caption(counter) + (f": {facts}" if facts else "")


def caption(counter: HexCounter) -> str:
    """Return the text of a counter; ``draw_counter`` writes its first 14 characters."""
    return counter.caption or f"{counter.name} {counter.id}"


def counter_facts(counter: HexCounter, *, rules: bool = False) -> list[str]:
    """Return the conditions and orders of a counter, each fact in words; with ``rules``, their rules too."""
    facts = [f"{tab.note} [{tab.rule}]" if rules and tab.rule else tab.note for tab in counter.tabs]
    cited = f" [{', '.join(counter.note_rules)}]" if rules and counter.note_rules else ""
    facts += [
        f"facing {counter.facing}" if counter.facing else "",
        f"aboard {counter.aboard}" if counter.aboard else "",
    ]
    return [fact for fact in (*facts, counter.order, f"{counter.note}{cited}") if fact]


def _facing(facing: str, middle: Point, size: int, shape: Shape) -> Svg:
    """Return an arrow head at the edge of a counter, toward the side that it faces, or "" without a facing."""
    if facing not in LETTERS or not facing:
        return Svg("")
    across, down = shape.sides[LETTERS.index(facing)]
    # The corners of a square are farther out than the middles of its sides; a step is 52 long.
    reach, width = size * (80 if across and down else 64) // 100, size * 17 // 100
    tip = (middle[0] + across * reach // 52, middle[1] + down * reach // 52)
    base = (middle[0] + across * (reach - width * 4 // 3) // 52, middle[1] + down * (reach - width * 4 // 3) // 52)
    left = (base[0] - down * width // 52, base[1] + across * width // 52)
    right = (base[0] + down * width // 52, base[1] - across * width // 52)
    points = f"M{left[0]} {left[1]}L{tip[0]} {tip[1]}L{right[0]} {right[1]}Z"
    return element("path", d=points, fill=ALARM, stroke=PAPER, stroke_width=3, stroke_linejoin="round")


def _tabs(tabs: Iterable[Tab], corner: Point, size: int) -> Iterator[Svg]:
    """Yield the tabs at a counter's edges: the first at the left, the next at the right, further ones below them."""
    for place, tab in enumerate(tabs):
        x = corner[0] + (size if place % 2 else 0)
        y = corner[1] + size * 46 // 100 + place // 2 * size * 34 // 100
        yield draw_tab(tab, (x, y), size)


def draw_tab(tab: Tab, middle: Point, size: int = SIZE) -> Svg:
    """Return a tab around a point, sized for a counter of that size."""
    x, y = middle
    radius = size * 18 // 100
    color, ink = TONES[tab.tone]
    letters: dict[str, Attribute] = {"font_family": SANS, "font_weight": "bold", "fill": ink}
    disc = element("circle", cx=x, cy=y, r=radius, fill=color, stroke=INK, stroke_width=2)
    return joined([disc, label(tab.sign[:2], (x, y + radius * 42 // 100), radius * 115 // 100, letters)])
