"""Draws the legend under a map: powers, signs and what they mean, and the notes."""

from sandtable.viewer.counters import draw_badge, site
from sandtable.viewer.picture import Badge, Counter, Entry, Picture
from sandtable.viewer.places_svg import Faces, counter_at
from sandtable.viewer.style import BARRIER_INK, INK, ROAD_BED, ROAD_EDGE, SANS, TRACK_INK, WASTE
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, label
from sandtable.viewer.ways_svg import TRACK_STYLE

ROW, COLUMN, NOTES_WIDTH, MARGIN = 50, 300, 640, 28


def legend_height(picture: Picture) -> int:
    """Return how much room the legend of a picture takes under the map."""
    return max(_rows(picture), len(picture.notes)) * ROW + 2 * MARGIN


def _columns(picture: Picture) -> int:
    room = picture.width - 2 * MARGIN - (NOTES_WIDTH if picture.notes else 0)
    return max(1, room // COLUMN)


def _rows(picture: Picture) -> int:
    return -(-(len(picture.powers) + len(picture.legend)) // _columns(picture))


def draw_legend(picture: Picture, faces: Faces) -> Svg:
    """Return the legend, its notes at the right."""
    style: dict[str, Attribute] = {"text_anchor": "start"}
    parts = []
    columns, top = _columns(picture), picture.height + MARGIN + ROW // 2
    signs: list[tuple[Svg, str]] = []
    at = 0
    for item in (*picture.powers, *picture.legend):
        x, y = MARGIN + 30 + at % columns * COLUMN, top + at // columns * ROW
        if isinstance(item, Entry):
            signs.append((_sign(item, x, y, faces), item.text))
        else:
            patch = element("rect", x=x - 26, y=y - 17, width=52, height=34, fill=item.tint, stroke=INK, stroke_width=2)
            square = element("rect", x=x - 13, y=y - 13, width=26, height=26, fill=item.colour, stroke=INK)
            signs.append((joined([patch, square, label(item.letter[:2], (x, y + 7), 19, {})]), item.name))
        parts += [signs[-1][0], label(signs[-1][1], (x + 40, y + 8), 23, style)]
        at += 1
    for number, note in enumerate(picture.notes):
        parts.append(label(note, (picture.width - NOTES_WIDTH, top + number * ROW + 8), 26, style))
    return group(parts, font_family=SANS, fill=INK)


def _sign(entry: Entry, x: int, y: int, faces: Faces) -> Svg:
    if entry.kind in {"counter", "down"}:
        counter = Counter(entry.key, "", 1, mark="", down=entry.kind == "down")
        return counter_at(counter, x - 19, y - 19, 38, faces)
    if entry.kind == "badge":
        if entry.key in {"city", "capital"}:
            return site(frozenset({entry.key}), (x, y))
        return draw_badge(Badge(entry.key, entry.letter), (x, y))
    frame: dict[str, Attribute] = {"x": x - 26, "y": y - 17, "width": 52, "height": 34}
    if entry.kind == "ground":
        plain = element("rect", **frame, fill=WASTE)
        return joined([plain, element("rect", **frame, fill=f"url(#{faces.ident}-{entry.key})")])
    line = f"M{x - 26} {y}L{x + 26} {y}"
    if entry.kind == "border":
        return element("path", d=line, stroke=BARRIER_INK, stroke_width=7)
    if entry.key != "road":
        return element("path", d=line, stroke=TRACK_INK, **TRACK_STYLE)
    edge = element("path", d=line, stroke=ROAD_EDGE, stroke_width=14)
    return joined([edge, element("path", d=line, stroke=ROAD_BED, stroke_width=7)])
