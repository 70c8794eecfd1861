"""Zones of control: the spaces next to units, and the spaces that they close to the other side.

The results are flags, suitable for ``SupplyNet.changed``. The game decides which units have a zone, and what a friendly
unit cancels; this module only computes the result on the map.
"""

from collections.abc import Iterable

from sandtable.board.graph.masks import Flags
from sandtable.board.graph.paths import Adjacency


class Zones:
    """The zones of one map. ``neighbors`` gives the spaces into which a unit's zone extends from each space."""

    def __init__(self, neighbors: Adjacency) -> None:
        self._size = len(neighbors)
        self._own = [1 << 8 * space for space in range(self._size)]
        self._around = [sum(self._own[near] for near in set(row)) for row in neighbors]

    def around(self, holders: Iterable[int]) -> Flags:
        """Return the flags of the spaces next to any of ``holders``."""
        return self._zone(holders).to_bytes(self._size, "little")

    def closed(self, enemies: Iterable[int], zoned: Iterable[int], cancelled: Iterable[int] = ()) -> Flags:
        """Return the flags of the spaces with an enemy, or next to a ``zoned`` one and not ``cancelled``.

        If friendly units cancel zones in their own space, ``cancelled`` are the spaces of these units. An enemy in such
        a space still closes it.
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
