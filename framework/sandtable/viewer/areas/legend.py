"""Draw the legend under a map: powers, signs with their meaning, and notes."""

from textwrap import wrap

from sandtable.viewer.areas.connectors import DOTTED, WAY_STYLES
from sandtable.viewer.areas.counters import draw_badge, site
from sandtable.viewer.areas.places import AreaFaces, draw_counter
from sandtable.viewer.picture import Badge, Counter, LegendEntry, Picture, Power
from sandtable.viewer.side_marks import SideMark, frame, mark_of, outline
from sandtable.viewer.style import BARRIER_INK, INK, ROAD_BED, ROAD_EDGE, SANS, WASTE
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label

ROW, COLUMN, MARGIN = 50, 345, 28
NOTES_WIDTH, NOTE_ROW, NOTE_LETTERS = 680, 40, 46


def legend_height(picture: Picture) -> int:
    """Return the height of the legend of a picture."""
    rows = -(-(len(picture.powers) + len(picture.legend)) // _columns(picture))
    return max(rows * ROW, len(_note_lines(picture)) * NOTE_ROW) + 2 * MARGIN


def legend_width(columns: int) -> int:
    """Return the width of a legend with that number of columns and no notes."""
    return columns * COLUMN + 2 * MARGIN


def _note_lines(picture: Picture) -> list[str]:
    return [line for note in picture.notes for line in wrap(note, NOTE_LETTERS)]


def _columns(picture: Picture) -> int:
    space = picture.width - 2 * MARGIN - (NOTES_WIDTH if picture.notes else 0)
    return max(1, space // COLUMN)


def draw_legend(picture: Picture, faces: AreaFaces) -> Svg:
    """Return the legend, with its notes at the right."""
    start: dict[str, Attribute] = {"text_anchor": "start"}
    columns, top = _columns(picture), picture.height + MARGIN + ROW // 2
    items: list[Power | LegendEntry] = [*picture.powers, *picture.legend]
    parts = []
    for number, item in enumerate(items):
        x, y = MARGIN + 30 + number % columns * COLUMN, top + number // columns * ROW
        if isinstance(item, Power):
            parts += [
                _patch(item, mark_of(picture.powers, item.id), x, y),
                label(item.name, (x + 40, y + 8), 23, start),
            ]
        else:
            parts += [_sign(item, x, y, faces), label(item.text, (x + 40, y + 8), 23, start)]
    left = picture.width - NOTES_WIDTH
    parts += [
        label(line, (left, top + number * NOTE_ROW + 8), 24, start) for number, line in enumerate(_note_lines(picture))
    ]
    return group(parts, font_family=SANS, fill=INK)


def _patch(power: Power, mark: SideMark, x: int, y: int) -> Svg:
    land = element("rect", x=x - 26, y=y - 17, width=52, height=34, fill=power.tint, stroke=INK, stroke_width=2)
    card = outline(mark, 0, 28, 4, {"fill": power.color, "stroke": INK})
    plate = group([card, frame(mark, 1, 26, 4)], transform=f"translate({x - 14} {y - 14})")
    return joined([land, plate, label(power.letter[:2], (x, y + 7), 19, {"font_weight": "bold"})])


def _sign(entry: LegendEntry, x: int, y: int, faces: AreaFaces) -> Svg:
    if entry.kind in {"counter", "down"}:
        shown = Counter(entry.key, "", mark=entry.sign, down=entry.kind == "down")
        return draw_counter(shown, (x - 19, y - 19), 38, faces)
    if entry.kind == "badge":
        if entry.key in {"city", "capital"}:
            return site(frozenset({entry.key}), (x, y))
        return draw_badge(Badge(entry.key, entry.sign), (x, y))
    if entry.kind == "ground":
        frame: dict[str, Attribute] = {"x": x - 26, "y": y - 17, "width": 52, "height": 34}
        plain = element("rect", **frame, fill=WASTE)
        return joined([plain, element("rect", **frame, fill=f"url(#{faces.ident}-{entry.key})")])
    line = f"M{x - 26} {y}L{x + 26} {y}"
    if entry.kind == "border":
        return element("path", d=line, stroke=BARRIER_INK, stroke_width=7)
    if entry.key != "road":
        return element("path", d=line, **WAY_STYLES.get(entry.key, DOTTED))
    edge = element("path", d=line, stroke=ROAD_EDGE, stroke_width=14)
    return joined([edge, element("path", d=line, stroke=ROAD_BED, stroke_width=7)])
