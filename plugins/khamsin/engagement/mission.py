"""Mission, mode and number of actions of an engagement (KH-12), and advantage points (KH-16)."""

from khamsin.model.battle_events import AdvantageAssessed, MissionSet, ModeAgreed
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.forces import strength
from khamsin.model.orders import ProposeMode, SetActions
from khamsin.model.state import FIGHTING, LINKED, ORDINARY, TOTAL_WAR, Engagement, KhamsinState
from khamsin.model.tables import (
    COLUMN_RULES,
    FIGHTING_WITHDRAWAL,
    FREE_FOR_ALL,
    LARGEST,
    MISSIONS,
    STRENGTH_TIERS,
    TIER_RULES,
    TOTAL_VICTORY,
    USUAL_MOST,
)
from sandtable import UMPIRE, UNSET, Calculation, Decision, Form, OneOf, Procedure, Range, Roll, Sealed

LEAST_TABLES = 2
"""Minimum number of linked tables (KH-15.02)."""

Step = tuple[str, int, str]
"""A step of a calculation: description, amount, rule."""


def label(engagement: Engagement) -> str:
    """Return the name of an engagement for the purpose of a roll or decision."""
    return engagement.id.replace("~", "-")


def title_of(state: KhamsinState, engagement: Engagement) -> str:
    """Return the place of an engagement for display."""
    board: Board = state.board
    here = board.names[engagement.area]
    return f"{here} - {board.names[engagement.other]}" if engagement.other else here


def fighters(state: KhamsinState, engagement: Engagement, side: str) -> list[str]:
    """Return the formations of a side that take part and can fight, sorted."""
    return sorted(each for each in engagement.forces[side] if state.formations[each].strength)


def withdraws(engagement: Engagement, side: str) -> bool:
    """Return whether the force of a side makes a fighting withdrawal."""
    return engagement.withdrawing.get(side) == FIGHTING


