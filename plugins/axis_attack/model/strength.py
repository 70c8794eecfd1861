"""Levels of strength (AOA-1.07 to 1.10, 10.09 to 10.14), questions about platoons (AOA-3.11), roll-offs (AOA-R69)."""

from axis_attack.model.cards import DEPLETED, DESTROYED, FOOT, FULL, GUTTED, SIDES, UNDER, Board, PlatoonType, Size
from axis_attack.model.state import AxisState, Fielded, Platoon
from sandtable import Procedure, Roll, Stream


def under_teams(kind: PlatoonType) -> int:
    """Return the teams of under strength: half way, rounded down, if that is a legal size between; else 0 (AOA-R08)."""
    least, most = kind.sizes[0].teams, kind.sizes[-1].teams
    half = (least + most) // 2
    return half if least < half < most and any(size.teams == half for size in kind.sizes) else 0


def size_of_level(kind: PlatoonType, level: int) -> Size | None:
    """Return the size that belongs to a level (AOA-R10); None below depleted, and for a level that it has not."""
    if level == FULL:
        return kind.sizes[-1]
    if level == DEPLETED:
        return kind.sizes[0]
    half = under_teams(kind)
    return next((size for size in kind.sizes if level == UNDER and half and size.teams == half), None)


def levels_of(kind: PlatoonType) -> tuple[int, ...]:
    """Return the levels that a platoon of this type can have, rising; one with a single size is depleted or worse.

    A platoon of one size only counts as full at it.
    """
    if len(kind.sizes) == 1:
        return (DESTROYED, GUTTED, FULL)
    middle = (UNDER,) if under_teams(kind) else ()
    return (DESTROYED, GUTTED, DEPLETED, *middle, FULL)


def level_of(kind: PlatoonType, teams: int) -> int:
    """Return the level of so many counted teams, rounded down (AOA-1.10, AOA-10.09); no team at all is gutted here."""
    if teams >= kind.sizes[-1].teams:
        return FULL
    half = under_teams(kind)
    if half and teams >= half:
        return UNDER
    return DEPLETED if teams >= kind.sizes[0].teams else GUTTED


def next_level(kind: PlatoonType, level: int) -> int:
    """Return the level above, that which the type has (AOA-11.06); the highest stays."""
    return next((each for each in levels_of(kind) if each > level), level)


def available(kind: PlatoonType, level: int, teams: int = 0) -> int:
    """Return the counted teams that a level gives for a game, none below depleted (AOA-3.05, AOA-3.07, AOA-R10).

    Where exact ``teams`` are remembered, those count, as far as they lie between this level and the next.
    """
    size = size_of_level(kind, level)
    if size is None:
        return 0
    above = size_of_level(kind, next_level(kind, level))
    most = above.teams - 1 if above and above.teams > size.teams else size.teams
    return max(size.teams, min(teams, most))


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
    """Return whether a platoon is operationally mobile: vehicles of its own, and enough of them (AOA-3.11)."""
    return kind.transport != FOOT and not platoon.immobile


def transports_needed(kind: PlatoonType, level: int) -> int:
    """Return the transports that belong to a level (AOA-10.17); none below depleted."""
    size = size_of_level(kind, level)
    return size.transports if size else 0


def platoon_points(kind: PlatoonType, teams: int, upgrades: dict[str, int]) -> int:
    """Return what a platoon costs at a legal size with so many of its upgrades; raises KeyError for another size."""
    prices = {size.teams: size.points for size in kind.sizes}
    return prices[teams] + sum(each.points * upgrades.get(each.id, 0) for each in kind.upgrades)


Step = tuple[str, int, str]
"""A step of a sum, as events tell it: what, how much, by which rule."""


def platoon_steps(name: str, kind: PlatoonType, teams: int, upgrades: dict[str, int]) -> list[Step]:
    """Return what ``platoon_points`` adds up: the size, then each upgrade that it has."""
    prices = {size.teams: size.points for size in kind.sizes}
    bought = ((each, upgrades.get(each.id, 0)) for each in kind.upgrades)
    return [
        (f"{name}, {teams} teams", prices[teams], "AOA-1.05"),
        *((f"{name}, {number} {each.id}", each.points * number, "AOA-1.02") for each, number in bought if number),
    ]


def fielded_points(state: AxisState, side: str, fielded: Fielded) -> int:
    """Return what a platoon costs as it is fielded."""
    return platoon_points(kind_of(state, side, fielded.platoon), fielded.teams, fielded.upgrades)


def roll_off(purpose: str, rule: str) -> Procedure:
    """Roll a die for each side until one is higher; return the winner, and all dice by side."""
    dice: dict[str, list[int]] = {side: [] for side in SIDES}
    while True:
        for side in SIDES:
            (die,) = yield Roll(1, 6, f"{purpose}:{side}", rule, favours=side)
            dice[side].append(die)
        first, second = (dice[side][-1] for side in SIDES)
        if first != second:
            return SIDES[0] if first > second else SIDES[1], dice


def draw_upgrades(kind: PlatoonType, teams: int, points: int, stream: Stream) -> dict[str, int]:
    """Return upgrades drawn one after the other, for at most so many points."""
    upgrades: dict[str, int] = {}
    for upgrade in kind.upgrades:
        within = points // upgrade.points if upgrade.points else upgrade.most
        number = stream.below(min(upgrade.most, teams, within) + 1)
        if number:
            upgrades[upgrade.id] = number
            points -= number * upgrade.points
    return upgrades
