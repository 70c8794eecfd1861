"""The distance of every space of a map from the nearest seed, with an incremental update after a change.

A flood spreads outward from its seeds over neighboring spaces that are not closed, up to a limit of steps. When spaces
have closed or opened, or seeds were added or removed, ``IncrementalReach.changed`` repairs it. It visits only the
spaces whose distance has changed, and its result equals that of a new flood.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from sandtable.board.graph.masks import Flags, differing, places_of
from sandtable.board.graph.paths import Adjacency

Levels: TypeAlias = dict[int, list[int]]

FAR = 1 << 30
"""Distance of a space that the flood does not reach."""


class IncrementalReach(msgspec.Struct, frozen=True):
    """A flood: ``distances`` in steps, FAR if a space is not reached, and ``reached``, the flags of the reached spaces.

    It is made from ``neighbors``, which must be symmetric, the ``limit`` of steps (None: no limit), and the flags of
    the ``closed`` spaces and of the ``seeds``. A seed that is closed does not flood.
    """

    neighbors: Adjacency
    limit: int | None
    closed: Flags
    seeds: Flags
    distances: Sequence[int]
    reached: Flags

    def changed(self, closed: Flags, seeds: Flags) -> "IncrementalReach":
        """Return the flood for other flags of closed spaces and seeds."""
        toggled, reseeded = differing(self.closed, closed), differing(self.seeds, seeds)
        if not toggled and not reseeded:
            return self
        distances = list(self.distances)
        fallen = [space for space in toggled if closed[space]]
        fallen += [space for space in reseeded if not seeds[space] and distances[space] == 0]
        lost = _recede(self.neighbors, distances, fallen)
        edge = [space for space in (*lost, *toggled, *reseeded) if not closed[space]]
        levels: Levels = {}
        for space in edge:
            nearest = min([distances[near] for near in self.neighbors[space]], default=FAR)
            distance = 0 if seeds[space] else nearest + 1
            if distance < distances[space] and (self.limit is None or distance <= self.limit):
                levels.setdefault(distance, []).append(space)
        gained = _advance(self.neighbors, self.limit, closed, distances, levels)
        reached = bytearray(self.reached)
        for space in (*lost, *gained):
            reached[space] = distances[space] < FAR
        return IncrementalReach(self.neighbors, self.limit, closed, seeds, distances, bytes(reached))

    def touches(self, space: int) -> bool:
        """Return whether a space is closed, and either a seed or next to a space reached below the limit."""
        if not self.closed[space]:
            return False
        if self.seeds[space]:
            return True
        nearest = min([self.distances[near] for near in self.neighbors[space]], default=FAR)
        return nearest < (FAR if self.limit is None else self.limit)

    def shores(self) -> set[int]:
        """Return all spaces that the flood touches."""
        last = FAR if self.limit is None else self.limit
        wet = (space for space in places_of(self.reached) if self.distances[space] < last)
        touched = {near for space in wet for near in self.neighbors[space] if self.closed[near]}
        return touched.union(space for space in places_of(self.seeds) if self.closed[space])

    def homeward(self, space: int) -> int:
        """Return the next space toward the nearest seed, the lowest if there are several; for a seed, the seed itself.

        ``space`` must be reached or touched by the flood.
        """
        if self.seeds[space]:
            return space
        return min([(self.distances[near], near) for near in self.neighbors[space]])[1]


def flood(neighbors: Adjacency, seeds: Flags, closed: Flags, limit: int | None = None) -> IncrementalReach:
    """Flood a map from all seeds at the same time."""
    distances = [FAR] * len(neighbors)
    levels: Levels = {0: [space for space in places_of(seeds) if not closed[space]]}
    _advance(neighbors, limit, closed, distances, levels)
    return IncrementalReach(
        neighbors, limit, closed, seeds, distances, bytes([distance < FAR for distance in distances])
    )


def _recede(neighbors: Adjacency, distances: list[int], fallen: Iterable[int]) -> list[int]:
    """Reset the distances of ``fallen`` spaces and of all that depend on them; return all these spaces."""
    levels: Levels = {}
    for space in fallen:
        levels.setdefault(distances[space], []).append(space)
    levels.pop(FAR, None)
    lost = []
    while levels:
        distance = min(levels)
        level = []
        for space in levels.pop(distance):
            if distances[space] == distance:
                distances[space] = FAR
                level.append(space)
        lost += level
        for space in level:
            for near in neighbors[space]:
                if distances[near] == distance + 1 and distance not in [distances[way] for way in neighbors[near]]:
                    levels.setdefault(distance + 1, []).append(near)
    return lost


def _advance(neighbors: Adjacency, limit: int | None, closed: Flags, distances: list[int], levels: Levels) -> list[int]:
    """Set distances level by level, also of the spaces that come nearer as a result; return the changed spaces."""
    gained = []
    last = FAR if limit is None else limit
    while levels:
        distance, onward = min(levels), list[int]()
        following = distance + 1
        for space in levels.pop(distance):
            if distances[space] > distance:
                distances[space] = distance
                gained.append(space)
                onward += [near for near in neighbors[space] if distances[near] > following and not closed[near]]
        if onward and following <= last:
            levels.setdefault(following, []).extend(onward)
    return gained
