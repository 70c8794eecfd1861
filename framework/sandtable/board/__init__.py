"""Spaces and what lies between them: maps of areas, movement, supply and control.

Searches (``reach``, ``cheapest_path``, ``supplied``) know only numbered spaces and their neighbours, so that areas and
hexes share them; ``AreaMap.index`` and ``ids_of`` lead from ids to numbers and back.
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
from sandtable.board.supply import SupplyLeg, SupplyNet, SupplyTrace, supplied, trace_supply

__all__ = [
    "Adjacency",
    "Area",
    "AreaMap",
    "Connector",
    "CostTable",
    "Fact",
    "MapRules",
    "Path",
    "Reach",
    "SpaceTest",
    "SupplyLeg",
    "SupplyNet",
    "SupplyTrace",
    "cheapest_path",
    "check_map",
    "contested_spaces",
    "control_changes",
    "controller",
    "count_spaces",
    "distance_spaces",
    "find_control_problems",
    "find_map_problems",
    "find_problems",
    "parse_map",
    "path_cost",
    "reach",
    "read_map",
    "spaces_of",
    "supplied",
    "take_over",
    "trace_supply",
    "value_of",
]
