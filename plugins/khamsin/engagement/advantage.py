"""Advantage points, and what the net advantage brings (KH-16)."""

from khamsin.model.battle_events import AdvantageReckoned
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.figures import STRENGTH_TIERS
from khamsin.model.forces import strength
from khamsin.model.state import Engagement, KhamsinState
from sandtable.kernel.sequence import Procedure

Reasons = list[tuple[str, int]]


def reckon_advantage(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Count both sides' points; the side with more has the difference (KH-16.10)."""
    points = {side: advantage_points(state, engagement, side) for side in SIDES}
    total = {side: sum(value for _, value in points[side]) for side in SIDES}
    favoured = next((side for side in SIDES if total[side] > total[ENEMY[side]]), "")
    net = total[favoured] - total[ENEMY[favoured]] if favoured else 0
    yield AdvantageReckoned(engagement.id, points, favoured, net)


def advantage_points(state: KhamsinState, engagement: Engagement, side: str) -> Reasons:
    """Return a side's points by reason: strength, connectors, overwhelmed, assimilating; they add up (KH-16.01)."""
    mine, theirs = engagement.forces[side], engagement.forces[ENEMY[side]]
    cumulative = state.options["adv_tiers"] == "cumulative"
    found = {
        "strength": for_strength(strength(state, mine), strength(state, theirs), cumulative=cumulative),
        "connectors": int(_came_over_several(state, engagement, side)),
        "overwhelmed": int(any(state.formations[each].overwhelmed for each in mine)),
        "assimilating": int(any(state.formations[each].assimilating for each in theirs)),
    }
    return [(reason, value) for reason, value in found.items() if value]


def for_strength(own: int, enemy: int, *, cumulative: bool) -> int:
    """Return the points for strength, in companies: of the highest tier, or of all tiers together (KH-R42)."""
    tiers = [points for least, times, points in STRENGTH_TIERS if own >= least and own >= times * enemy]
    if own > enemy:
        tiers.append(1)
    return (sum(tiers) if cumulative else max(tiers)) if tiers and own > enemy else 0


def _came_over_several(state: KhamsinState, engagement: Engagement, side: str) -> bool:
    """Tell whether a moving force came in over two or more connectors this turn (KH-16.07, KH-R43)."""
    if engagement.on_connector or side == engagement.stationary:
        return False
    paths = [state.formations[each].path for each in engagement.forces[side]]
    return len({path[-2] for path in paths if len(path) > 1 and path[-1] == engagement.area and path[-2]}) > 1


def has_strategic(engagement: Engagement, side: str) -> bool:
    """Return whether a side has a strategic advantage (KH-16.11)."""
    return side == engagement.favoured and engagement.net >= 1


def has_significant(engagement: Engagement, side: str) -> bool:
    """Return whether a side has a significant strategic advantage (KH-16.12)."""
    return side == engagement.favoured and engagement.net >= 2


def rerolls(engagement: Engagement, side: str) -> int:
    """Return a side's re-rolls in each action: one at a net 3, from 4 on the net less two (KH-16.13, KH-16.14)."""
    if side != engagement.favoured or engagement.net < 3:
        return 0
    return 1 if engagement.net == 3 else engagement.net - 2
