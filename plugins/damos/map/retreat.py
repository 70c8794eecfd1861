"""Paths of retreat (DM-8.11): out of a hex, toward supply, into no enemy and no enemy zone of control.

A force without a path of the minimum length is eliminated (DM-8.11d, R-DM-17, R-DM-72). The library searches; this
module decides which hexes are closed to a force.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from msgspec import field

from damos.map.boundaries import may_retreat
from damos.map.rails import supply_sources
from damos.map.terrain import is_passable
from damos.map.zones import zone_of
from damos.model.forces import enemy_of, stacks
from damos.model.orders import Retreat
from damos.model.state import DamosState
from sandtable import Refusal, Space, Stream, shown
from sandtable.graphs import Adjacency, flags_at, flood, retreat_paths

if TYPE_CHECKING:
    from damos.model.board import Board


NEVER_FARTHER = "never_farther"
"""Value of option ``retreat_towards_supply`` by which a force that can only retreat farther away is eliminated."""


def retreat_space(
    state: DamosState, units: Sequence[str], hex_: str, least: int, most: int, ignoring: Collection[str] = ()
) -> Space:
    """Return the Retreat orders of a force out of a hex, ``least`` to ``most`` hexes long; if empty, it is eliminated.

    ``ignoring`` are hexes whose forces have no zones for this retreat (R-DM-86). A force crosses boundaries that are
    closed to it only if it has no other path (AGC-1.3c).
    """
    side = state.units[units[0]].side
    for forced in (False, True):
        space = Retreats(state, side, hex_, least, most, tuple(ignoring), forced)
        if not space.is_empty():
            return space
    return Retreats(state, side, hex_, least, most, tuple(ignoring), forced=False)


def barred(
    state: DamosState, side: str, ignoring: Collection[str] = (), *, forced: bool = False
) -> Callable[[str], Refusal | None]:
    """Return a function of a hex that returns why a side may not retreat into it now, or None (R-DM-16).

    ``ignoring`` is as in ``retreat_space``. ``forced`` opens the marsh to Germans without another path (AGC-1.3c).
    """
    enemies, zone = stacks(state, enemy_of(side)), zone_of(state, enemy_of(side))
    spared = _SPARED[state.options["retreat_ezoc_friendly"]](state, side)

    def why_not(hex_: str) -> Refusal | None:
        if hex_ in enemies:
            return Refusal("DM-8.11a", f"the enemy is in {hex_}")
        if not may_retreat(state, side, hex_, forced=forced):
            return Refusal("R-DM-71", f"{hex_} is closed by the boundaries of the game")
        if hex_ in zone and hex_ not in spared and any(start not in ignoring for start in zone[hex_]):
            return Refusal("DM-8.11d", f"{hex_} is in an enemy zone of control")
        return None

    return why_not


_SPARED: dict[str, Callable[[DamosState, str], Collection[str]]] = {
    "kills": lambda state, side: (),  # noqa: ARG005 - same signature as stacks
    "friendly_cancels": stacks,
}
"""Hexes where friends cancel enemy zones for a retreat, by option ``retreat_ezoc_friendly`` (R-DM-17)."""


class Retreats(Space):
    """The ``Retreat`` orders of a force of ``side`` out of ``start``; see ``retreat_space``.

    ``known`` are the paths found so far. ``to_come`` is the search for the others, which needs much memory.
    """

    state: DamosState
    side: str
    start: str
    least: int
    most: int
    ignoring: tuple[str, ...] = ()
    forced: bool = False
    known: list[list[str]] = field(default_factory=list)
    to_come: Iterator[list[str]] | None = None

    def _paths(self) -> Iterator[list[str]]:
        """Yield every path including its start, each before the paths that continue it."""
        if self.to_come is None:
            self.to_come = self._search()
        for place in count():
            if place == len(self.known):
                path = next(self.to_come, None)
                if path is None:
                    return
                self.known.append(path)
            yield self.known[place]

    def _search(self) -> Iterator[list[str]]:
        board: Board = self.state.board
        numbers, index = board.hexmap.numbers, board.hexmap.index
        refuges = [each for each in board.major_cities if self.state.control.get(each) == self.side]  # DM-8.11h
        why_not_into = self._barred()
        closed: dict[int, bool] = {}

        def is_closed(space: int) -> bool:
            if space not in closed:  # the same few hexes are checked again and again
                closed[space] = why_not_into(numbers[space]) is not None
            return closed[space]

        start, option = self.start, self.state.options["retreat_towards_supply"]
        distances = _DISTANCES[option](self.state, self.side, start)
        paths = retreat_paths(
            _passable(board),
            index[start],
            (self.least, self.most),
            is_closed,
            distances,
            refuge=lambda space: numbers[space] in refuges,
        )
        if option == NEVER_FARTHER and distances is not None:
            paths = (path for path in paths if _never_farther(distances, [index[start], *path]))
        return ([start, *(numbers[space] for space in path)] for path in paths)

    def _barred(self) -> Callable[[str], Refusal | None]:
        return barred(self.state, self.side, self.ignoring, forced=self.forced)

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a wrong start, closed hexes, a wrong length, and a path that leads away from supply."""
        if not isinstance(value, Retreat):
            return Refusal("DM-8.11a", "the force must retreat: give its path")
        path = value.path
        if not isinstance(path, list) or not all(isinstance(each, str) for each in path):
            return Refusal("DM-8.11a", "give a path: the hexes from the force's hex to its destination")
        if not path or path[0] != self.start:
            return Refusal("DM-8.11a", f"the retreat begins in {self.start}, not in {shown(path[0] if path else '')}")
        if path in self._paths():
            return None
        why_not_into = self._barred()
        for here, hex_ in pairwise(path):
            if not is_passable(self.state.board, here, hex_):
                return Refusal("DM-8.11a", f"no unit can retreat from {here} to {shown(hex_)}")
            refusal = why_not_into(hex_)
            if refusal is not None:
                return refusal
        if not self.least <= len(path) - 1 <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} or {self.most}"
            return Refusal(
                "DM-8.11b",
                f"the retreat must be {wanted} {'hex' if wanted == '1' else 'hexes'} long, not {len(path) - 1}",
            )
        return Refusal(
            "R-DM-16", "the retreat must lead toward a source of supply if possible, and always to new hexes"
        )

    def values(self) -> Iterator[Retreat]:
        """Yield every order."""
        return (Retreat(path[:]) for path in self._paths())

    def sample(self, stream: Stream) -> Retreat:
        """Return a random order. Raises ValueError if there is none."""
        paths = list(self._paths())
        if not paths:
            raise ValueError("no choice is possible")
        return Retreat(stream.pick(paths)[:])


