"""Zones of control: the spaces next to units, and which spaces they close to the other side.

The answers are flags, fit for ``SupplyNet.changed``. Which units have a zone, and what a friendly unit cancels, is the
game's affair; here are only the quick sums over the map.
"""

from collections.abc import Iterable

from sandtable.board.graph.masks import Flags
from sandtable.board.graph.paths import Adjacency


class Zones:
    """The zones of one map. ``neighbours`` says into which spaces a unit's zone extends from each."""

    def __init__(self, neighbours: Adjacency) -> None:
        self._size = len(neighbours)
        self._own = [1 << 8 * space for space in range(self._size)]
        self._around = [sum(self._own[near] for near in set(row)) for row in neighbours]

    def around(self, holders: Iterable[int]) -> Flags:
        """Return the spaces that lie next to any of these."""
        return self._zone(holders).to_bytes(self._size, "little")

    def closed(self, enemies: Iterable[int], zoned: Iterable[int], cancelled: Iterable[int] = ()) -> Flags:
        """Return the spaces with an enemy, and those next to a ``zoned`` one unless they are ``cancelled``.

        Where friendly units cancel zones in their own space, ``cancelled`` are the spaces that they stand in; an enemy
        in the same space closes it all the same.
        """
        zone = self._zone(zoned)
        for space in cancelled:
            zone &= ~self._own[space]
        for space in enemies:
            zone |= self._own[space]
        return zone.to_bytes(self._size, "little")

    def _zone(self, holders: Iterable[int]) -> int:
        zone, around = 0, self._around
        for space in holders:
            zone |= around[space]
        return zone
