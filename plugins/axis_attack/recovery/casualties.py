"""Casualties: the level of a platoon after a game, from its teams (AOA-10.01 to AOA-10.14)."""

from typing import NamedTuple

from axis_attack.model.cards import DEPLETED, DESTROYED, FULL, GUTTED, LEVEL_TITLES, SIDES, UNDER, PlatoonType
from axis_attack.model.events import StrengthAssessed
from axis_attack.model.state import AxisState, Fielded
from axis_attack.model.strength import Step, kind_of, level_of, teams_available
from sandtable import Calculation, Procedure, Roll
from sandtable.tabletop import PlatoonLosses, Result

OWN_EDGE_AFTER = 3
"""Teams that left by their own edge after this turn of the game still count (AOA-10.05)."""

RECOVERED_ON = 4
"""Minimum die roll that recovers a bailed or bogged vehicle after a draw (AOA-R32)."""

LEVEL_RULES = {
    DESTROYED: "AOA-10.10",
    GUTTED: "AOA-10.11",
    DEPLETED: "AOA-10.12",
    UNDER: "AOA-10.13",
    FULL: "AOA-10.14",
}


class Count(NamedTuple):
    """The teams of a platoon after a game, step by step; and whether all were destroyed."""

    steps: tuple[Step, ...]
    all_destroyed: bool


def count_teams(fielded: int, unused: int, losses: PlatoonLosses, unrecovered: int, rule: str) -> Count:
    """Return the count of a platoon's teams after a game.

    Of the ``fielded`` teams, these are subtracted: destroyed, routed (AOA-10.08), ``unrecovered`` after bailing out or
    bogging down (by ``rule``), and left by their own edge too early (AOA-10.05). Teams that left later count, even if
    the platoon failed afterwards (AOA-R54). ``unused`` teams are added (AOA-10.04).
    """
    left_early = sum(number for turn, number in losses.exited if turn <= OWN_EDGE_AFTER)
    steps = (
        ("unused", unused, "AOA-10.04"),
        ("destroyed", -losses.destroyed, "AOA-10.02"),
        ("bailed or bogged", -unrecovered, rule),
        ("routed", -losses.routed, "AOA-10.08"),
        ("left the table early", -left_early, "AOA-10.05"),
    )
    counted = (("fielded", fielded, "AOA-10.02"), *(each for each in steps if each[1]))
    return Count(counted, losses.destroyed + unrecovered >= fielded and not unused)


def assess_all(state: AxisState, result: Result) -> Procedure:
    """Assess the level of every platoon that was in the game; other platoons keep theirs (AOA-10.01, AOA-R56)."""
    for side in SIDES:
        for each in state.forces[side].platoons:
            losses = result.platoons.get(side, {}).get(each.platoon, PlatoonLosses())
            yield from _assess(state, side, each, losses)


def _assess(state: AxisState, side: str, fielded: Fielded, losses: PlatoonLosses) -> Procedure:
    kind, platoon = kind_of(state, side, fielded.platoon), state.rosters[side][fielded.platoon]
    dice: tuple[int, ...] = ()
    unrecovered = losses.bailed
    if losses.bailed and _is_recovered(state, side):
        unrecovered = 0
    elif losses.bailed and state.winner not in SIDES and state.options["draw_bailed"] == "recovered_on_4":
        purpose, units = f"bailed:{side}:{fielded.platoon}", (fielded.platoon,) * losses.bailed
        dice = yield Roll(losses.bailed, 6, purpose, "AOA-R32", favors=side, units=units)
        unrecovered = sum(die < RECOVERED_ON for die in dice)
    unused = max(0, teams_available(state, side, fielded.platoon) - fielded.teams)
    rule = "AOA-10.07" if state.winner in SIDES else "AOA-R32"
    count = count_teams(fielded.teams, unused, losses, unrecovered, rule)
    teams, level = _calculations(kind, count, platoon.level)
    yield StrengthAssessed(
        side,
        fielded.platoon,
        teams.total,
        platoon.level,
        level.total,
        max(0, platoon.transports - losses.transports),
        list(dice),
        LEVEL_RULES[level.total],
        (teams, level),
    )


def _calculations(kind: PlatoonType, count: Count, before: int) -> tuple[Calculation, Calculation]:
    """Return the calculations of teams and level; the level never rises in a game (AOA-R55)."""
    teams = Calculation("teams", count.steps)
    if count.all_destroyed:
        return teams, Calculation("level", (("all teams destroyed", DESTROYED, LEVEL_RULES[DESTROYED]),))
    level = level_of(kind, teams.total)
    steps = [("by number of teams", level, LEVEL_RULES[level])]
    if level > before:
        steps.append(("limited to the previous level", before - level, "AOA-R55"))
    return teams, Calculation("level", tuple(steps), ("AOA-10.09", kind.title, LEVEL_TITLES[level]))


def _is_recovered(state: AxisState, side: str) -> bool:
    """Return whether all bailed and bogged vehicles of a side are recovered (AOA-10.06, AOA-10.07, AOA-R32)."""
    if state.winner in SIDES:
        return state.winner == side
    return state.options["draw_bailed"] == "recovered"
