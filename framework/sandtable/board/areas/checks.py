"""Requirements of a game for a map as a whole, checked with networkx: connected, and each road one chain.

Reading a map does not need these checks; ``sandtable check`` and the tests of a game run them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.board.areas.map import AreaMap
from sandtable.errors import DataError

if TYPE_CHECKING:
    import networkx as nx

LISTED = 8
"""Maximum number of parts in a message, and of areas in each part."""


class MapRules(msgspec.Struct, frozen=True, kw_only=True):
    """The requirements for every map of a game.

    ``terrains`` and ``kinds`` are the allowed words (empty: any). ``connected``: each area can be reached from each
    other area. ``connected_terrains``: the same within each group of terrains by itself, for instance all that land
    units may enter. ``chains``: the connectors of each of these kinds form one unbroken chain without branches.
    """

    terrains: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    connected: bool = True
    connected_terrains: tuple[tuple[str, ...], ...] = ()
    chains: tuple[str, ...] = ()


def check_map(area_map: AreaMap, rules: MapRules, where: str = "") -> None:
    """Raise DataError for the first problem; ``where`` is the file, and defaults to the map's id."""
    for key, problem in map_problems(area_map, rules):
        raise DataError(where or f"map {area_map.id}", key, problem)


def find_map_problems(area_map: AreaMap, rules: MapRules, where: str = "") -> list[str]:
    """Return every problem as a line, or [] if the map meets the rules."""
    named = where or f"map {area_map.id}"
    return [str(DataError(named, key, problem)) for key, problem in map_problems(area_map, rules)]


def map_problems(area_map: AreaMap, rules: MapRules) -> Iterator[tuple[str, str]]:
    """Yield ``(key, problem)`` in a fixed order: words first, then connection, then chains."""
    yield from _wrong_words(area_map, rules)
    graph = area_map.as_networkx()
    if rules.connected:
        yield from _parts_problem(graph, "areas", "the map")
    for group in rules.connected_terrains:
        inside = [area.id for area in area_map.areas if area.terrain in group]
        if not inside:
            yield "areas", f"no area has terrain {' or '.join(group)}, which must be connected"
        yield from _parts_problem(graph.subgraph(inside), "areas", f"terrain {' + '.join(group)}")
    for kind in rules.chains:
        yield from _chain_problems(graph, kind)


def _wrong_words(area_map: AreaMap, rules: MapRules) -> Iterator[tuple[str, str]]:
    for area in area_map.areas:
        if rules.terrains and area.terrain not in rules.terrains:
            yield f"areas.{area.id}.terrain", f"{area.terrain!r} is not one of {', '.join(rules.terrains)}"
    for link in area_map.connectors:
        if rules.kinds and link.kind not in rules.kinds:
            known = ", ".join(rules.kinds)
            yield "connectors", f"{link.a} to {link.b} is of kind {link.kind!r}, not one of {known}"


def _parts_problem(graph: "nx.Graph", key: str, what: str) -> Iterator[tuple[str, str]]:
    parts = _parts(graph)
    if len(parts) > 1:
        lesser = _listed([_listed(part) for part in parts[1:]], "; ")
        yield key, f"{what} has {len(parts)} separate parts; add connectors from the largest to: {lesser}"


def _chain_problems(graph: "nx.Graph", kind: str) -> Iterator[tuple[str, str]]:
    """Yield the reasons why the connectors of ``kind`` are not one chain: none, branches, breaks, or a ring."""
    chain = graph.edge_subgraph([(a, b) for a, b, word in graph.edges(data="kind") if word == kind])
    if not chain:
        yield "connectors", f"no connector is of kind {kind!r}, which must form a chain"
        return
    for area in sorted(chain):
        ends = sorted(chain[area])
        if len(ends) > 2:
            yield (
                f"areas.{area}",
                f"{kind!r} branches here, to {_listed(ends)}; an area of a chain has at most two connectors",
            )
    parts = _parts(chain)
    if len(parts) > 1:
        pieces = _listed([_listed(part) for part in parts], "; ")
        yield "connectors", f"the chain of kind {kind!r} is broken into {len(parts)} pieces, close the gaps: {pieces}"
    for part in parts:
        if all(len(chain[area]) == 2 for area in part):
            yield "connectors", f"the chain of kind {kind!r} is a ring: {_listed(part)}; remove one connector"


def _parts(graph: "nx.Graph") -> list[list[str]]:
    """Return the connected parts, the largest first, then by id; networkx returns them as sets."""
    import networkx as nx  # noqa: PLC0415 - takes 130 ms, and play never needs it

    parts = [sorted(part) for part in nx.connected_components(graph)]
    return sorted(parts, key=lambda part: (-len(part), part))


def _listed(words: list[str], between: str = ", ") -> str:
    more = f"{between}and {len(words) - LISTED} more" if len(words) > LISTED else ""
    return between.join(words[:LISTED]) + more
