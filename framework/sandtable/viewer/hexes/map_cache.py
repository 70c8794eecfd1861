"""What is drawn of a map alone is the same in picture after picture: it is drawn once, and kept for the last maps."""

from collections.abc import Callable, Hashable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from sandtable.board.hexes.map import HexMap

Made = TypeVar("Made")
Rest = ParamSpec("Rest")
MOST = 8


class MapCache(Generic[Rest, Made]):
    """A function of a map and of other things that can be hashed, with its last answers kept.

    A map is known by what it is, not by what is on it: comparing two of a thousand hexes takes as long as drawing.
    """

    def __init__(self, make: Callable[Concatenate[HexMap, Rest], Made]) -> None:
        self._make = make
        self._kept: dict[tuple[Hashable, ...], tuple[HexMap, Made]] = {}

    def __call__(self, ground: HexMap, *rest: Rest.args, **named: Rest.kwargs) -> Made:
        """Return what is made of them, the oldest answer making room; the map is held, so that its id stays its own."""
        key = (id(ground), *rest, *named.items())
        if key not in self._kept:
            if len(self._kept) >= MOST:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = ground, self._make(ground, *rest, **named)
        return self._kept[key][1]
