"""The outcome of an engagement: winner, control, retreats, regrouping, advance (KH-18, KH-19).

All functions compute from the current engagement and change nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from khamsin.engagement.mission import fighters, withdraws
from khamsin.model.battle_events import EngagementDecided
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.state import DOUBLE, EVEN, LINKED, MORE, PRECIPITOUS, Engagement, KhamsinState
from khamsin.model.tables import OVERWHELMS
from sandtable import Calculation

RULES = {DOUBLE: "KH-18.04", MORE: "KH-18.09", EVEN: "KH-18.11"}
RESTING_RULES = {DOUBLE: "KH-18.06", MORE: "KH-18.10", EVEN: "KH-18.12"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The consequences of an engagement.

    ``controller`` is the side that controls the area afterwards, or "" if control does not change; ``rule`` is the
    reason. ``retreating`` and ``resting`` (formations that must regroup) are by side. ``overwhelmed_by`` is the side
    with an advantage next turn, ``advancing`` the side that may move after combat. ``storming`` is the side that takes
    the area from which its enemy entered a connector. These are "" if no side qualifies.
    """

    controller: str = ""
    rule: str = ""
    retreating: dict[str, list[str]] = field(default_factory=dict)
    resting: dict[str, list[str]] = field(default_factory=dict)
    resting_rule: str = ""
    overwhelmed_by: str = ""
    advancing: str = ""
    storming: str = ""


# --- decision ---


def decide(state: KhamsinState, engagement: Engagement) -> EngagementDecided:
    """Return the decision: total points, winner and scale (KH-18.03, KH-12.23, KH-15.16 to KH-15.19)."""
    sums = {side: _points_of(engagement, side) for side in SIDES}
    points = {side: sums[side].total for side in SIDES}
    winner = next((side for side in SIDES if points[side] > points[ENEMY[side]]), "")
    scale = scale_of(points, winner)
    rule = _rule_of(engagement, scale)
    if engagement.mode == LINKED:
        majority = _majority(engagement)
        option = state.options["linked_conflict"]
        if not majority:
            winner, scale, rule = "", EVEN, "KH-15.17"
        elif winner == majority or option == "vps_win":  # KH-R37
            rule = "KH-15.19"
        elif option == "draw":
            winner, scale, rule = "", EVEN, "KH-R37"
        else:
            winner, scale, rule = majority, MORE, "KH-R37"
    return EngagementDecided(engagement.id, points, winner, scale, rule, (*sums.values(), *_why(engagement, points)))


def _rule_of(engagement: Engagement, scale: str) -> str:
    """Return the rule that decides about the area. Withdrawals and connectors have separate rules."""
    if engagement.on_connector:
        return "KH-12.16"
    return "KH-19.05" if any(withdraws(engagement, side) for side in SIDES) else RULES[scale]


def _points_of(engagement: Engagement, side: str) -> Calculation:
    actions = [(f"action {each.number}", each.points.get(side, 0), "KH-18.03") for each in engagement.actions]
    return Calculation(f"points.{side}", tuple(step for step in actions if step[1]))


def _why(engagement: Engagement, points: Mapping[str, int]) -> list[Calculation]:
    """Return the calculations of the leading side's margin over double the enemy's points, and of linked tables won."""
    found = []
    ahead = next((side for side in SIDES if points[side] > points[ENEMY[side]]), "")
    if ahead:
        twice = (f"{ENEMY[ahead]}, doubled", -2 * points[ENEMY[ahead]], "KH-18.04")
        found.append(Calculation("double", ((ahead, points[ahead], "KH-18.03"), twice)))
    if engagement.mode == LINKED:
        for side in SIDES:
            tables = [(f"table {each.number}", 1, "KH-15.16") for each in engagement.actions if each.winner == side]
            found.append(Calculation(f"tables.{side}", tuple(tables)))
    return found


def _majority(engagement: Engagement) -> str:
    """Return the side that won more than half of the tables, or "" if neither did."""
    tables = len(engagement.actions)
    return next((side for side in SIDES if 2 * sum(a.winner == side for a in engagement.actions) > tables), "")


def scale_of(points: Mapping[str, int], winner: str) -> str:
    """Return the scale of a victory by the points of both sides. Any win against 0 is double (KH-R40, KH-R41)."""
    if not winner:
        return EVEN
    return DOUBLE if is_times(points, winner, 2) else MORE


def is_times(points: Mapping[str, int], side: str, times: int) -> bool:
    """Return whether a side has at least ``times`` its enemy's points."""
    return points[side] > 0 and points[side] >= times * points[ENEMY[side]]


# --- consequences ---


def outcome_of(state: KhamsinState, engagement: Engagement) -> Outcome:
    """Return the outcome of an engagement, fought or not."""
    if engagement.on_connector:
        return _on_connector(state, engagement)
    if not engagement.scale:
        return _unfought(state, engagement)
    if any(withdraws(engagement, side) for side in SIDES):
        return _withdrawal(state, engagement)
    if not engagement.winner:
        return _even(state, engagement)
    winner = engagement.winner
    loser, is_double = ENEMY[winner], engagement.scale == DOUBLE
    return Outcome(
        controller=winner,
        rule=RULES[engagement.scale],
        retreating=_with_leavers(state, engagement, {loser: engagement.forces[loser]}),
        resting=_resting(engagement),
        resting_rule=RESTING_RULES[engagement.scale],
        overwhelmed_by=winner if is_double else "",
        advancing=winner if is_double else "",
    )


