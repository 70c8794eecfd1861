"""Areas, the connectors between them, and the map that they form.

A map is built once and never changes. Data that changes in play (the controller of an area, the units in it) is state,
and is stored by area id. Searches use the integer form of the map: area ids sorted, numbered from 0, and for each the
sorted numbers of its neighbors. ``as_networkx`` exports the same map to networkx for checks and analysis.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from sandtable.board.areas.structure import find_structure_problems
from sandtable.board.graph.paths import CostTable, distance_spaces
from sandtable.errors import DataError, RulesetError

if TYPE_CHECKING:
    import networkx as nx

Fact: TypeAlias = str | int | bool
"""A value that a game adds to an area: text, a whole number, or true or false."""

FactType = TypeVar("FactType", str, int, bool)


class Area(msgspec.Struct, frozen=True):
    """One area. Longitude and latitude, in thousandths of a degree, or ``x`` and ``y``, in any unit, are for drawing.

    ``facts`` are the game's own (value, owner, city ...), read-only; ``text``, ``number``, ``flag`` read them by type.
    """

    id: str
    name: str
    terrain: str
    facts: Mapping[str, Fact] = MappingProxyType({})
    lon_milli: int | None = None
    lat_milli: int | None = None
    x: int | None = None
    y: int | None = None

    def __post_init__(self) -> None:
        """Store a sorted, read-only copy of the facts, so that a change of the caller's dict has no effect."""
        msgspec.structs.force_setattr(self, "facts", MappingProxyType(dict(sorted(self.facts.items()))))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the facts as a dict, because a read-only view cannot be pickled."""
        fields = msgspec.structs.asdict(self) | {"facts": dict(self.facts)}
        return Area, tuple(fields.values())

    def text(self, fact: str) -> str:
        """Return a fact that is text. Raises RulesetError if the area has no such fact, like the two methods below."""
        return self._fact(fact, str)

    def number(self, fact: str) -> int:
        """Return a fact that is a whole number."""
        return self._fact(fact, int)

    def flag(self, fact: str) -> bool:
        """Return a fact that is true or false."""
        return self._fact(fact, bool)

    def _fact(self, fact: str, wanted: type[FactType]) -> FactType:
        value = self.facts.get(fact)
        if type(value) is not wanted:
            found = f"is {value!r}" if fact in self.facts else "is missing"
            problem = f"fact {fact!r} of area {self.id} {found}, the rules expect {wanted.__name__}"
            raise RulesetError(f"{problem}; declare it in the facts that the map requires")
        return value


class Connector(msgspec.Struct, frozen=True):
    """A link between two areas, the same in both directions: the ends are sorted, so that A to B equals B to A."""

    a: str
    b: str
    kind: str

    def __post_init__(self) -> None:
        """Sort the ends."""
        if self.b < self.a:
            low, high = self.b, self.a
            msgspec.structs.force_setattr(self, "a", low)
            msgspec.structs.force_setattr(self, "b", high)


@dataclass(frozen=True, slots=True, repr=False)
class AreaMap:
    """An immutable map of areas. Raises DataError for invalid ids, duplicates and dangling connectors.

    ``areas`` and ``connectors`` may come in any order and are sorted. ``id``, ``title``, ``provenance`` and ``reason``
    are those of the file. The other fields are derived: ``ids`` are sorted, and ``index`` maps each id to its number.
    ``neighbors`` holds for each number the sorted numbers of its neighbors. ``kinds`` holds, in the same order, the
    kinds of the connectors to them.
    """

    id: str
    areas: tuple[Area, ...]
    connectors: tuple[Connector, ...]
    title: str = ""
    provenance: str = ""
    reason: str = ""
    ids: tuple[str, ...] = field(init=False, compare=False)
    index: Mapping[str, int] = field(init=False, compare=False)
    neighbors: tuple[tuple[int, ...], ...] = field(init=False, compare=False)
    kinds: tuple[tuple[str, ...], ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Check, sort and number."""
        ids = [area.id for area in self.areas]
        pairs = [(connector.a, connector.b) for connector in self.connectors]
        for key, problem in find_structure_problems(ids, pairs):
            raise DataError(f"map {self.id}", key, problem)
        areas = tuple(sorted(self.areas, key=lambda area: area.id))
        connectors = tuple(sorted(self.connectors, key=lambda connector: (connector.a, connector.b)))
        index = {area.id: number for number, area in enumerate(areas)}
        ends: list[dict[int, str]] = [{} for _ in areas]
        for connector in connectors:  # sorted, so each row is filled in ascending order
            ends[index[connector.a]][index[connector.b]] = connector.kind
            ends[index[connector.b]][index[connector.a]] = connector.kind
        derived = {
            "areas": areas,
            "connectors": connectors,
            "ids": tuple(index),
            "index": MappingProxyType(index),
            "neighbors": tuple(tuple(row) for row in ends),
            "kinds": tuple(tuple(row.values()) for row in ends),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments of the map; the derived data is computed again."""
        return AreaMap, (self.id, self.areas, self.connectors, self.title, self.provenance, self.reason)

    def __repr__(self) -> str:
        return f"AreaMap({self.id!r}, {len(self.areas)} areas, {len(self.connectors)} connectors)"

    def area(self, area_id: str) -> Area:
        """Return the area. This and all methods below raise DataError for an unknown id."""
        return self.areas[self._number(area_id)]

    def ids_of(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of numbered areas in the given order, such as the spaces of a path."""
        return tuple(self.ids[number] for number in numbers)

    def adjacent(self, area_id: str) -> tuple[str, ...]:
        """Return the ids of the neighbors, sorted."""
        return self.ids_of(self.neighbors[self._number(area_id)])

    def connector(self, a: str, b: str) -> Connector | None:
        """Return the connector between two areas, or None if they are not neighbors."""
        start, end = self._number(a), self._number(b)
        if end not in self.neighbors[start]:
            return None
        return Connector(a, b, self.kinds[start][self.neighbors[start].index(end)])

    def distance_spaces(self, a: str, b: str, passable: Callable[[Area], bool] | None = None) -> int | None:
        """Return the number of steps from ``a`` to ``b``, or None; each area entered must be ``passable``."""
        start, end = self._number(a), self._number(b)
        blocked = None if passable is None else [not passable(area) for area in self.areas]
        return distance_spaces(self.neighbors, start, end, blocked=blocked)

    def cost_table(self, cost_of: Callable[[Area, Area, str], int | None]) -> CostTable:
        """Compile one mobility class: ``cost_of(start, end, kind)`` returns half points, or None for impassable."""
        kinds = {
            (a, b): kind for a, row in enumerate(self.kinds) for b, kind in zip(self.neighbors[a], row, strict=True)
        }
        areas = self.areas
        return CostTable.compile(self.neighbors, lambda a, b: cost_of(areas[a], areas[b], kinds[a, b]))

    def as_networkx(self) -> "nx.Graph":
        """Build a new networkx graph, sorted: areas by id with ``name`` and ``terrain``, connectors with ``kind``."""
        import networkx as nx  # noqa: PLC0415 - takes 130 ms, and play never needs it

        graph = nx.Graph()
        graph.add_nodes_from((area.id, {"name": area.name, "terrain": area.terrain}) for area in self.areas)
        graph.add_edges_from((link.a, link.b, {"kind": link.kind}) for link in self.connectors)
        return graph

    def _number(self, area_id: str) -> int:
        if area_id not in self.index:
            raise DataError(f"map {self.id}", area_id, "no area has this id; ids are case-sensitive")
        return self.index[area_id]
