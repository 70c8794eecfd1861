"""Plots as SVG files for printing, each with axis and caption, independent of a page."""

import re
from collections.abc import Callable, Iterator
from textwrap import wrap

from sandtable.lab.ratings.findings import ContestFindings, Findings
from sandtable.lab.reports import tables
from sandtable.lab.reports.figures import number
from sandtable.lab.reports.markup import Markup, element, joined, text_node
from sandtable.lab.reports.plots import IntervalPlot, Scale, balance_plot, ended_words, ratings_plot, round_ticks
from sandtable.quoting import shortened

WIDTH, ROW, LETTER, LINE = 720, 24, 6.6, 16
"""Width of a plot, height of a row, and approximate width of a letter and height of a line, in pixels."""

LONGEST_NAME = 30
Place = Callable[[float], float]
"""Maps a value to its x coordinate."""

CAPTION = 104
"""Number of characters in a line of a caption."""

INK, SOFT, GRID = "#1a1a1a", "#555555", "#cfcfcf"
COLORS = ("#2c5a70", "#b5651d", "#4d6b2e", "#7a3b69", "#8c2f26", "#a68a00", "#3f9e8c", "#4b4b9e")
DRAWN = "#9a937f"


def manifest_files(found: Findings) -> dict[str, str]:
    """Return all plots by file name: ratings, balance of sides and endings, for each contest."""
    made: dict[str, str] = {}
    for index, own in enumerate(tables.scored(found), start=1):
        stem = f"{index}-{_slug(own.title)}"
        shown = ratings_plot(own)
        if shown is not None:
            made[f"{stem}-ratings.svg"] = _intervals(shown, found)
        if own.contest is not None and own.contest.games:
            made[f"{stem}-sides.svg"] = _intervals(balance_plot(own.contest), found)
            made[f"{stem}-endings.svg"] = _endings(own.contest, found)
    return made


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", title.lower()).strip("-")[:60] or "games"


def _intervals(shown: IntervalPlot, found: Findings) -> str:
    left, right = _text_width([row.name for row in shown.rows]), _text_width([row.text for row in shown.rows])
    at = _positions(shown.on, left, WIDTH - right)
    parts = [*_axis(shown.on, shown.labels, at, len(shown.rows), shown.words[0])]
    for index, row in enumerate(shown.rows):
        middle = ROW * index + ROW // 2 + 8
        parts.append(_text(row.name, left - 14, middle + 4, anchor="end"))
        if row.value is not None and row.low is not None and row.high is not None:
            low, high = at(row.low), at(row.high)
            ends = ((low, high, middle, middle), *((x, x, middle - 5, middle + 5) for x in (low, high)))
            parts += [_line(*each, COLORS[0], 1.8) for each in ends]
            parts.append(element("circle", cx=f"{at(row.value):.1f}", cy=middle, r=4, fill=COLORS[0]))
        parts.append(_text(row.text, WIDTH - right + 14, middle + 4))
    return _svg_file(parts, ROW * len(shown.rows) + 8 + 40, shown.words[1], found)


def _endings(each: ContestFindings, found: Findings) -> str:
    outcomes = tables.outcomes_of(each)
    sides = [side.side for side in each.sides]
    colors = {name: COLORS[sides.index(name) % len(COLORS)] if name in sides else DRAWN for name in outcomes}
    left = _text_width([tables.worded(name) for name in each.endings])
    most = max(sum(by_outcome.values()) for by_outcome in each.endings.values())
    on = Scale(0.0, most, tuple(tick for tick in round_ticks(0.0, most) if tick == int(tick)), 0.0)
    at = _positions(on, left, WIDTH - 60)
    labels = [number(tick) for tick in on.ticks]
    parts = [*_axis(on, labels, at, len(each.endings), "games")]
    for index, (ending, by_outcome) in enumerate(each.endings.items()):
        top, done = ROW * index + 8, 0
        parts.append(_text(tables.worded(ending), left - 14, top + ROW // 2 + 4, anchor="end"))
        for name in outcomes:
            games = by_outcome.get(name, 0)
            start, end = at(done), at(done + games)
            wide = f"{end - start:.1f}"
            parts.append(element("rect", x=f"{start:.1f}", y=top + 4, width=wide, height=ROW - 8, fill=colors[name]))
            done += games
        parts.append(_text(number(done), at(done) + 6, top + ROW // 2 + 4))
    x, key = float(left), ROW * len(each.endings) + 8 + 52
    for name in outcomes:
        parts.append(element("rect", x=f"{x:.1f}", y=key - 9, width=10, height=10, fill=colors[name]))
        parts.append(_text(tables.worded(name), x + 15, key))
        x += 15 + LETTER * len(name) + 24
    text = f"Endings of {each.title}, by winner. {ended_words(each)}"
    return _svg_file(parts, key + 10, text, found)


def _text_width(words: list[str]) -> int:
    return round(LETTER * min(LONGEST_NAME, max(map(len, words), default=0))) + 28


def _positions(on: Scale, left: float, right: float) -> Place:
    return lambda value: left + (right - left) * (value - on.low) / (on.high - on.low)


def _axis(on: Scale, labels: list[str], at: Place, rows: int, what: str) -> Iterator[Markup]:
    """Yield the grid, the ticks with labels, the line of equality, and the label of the axis."""
    bottom = ROW * rows + 8
    for tick, label in zip(on.ticks, labels, strict=True):
        yield _line(at(tick), at(tick), 4, bottom + 4, GRID, 1)
        yield _text(label, at(tick), bottom + 17, anchor="middle", color=SOFT)
    if on.low < on.marked < on.high:
        yield _line(at(on.marked), at(on.marked), 4, bottom, SOFT, 1, dash="4 3")
    yield _line(at(on.low), at(on.high), bottom, bottom, INK, 1)
    yield _text(what, (at(on.low) + at(on.high)) / 2, bottom + 33, anchor="middle")


def _line(x1: float, x2: float, y1: float, y2: float, color: str, width: float, dash: str = "none") -> Markup:
    ends = {"x1": f"{x1:.1f}", "x2": f"{x2:.1f}", "y1": f"{y1:.1f}", "y2": f"{y2:.1f}"}
    return element("line", **ends, stroke=color, stroke_width=width, stroke_dasharray=dash)


def _text(words: str, x: float, y: float, *, anchor: str = "start", color: str = INK) -> Markup:
    shown = text_node(shortened(words, LONGEST_NAME + 10))
    return element("text", shown, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, fill=color)


def _svg_file(parts: list[Markup], height: int, caption: str, found: Findings) -> str:
    """Return the file: the plot, its caption below, and its source."""
    source = f"{found.title}, seed {found.seed}, manifest {found.digest[:16]}"
    source += f", {found.annex.began} to {found.annex.last}." if found.annex.began else "."
    lines = [(line, INK) for line in wrap(caption, CAPTION)] + [(line, SOFT) for line in wrap(source, CAPTION)]
    below = [
        element("text", text_node(line), x=12, y=height + LINE * index, fill=color)
        for index, (line, color) in enumerate(lines, start=1)
    ]
    high = height + LINE * len(lines) + 14
    frame = element("rect", x=0, y=0, width=WIDTH, height=high, fill="#ffffff")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}"'
    style = 'font-family="\'Helvetica Neue\', Arial, \'DejaVu Sans\', sans-serif" font-size="12" role="img"'
    title = element("title", text_node(caption))
    return f"{head} {style}>\n{joined([title, frame, *parts, *below])}\n</svg>\n"
