"""Draw the links of an area map: roads as smooth double lines, other links broken or dotted, moves as arrows."""

from collections.abc import Iterator
from math import isqrt

from sandtable.viewer.picture import Link, Move, Picture, Point
from sandtable.viewer.side_marks import mark_of, stitch
from sandtable.viewer.style import BARRIER_INK, INK, PAPER, ROAD_BED, ROAD_EDGE, TRACK_INK
from sandtable.viewer.svg import Attribute, Svg, element, group, joined, line_path, polygon_path

HEAD, GAP = 40, 26
DOTTED: dict[str, Attribute] = {
    "stroke": TRACK_INK, "stroke_width": 4, "stroke_dasharray": "2 12", "stroke_linecap": "round"
}  # fmt: skip
WAY_STYLES: dict[str, dict[str, Attribute]] = {
    "trail": {"stroke": TRACK_INK, "stroke_width": 5, "stroke_dasharray": "20 10", "stroke_linecap": "butt"},
    "steep": {"stroke": BARRIER_INK, "stroke_width": 11, "stroke_dasharray": "3 9", "stroke_linecap": "butt"},
}
"""The line styles of links that are neither roads nor dotted, by kind of link."""


def draw_ways(picture: Picture) -> Svg:
    """Return every link whose two places are in the picture."""
    at = {place.id: (place.x, place.y) for place in picture.places}
    links = [link for link in picture.links if link.a in at and link.b in at]
    plain = (link for link in links if link.kind != "road" and link.kind not in WAY_STYLES)
    tracks = (element("path", d=line_path([at[link.a], at[link.b]])) for link in plain)
    others = (
        element("path", d=line_path([at[link.a], at[link.b]]), **WAY_STYLES[link.kind])
        for link in links
        if link.kind in WAY_STYLES
    )
    roads = list(_road_courses([link for link in links if link.kind == "road"], at))
    edge = group((element("path", d=course) for course in roads), stroke=ROAD_EDGE, stroke_width=14)
    bed = group((element("path", d=course) for course in roads), stroke=ROAD_BED, stroke_width=7)
    dotted = group(tracks, **DOTTED)
    ways = group([dotted, *others, joined([edge, bed])], fill="none", stroke_linecap="round")
    return joined([ways, *(_arrow(move, picture, at) for move in picture.moves)])


def _arrow(move: Move, picture: Picture, at: dict[str, Point]) -> Svg:
    """Return an arrow along the places of a move, with its point at the last one."""
    course = [at[place] for place in move.path if place in at]
    if len(course) < 2 or course[-1] == course[-2]:
        return Svg("")
    (x, y), end = course[-2], course[-1]
    across, down = end[0] - x, end[1] - y
    length = isqrt(across**2 + down**2)
    tip = (end[0] - across * GAP // length, end[1] - down * GAP // length)
    neck = (tip[0] - across * HEAD // length, tip[1] - down * HEAD // length)
    left = (neck[0] - down * HEAD // (2 * length), neck[1] + across * HEAD // (2 * length))
    right = (neck[0] + down * HEAD // (2 * length), neck[1] - across * HEAD // (2 * length))
    power = picture.power(move.owner)
    shaft: dict[str, Attribute] = {"d": line_path([*course[:-1], neck]), "fill": "none", "stroke_linejoin": "round"}
    edge = element("path", **shaft, stroke=INK, stroke_width=16)
    body = element("path", **shaft, stroke=power.color if power else PAPER, stroke_width=10)
    head = polygon_path([left, tip, right])
    side = stitch(mark_of(picture.powers, move.owner), str(shaft["d"]), 5, 140)
    return joined(
        [edge, body, side, element("path", d=head, fill=power.color if power else PAPER, stroke=INK, stroke_width=3)]
    )


def _road_courses(links: list[Link], at: dict[str, Point]) -> Iterator[str]:
    """Yield each road link as a curve that runs smoothly into the next one unless the road forks."""
    beyond: dict[str, list[str]] = {}
    for link in links:
        beyond.setdefault(link.a, []).append(link.b)
        beyond.setdefault(link.b, []).append(link.a)
    for link in links:
        start, end = at[link.a], at[link.b]
        before = at[_onward(beyond[link.a], link.b, link.a)]
        after = at[_onward(beyond[link.b], link.a, link.b)]
        out = (start[0] + (end[0] - before[0]) // 6, start[1] + (end[1] - before[1]) // 6)
        into = (end[0] - (after[0] - start[0]) // 6, end[1] - (after[1] - start[1]) // 6)
        yield f"M{start[0]} {start[1]}C{out[0]} {out[1]} {into[0]} {into[1]} {end[0]} {end[1]}"


def _onward(neighbors: list[str], origin: str, here: str) -> str:
    """Return the next place of the road beyond ``here``, or ``here`` itself at an end or a fork."""
    others = [place for place in neighbors if place != origin]
    return others[0] if len(others) == 1 else here
