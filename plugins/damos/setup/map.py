"""The map of a scenario: a map file with two more tables, its railways and its theater.

    [rails]                             # each a line of adjacent hexes; lines meet at junctions
    "Suwalki-Grodno" = "2426 2526 2625"

    [theater]                           # hexes, and runs along one row
    area = ["2525-2530"]                # the play area
    extension = []                      # the part of it that opens to the Germans once they are past the marsh
    marsh = []                          # the region that they must have passed
    home = ["2526 2528-2530"]           # the German side of the frontier
    frontier = ["2525 2527"]            # the hexes that the Soviets must fill
    set_up = ["2526 2528-2530"]         # the hexes where the Germans may set up

All other tables are those of any hex map.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from damos.model.board import RailLine
from damos.model.terrain_chart import CLEAR, RAIL, PlayerAid
from sandtable.data import TomlTable, inner
from sandtable.hexes import HexMap, HexRuns, HexVocabulary, parse_hex_map

REGIONS = ("area", "extension", "marsh", "home", "frontier", "set_up")
OPTIONAL = ("extension", "marsh")
EDGES = {"west": 4, "east": 1}
"""Edges of the map: the index in ``HexMap.around`` at which their hexes have no neighbor."""
OWN_TABLES = ("rails", "theater")
MAX_LINES = 200


class MapSheet(NamedTuple):
    """The map, the lines and the regions of the theater. Each hexside that a line crosses is a ``rail``."""

    hexmap: HexMap
    rails: tuple[RailLine, ...]
    regions: dict[str, tuple[str, ...]]


def read_map_sheet(table: TomlTable, aid: PlayerAid, place: tuple[str, str]) -> MapSheet:
    """Return the map sheet of a map's tables. Raises DataError for the first problem of the map itself.

    ``place`` is the file of the map, and the prefix of its keys. Errors in railways and theater are added to the
    problems of the table.
    """
    vocabulary = HexVocabulary(
        terrain=(CLEAR, *(name for name in aid.terrain if name != CLEAR)), hexsides=tuple(aid.hexsides)
    )
    plain = {name: value for name, value in table.values.items() if name not in OWN_TABLES}
    hexmap = parse_hex_map(plain, ": ".join(filter(None, place)).rstrip("."), vocabulary)
    lines = _read_rails(inner(table, "rails"), hexmap)
    regions = _read_theater(inner(table, "theater"), hexmap)
    if not table.problems.found:
        hexmap = _with_rails(hexmap, lines)
    return MapSheet(hexmap, lines, regions)


def _read_rails(table: TomlTable, hexmap: HexMap) -> tuple[RailLine, ...]:
    """Return the lines. A gap in a line, or a hex off the map, is added to the problems."""
    lines = []
    for name in list(table.values)[:MAX_LINES]:
        hexes = str(table.get(str, name)).split()
        off = next((number for number in hexes if not hexmap.holds(number)), "")
        gap = next(((a, b) for a, b in pairwise(hexes) if not off and b not in hexmap.around[a]), None)
        if off:
            table.refuse(name, f"has {off}, which is not a hex of the map; correct it")
        elif gap:
            table.refuse(name, f"has a gap: {gap[0]} and {gap[1]} are not adjacent; write the hexes between them")
        elif len(hexes) < 2 and isinstance(table.values.get(name), str):
            table.refuse(name, "is not a line; write two or more hexes, each adjacent to the previous one")
        elif len(set(hexes)) < len(hexes):
            table.refuse(name, "enters a hex twice; split it into two lines")
        lines.append(RailLine(name, tuple(hexes)))
    if len(table.values) > MAX_LINES:
        table.problems.refuse(table.key, f"has {len(table.values)} lines; the maximum is {MAX_LINES}")
    return tuple(lines)


def _read_theater(table: TomlTable, hexmap: HexMap) -> dict[str, tuple[str, ...]]:
    table.refuse_unknown(REGIONS)
    for name in REGIONS:
        if name not in table.values and name not in OPTIONAL:
            table.refuse(name, "is missing; list its hexes")
    lists = HexRuns(hexmap.grid)
    known: dict[str, Any] = {name: each for name, each in table.values.items() if name in REGIONS}
    lists.read_hexes(TomlTable(table.problems, table.key, known), REGIONS)
    found = lists.by_kind()
    return {name: found.get(name, ()) for name in REGIONS}


def _with_rails(hexmap: HexMap, lines: tuple[RailLine, ...]) -> HexMap:
    """Return the map with the hexsides that lines cross."""
    crossed = {f"{min(pair)}/{max(pair)}" for line in lines for pair in pairwise(line.hexes)}
    sides = {side: hexmap.hexsides.get(side, ()) for side in sorted({*crossed, *hexmap.hexsides})}
    return replace(
        hexmap, hexsides={side: (*kinds, RAIL) if side in crossed else kinds for side, kinds in sides.items()}
    )
