"""How far it is to the objective: by hex the half points to the nearest goal, reckoned only as far as is asked."""

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush

from kampfpanzer.terrain.terrain import Ground

FAR = 1 << 20


class Field:
    """Distances to goals for one mobility class, found from the goals outwards; entering a ``dear`` hex costs more."""

    def __init__(self, ground: Ground, mobility: str, goals: tuple[str, ...], dear: Mapping[str, int]) -> None:
        self._ground, self._mobility, self._dear = ground, mobility, dear
        self._found: dict[str, int] = {}
        self._queue = [(0, goal) for goal in sorted(goals)]

    def halves(self, hex_: str) -> int:
        """Return the half points from a hex to the nearest goal, ``FAR`` where there is no way."""
        while hex_ not in self._found and self._queue:
            self._settle_next()
        return self._found.get(hex_, FAR)

    def _settle_next(self) -> None:
        halves, hex_ = heappop(self._queue)
        if hex_ in self._found:
            return
        self._found[hex_] = halves
        halves += self._dear.get(hex_, 0)
        for before in self._ground.around(hex_):
            if before and before not in self._found:
                heappush(self._queue, (halves + self._ground.step_halves(self._mobility, before, hex_), before))


class Fields:
    """Fields of a whole game, kept; wrecks that came after one was made are left out of it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], Field] = {}

    def of(self, ground: Ground, mobility: str, goals: tuple[str, ...]) -> Field:
        """Return the field of a mobility class for ``goals``."""
        key = (mobility, goals)
        if key not in self._known:
            self._known[key] = _shared(ground, mobility, goals)
        return self._known[key]


@lru_cache(maxsize=128)
def _shared(ground: Ground, mobility: str, goals: tuple[str, ...]) -> Field:
    """Return a field that several captains may ask: it follows from its ground, and imagined games ask it often."""
    return Field(ground, mobility, goals, {})