def settle_mode(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Decide between ordinary, large and linked battles, if the campaign allows a choice (KH-12.12).

    Both sides must propose the same mode (KH-12.12, KH-14.01, KH-15.01). On a connector and for a fighting withdrawal
    the mission is fixed, so these engagements are ordinary (KH-12.14, KH-19.02).
    """
    is_fixed = engagement.on_connector or any(withdraws(engagement, side) for side in SIDES)
    if state.options["large_engagements"] != "by_agreement" or is_fixed:
        return
    modes = [ORDINARY, TOTAL_WAR]
    if _cap(state, engagement) >= LEAST_TABLES:
        modes.append(LINKED)
    prompt = f"propose how to fight at {title_of(state, engagement)}"
    space = Form(ProposeMode, {"mode": OneOf(modes, "KH-12.12")})
    where = label(engagement)
    decisions = (
        Decision(side, prompt, space, "KH-12.12", secret=True, purpose=f"propose_mode.{where}.{side}") for side in SIDES
    )
    answers = yield Sealed(tuple(decisions))
    proposed = {answers[side].mode for side in SIDES}
    yield ModeAgreed(engagement.id, proposed.pop() if len(proposed) == 1 else ORDINARY)


def roll_type(engagement: Engagement) -> Procedure:
    """Roll on the engagement table (KH-12.04), and return the die."""
    (die,) = yield Roll(1, 6, f"type:{label(engagement)}", "KH-12.04")
    return die


def fixed_type(engagement: Engagement) -> tuple[str, str]:
    """Return the mission that needs no roll and the rule that fixes it, or ("", "") if the mission is rolled."""
    if any(withdraws(engagement, side) for side in SIDES):
        return FIGHTING_WITHDRAWAL, "KH-19.02"
    if engagement.mode == TOTAL_WAR:
        return TOTAL_VICTORY, "KH-14.08"
    if engagement.on_connector:
        return FREE_FOR_ALL, "KH-12.14"
    return "", ""


def mission_for(engagement: Engagement, die: int, number: Calculation | None) -> MissionSet:
    """Return the event that sets the mission: fixed, or by die and column of the engagement table (KH-12.06).

    ``number`` is the number of actions, or None until it is known.
    """
    actions, sums = (number.total, (number,)) if number else (0, ())
    mission, rule = fixed_type(engagement)
    if mission:
        return MissionSet(engagement.id, mission, 0, actions, rule, sums or UNSET)
    column = engagement.column
    cell = Calculation("mission", table=("engagement_types", str(die), column))
    return MissionSet(engagement.id, MISSIONS[column][die - 1], die, actions, COLUMN_RULES[column], (cell, *sums))


def settle_number(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Return the calculation of the number of actions, or in a large battle of companies per side (KH-12.20, KH-R27).

    It depends on the strength of the weaker force, on the pairs of players (set by the umpire), or is a fixed number.
    Both sides see the calculation, so its steps reveal no more about the weaker force than the result does.
    """
    rule = state.options["actions_per_engagement"]
    if rule == "by_strength":
        number = min(USUAL_MOST, max(1, _weaker_strength(state, engagement)))
        why = (f"companies of the weaker force, maximum {USUAL_MOST}", "KH-R27")
    elif rule == "player_pairs":
        board: Board = state.board
        pairs = max(1, min(len(board.commanders.get(side, ())) for side in SIDES))
        least = LEAST_TABLES if engagement.mode == LINKED else 1
        prompt = f"set the number of actions at {title_of(state, engagement)}"
        space = Form(SetActions, {"number": Range(least, max(least, pairs), "KH-12.20")})
        order = yield Decision(UMPIRE, prompt, space, "KH-12.21", purpose=f"set_actions.{label(engagement)}")
        number, why = order.number, ("set by the umpire", "KH-12.21")
    else:
        number, why = min(LARGEST, max(1, int(rule))), ("fixed for all engagements", "KH-R27")
    steps = [(why[0], number, why[1])]
    capped = min(number, _cap(state, engagement))
    steps += [("limited to the companies of the weaker force", capped - number, "KH-R28")] if capped < number else []
    if engagement.mode == LINKED and capped < LEAST_TABLES:
        steps.append(("minimum for linked tables", LEAST_TABLES - capped, "KH-15.02"))
    return Calculation("number", tuple(steps))


def _weaker_strength(state: KhamsinState, engagement: Engagement) -> int:
    return min(strength(state, engagement.forces[side]) for side in SIDES)


def _cap(state: KhamsinState, engagement: Engagement) -> int:
    """Return the maximum number of actions for the strength of the forces (KH-R28)."""
    return max(1, _weaker_strength(state, engagement)) if state.options["strength_caps_actions"] == "yes" else LARGEST


Reasons = list[tuple[str, int]]


def compute_advantage(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Count the points of both sides. The side with more receives the difference (KH-16.10)."""
    found = {side: advantage_of(state, engagement, side) for side in SIDES}
    total = {side: found[side].total for side in SIDES}
    favored = next((side for side in SIDES if total[side] > total[ENEMY[side]]), "")
    points = {side: reasons_of(found[side]) for side in SIDES}
    sums = [*found.values(), *(_strength_of(state, engagement, side) for side in SIDES)]
    net = 0
    if favored:
        enemy = ENEMY[favored]
        sums.append(Calculation("net", ((favored, total[favored], "KH-16.10"), (enemy, -total[enemy], "KH-16.10"))))
        net = sums[-1].total
    yield AdvantageAssessed(engagement.id, points, favored, net, calculations=tuple(sums))


def advantage_of(state: KhamsinState, engagement: Engagement, side: str) -> Calculation:
    """Return a side's advantage points: strength, connectors, overwhelmed enemy, assimilating enemy (KH-16.01).

    The steps reveal no more about the enemy's strength than the points do.
    """
    mine, theirs = engagement.forces[side], engagement.forces[ENEMY[side]]
    cumulative = state.options["adv_tiers"] == "cumulative"
    others = [
        ("connectors", _came_over_several(state, engagement, side), "KH-16.07"),
        ("overwhelmed", any(state.formations[each].overwhelmed for each in mine), "KH-16.08"),
        ("assimilating", any(state.formations[each].assimilating for each in theirs), "KH-16.09"),
    ]
    steps = strength_steps(strength(state, mine), strength(state, theirs), cumulative=cumulative)
    return Calculation(f"points.{side}", (*steps, *((what, 1, rule) for what, holds, rule in others if holds)))


def reasons_of(points: Calculation) -> Reasons:
    """Return points by reason. Several steps for strength are added up."""
    found: dict[str, int] = {}
    for what, value, _ in points.steps:
        reason = what.partition(",")[0]
        found[reason] = found.get(reason, 0) + value
    return list(found.items())


def _strength_of(state: KhamsinState, engagement: Engagement, side: str) -> Calculation:
    """Return the companies of a side's force by formation. Only that side may see them."""
    force = [(each, state.formations[each].strength, "KH-2.09") for each in fighters(state, engagement, side)]
    return Calculation(f"strength.{side}", tuple(force))


STRONGER = ("strength, more companies than the enemy", 1, "KH-16.03")


def strength_steps(own: int, enemy: int, *, cumulative: bool) -> list[Step]:
    """Return the points for strength in companies: of the highest tier, or of all tiers together (KH-R42)."""
    if own <= enemy:
        return []
    tiers = [
        (f"strength, {times} times the enemy's", points, TIER_RULES[times])
        for least, times, points in STRENGTH_TIERS
        if own >= least and own >= times * enemy
    ]
    tiers.append(STRONGER)
    return tiers if cumulative else tiers[:1]


def _came_over_several(state: KhamsinState, engagement: Engagement, side: str) -> bool:
    """Return whether a moving force entered over two or more connectors this turn (KH-16.07, KH-R43)."""
    if engagement.on_connector or side == engagement.stationary:
        return False
    paths = [state.formations[each].path for each in engagement.forces[side]]
    return len({path[-2] for path in paths if len(path) > 1 and path[-1] == engagement.area and path[-2]}) > 1


def has_strategic(engagement: Engagement, side: str) -> bool:
    """Return whether a side has a strategic advantage (KH-16.11)."""
    return side == engagement.favored and engagement.net >= 1


def has_significant(engagement: Engagement, side: str) -> bool:
    """Return whether a side has a significant strategic advantage (KH-16.12)."""
    return side == engagement.favored and engagement.net >= 2


def rerolls(engagement: Engagement, side: str) -> int:
    """Return a side's re-rolls per action: 1 for a net advantage of 3, net minus 2 from 4 on (KH-16.13, KH-16.14)."""
    if side != engagement.favored or engagement.net < 3:
        return 0
    return 1 if engagement.net == 3 else engagement.net - 2
