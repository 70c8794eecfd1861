"""Searches over numbered spaces and their neighbors, for areas and hexes: paths, zones, supply lines, retreats.

``AreaMap.index`` and ``ids_of`` convert ids to numbers and back, as do ``HexMap.index`` and ``numbers``.
"""

from sandtable.board.graph.incremental_reach import FAR, IncrementalReach, flood
from sandtable.board.graph.masks import Flags, flags_at, joined_flags, mask_of, places_of
from sandtable.board.graph.paths import (
    Adjacency,
    CostTable,
    MapPath,
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

__all__ = [
    "FAR",
    "Adjacency",
    "CostTable",
    "Flags",
    "IncrementalReach",
    "MapPath",
    "Reach",
    "SpaceTest",
    "SupplyLeg",
    "SupplyLines",
    "SupplyNet",
    "SupplyTrace",
    "Zones",
    "cheapest_path",
    "distance_spaces",
    "flags_at",
    "flood",
    "joined_flags",
    "mask_of",
    "path_cost",
    "places_of",
    "reach",
    "retreat_paths",
    "supplied",
    "trace_supply",
]
