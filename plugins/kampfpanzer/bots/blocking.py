"""Blocking paths: the enemy's cheapest paths to its goals, and the cost of hexes that are held."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

from kampfpanzer.model.tables import ARMOR
from kampfpanzer.terrain.terrain import Ground

STANDING, BESIDE = 60, 16
"""Extra cost in half points of a hex that is held, and of a hex next to it."""


def cheapest_path(
    ground: Ground, starts: Iterable[str], goals: Sequence[str], surcharges: Mapping[str, int]
) -> list[str]:
    """Return the hexes of the cheapest path of tanks from any of ``starts`` to any of ``goals``, including both ends.

    ``surcharges`` are extra half points by hex. The list is empty if no path exists.
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
            path = [here]
            while came[path[-1]]:
                path.append(came[path[-1]])
            return path[::-1]
        for _, there, cost in ground.steps(ARMOR, here):
            if there not in came:
                heappush(queue, (halves + cost + surcharges.get(there, 0), there, here))
    return []


def bar(ground: Ground, surcharges: dict[str, int], hex_: str) -> None:
    """Add the cost of a hex that a unit with a zone will hold, and of its neighbors, to ``surcharges``."""
    for each, halves in ((hex_, STANDING), *((near, BESIDE) for near in ground.around(hex_) if near)):
        surcharges[each] = surcharges.get(each, 0) + halves
