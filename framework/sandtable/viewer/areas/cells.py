"""Cells around points: the ground of each place, with wavy borders as on a hand-drawn map, in exact integers.

A cell is the part of the frame that is nearer to its site than to any other (a Voronoi cell). Corners are computed
exactly and rounded once, so that neighbors meet without gaps.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sandtable.viewer.picture import Point

_Corner = tuple[Fraction, Fraction]


class Side(NamedTuple):
    """One straight side of a cell. ``beyond`` is the number of the site on the other side, or -1 for the frame."""

    start: Point
    end: Point
    beyond: int


@lru_cache(maxsize=16)
def cells(sites: tuple[Point, ...], width: int, height: int) -> tuple[tuple[Side, ...], ...]:
    """Return the sides of the cell of each site, in order around it. A site outside the frame may have no sides."""
    return tuple(tuple(_cell(number, sites, width, height)) for number in range(len(sites)))


def _cell(number: int, sites: Sequence[Point], width: int, height: int) -> Iterator[Side]:
    x, y = sites[number]
    zero, right, low = Fraction(0), Fraction(width), Fraction(height)
    corners: list[_Corner] = [(zero, zero), (right, zero), (right, low), (zero, low)]
    beyond = [-1, -1, -1, -1]
    others = sorted(((a - x) ** 2 + (b - y) ** 2, other) for other, (a, b) in enumerate(sites) if (a, b) != (x, y))
    for distance, other in others:
        if not corners or distance > 4 * max((a - x) ** 2 + (b - y) ** 2 for a, b in corners):
            break  # all further sites are too far away to cut anything off
        corners, beyond = _cut(corners, beyond, sites[number], sites[other], other)
    rounded = [(round(a), round(b)) for a, b in corners]
    for place, start in enumerate(rounded):
        end = rounded[(place + 1) % len(rounded)]
        if start != end:
            yield Side(start, end, beyond[place])


def _cut(
    corners: list[_Corner], beyond: list[int], site: Point, rival: Point, number: int
) -> tuple[list[_Corner], list[int]]:
    """Return the part of a convex outline that is nearer to ``site`` than to ``rival``."""
    across, down = rival[0] - site[0], rival[1] - site[1]
    middle = rival[0] ** 2 + rival[1] ** 2 - site[0] ** 2 - site[1] ** 2
    excess = [2 * (x * across + y * down) - middle for x, y in corners]
    kept: list[_Corner] = []
    sides: list[int] = []
    for place, here in enumerate(corners):
        there, over, next_over = corners[place - len(corners) + 1], excess[place], excess[place - len(corners) + 1]
        if over <= 0:
            kept.append(here)
            sides.append(beyond[place])
        if (over < 0 < next_over) or (next_over < 0 < over):
            share = over / (over - next_over)
            kept.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
            sides.append(number if over < 0 else beyond[place])
        elif over == 0 < next_over:
            sides[-1] = number
    return kept, sides


def wavy(start: Point, end: Point, finest: int = 36) -> list[Point]:
    """Return the points of a wavy line from ``start`` to ``end``. In the opposite direction the line is the same."""
    if end < start:
        return wavy(end, start, finest)[::-1]
    across, down = end[0] - start[0], end[1] - start[1]
    if max(abs(across), abs(down)) < finest:
        return [start, end]
    bend = _jitter(start, end)
    middle = ((start[0] + end[0]) // 2 - down * bend // 1000, (start[1] + end[1]) // 2 + across * bend // 1000)
    return wavy(start, middle, finest)[:-1] + wavy(middle, end, finest)


def _jitter(start: Point, end: Point) -> int:
    """Return a number from -110 to 110 that looks random but depends only on the line."""
    mixed = start[0] * 73_856_093 ^ start[1] * 19_349_663 ^ end[0] * 83_492_791 ^ end[1] * 49_979_687
    return (mixed * 2_654_435_761 >> 7) % 221 - 110