def _resting(engagement: Engagement) -> dict[str, list[str]]:
    """Return the formations that must regroup: the loser's after a double victory, in other cases all engaged."""
    sides = [ENEMY[engagement.winner]] if engagement.scale == DOUBLE else list(SIDES)
    return {side: list(engagement.forces[side]) for side in sides}


def _with_leavers(
    state: KhamsinState, engagement: Engagement, retreating: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """Return the retreating formations, including those that left before the fight."""
    left = {side: [each for each in engagement.left if _side_of(state, each) == side] for side in SIDES}
    return {side: sorted([*retreating.get(side, ()), *left[side]]) for side in SIDES}


def _side_of(state: KhamsinState, formation_id: str) -> str:
    return state.formations[formation_id].side


def precipitous(state: KhamsinState, engagement: Engagement, side: str) -> list[str]:
    """Return the formations of a side that withdrew precipitously. They must regroup (KH-19.11)."""
    left = engagement.left.items()
    return sorted(each for each, how in left if how == PRECIPITOUS and _side_of(state, each) == side)


def _unfought(state: KhamsinState, engagement: Engagement) -> Outcome:
    """Return the outcome of an unfought engagement (KH-19.08, KH-19.09, KH-19.12, KH-19.13, KH-R65, KH-R66)."""
    here = [side for side in SIDES if fighters(state, engagement, side)]
    if len(here) == 1:
        holder = here[0]
        gone = {ENEMY[holder]: engagement.forces[ENEMY[holder]]}
        return Outcome(holder, "KH-19.09", _with_leavers(state, engagement, gone))
    staying = [side for side in here if not withdraws(engagement, side)]
    controller = staying[0] if staying else ""
    gone = {side: engagement.forces[side] for side in SIDES if side != controller}
    return Outcome(controller, "KH-19.08" if controller else "", _with_leavers(state, engagement, gone))


def _withdrawal(state: KhamsinState, engagement: Engagement) -> Outcome:
    """Return the outcome of a fighting withdrawal that was fought (KH-19.05 to KH-19.07).

    Control, retreat and regrouping have separate rules. A double victory has its usual effects for the winner.
    """
    going = next(side for side in SIDES if withdraws(engagement, side))
    staying = ENEMY[going]
    doubled = engagement.winner if engagement.scale == DOUBLE else ""
    return Outcome(
        controller=staying,
        rule="KH-19.05",
        retreating=_with_leavers(state, engagement, {going: engagement.forces[going]}),
        resting={ENEMY[doubled]: list(engagement.forces[ENEMY[doubled]])} if doubled else {},
        resting_rule="KH-19.07",
        overwhelmed_by=doubled,
        advancing=staying if doubled == staying else "",
    )


def _even(state: KhamsinState, engagement: Engagement) -> Outcome:
    """Return the outcome of even points: a stationary force stays, other formations retreat (KH-18.11 to KH-18.14)."""
    staying = {side: _staying(state, engagement, side) for side in SIDES}
    holders = [side for side in SIDES if staying[side]]
    gone = {side: [each for each in engagement.forces[side] if each not in staying[side]] for side in SIDES}
    return Outcome(
        controller=holders[0] if holders else engagement.holder,
        rule="KH-18.11" if holders else "KH-18.14",
        retreating=_with_leavers(state, engagement, gone),
        resting=_resting(engagement),
        resting_rule=RESTING_RULES[EVEN],
    )


def _staying(state: KhamsinState, engagement: Engagement, side: str) -> list[str]:
    """Return the formations of a side that stay after even points: a stationary force.

    By option, unmoved formations also stay; if both sides have some, only those of the side that controls the area.
    """
    if engagement.stationary:
        return list(engagement.forces[side]) if side == engagement.stationary else []
    if state.options["mixed_force_status"] != "per_formation":
        return []
    unmoved = {each: [one for one in engagement.forces[each] if not state.formations[one].moved] for each in SIDES}
    if all(unmoved.values()) and side != engagement.holder:
        return []
    return unmoved[side]


def _on_connector(state: KhamsinState, engagement: Engagement) -> Outcome:
    """Return the outcome on a connector, where all formations fall back to their areas (KH-12.16 to KH-12.19).

    Only a side that overwhelmed its enemy takes the area from which the enemy came.
    """
    if not engagement.scale:
        return Outcome()
    winner = engagement.winner
    doubled = winner if engagement.scale == DOUBLE else ""
    is_withdrawal = any(withdraws(engagement, side) for side in SIDES)
    if is_withdrawal:
        resting = {ENEMY[doubled]: list(engagement.forces[ENEMY[doubled]])} if doubled else {}
    elif state.options["connector_regroup"] == "none":
        resting = {}
    else:
        resting = _resting(engagement)
    times = OVERWHELMS[state.options["connector_overwhelm_ratio"]]
    storms = bool(winner) and not withdraws(engagement, winner) and is_times(engagement.points, winner, times)
    return Outcome(
        resting=resting,
        resting_rule="KH-19.07" if is_withdrawal else RESTING_RULES[engagement.scale],
        overwhelmed_by=doubled,
        storming=winner if storms else "",
    )


def origin_of(state: KhamsinState, engagement: Engagement, side: str) -> str:
    """Return the area from which a side entered a connector."""
    return next(area for each, area in sorted(engagement.origins.items()) if _side_of(state, each) == side)


def in_control_after(state: KhamsinState, engagement: Engagement) -> str:
    """Return the side that controls the area after a fight and still has formations there, or "" (KH-22.03, KH-R80)."""
    outcome = outcome_of(state, engagement)
    if engagement.on_connector:
        return outcome.storming
    side = outcome.controller
    gone = outcome.retreating.get(side, ())
    return side if side and any(each not in gone for each in engagement.forces[side]) else ""
