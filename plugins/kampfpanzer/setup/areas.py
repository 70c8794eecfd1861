"""The notation of a set of hexes in a scenario: rows, distance, place, edge or numbers (KP-14.0k).

A table names its hexes by one of these keys:

    rows = [29, 54]             hexes whose numbers end in these two digits, and all rows between
    within = 5, of = "2121"     hexes up to this distance from a hex
    place = "Town 1"            a place of the map; with adjacent = true also the hexes around it, with roads = 2 also
                                the hexes with a road up to this distance
    hexes = ["3001-3006 2341"]  numbers, and runs down one column
    edge = "west"               an edge of the map
    span = "0101-1001"          hexes along an edge of the map, from one to the other
"""

import re
from collections.abc import Callable
from typing import get_args

from kampfpanzer.model.tables import BRIDGE, ROAD
from sandtable.data import Problems, TomlTable, choice_of, number_of, quoted
from sandtable.hexes import Edge, HexMap

Hexes = tuple[str, ...]
EDGES: tuple[Edge, ...] = get_args(Edge)
FARTHEST = 60
"""Maximum distance in hexes, more than any map is wide."""
_RUN = re.compile(r"([0-9]{4})(?:-([0-9]{4}))?", re.ASCII)


def read_area(table: TomlTable, hexmap: HexMap) -> Hexes:
    """Return the sorted hexes that ``table`` names; errors are recorded as problems, and the result is empty."""
    keys = [name for name in _READERS if name in table.values]
    if len(keys) != 1:
        found = "none of them is given" if not keys else f"{' and '.join(keys)} are given"
        table.problems.refuse(table.key, f"must name its hexes by one of {', '.join(_READERS)}; {found}")
        return ()
    for name, key in _ALONG.items():
        if name in table.values and key != keys[0]:
            table.refuse(name, f"is valid only with {key}; remove it")
    found_before = len(table.problems.found)
    hexes = _READERS[keys[0]](table, hexmap)
    if not hexes and len(table.problems.found) == found_before:
        table.refuse(keys[0], "contains no hex of this map; correct it")
    return hexes


def read_hexes(table: TomlTable, name: str, hexmap: HexMap) -> Hexes:
    """Return the hexes of a value: a list of numbers, a span of an edge as text, or a table for ``read_area``."""
    value = table.values.get(name)
    if isinstance(value, dict):
        inner = TomlTable(table.problems, table.key_of(name), value)
        inner.refuse_unknown(AREA_KEYS)
        return read_area(inner, hexmap)
    if isinstance(value, str):
        return _span(TomlTable(table.problems, table.key, {name: value}), hexmap, name)
    return _listed(table, hexmap, name)


def edge_hexes(hexmap: HexMap) -> frozenset[str]:
    """Return the hexes of all four edges."""
    return frozenset(number for name in EDGES for number in hexmap.edge(name))


def _rows(table: TomlTable, hexmap: HexMap) -> Hexes:
    rows = table.get(list, "rows")
    if len(rows) != 2 or not all(type(row) is int and 0 <= row < 100 for row in rows) or rows[0] > rows[1]:
        table.refuse("rows", f"is {quoted(rows)}; give the first row and the last, such as [1, 17]")
        return ()
    return tuple(number for number in hexmap.numbers if rows[0] <= int(number[2:]) <= rows[1])


def _within(table: TomlTable, hexmap: HexMap) -> Hexes:
    distance = number_of(table, "within", 0, FARTHEST)
    center = table.get(str, "of")
    if not hexmap.holds(center):
        if isinstance(table.values.get("of"), str):
            table.refuse("of", f'is {quoted(center)}, which is not a hex of this map; give a number such as "2121"')
        return ()
    return hexmap.within(center, distance)


def _place(table: TomlTable, hexmap: HexMap) -> Hexes:
    name = table.get(str, "place")
    if name not in hexmap.places:
        if isinstance(table.values.get("place"), str):
            known = ", ".join(hexmap.places) or "none"
            table.refuse("place", f"is {quoted(name)}, which is not a place of this map; its places are: {known}")
        return ()
    found = set(hexmap.places[name])
    if "adjacent" in table.values and table.get(bool, "adjacent"):
        found |= {near for number in hexmap.places[name] for near in hexmap.around[number] if near}
    if "roads" in table.values:
        distance = number_of(table, "roads", 0, FARTHEST)
        roads = {*hexmap.hexes_beside(ROAD), *hexmap.hexes_beside(BRIDGE)}
        found |= {near for number in hexmap.places[name] for near in hexmap.within(number, distance) if near in roads}
    return tuple(sorted(found))


def _listed(table: TomlTable, hexmap: HexMap, name: str = "hexes") -> Hexes:
    found: list[str] = []
    for position, text in enumerate(table.get(list, name)):
        key = f"{table.key_of(name)}[{position}]"
        if not table.problems.is_a(str, key, text):
            continue
        for word in text.split():
            found += _run(table.problems, key, word, hexmap)
    return tuple(sorted(set(found)))


def _run(problems: Problems, key: str, word: str, hexmap: HexMap) -> list[str]:
    """Return the hexes of "0304" or, down one column, "0304-0309"."""
    run = _RUN.fullmatch(word)
    first, last = (run[1], run[2] or run[1]) if run else ("", "")
    if not run or first[:2] != last[:2] or first > last:
        problems.refuse(
            key, f"has {quoted(word)}; write hex numbers such as 0304, and runs down a column such as 0304-0309"
        )
        return []
    column = [f"{first[:2]}{row:02}" for row in range(int(first[2:]), int(last[2:]) + 1)]
    off = [number for number in column if not hexmap.holds(number)]
    if off:
        problems.refuse(key, f"has {off[0]}, which is off the map; remove it")
    return [number for number in column if hexmap.holds(number)]


def _edge(table: TomlTable, hexmap: HexMap) -> Hexes:
    name = choice_of(table, "edge", EDGES)
    return next((hexmap.edge(edge) for edge in EDGES if edge == name), ())


def _span(table: TomlTable, hexmap: HexMap, name: str = "span") -> Hexes:
    text = table.get(str, name)
    run = _RUN.fullmatch(text)
    first, last = sorted((run[1], run[2] or run[1])) if run else ("", "")
    for edge in EDGES:
        hexes = hexmap.edge(edge)
        if first in hexes and last in hexes:
            return hexes[hexes.index(first) : hexes.index(last) + 1]
    if isinstance(table.values.get(name), str):
        table.refuse(name, f'is {quoted(text)}; give two hexes of one edge of the map, such as "0101-1001"')
    return ()


_READERS: dict[str, Callable[[TomlTable, HexMap], Hexes]] = {
    "rows": _rows,
    "within": _within,
    "place": _place,
    "hexes": _listed,
    "edge": _edge,
    "span": _span,
}
_ALONG = {"of": "within", "adjacent": "place", "roads": "place"}
AREA_KEYS = (*_READERS, *_ALONG)
"""The keys that ``read_area`` accepts."""
