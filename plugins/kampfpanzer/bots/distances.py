"""How far it is to the objective: by hex the half points to the nearest goal, found only as far as is asked."""

from collections.abc import Mapping
from functools import lru_cache

from kampfpanzer.terrain.terrain import Ground

FAR = 1 << 20


class DistanceField:
    """Distances to goals for one mobility class, found from the goals outwards; entering a ``dear`` hex costs more.

    ``_found`` holds the least distance known of each hex, ``_rings`` the hexes by distance that are still to be gone on
    from. No step is free, so that what is not beyond the first of these rings, ``_sure``, is final.
    """

    def __init__(self, ground: Ground, mobility: str, goals: tuple[str, ...], dear: Mapping[str, int]) -> None:
        self._ground, self._mobility, self._dear = ground, mobility, dear
        self._found: dict[str, int] = dict.fromkeys(goals, 0)
        self._rings: dict[int, list[str]] = {0: list(self._found)} if goals else {}
        self._sure = 0

    def halves(self, hex_: str) -> int:
        """Return the half points from a hex to the nearest goal, ``FAR`` where there is no way."""
        found = self._found
        while found.get(hex_, FAR) > self._sure and self._rings:
            self._grow()
        return found.get(hex_, FAR)

    def _grow(self) -> None:
        """Go one step on from every hex of the first ring, and make the next ring the first."""
        found, rings, dear = self._found, self._rings, self._dear
        into, mobility = self._ground.steps_into, self._mobility
        while self._sure not in rings:
            self._sure += 1
        halves = self._sure
        for here in rings.pop(halves):
            if found[here] < halves:
                continue  # a shorter way was found after it was put here
            onwards = halves + dear[here] if here in dear else halves
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
    """Distance fields of a whole game, kept; wrecks that came after one was made are left out of it."""

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
    """Return a field that several captains may ask: it follows from its ground, and imagined games ask it often."""
    return DistanceField(ground, mobility, goals, {})
