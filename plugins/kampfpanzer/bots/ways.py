"""Barring ways: the enemy's cheapest ways to where he wants to go, and where to stand on them."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

from kampfpanzer.model.tables import ARMOUR
from kampfpanzer.terrain.terrain import Ground

STANDING, BESIDE = 60, 16
"""What a hex that is held is thought to cost him in half points, and one beside it."""


def cheapest_way(ground: Ground, starts: Iterable[str], goals: Sequence[str], dear: Mapping[str, int]) -> list[str]:
    """Return the hexes of the cheapest way of tanks from any of ``starts`` to any of ``goals``, both ends included.

    ``dear`` hexes cost so many half points more. An empty list means that there is none.
    """
    ends = frozenset(goals)
    queue = [(0, hex_, "") for hex_ in sorted(set(starts))]
    came: dict[str, str] = {}
    while queue:
        halves, here, before = heappop(queue)
        if here in came:
            continue
        came[here] = before
        if here in ends:
            way = [here]
            while came[way[-1]]:
                way.append(came[way[-1]])
            return way[::-1]
        for _, there, cost in ground.steps(ARMOUR, here):
            if there not in came:
                heappush(queue, (halves + cost + dear.get(there, 0), there, here))
    return []


def bar(ground: Ground, dear: dict[str, int], hex_: str) -> None:
    """Note in ``dear`` that a hex will be held, by a unit with a zone."""
    for each, halves in ((hex_, STANDING), *((near, BESIDE) for near in ground.around(hex_) if near)):
        dear[each] = dear.get(each, 0) + halves
