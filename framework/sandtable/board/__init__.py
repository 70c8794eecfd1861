"""Spaces and what lies between them: maps of areas and of hexes, movement, supply and control.

Searches (``reach``, ``cheapest_path``, ``supplied``, ``flood``, ``retreat_paths``) know only numbered spaces and their
neighbours, so that areas and hexes share them; ``AreaMap.index`` and ``ids_of`` lead from ids to numbers and back,
``HexMap.index`` and ``numbers`` likewise.
"""

from sandtable.board.areas.checks import MapRules, check_map, find_map_problems
from sandtable.board.areas.file import find_problems, parse_map, read_map
from sandtable.board.areas.map import Area, AreaMap, Connector, Fact
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
from sandtable.board.graph.incremental_reach import FAR, Flood, flood
from sandtable.board.graph.masks import Flags, flags_at, flags_of, joined_flags, places_of
from sandtable.board.graph.paths import (
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
from sandtable.board.graph.retreat import retreat_paths
from sandtable.board.graph.supply import SupplyLeg, SupplyLines, SupplyNet, SupplyTrace, supplied, trace_supply
from sandtable.board.graph.zones import Zones
from sandtable.board.hexes.file import HexVocabulary, find_hex_problems, parse_hex_map, read_hex_map
from sandtable.board.hexes.grid import (
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
from sandtable.board.hexes.line_of_sight import SightLine, Ties, Touched, touched_by_line, trace_sight
from sandtable.board.hexes.map import HexMap

__all__ = [
    "FAR",
    "Adjacency",
    "Area",
    "AreaMap",
    "Connector",
    "CostTable",
    "Direction",
    "Fact",
    "Flags",
    "Flood",
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
    "SupplyLines",
    "SupplyNet",
    "SupplyTrace",
    "Ties",
    "Touched",
    "Zones",
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
    "flags_at",
    "flags_of",
    "flood",
    "joined_flags",
    "line",
    "parse_hex_map",
    "parse_map",
    "path_cost",
    "places_of",
    "range_hexes",
    "reach",
    "read_hex_map",
    "read_map",
    "retreat_paths",
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
