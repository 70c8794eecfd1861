"""Distances to the objective: half points from each hex to the nearest goal, computed only as far as needed."""

from collections.abc import Mapping
from functools import lru_cache

from kampfpanzer.terrain.terrain import Ground

FAR = 1 << 20


class DistanceField:
    """Distances to goals for one mobility class, computed outward from the goals.

    ``surcharges`` are extra costs of hexes. ``_found`` holds the least known distance of each hex, ``_rings`` by
    distance the hexes from which the search continues. All rings below ``_sure`` are done. No step is free, so
    distances up to ``_sure`` are final.
    """

    def __init__(self, ground: Ground, mobility: str, goals: tuple[str, ...], surcharges: Mapping[str, int]) -> None:
        self._ground, self._mobility, self._surcharges = ground, mobility, surcharges
        self._found: dict[str, int] = dict.fromkeys(goals, 0)
        self._rings: dict[int, list[str]] = {0: list(self._found)} if goals else {}
        self._sure = 0

    def halves(self, hex_: str) -> int:
        """Return the half points from a hex to the nearest goal, or ``FAR`` if no path exists."""
        found = self._found
        while found.get(hex_, FAR) > self._sure and self._rings:
            self._grow()
        return found.get(hex_, FAR)

    def _grow(self) -> None:
        """Extend the search by one step from every hex of the first ring, and make the next ring the first."""
        found, rings, surcharges = self._found, self._rings, self._surcharges
        into, mobility = self._ground.steps_into, self._mobility
        while self._sure not in rings:
            self._sure += 1
        halves = self._sure
        for here in rings.pop(halves):
            if found[here] < halves:
                continue  # a shorter path was found after it was added
            onwards = halves + surcharges[here] if here in surcharges else halves
            for before, cost in into(mobility, here):
                total = onwards + cost
                if total < found.get(before, FAR):
                    found[before] = total
                    if total in rings:
                        rings[total].append(before)
                    else:
                        rings[total] = [before]
        self._sure += 1


class DistanceFields:
    """The cached distance fields of a game; a field ignores wrecks that were left after it was made."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], DistanceField] = {}

    def of(self, ground: Ground, mobility: str, goals: tuple[str, ...]) -> DistanceField:
        """Return the field of a mobility class for ``goals``."""
        key = (mobility, goals)
        if key not in self._known:
            self._known[key] = _shared(ground, mobility, goals)
        return self._known[key]


@lru_cache(maxsize=128)
def _shared(ground: Ground, mobility: str, goals: tuple[str, ...]) -> DistanceField:
    """Return a cached field without surcharges. Bots on the same ground share it: simulated games need it often."""
    return DistanceField(ground, mobility, goals, {})
