"""Spaces and what lies between them: maps of areas and of hexes, movement, supply and control.

Searches (``reach``, ``cheapest_path``, ``supplied``) know only numbered spaces and their neighbours, so that areas and
hexes share them; ``AreaMap.index`` and ``ids_of`` lead from ids to numbers and back, ``HexMap.index`` and ``numbers``
likewise.
"""

from sandtable.board.areas import Area, AreaMap, Connector, Fact
from sandtable.board.checks import MapRules, check_map, find_map_problems
from sandtable.board.control import (
    contested_spaces,
    control_changes,
    controller,
    count_spaces,
    find_control_problems,
    spaces_of,
    take_over,
    value_of,
)
from sandtable.board.hexes import (
    Direction,
    Hex,
    HexGrid,
    Hexside,
    direction_to,
    disc,
    line,
    range_hexes,
    ring,
    within_arc,
)
from sandtable.board.hexfile import HexVocabulary, find_hex_problems, parse_hex_map, read_hex_map
from sandtable.board.hexmap import HexMap
from sandtable.board.mapfile import find_problems, parse_map, read_map
from sandtable.board.paths import (
    Adjacency,
    CostTable,
    Path,
    Reach,
    SpaceTest,
    cheapest_path,
    distance_spaces,
    path_cost,
    reach,
)
from sandtable.board.sight import SightLine, Ties, Touched, touched_by_line, trace_sight
from sandtable.board.supply import SupplyLeg, SupplyNet, SupplyTrace, supplied, trace_supply

__all__ = [
    "Adjacency",
    "Area",
    "AreaMap",
    "Connector",
    "CostTable",
    "Direction",
    "Fact",
    "Hex",
    "HexGrid",
    "HexMap",
    "HexVocabulary",
    "Hexside",
    "MapRules",
    "Path",
    "Reach",
    "SightLine",
    "SpaceTest",
    "SupplyLeg",
    "SupplyNet",
    "SupplyTrace",
    "Ties",
    "Touched",
    "cheapest_path",
    "check_map",
    "contested_spaces",
    "control_changes",
    "controller",
    "count_spaces",
    "direction_to",
    "disc",
    "distance_spaces",
    "find_control_problems",
    "find_hex_problems",
    "find_map_problems",
    "find_problems",
    "line",
    "parse_hex_map",
    "parse_map",
    "path_cost",
    "range_hexes",
    "reach",
    "read_hex_map",
    "read_map",
    "ring",
    "spaces_of",
    "supplied",
    "take_over",
    "touched_by_line",
    "trace_sight",
    "trace_supply",
    "value_of",
    "within_arc",
]
