"""The printed figures: powers, prices and values of units, and the needed die rolls.

README.md names the sources of the standard values and of the grant. Every number cites its rule.
"""

from typing import NamedTuple

ITALY, ENGLAND, GERMANY = "italy", "england", "germany"
AXIS, ALLIES = "axis", "allies"
POWERS = (ITALY, ENGLAND, GERMANY)
"""The order of play (DAA-1.03)."""
SIDES = (AXIS, ALLIES)
SIDE_OF = {ITALY: AXIS, ENGLAND: ALLIES, GERMANY: AXIS}  # DAA-1.01, DAA-1.02
ENEMY = {AXIS: ALLIES, ALLIES: AXIS}
POWERS_OF = {side: tuple(power for power in POWERS if SIDE_OF[power] == side) for side in SIDES}
PREFIX = {ITALY: "it", ENGLAND: "uk", GERMANY: "de"}

INFANTRY, ARTILLERY, ARMOR = "infantry", "artillery", "armor"
FIGHTER, BOMBER, FLAK, MINEFIELD = "fighter", "bomber", "aa_gun", "minefield"
KINDS = (INFANTRY, ARTILLERY, ARMOR, FIGHTER, BOMBER, FLAK)
"""The kinds of unit, in the order of the price list. Minefields are bought like units, but are not units."""
KIND_NAMES = {**{kind: kind for kind in KINDS}, MINEFIELD: MINEFIELD, FLAK: "flak"}
"""Kinds in the words that players read; the keys are the names in logs."""
SHORT = {INFANTRY: "inf", ARTILLERY: "art", ARMOR: "arm", FIGHTER: "ftr", BOMBER: "bom", FLAK: "aa"}
ALIASES = {"armour": ARMOR}
"""Other spellings of kinds that people type."""
KIND_OF = {short: kind for kind, short in SHORT.items()}
FOOT = (INFANTRY, ARTILLERY)
PLANES = (FIGHTER, BOMBER)
FIGHTING = (INFANTRY, ARTILLERY, ARMOR, FIGHTER, BOMBER)
"""The kinds that fight and can be lost: all except flak (DAA-10.06)."""
GROUND = (INFANTRY, ARTILLERY, ARMOR, FLAK)
"""The land units, including flak (DAA-R24)."""


class Values(NamedTuple):
    """The printed values of a unit. ``attack`` and ``defense`` are the highest face that hits."""

    attack: int
    defense: int
    move: int
    cost: int


STANDARD = {
    #                attack  defense  move  cost
    INFANTRY: Values(1, 2, 1, 3),  # DAA-15.01
    ARTILLERY: Values(2, 2, 1, 4),  # DAA-15.02
    ARMOR: Values(3, 2, 2, 5),  # DAA-15.03
    FIGHTER: Values(3, 4, 4, 12),  # DAA-15.04
    BOMBER: Values(4, 1, 6, 15),  # DAA-15.05
    FLAK: Values(0, 0, 1, 5),  # DAA-15.06, DAA-10.02
}
ITALIAN = {
    INFANTRY: Values(1, 1, 1, 2),  # DAA-3.03
    ARTILLERY: Values(2, 1, 1, 3),  # DAA-3.04
    ARMOR: Values(2, 2, 2, 4),  # DAA-3.05
    FIGHTER: Values(2, 3, 4, 10),  # DAA-3.06
    BOMBER: STANDARD[BOMBER],  # DAA-3.07
    FLAK: STANDARD[FLAK],  # DAA-3.08
}
VALUES = {ITALY: ITALIAN, ENGLAND: STANDARD, GERMANY: STANDARD}  # DAA-3.01
_STANDARD_RULES = {
    INFANTRY: "DAA-15.01",
    ARTILLERY: "DAA-15.02",
    ARMOR: "DAA-15.03",
    FIGHTER: "DAA-15.04",
    BOMBER: "DAA-15.05",
    FLAK: "DAA-15.06",
}
_ITALIAN_RULES = {kind: f"DAA-3.0{number}" for number, kind in enumerate(KINDS, 3)}
VALUE_RULES = {ITALY: _ITALIAN_RULES, ENGLAND: _STANDARD_RULES, GERMANY: _STANDARD_RULES}
"""The rule of each unit's values."""
PRICES = {power: {kind: VALUES[power][kind].cost for kind in KINDS} for power in POWERS}

MINEFIELD_COST = 8  # DAA-8.02
EXTRA_SPACES = 1  # DAA-4.01, DAA-5.01, DAA-10.01
SUPPORTED_INFANTRY = 2  # DAA-11.01, DAA-15.07
GUN_HITS = 3  # DAA-7.08
FLAK_HITS = 1  # DAA-10.03
MINE_HITS = {1: 3, 2: 2}  # by entry, the first and later ones: DAA-9.02, DAA-9.09
SWEPT_ON = {1: 2, 2: 3}  # by entry, the first and later ones: DAA-9.06, DAA-9.10
REAR_SPACES = 2  # DAA-6.03

OPEN, CLOSED_LAND, CLOSED_ALL = "desert", "impassable_land", "impassable_all"
TERRAINS = (OPEN, CLOSED_LAND, CLOSED_ALL)
ROAD, DESERT = "road", "desert"
"""The kinds of connector."""

POWER_NAMES = {ITALY: "Italy", ENGLAND: "England", GERMANY: "Germany"}
SIDE_NAMES = {AXIS: "the Axis", ALLIES: "the Allies"}


def kind_of(unit_id: str) -> str:
    """Return the kind of a unit id, such as infantry for "de-inf-3"."""
    return KIND_OF[unit_id.split("-", 2)[1]]
