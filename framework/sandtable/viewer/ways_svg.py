"""Draws the ways of an area map: roads as smooth double lines, all others as dotted tracks."""

from collections.abc import Iterator

from sandtable.viewer.picture import Link, Picture, Point
from sandtable.viewer.style import ROAD_BED, ROAD_EDGE, TRACK_INK
from sandtable.viewer.svg import Attribute, Svg, element, group, joined

TRACK_STYLE: dict[str, Attribute] = {"stroke_width": 4, "stroke_dasharray": "2 12", "stroke_linecap": "round"}


def draw_ways(picture: Picture) -> Svg:
    """Return every link whose two places are in the picture."""
    at = {place.id: (place.x, place.y) for place in picture.places}
    links = [link for link in picture.links if link.a in at and link.b in at]
    tracks = (element("path", d=_straight(at[link.a], at[link.b])) for link in links if link.kind != "road")
    roads = list(_road_courses([link for link in links if link.kind == "road"], at))
    edge = group((element("path", d=course) for course in roads), stroke=ROAD_EDGE, stroke_width=14)
    bed = group((element("path", d=course) for course in roads), stroke=ROAD_BED, stroke_width=7)
    dotted = group(tracks, stroke=TRACK_INK, **TRACK_STYLE)
    return group([dotted, joined([edge, bed])], fill="none", stroke_linecap="round")


def _straight(start: Point, end: Point) -> str:
    return f"M{start[0]} {start[1]}L{end[0]} {end[1]}"


def _road_courses(links: list[Link], at: dict[str, Point]) -> Iterator[str]:
    """Yield each road link as a curve that runs smoothly into the next one, where the road does not fork."""
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


def _onward(neighbours: list[str], origin: str, here: str) -> str:
    """Return the place that the road comes from or goes to beyond ``here``; ``here`` itself at an end or a fork."""
    others = [place for place in neighbours if place != origin]
    return others[0] if len(others) == 1 else here
