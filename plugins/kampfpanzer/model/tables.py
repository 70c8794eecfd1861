"""The printed tables. Movement costs are in half points, as everywhere inside the game (R-KP-17).

Results are written "P", "D1" to "D4", or "" for no effect.
"""

from sandtable import RulesetError

ARMOR, WHEELS, FOOT = "armor", "wheels", "foot"
"""The three columns of movement costs (KP-10.0a): tanks and APCs, trucks, infantry."""

LETTERS = "ABCDEF"
"""The directions clockwise; A is north (KP-5.4a)."""

MIN_SUPERIORITY = -3
"""Minimum superiority of an attack (KP-9.7b)."""

MAX_SUPERIORITY = 8
"""Maximum superiority; a higher one counts as this (KP-9.7c)."""

# KP-9.7a     -3    -2    -1     0    +1    +2    +3    +4    +5    +6    +7    +8
_COMBAT = {
    1: ("D1", "D1", "D1", "D2", "D2", "D3", "D3", "D3", "D3", "D3", "D3", "D4"),
    2: ("P", "D1", "D1", "D1", "D2", "D2", "D3", "D3", "D3", "D3", "D3", "D4"),
    3: ("P", "P", "D1", "D1", "D1", "D2", "D2", "D3", "D3", "D3", "D3", "D4"),
    4: ("P", "P", "P", "P", "D1", "D1", "D2", "D2", "D3", "D3", "D3", "D4"),
    5: ("P", "P", "P", "P", "P", "D1", "D2", "D2", "D2", "D3", "D3", "D4"),
    6: ("P", "P", "P", "P", "P", "P", "D1", "D2", "D2", "D2", "D3", "D4"),
}

_SHELLS = {
    "moving": ("D1", "D1", "", "", "", ""),  # KP-9.39a
    "static": ("D3", "D2", "D2", "D1", "D1", ""),  # KP-9.39b
}
SHELL_COLUMNS = tuple(_SHELLS)

# KP-9.69a, by units defending (an entrenched one counts as two, KP-9.64a): 1 to 6 units overrunning
_OVERRUN = {
    1: (3, 6, 8, 8, 8, 8),
    2: (0, 3, 5, 6, 7, 8),
    3: (-1, 1, 3, 4, 5, 6),
    4: (-2, 0, 2, 3, 4, 5),
}
COUNTERATTACK_SUPERIORITY = -2  # KP-9.68b
OVERRUN_HALVES = 4
"""Half points that an overrun costs in addition to the ground (KP-9.6d): two points."""

# KP-11.3a, by panic level: the last digits of hexes named by a die of 1 to 6
_PANIC = {
    1: ("1", "2", "3", "4", "5", ""),
    2: ("17", "28", "39", "40", "5", "6"),
    3: ("179", "238", "39", "450", "15", "26"),
    4: ("2480", "1379", "359", "460", "157", "268"),
    5: ("1234", "5678", "1290", "3456", "7890", "67890"),
}
PANIC_LEVELS = tuple(_PANIC)

_ATTENUATION = ((5, 0), (10, -1), (15, -2), (20, -3))
"""The farthest hex of each band of range and its effect; at range 1 strength is doubled (KP-9.18a)."""

CLEAR, HILLTOP, TOWN, WOODS, SLOPE, WRECK = "clear", "hilltop", "town", "woods", "slope", "wreck"
STREAM, FORD, ROAD, BRIDGE, CREST = "stream", "ford", "road", "bridge", "crest"

HEX_HALVES = {
    #                 KP-10.0a  KP-5.5a      KP-10.0b  KP-10.0c  KP-10.0d  KP-10.0e
    ARMOR: {CLEAR: 2, HILLTOP: 2, TOWN: 1, WOODS: 6, SLOPE: 6, WRECK: 4},
    WHEELS: {CLEAR: 4, HILLTOP: 4, TOWN: 1, WOODS: 8, SLOPE: 8, WRECK: 16},
    FOOT: {CLEAR: 2, HILLTOP: 2, TOWN: 1, WOODS: 2, SLOPE: 2, WRECK: 2},
}
"""Half points to enter a hex, by mobility and terrain."""

SIDE_HALVES = {
    #        KP-10.0g          KP-10.0h  KP-10.0f
    ARMOR: {ROAD: 1, BRIDGE: 1, FORD: 4, STREAM: 8},
    WHEELS: {ROAD: 1, BRIDGE: 1, FORD: 8, STREAM: 12},
    FOOT: {ROAD: 1, BRIDGE: 1, FORD: 2, STREAM: 2},
}
"""Half points to cross a hexside instead of those to enter the hex (KP-10.0k), by mobility and feature.

If a hexside has several features, the first in this order counts (R-KP-18).
"""

COST_RULES = {
    CLEAR: "KP-10.0a",
    HILLTOP: "KP-5.5a",
    TOWN: "KP-10.0b",
    WOODS: "KP-10.0c",
    SLOPE: "KP-10.0d",
    WRECK: "KP-10.0e",
    STREAM: "KP-10.0f",
    ROAD: "KP-10.0g",
    BRIDGE: "KP-10.0g",
    FORD: "KP-10.0h",
}
"""By terrain or feature, the rule that states its cost."""

DEFENSE = {CLEAR: 0, HILLTOP: 0, TOWN: 4, WOODS: 2, SLOPE: 3, WRECK: 2}
"""Addition of terrain to the defense against direct fire (KP-10.0b); a slope adds only across a crest (KP-10.0i)."""

ENTRENCHMENT = 4
"""Addition of an entrenchment, instead of that of the terrain (KP-13.0d, KP-13.0e)."""

RECOVERS_ON = {1: 3, 2: 2, 3: 1}
"""By level of disruption, the highest die that recovers the unit (KP-9.71b)."""


def combat_result(superiority: int, die: int) -> str:
    """Return the result of an attack (KP-9.7a).

    Raises RulesetError below the minimum superiority (KP-9.7b).
    """
    if superiority < MIN_SUPERIORITY:
        raise RulesetError(f"superiority {superiority} is below the minimum of {MIN_SUPERIORITY}: no attack is made")
    return _COMBAT[die][min(superiority, MAX_SUPERIORITY) - MIN_SUPERIORITY]


def shell_result(column: str, die: int) -> str:
    """Return the result of high explosive fire, ``column`` "moving" or "static"; a die above 6 is a 6 (R-KP-48)."""
    return _SHELLS[column][min(die, 6) - 1]


def overrun_superiority(defenders_counted: int, attackers: int) -> int:
    """Return the superiority of an overrun (KP-9.63a): 1 to 4 defending units as counted, 1 to 6 attackers."""
    return _OVERRUN[defenders_counted][attackers - 1]


def panic_digits(level: int, die: int) -> tuple[str, ...]:
    """Return the digits whose hexes panic (KP-11.11c), in the order of the table."""
    return tuple(_PANIC[level][die - 1])


def attenuated(strength: int, range_hexes: int) -> int:
    """Return an attack strength at a range of 1 hex or more (KP-9.18a); it may be negative (R-KP-42).

    Raises RulesetError beyond 20 hexes, where the table ends. No weapon has such a range.
    """
    if range_hexes == 1:
        return 2 * strength
    for farthest, effect in _ATTENUATION:
        if range_hexes <= farthest:
            return strength + effect
    raise RulesetError(f"range {range_hexes} is beyond the table, which ends at 20 hexes")
