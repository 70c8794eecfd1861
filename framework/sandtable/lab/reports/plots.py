"""Plots as SVG with relative widths, so that they fit a phone, a desktop and paper.

Each row of a plot is a separate drawing in a row of a table that contains the same as text. The drawings are therefore
hidden from screen readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import NamedTuple

from sandtable.journal.luck.tables import MINUS
from sandtable.lab.ratings.findings import ContestFindings
from sandtable.lab.reports.figures import interval, number, percent, signed, span
from sandtable.lab.reports.markup import Markup, element, joined, text_node
from sandtable.lab.reports.tables import Scored

LEAST_ELO = 100.0
"""Minimum width of a rating plot in Elo, so that chance does not look like strength."""

HEIGHT = 22
TICKS = 6
TICK_HEIGHT = 20


@dataclass(frozen=True)
class Scale:
    """A scale from ``low`` to ``high``, with ``ticks`` at round values. The line of equality is at ``marked``."""

    low: float
    high: float
    ticks: tuple[float, ...]
    marked: float

    def at(self, value: float) -> str:
        """Return the position of ``value`` as a share of the width."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, share)):.2f}%"


def scale(values: Sequence[float], marked: float, least: float) -> Scale:
    """Return a scale that contains ``values`` and ``marked`` and is at least ``least`` wide."""
    low, high = min([*values, marked]), max([*values, marked])
    missing = max(0.0, least - (high - low)) / 2
    low, high = low - missing, high + missing
    margin = (high - low) * 0.04
    low, high = low - margin, high + margin
    return Scale(low, high, round_ticks(low, high), marked)


def round_ticks(low: float, high: float) -> tuple[float, ...]:
    """Return round values from ``low`` to ``high``, about TICKS of them."""
    step = _round_step((high - low) / TICKS)
    return tuple(step * number for number in range(ceil(low / step), floor(high / step) + 1))


def _round_step(rough: float) -> float:
    """Return 1, 2 or 5 times a power of ten, equal to ``rough`` or a little more."""
    power = 10.0 ** floor(log10(rough))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= rough * 0.999)


SHARES = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), 0.5)
"""The scale of shares, from 0 to 1."""


class PlotRow(NamedTuple):
    """A row of a plot: its name, the value with its interval, and both as text."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str


class IntervalPlot(NamedTuple):
    """A plot of values with intervals: rows, scale, labels of its ticks, headings, and words (axis and caption)."""

    rows: tuple[PlotRow, ...]
    on: Scale
    labels: list[str]
    heads: tuple[str, str]
    words: tuple[str, str]


def ratings_plot(own: Scored) -> IntervalPlot | None:
    """Return the plot of ratings, the best first.

    If fewer than two entrants are rated, it shows scores. Returns None if there are no scores either.
    """
    rated = sorted(((each, each.elo) for each in own.standings if each.elo), key=lambda both: -both[1].elo)
    if len(rated) > 1:
        on = scale([end for _, r in rated for end in (r.low, r.high)], 0.0, LEAST_ELO)
        text = f"Elo of {own.title}, after {number(own.games)} games, with 95 % intervals; "
        text += "the mean of the rated players is 0."
        left = [each.name for each in own.standings if each.games and not each.elo]
        if left:
            text += f" Not rated: {', '.join(left)}."
        labels = [f"{tick:g}".replace("-", MINUS) for tick in on.ticks]
        rows = tuple(
            PlotRow(each.name, r.elo, r.low, r.high, f"{signed(r.elo)}, {span(r.low, r.high)}") for each, r in rated
        )
        return IntervalPlot(rows, on, labels, ("player", "Elo, 95 %"), ("Elo", text))
    scored = [each for each in own.standings if each.score is not None]
    if not scored:
        return None
    text = f"Scores of {own.title} with 95 % intervals. No Elo is available."
    rows = tuple(PlotRow(each.name, each.score, each.low, each.high, percent(each.score)) for each in scored)
    return IntervalPlot(rows, SHARES, _share_labels(), ("player", "score"), ("points a game", text))


def balance_plot(each: ContestFindings) -> IntervalPlot:
    """Return the plot of each side's share of the points."""
    on = Scale(SHARES.low, SHARES.high, SHARES.ticks, each.fair or 0.5)
    rows = tuple(
        PlotRow(s.side, s.share, s.low, s.high, f"{percent(s.share)}, {interval(s.low, s.high)}") for s in each.sides
    )
    favored = [side.side for side in each.sides if side.low is not None and side.low > (each.fair or 0)]
    verdict = f"Favored: {', '.join(favored)}." if favored else "No side is significantly favored."
    won = ", ".join(f"{s.side} {number(s.wins)}" for s in each.sides)
    drawn = each.sides[0].games - sum(s.wins for s in each.sides)
    text = (
        f"Sides of {each.title}, for all players, with 95 % intervals (Wilson); won: {won}; "
        f"{number(drawn)} drawn of {number(each.sides[0].games)}. {verdict}"
    )
    if not each.sides[0].games:
        text = f"Sides of {each.title}: all games were forfeited."
    return IntervalPlot(rows, on, _share_labels(), ("side", "share, 95 %"), ("share of the points", text))


def ended_words(each: ContestFindings) -> str:
    """Return a sentence about the length of a contest's games."""
    text = f"On average {number(each.turns, 1)} turns and {number(each.records)} records a game"
    return f"{text}; {number(each.forfeits)} forfeited."


def _share_labels() -> list[str]:
    return [percent(tick, 0) for tick in SHARES.ticks]


def whisker(on: Scale, value: float | None, low: float | None, high: float | None) -> Markup:
    """Return a point with its interval, or only the grid without one."""
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
    for index, (tick, label) in enumerate(zip(on.ticks, labels, strict=True)):
        share = (tick - on.low) / (on.high - on.low)
        anchor = "start" if share < 0.03 else "end" if share > 0.97 else "middle"
        parts.append(
            element(
                "text",
                text_node(label),
                x=on.at(tick),
                y=14,
                text_anchor=anchor,
                class_="minor" if index % 2 else "major",
            )
        )
    return _drawing(parts, TICK_HEIGHT)


def stacked(shares: Sequence[tuple[str, float]], width: float) -> Markup:
    """Return a bar of ``width`` (0 to 1) divided into ``shares`` (which sum to 1), each with its class."""
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