# --- the map in the library's form ---


def _passable(board: "Board") -> Adjacency:
    if "retreat_adjacency" not in board.caches:
        index = board.hexmap.index
        board.caches["retreat_adjacency"] = tuple(
            tuple(sorted(index[near] for near in board.around[number] if is_passable(board, number, near)))
            for number in board.hexmap.numbers
        )
    adjacency: Adjacency = board.caches["retreat_adjacency"]
    return adjacency


def _from_sources(state: DamosState, side: str, start: str) -> Sequence[int]:
    """Return, for each hex, its distance in hexes to the nearest source of a side; ``start`` is not a source."""
    hexmap = state.board.hexmap
    known: dict[tuple[str, ...], Sequence[int]] = state.board.caches.setdefault("retreat_distances", {})
    sources = tuple(each for each in supply_sources(state, side) if each != start)
    if sources not in known:
        size = len(hexmap.numbers)
        seeds = flags_at([hexmap.index[hex_] for hex_ in sources], size)
        known[sources] = flood(hexmap.adjacency, seeds, bytes(size)).distances
    return known[sources]


def _never_farther(distances: Sequence[int], path: Sequence[int]) -> bool:
    """Return whether no space of a path is farther from supply than the previous one."""
    return all(distances[there] <= distances[here] for here, there in pairwise(path))


_DISTANCES: dict[str, Callable[[DamosState, str, str], Sequence[int] | None]] = {
    "nearest_source_not_longer": _from_sources,
    NEVER_FARTHER: _from_sources,
    "owner_free": lambda state, side, start: None,  # noqa: ARG005 - same signature as the others
}
"""Functions that return the distances to supply, or None if they do not matter, by option ``retreat_towards_supply``
(R-DM-16)."""


def combat_retreats(state: DamosState, units: Sequence[str], hex_: str, least: int, most: int) -> Space:
    """Return the Retreat orders of a force out of a hex that it shares with the enemy; if none, it is eliminated.

    By option, the zones of forces in that hex are ignored along the whole path (R-DM-86).
    """
    ignoring = (hex_,) if state.options["retreat_from_combat_zoc"] == "winner_in_hex_ignored" else ()
    return retreat_space(state, list(units), hex_, least, most, ignoring)


class PathsOf(Space):
    """The paths of the orders in ``retreats``, for orders that have more fields than a path."""

    retreats: Space

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a path that is not a retreat of ``retreats``."""
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return Refusal("DM-8.11a", "give a path: the hexes from the force's hex to its destination")
        return self.retreats.why_not(Retreat(value))

    def values(self) -> Iterator[list[str]]:
        """Yield every path."""
        return (order.path for order in self.retreats.values())

    def sample(self, stream: Stream) -> list[str]:
        """Return a random path."""
        path: list[str] = self.retreats.sample(stream).path
        return path
