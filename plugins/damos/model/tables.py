"""The printed tables of the series and its calendar. Movement points are in halves.

Loss points are tokens, as the results table prints them: "0", "0h", "0d", "1", "1h", "1d", "2", "3", ... (h is a heart,
d a diamond: more than the bare number, less than the next). Columns of the results table count from 1.
"""

from typing import NamedTuple

from sandtable import RulesetError

GERMAN, SOVIET = "german", "soviet"
SIDES = (GERMAN, SOVIET)
NKVD = "nkvd"

INFANTRY, CAVALRY, MOTORIZED, MECHANIZED, ARMOR = "infantry", "cavalry", "motorized", "mechanized", "armor"
TYPES = (INFANTRY, CAVALRY, MOTORIZED, MECHANIZED, ARMOR)
MOBILE_TYPES = (MOTORIZED, MECHANIZED, ARMOR)
"""Types whose strength is compared for a reaction (DM-2.6.1n)."""
COUNTERATTACKING_TYPES = (MECHANIZED, ARMOR)
"""Types of which a counterattacking force must contain at least one (AGC-2.1c)."""

REGIMENT, BRIGADE, DIVISION, CORPS, ARMY = "regiment", "brigade", "division", "corps", "army"
SIZES = (REGIMENT, BRIGADE, DIVISION, CORPS, ARMY)

# --- strength: columns, dice, zones (DM-8.6a, DM-2.6b) ---

_LEAST_STRENGTHS = (1, 2, 3, 5, 7, 8, 9, 11, 13, 16, 19, 24)
LAST_COLUMN = len(_LEAST_STRENGTHS)


def column_of(strength: int) -> int:
    """Return the column of a modified strength, 1 to 12; a strength below 1 counts as 1 (R-DM-21)."""
    return max(1, sum(least <= strength for least in _LEAST_STRENGTHS))


def dice_of_column(column: int) -> int:
    """Return the number of dice of a column, 1 to 3 (DM-8.6a)."""
    return (column + 3) // 4


def dice_of(strength: int) -> int:
    """Return the number of dice of a strength, 1 to 3 (DM-8.6a)."""
    return dice_of_column(column_of(strength))


def zone_range(strength: int) -> int:
    """Return the range in hexes of the zone of influence of a force, equal to its number of dice (DM-2.6b)."""
    return dice_of(strength)


# --- loss points (DM-8.7a) ---

_MARKED = ("0", "0h", "0d", "1", "1h", "1d", "2")


def lp_rank(token: str) -> int:
    """Return the index of loss points on the ladder, 0 for "0"; the higher index wins (DM-8.10b to DM-8.10d)."""
    if token in _MARKED:
        return _MARKED.index(token)
    return int(token) + 4


def lp_at(rank: int) -> str:
    """Return the loss points at an index of the ladder, or "0" for a lower index (DM-8.7d)."""
    return _MARKED[max(0, rank)] if rank < len(_MARKED) else str(rank - 4)


def lp_number(token: str) -> int:
    """Return the number of strength points that loss points cost (DM-8.8a)."""
    return int(token.rstrip("hd"))


def lp_moved(token: str, by: int) -> str:
    """Return loss points moved ``by`` steps along the ladder by the combat matrix (DM-8.7b, R-DM-14)."""
    return lp_at(lp_rank(token) + by)


def lp_sum(initial: str, added: int, symbols: str = "keep_if_total_below_2") -> str:
    """Return the sum of initial loss points and those of a counterattack (DM-8.10a).

    The symbol stays if nothing is added or the total is at most 1. With ``symbols`` "drop" it never stays (R-DM-47).
    """
    total, symbol = lp_number(initial) + added, initial.lstrip("0123456789")
    return f"{total}{symbol}" if symbols != "drop" and (not added or total <= 1) else str(total)


# --- the results table (DM-8.6b): each cell follows from the sum of row and column (C-DM-01) ---

_DIAGONAL = (*("0",) * 5, "0h", "0d", *("1",) * 2, "1h", "1d", *(number for number in "23456" for _ in range(4)), "7")
_LAST_ROWS = {1: 9, 2: 15, 3: 20}
"""The last printed row by number of dice."""


CRT_TITLES = ("1", "2", "3-4", "5-6", "7", "8", "9-10", "11-12", "13-15", "16-18", "19-23", "24+")
"""Titles of the columns."""


def crt_row(column: int, total: int, clamp: str = "last_row_of_column") -> int:
    """Return the row of a modified roll, 0 to 20.

    A roll below 0 counts as 0. A roll beyond the last printed row of the column counts as that row; with ``clamp``
    "extrapolate" it continues along the diagonal, up to 20 (R-DM-20).
    """
    last = 20 if clamp == "extrapolate" else _LAST_ROWS[dice_of_column(column)]
    return min(max(total, 0), last)


def combat_result(column: int, total: int, clamp: str = "last_row_of_column") -> str:
    """Return the loss points that a modified roll inflicts, by its ``crt_row``."""
    return _DIAGONAL[crt_row(column, total, clamp) + column - 1]


# --- attrition (DM-9.0j) ---

_ATTRITION_STRENGTHS = (2, 4, 6, 9, 12, 16, 20)
_ATTRITION = (  # by highest roll of the row
    (2, (1, 2, 2, 3, 4, 5, 6)),
    (3, (1, 1, 2, 2, 3, 4, 5)),
    (5, (0, 1, 1, 2, 2, 3, 4)),
    (8, (0, 0, 1, 1, 2, 2, 3)),
    (10, (0, 0, 0, 1, 1, 2, 2)),
    (11, (0, 0, 0, 0, 1, 1, 2)),
    (12, (0, 0, 0, 0, 0, 1, 1)),
)


