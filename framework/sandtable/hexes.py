"""The public names for games on hexes: the grid, map files, line of sight. Searches are in ``graphs``."""

from sandtable.board.hexes.file import HexVocabulary, find_hex_problems, parse_hex_map, read_hex_map
from sandtable.board.hexes.grid import (
    STEPS,
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
from sandtable.board.hexes.hex_runs import HexRuns
from sandtable.board.hexes.line_of_sight import SightLine, Ties, Touched, touched_by_line, trace_sight
from sandtable.board.hexes.map import Edge, HexMap
from sandtable.board.hexes.sight_map import SightMap

__all__ = [
    "STEPS",
    "Direction",
    "Edge",
    "Hex",
    "HexGrid",
    "HexMap",
    "HexRuns",
    "HexVocabulary",
    "Hexside",
    "SightLine",
    "SightMap",
    "Ties",
    "Touched",
    "direction_to",
    "disc",
    "find_hex_problems",
    "line",
    "parse_hex_map",
    "range_hexes",
    "read_hex_map",
    "ring",
    "touched_by_line",
    "trace_sight",
    "within_arc",
]
