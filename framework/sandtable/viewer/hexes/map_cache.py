"""A cache for drawings that depend only on the map, which are the same in every picture of it."""

from collections.abc import Callable, Hashable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from sandtable.board.hexes.map import HexMap

Made = TypeVar("Made")
Rest = ParamSpec("Rest")
MOST = 8


class MapCache(Generic[Rest, Made]):
    """A cached function of a map and of other hashable arguments.

    A map is identified by its id, because comparing two maps of a thousand hexes would take as long as drawing them.
    """

    def __init__(self, make: Callable[Concatenate[HexMap, Rest], Made]) -> None:
        self._make = make
        self._kept: dict[tuple[Hashable, ...], tuple[HexMap, Made]] = {}

    def __call__(self, ground: HexMap, *rest: Rest.args, **named: Rest.kwargs) -> Made:
        """Return the cached or new result, dropping the oldest one if necessary.

        The map is kept alive, so that its id stays unique.
        """
        key = (id(ground), *rest, *named.items())
        if key not in self._kept:
            if len(self._kept) >= MOST:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = ground, self._make(ground, *rest, **named)
        return self._kept[key][1]