def attrition_losses(strength: int, total: int) -> int:
    """Return the loss points of a force of this strength; 1 SP loses none. Rolls are clamped to 2 to 12 (R-DM-22)."""
    column = sum(least <= strength for least in _ATTRITION_STRENGTHS)
    if column == 0:
        return 0
    held = min(max(total, 2), 12)
    return next(row for highest, row in _ATTRITION if held <= highest)[column - 1]


ATTRITION_ROWS = ("2", "3", "4-5", "6-8", "9-10", "11", "12")
ATTRITION_TITLES = ("2-3", "4-5", "6-8", "9-11", "12-15", "16-19", "20+")


def attrition_cell(strength: int, total: int) -> tuple[str, str]:
    """Return the titles of row and column of the table; 1 SP has no column, and its title is "1"."""
    column = sum(least <= strength for least in _ATTRITION_STRENGTHS)
    held = min(max(total, 2), 12)
    row = sum(highest < held for highest, _ in _ATTRITION)
    return ATTRITION_ROWS[row], ATTRITION_TITLES[column - 1] if column else "1"


# --- attack plans and postures (DM-8.3a, DM-8.4a) ---

MEETING, STANDARD, GRAND, PENETRATION = "meeting", "standard", "grand", "penetration"
STEADFAST, COUNTERATTACK = "steadfast", "counterattack"
"""The postures that the rules name; the combat matrix may have more."""


class AttackPlan(NamedTuple):
    """An attack plan: its cost in halves (None: all that the force has) and its modifier for the attacker."""

    halves: int | None
    modifier: int
    concerted: bool = False


ATTACK_PLANS = {
    MEETING: AttackPlan(0, -1),
    STANDARD: AttackPlan(2, 0),
    GRAND: AttackPlan(4, 1, concerted=True),
    PENETRATION: AttackPlan(None, 2, concerted=True),
}

UNSUPPLIED_ATTACK_PER_DIE = -2
"""Modifier of an attacker without a supply line, for each die that it rolls (DM-8.5a)."""
UNSUPPLIED_DEFENSE = -1
"""Modifier of a defender without a supply line (DM-8.5b)."""
DEMORALIZED_DEFENSE = 1
"""Modifier of the attacker against a demoralized defender (DM-8.5d)."""

# --- costs and other figures ---

RALLY_HALVES = 4  # DM-2.8g
PICK_UP_HALVES = 2  # DM-7.0n
STRATEGIC_FACTOR = 2  # DM-6.0b
REACTION_TARGET = 9  # DM-2.6.1k
REACTION_CERTAIN = 12  # DM-2.6.1l
FAR_REACTION = (3, -1)
"""Range in hexes and modifier of a distant reaction (DM-2.6.1o)."""
ATTACKER_RETREAT = 1  # DM-8.11b
DEFENDER_RETREAT = (2, 3)  # DM-8.11b

_RATINGS = {INFANTRY: 0, CAVALRY: 0, MOTORIZED: 1, MECHANIZED: 1, ARMOR: 2}


def exploit_rating(unit_type: str, motorized: str = "one") -> int:
    """Return the exploit rating of a type, in points (DM-8.12.1c).

    With ``motorized`` "zero", motorized units rate like infantry (R-DM-43).
    """
    return 0 if unit_type == MOTORIZED and motorized == "zero" else _RATINGS[unit_type]


def d3(die: int) -> int:
    """Return 1 to 3 from the face of a six-sided die (AGC-1.2a)."""
    return (die + 1) // 2


def d2(die: int) -> int:
    """Return 1 or 2 from the face of a six-sided die (AGC-1.2a)."""
    return (die + 2) // 3


# --- the calendar: two turns a month (R-DM-60) ---

_MONTHS = ("", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
MONTHS = (*_MONTHS, "November", "December")
WINTER = (11, 12, 1, 2)
"""Months in which the German supply line is shortened (AGC-4.3.1b)."""
_FIRST_HALF_MONTHS = {"t1_1st_july": (7, 1), "thirteen_turns": (7, 1), "t1_22_june": (6, 2)}


class Period(NamedTuple):
    """A half month."""

    month: int
    half: int

    @property
    def name(self) -> str:
        """The name of the turn, such as "1st July"."""
        return f"{('1st', '2nd')[self.half - 1]} {MONTHS[self.month]}"

    @property
    def is_winter(self) -> bool:
        """Whether the half month is in November to February."""
        return self.month in WINTER


def period_of(turn: int, calendar: str = "t1_1st_july") -> Period:
    """Return the half month of a turn, 1 or later. Raises RulesetError for an unknown calendar."""
    if calendar not in _FIRST_HALF_MONTHS:
        raise RulesetError(f"calendar {calendar} does not exist; choose {', '.join(_FIRST_HALF_MONTHS)}")
    month, half = _FIRST_HALF_MONTHS[calendar]
    passed = turn - 1 + half - 1
    return Period((month - 1 + passed // 2) % 12 + 1, passed % 2 + 1)


def turn_of(period: Period, calendar: str = "t1_1st_july") -> int:
    """Return the turn of a half month in the year from turn 1, which may be later than the last turn of the game."""
    return next(turn for turn in range(1, 25) if period_of(turn, calendar) == period)


ARMS = {"armor": "armored"}
"""Names of unit types in prose, if they differ from the token."""


def arm(kind: str) -> str:
    """Return the name of a unit type in prose."""
    return ARMS.get(kind, kind)
