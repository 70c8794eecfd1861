"""A printed map of hexes: the contents of each hex and hexside, looked up by printed number.

A map is built once and never changes. Data that changes in play (units, wrecks) is state and is stored by printed
number. Searches use the integer form of the map: the printed numbers sorted, counted from 0 (``numbers``, ``index``),
and the sorted indexes of the neighbors of each (``adjacency``). Data that depends only on the grid is compiled once for
all maps on the same grid.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, Literal, TypeAlias

from sandtable.board.graph.paths import Adjacency, CostTable
from sandtable.board.hexes.grid import Direction, Hex, HexGrid
from sandtable.errors import RulesetError
from sandtable.files.words import quoted

Around: TypeAlias = tuple[str, str, str, str, str, str]
"""The printed numbers of the neighbors in the directions A to F, or "" at the edge of the map."""

Edge: TypeAlias = Literal["north", "south", "east", "west"]
"""An edge of a map."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Data that depends only on a grid: see ``HexMap``.

    ``ranks`` has three numbers for each straight column or row: the index of its first hex, that of the next rank's
    first hex, and the position of the first hex along it (``HexGrid.rank_and_along``).
    """

    numbers: tuple[str, ...]
    index: Mapping[str, int]
    axial: Mapping[str, Hex]
    around: Mapping[str, Around]
    adjacency: Adjacency
    ranks: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=8)
def lattice_of(grid: HexGrid) -> Lattice:
    """Compile a grid; cached, because the maps of one game, and its tests, usually share theirs."""
    spaces = grid.hexes()
    axial = {grid.number(space): space for space in spaces}
    numbers, index = tuple(axial), {number: place for place, number in enumerate(axial)}
    printed = dict(zip(spaces, numbers, strict=True))
    around: dict[str, Around] = {}
    for number, space in axial.items():
        a, b, c, d, e, f = (printed.get(space.neighbor(each), "") for each in Direction)
        around[number] = (a, b, c, d, e, f)
    adjacency = tuple(tuple(sorted(index[each] for each in near if each)) for near in around.values())
    lengths = Counter(grid.rank_and_along(space)[0] for space in spaces)
    ends = tuple(accumulate(lengths[rank] for rank in grid.ranks()))
    firsts = (0, *ends[:-1])
    ranks = tuple((first, end, grid.rank_and_along(spaces[first])[1]) for first, end in zip(firsts, ends, strict=True))
    return Lattice(numbers, index, axial, around, adjacency, ranks)


@dataclass(frozen=True, slots=True, repr=False)
class HexMap:
    """An immutable map of hexes. Raises DataError for hexes off the grid and hexsides of hexes that are not adjacent.

    ``terrain`` holds the kinds of terrain of a hex, ``hexsides`` the features of a hexside ("0404/0405", in either
    order), and ``places`` the hexes of a named area; all are sorted, without duplicates. A hex without an entry is of
    ``default_terrain``. ``id``, ``title``, ``provenance`` and ``reason`` are those of the file.

    Derived, and read-only: ``numbers``, every printed number in ascending order; ``index``, its index in them;
    ``axial``, its hex; ``around``, its six neighbors; ``adjacency``, for ``paths.reach``; ``grounds``, the kinds of
    terrain of every hex; ``sides``, the features by both numbers, in either order, if there are any.
    """

    id: str
    grid: HexGrid
    terrain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hexsides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    default_terrain: str = "clear"
    title: str = ""
    provenance: str = ""
    reason: str = ""
    numbers: tuple[str, ...] = field(init=False, compare=False)
    index: Mapping[str, int] = field(init=False, compare=False)
    axial: Mapping[str, Hex] = field(init=False, compare=False)
    around: Mapping[str, Around] = field(init=False, compare=False)
    adjacency: Adjacency = field(init=False, compare=False)
    grounds: Mapping[str, tuple[str, ...]] = field(init=False, compare=False)
    sides: Mapping[tuple[str, str], tuple[str, ...]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Check, sort and compile."""
        lattice = lattice_of(self.grid)
        for name in ("numbers", "index", "axial", "around", "adjacency"):
            object.__setattr__(self, name, getattr(lattice, name))
        for number in chain(self.terrain, *self.places.values()):
            self.grid.hex_at(number)
        terrain = {number: _sorted(kinds) for number, kinds in sorted(self.terrain.items()) if kinds}
        pairs: dict[tuple[str, str], tuple[str, ...]] = {}
        for name, features in sorted(self.hexsides.items()):
            key = self._hexside_key(name)
            pairs[key] = _sorted((*pairs.get(key, ()), *features))
        pairs = {key: features for key, features in sorted(pairs.items()) if features}
        plain = (self.default_terrain,)
        derived = {
            "terrain": terrain,
            "hexsides": {f"{a}/{b}": features for (a, b), features in pairs.items()},
            "places": {name: _sorted(numbers) for name, numbers in sorted(self.places.items())},
            "grounds": {number: terrain.get(number, plain) for number in lattice.numbers},
            "sides": pairs | {(b, a): features for (a, b), features in pairs.items()},
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments of the map; the derived data is computed again."""
        made = (self.id, self.grid, self.terrain, self.hexsides, self.places, self.default_terrain)
        return HexMap, (*made, self.title, self.provenance, self.reason)

    def __repr__(self) -> str:
        return f"HexMap({self.id!r}, {len(self.numbers)} hexes)"

    @property
    def layout(self) -> Literal["columns", "rows"]:
        """Whether columns or rows are straight, which decides the meaning of the directions A to F; see ``hexes``."""
        return self.grid.layout

    def holds(self, number: str) -> bool:
        """Return whether a text is the printed number of a hex on the map."""
        return number in self.index

    def terrain_of(self, number: str) -> tuple[str, ...]:
        """Return the kinds of terrain of a hex, sorted. Raises DataError off the map, like all methods below."""
        try:
            return self.grounds[number]
        except KeyError:
            self.grid.hex_at(number)  # raises DataError with the reason
            raise

    def side_of(self, a: str, b: str) -> tuple[str, ...]:
        """Return the features of the hexside between two hexes, sorted, or () if they are not adjacent."""
        return self.sides.get((a, b), ())

    def neighbor(self, number: str, direction: Direction) -> str:
        """Return the next hex in a direction, or "" at the edge of the map."""
        try:
            return self.around[number][direction]
        except KeyError:
            self.grid.hex_at(number)
            raise

    def range_hexes(self, a: str, b: str) -> int:
        """Return the number of steps from one hex to another (KP-9.17a)."""
        axial = self.axial
        try:
            q, r = axial[a]
            goal_q, goal_r = axial[b]
        except KeyError:
            self.grid.hex_at(a if a not in axial else b)
            raise
        q, r = goal_q - q, goal_r - r
        return max(q, r, q + r, -q, -r, -q - r)

    def within(self, number: str, radius_hexes: int) -> tuple[str, ...]:
        """Return the hexes on the map within this range, the center included, sorted, or () for a negative radius."""
        grid, ranks = self.grid, lattice_of(self.grid).ranks
        (rank, along), lowest = grid.rank_and_along(grid.hex_at(number)), grid.ranks()[0]
        found: list[str] = []
        for aside in range(max(-radius_hexes, lowest - rank), min(radius_hexes, lowest + len(ranks) - 1 - rank) + 1):
            first, end, start = ranks[rank + aside - lowest]
            reach = 2 * radius_hexes - abs(aside)
            low, high = first + (along - reach - start) // 2, first + (along + reach - start) // 2
            found += self.numbers[max(first, low) : max(first, min(end, high + 1))]
        return tuple(found)

    def edge(self, name: Edge) -> tuple[str, ...]:
        """Return the hexes of an edge, sorted: a whole straight column or row, or the ends of all of them.

        Raises RulesetError for any other name.
        """
        if name not in ("north", "south", "east", "west"):
            raise RulesetError(f"a map has no edge {quoted(name)}; use north, south, east or west")
        ranks, of_columns = lattice_of(self.grid).ranks, self.layout == "columns"
        low = name in ("north", "east" if self.grid.columns_grow == "west" else "west")
        if of_columns == (name in ("east", "west")):
            first, end, _ = ranks[0 if low else -1]
            return self.numbers[first:end]
        return tuple(self.numbers[first if low else end - 1] for first, end, _ in ranks)

    def hexes_with(self, terrain: str) -> tuple[str, ...]:
        """Return the hexes that have a kind of terrain, sorted."""
        return tuple(number for number, kinds in self.grounds.items() if terrain in kinds)

    def hexes_beside(self, feature: str) -> tuple[str, ...]:
        """Return the hexes with a hexside that has a feature, sorted: those on a road, those along a stream."""
        return tuple(sorted({a for (a, _), features in self.sides.items() if feature in features}))

    def cost_table(self, cost_of: Callable[[str, str], int | None]) -> CostTable:
        """Compile one mobility class: ``cost_of(start, end)`` returns half points, or None for impassable."""
        numbers = self.numbers
        return CostTable.compile(self.adjacency, lambda a, b: cost_of(numbers[a], numbers[b]))

    def _hexside_key(self, name: str) -> tuple[str, str]:
        first, _, second = name.partition("/")
        if not second or second not in self.around.get(first, ()):
            self.grid.hexside_at(name)  # raises DataError with the reason
        return min(first, second), max(first, second)


def _sorted(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(words)))
