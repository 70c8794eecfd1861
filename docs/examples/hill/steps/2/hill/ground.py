"""The ground: everything that a scenario fixes permanently."""

from collections.abc import Sequence

import sandtable as st
from sandtable.graphs import path_cost
from sandtable.hexes import HexVocabulary, parse_hex_map

WORDS = HexVocabulary(terrain=("clear", "woods", "hilltop"), hexsides=("stream", "bridge"), ways=("road",))
COSTS = {"clear": 1, "woods": 2, "hilltop": 2}


class Ground:
    """The map, its movement costs, the hill, and the number of turns."""

    def __init__(self, scenario: st.Scenario) -> None:
        """Read ``scenario``. Raises DataError with file and key."""
        file, _ = scenario.place("map")
        self.map = parse_hex_map(scenario.data["map"], file, WORDS)
        self.turns: int = scenario.data["scenario"]["turns"]
        (self.hill,) = self.map.places["Hill 40"]
        self._costs = self.map.cost_table(self._cost)

    def _cost(self, start: str, end: str) -> int | None:
        """Return the cost of a step in half points, or None if it is not allowed (HI-3)."""
        side = self.map.side_of(start, end)
        if "stream" in side and "bridge" not in side:
            return None
        if "road" in side:
            return 2
        return max(2 * COSTS[kind] for kind in self.map.terrain_of(end))

    def points(self, path: Sequence[str]) -> int | None:
        """Return the cost of a path in points, or None if one of its steps is not allowed."""
        cost = path_cost(self._costs, [self.map.index[number] for number in path])
        return None if cost is None else cost // 2
