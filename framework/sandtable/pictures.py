"""All for drawing a board, and for telling a game: pictures as plain data, drawn as SVG or as text; sentences."""

from sandtable.viewer.areas.layouts import AreaLayout, land_south_of, positions
from sandtable.viewer.areas.svg import areas_svg
from sandtable.viewer.areas.text import areas_text
from sandtable.viewer.hexes.picture import (
    HexArea,
    HexArrow,
    HexCounter,
    HexEntry,
    HexMark,
    HexPicture,
    HexTray,
    Part,
    Tab,
    part_around,
    whole_part,
)
from sandtable.viewer.hexes.style import OPERATIONAL, Fill, HexStyle, LineStyle, Way
from sandtable.viewer.hexes.svg import hexes_svg
from sandtable.viewer.hexes.text import hexes_text
from sandtable.viewer.narrate import (
    capital,
    counted,
    ended_sentence,
    event_sentence,
    in_words,
    is_told,
    listed,
    number_word,
    phase_heading,
    roll_sentence,
)
from sandtable.viewer.picture import Badge, Caption, Counter, Ground, LegendEntry, Link, Move, Picture, Place, Power

__all__ = [
    "OPERATIONAL",
    "AreaLayout",
    "Badge",
    "Caption",
    "Counter",
    "Fill",
    "Ground",
    "HexArea",
    "HexArrow",
    "HexCounter",
    "HexEntry",
    "HexMark",
    "HexPicture",
    "HexStyle",
    "HexTray",
    "LegendEntry",
    "LineStyle",
    "Link",
    "Move",
    "Part",
    "Picture",
    "Place",
    "Power",
    "Tab",
    "Way",
    "areas_svg",
    "areas_text",
    "capital",
    "counted",
    "ended_sentence",
    "event_sentence",
    "hexes_svg",
    "hexes_text",
    "in_words",
    "is_told",
    "land_south_of",
    "listed",
    "number_word",
    "part_around",
    "phase_heading",
    "positions",
    "roll_sentence",
    "whole_part",
]
