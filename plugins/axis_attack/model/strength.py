"""Levels of strength: sizes of a level, the level of so many teams (AOA-1.07 to AOA-1.10, AOA-10.09 to AOA-10.14)."""

from axis_attack.model.cards import DEPLETED, DESTROYED, FULL, GUTTED, UNDER, PlatoonType, Size


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
