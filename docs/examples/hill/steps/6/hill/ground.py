"""The ground: everything that a scenario fixes permanently."""

from collections.abc import Iterable, Sequence

import sandtable as st
from sandtable.graphs import SupplyLeg, SupplyLines, SupplyNet, Zones, path_cost, places_of
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
        self._zones = Zones(self.map.adjacency)
        self._lines = SupplyLines(SupplyLeg(self.map.adjacency))
        self._homes: dict[str, list[str]] = scenario.data["home"]

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

    def zone(self, holders: Iterable[str]) -> set[str]:
        """Return the hexes around any of these (HI-4)."""
        flags = self._zones.around(self._places(holders))
        return {self.map.numbers[place] for place in places_of(flags)}

    def gives_cover(self, number: str) -> bool:
        """Return whether a hex is woods or the hill (HI-6)."""
        return self.map.terrain_of(number) != ("clear",)

    def supply(self, side: str, friends: Iterable[str], enemies: Iterable[str]) -> SupplyNet:
        """Return which hexes are in supply for ``side`` (HI-8)."""
        own, hostile, homes = (self._places(each) for each in (friends, enemies, self._homes[side]))
        closed = self._zones.closed(hostile, hostile, cancelled=own)
        return self._lines.net([place for place in homes if not closed[place]], closed)

    def _places(self, hexes: Iterable[str]) -> list[int]:
        return [self.map.index[number] for number in hexes]
