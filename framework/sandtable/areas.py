"""The public names for games on areas: areas and connectors, map files, control. Searches are in ``graphs``."""

from sandtable.board.areas.checks import MapRules, check_map, find_map_problems
from sandtable.board.areas.file import examine_tables, find_problems, parse_map, read_map
from sandtable.board.areas.map import Area, AreaMap, Connector, Fact
from sandtable.board.areas.structure import find_structure_problems
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

__all__ = [
    "Area",
    "AreaMap",
    "Connector",
    "Fact",
    "MapRules",
    "check_map",
    "contested_spaces",
    "control_changes",
    "controller",
    "count_spaces",
    "examine_tables",
    "find_control_problems",
    "find_map_problems",
    "find_problems",
    "find_structure_problems",
    "parse_map",
    "read_map",
    "spaces_of",
    "take_over",
    "value_of",
]
