"""Plots as SVG whose widths are shares of the room there is: they fit a phone, a desk and paper, and stay legible.

Each row of a plot is a drawing of its own, in a row of a table that says the same in words; so the drawings are hidden
from screen readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from sandtable.arena.standings.markup import Markup, element, joined, text_node

HEIGHT = 22
TICKS = 6
TICK_ROOM = 20


@dataclass(frozen=True)
class Scale:
    """From ``low`` to ``high``, with ``ticks`` at round values, one ``marked``: where nobody is better."""

    low: float
    high: float
    ticks: tuple[float, ...]
    marked: float

    def at(self, value: float) -> str:
        """Return where ``value`` stands, as a share of the width."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, share)):.2f}%"


def scale(values: Sequence[float], marked: float, least: float) -> Scale:
    """Return a scale that holds ``values`` and ``marked``, ``least`` wide at least."""
    low, high = min([*values, marked]), max([*values, marked])
    missing = max(0.0, least - (high - low)) / 2
    low, high = low - missing, high + missing
    margin = (high - low) * 0.04
    low, high = low - margin, high + margin
    step = _round_step((high - low) / TICKS)
    ticks = tuple(step * number for number in range(ceil(low / step), floor(high / step) + 1))
    return Scale(low, high, ticks, marked)


def _round_step(rough: float) -> float:
    """Return 1, 2 or 5 times a power of ten, ``rough`` or a little more."""
    power = 10.0 ** floor(log10(rough))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= rough * 0.999)


SHARES = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), 0.5)
"""From none to all."""


def whisker(on: Scale, value: float | None, low: float | None, high: float | None) -> Markup:
    """Return a point with its interval; nothing but the grid where there is none."""
    middle = HEIGHT // 2
    parts = [_grid(on, HEIGHT)]
    if value is not None and low is not None and high is not None:
        left, right = on.at(low), on.at(high)
        parts += [element("line", class_="reach", x1=left, x2=right, y1=middle, y2=middle)]
        parts += [element("line", class_="reach", x1=x, x2=x, y1=middle - 5, y2=middle + 5) for x in (left, right)]
        parts += [element("circle", class_="point", cx=on.at(value), cy=middle, r=5)]
    return _drawing(parts, HEIGHT)


def axis(on: Scale, labels: Sequence[str]) -> Markup:
    """Return the scale's ticks with their ``labels``."""
    parts = []
    for tick, label in zip(on.ticks, labels, strict=True):
        share = (tick - on.low) / (on.high - on.low)
        anchor = "start" if share < 0.03 else "end" if share > 0.97 else "middle"
        parts.append(element("text", text_node(label), x=on.at(tick), y=14, text_anchor=anchor))
    return _drawing(parts, TICK_ROOM)


def stacked(shares: Sequence[tuple[str, float]], width: float) -> Markup:
    """Return a bar of ``width`` (0 to 1) parted into ``shares`` (which sum to 1), each with its class."""
    parts, left = [], 0.0
    for name, share in shares:
        wide = width * share
        parts.append(element("rect", class_=name, x=f"{100 * left:.2f}%", y=4, width=f"{100 * wide:.2f}%", height=14))
        left += wide
    return _drawing(parts, HEIGHT)


def _grid(on: Scale, height: int) -> Markup:
    lines = [element("line", class_="tick", x1=on.at(tick), x2=on.at(tick), y1=0, y2=height) for tick in on.ticks]
    even = element("line", class_="even", x1=on.at(on.marked), x2=on.at(on.marked), y1=0, y2=height)
    return joined([*lines, even])


def _drawing(parts: Sequence[Markup], height: int) -> Markup:
    return element("svg", *parts, width="100%", height=height, aria_hidden="true", focusable="false")
