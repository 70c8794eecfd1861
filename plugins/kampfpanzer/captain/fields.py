"""How far it is to the objective: for every hex the half points to the nearest goal, one mobility class at a time."""

from collections.abc import Mapping
from heapq import heappop, heappush

from kampfpanzer.ground import Ground

FAR = 1 << 20


class Fields:
    """Distances to sets of goals, kept for a whole game; wrecks that came later are left out of the reckoning."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], dict[str, int]] = {}

    def of(self, ground: Ground, mobility: str, goals: tuple[str, ...]) -> dict[str, int]:
        """Return by hex the half points from there to the nearest of ``goals``."""
        key = (mobility, goals)
        if key not in self._known:
            self._known[key] = distances(ground, mobility, goals, {})
        return self._known[key]


def distances(ground: Ground, mobility: str, goals: tuple[str, ...], dear: Mapping[str, int]) -> dict[str, int]:
    """Return by hex the half points to the nearest of ``goals``; entering a hex of ``dear`` costs so much more."""
    found: dict[str, int] = {}
    queue = [(0, goal) for goal in sorted(goals)]
    while queue:
        halves, hex_ = heappop(queue)
        if hex_ in found:
            continue
        found[hex_] = halves
        halves += dear.get(hex_, 0)
        for before in ground.around(hex_):
            if before and before not in found:
                heappush(queue, (halves + ground.step_halves(mobility, before, hex_), before))
    return found
