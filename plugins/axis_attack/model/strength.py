"""Levels of strength (AOA-1.07 to AOA-1.10, AOA-10.09), mobility (AOA-3.11), points, and roll-offs (AOA-R69)."""

from collections.abc import Sequence

from axis_attack.model.cards import DEPLETED, DESTROYED, FOOT, FULL, GUTTED, SIDES, UNDER, Board, PlatoonType, Size
from axis_attack.model.state import AxisState, Fielded, Platoon, Shown
from sandtable import Procedure, Roll, Stream


def under_teams(kind: PlatoonType) -> int:
    """Return the number of teams at under strength, or 0 if the type does not have this level (AOA-R08).

    It is half the sum of the smallest and the largest size, rounded down, if that is a legal size between them.
    """
    least, most = kind.sizes[0].teams, kind.sizes[-1].teams
    half = (least + most) // 2
    return half if least < half < most and any(size.teams == half for size in kind.sizes) else 0


def size_of_level(kind: PlatoonType, level: int) -> Size | None:
    """Return the size of a level, or None below depleted, or if the type does not have the level (AOA-R10)."""
    if level == FULL:
        return kind.sizes[-1]
    if level == DEPLETED:
        return kind.sizes[0]
    half = under_teams(kind)
    return next((size for size in kind.sizes if level == UNDER and half and size.teams == half), None)


def levels_of(kind: PlatoonType) -> tuple[int, ...]:
    """Return the levels that a platoon of this type can have, rising.

    A platoon of a single size is at full strength with it, and gutted below it.
    """
    if len(kind.sizes) == 1:
        return (DESTROYED, GUTTED, FULL)
    middle = (UNDER,) if under_teams(kind) else ()
    return (DESTROYED, GUTTED, DEPLETED, *middle, FULL)


def level_of(kind: PlatoonType, teams: int) -> int:
    """Return the level of a number of counted teams, rounded down (AOA-1.10, AOA-10.09). Zero teams are gutted."""
    if teams >= kind.sizes[-1].teams:
        return FULL
    half = under_teams(kind)
    if half and teams >= half:
        return UNDER
    return DEPLETED if teams >= kind.sizes[0].teams else GUTTED


def next_level(kind: PlatoonType, level: int) -> int:
    """Return the next higher level that the type has, or the level itself if it is the highest (AOA-11.06)."""
    return next((each for each in levels_of(kind) if each > level), level)


def available(kind: PlatoonType, level: int, teams: int = 0) -> int:
    """Return the counted teams that a level gives for a game, 0 below depleted (AOA-3.05, AOA-3.07, AOA-R10).

    Exact ``teams`` count if they are recorded, limited to the range from this level to just below the next.
    """
    size = size_of_level(kind, level)
    if size is None:
        return 0
    above = size_of_level(kind, next_level(kind, level))
    most = above.teams - 1 if above and above.teams > size.teams else size.teams
    return max(size.teams, min(teams, most))


def shown_of(state: AxisState, side: str, platoons: Sequence[str]) -> dict[str, Shown]:
    """Return the type and level of each of ``platoons`` of ``side``, which the enemy learns now (AOA-O1)."""
    roster = state.rosters[side]
    return {each: Shown(roster[each].type, roster[each].level) for each in platoons}


def kind_of(state: AxisState, side: str, platoon_id: str) -> PlatoonType:
    """Return the type of a platoon."""
    board: Board = state.board
    return board.lists[side].types[state.rosters[side][platoon_id].type]


def teams_available(state: AxisState, side: str, platoon_id: str) -> int:
    """Return the counted teams that a platoon has for a game, 0 below depleted (AOA-3.05, AOA-3.07, AOA-R10)."""
    platoon = state.rosters[side][platoon_id]
    exact = platoon.teams if state.options["strength_memory"] == "exact_teams" else 0
    return available(kind_of(state, side, platoon_id), platoon.level, exact)


def is_mobile(kind: PlatoonType, platoon: Platoon) -> bool:
    """Return whether a platoon is operationally mobile: it has vehicles and is not marked as immobile (AOA-3.11)."""
    return kind.transport != FOOT and not platoon.immobile


def transports_needed(kind: PlatoonType, level: int) -> int:
    """Return the number of transports of a level, 0 below depleted (AOA-10.17)."""
    size = size_of_level(kind, level)
    return size.transports if size else 0


def platoon_points(kind: PlatoonType, teams: int, upgrades: dict[str, int]) -> int:
    """Return the points of a platoon with its upgrades. Raises KeyError if ``teams`` is not a legal size."""
    prices = {size.teams: size.points for size in kind.sizes}
    return prices[teams] + sum(each.points * upgrades.get(each.id, 0) for each in kind.upgrades)


Step = tuple[str, int, str]
"""A step of a calculation: its label, its number, and its rule."""


def platoon_steps(name: str, kind: PlatoonType, teams: int, upgrades: dict[str, int]) -> list[Step]:
    """Return the steps of ``platoon_points``: the size, then each bought upgrade."""
    prices = {size.teams: size.points for size in kind.sizes}
    bought = ((each, upgrades.get(each.id, 0)) for each in kind.upgrades)
    return [
        (f"{name}, {teams} teams", prices[teams], "AOA-1.05"),
        *((f"{name}, {number} {each.id}", each.points * number, "AOA-1.02") for each, number in bought if number),
    ]


def fielded_points(state: AxisState, side: str, fielded: Fielded) -> int:
    """Return the points of a platoon as fielded."""
    return platoon_points(kind_of(state, side, fielded.platoon), fielded.teams, fielded.upgrades)


def roll_off(purpose: str, rule: str) -> Procedure:
    """Roll a die for each side until one is higher. Returns the winner, and all dice by side."""
    dice: dict[str, list[int]] = {side: [] for side in SIDES}
    while True:
        for side in SIDES:
            (die,) = yield Roll(1, 6, f"{purpose}:{side}", rule, favors=side)
            dice[side].append(die)
        first, second = (dice[side][-1] for side in SIDES)
        if first != second:
            return SIDES[0] if first > second else SIDES[1], dice


def draw_upgrades(kind: PlatoonType, teams: int, points: int, stream: Stream) -> dict[str, int]:
    """Draw a number of each upgrade in turn, for up to ``points`` in total."""
    upgrades: dict[str, int] = {}
    for upgrade in kind.upgrades:
        within = points // upgrade.points if upgrade.points else upgrade.most
        number = stream.below(min(upgrade.most, teams, within) + 1)
        if number:
            upgrades[upgrade.id] = number
            points -= number * upgrade.points
    return upgrades
