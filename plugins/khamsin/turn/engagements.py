"""The engagement phase: engagements are fought on the table, one after the other (KH-3.11, KH-12.03)."""

from khamsin.engagement.advantage import reckon_advantage
from khamsin.engagement.attrition import count_losses
from khamsin.engagement.battle import fight
from khamsin.engagement.companies import field_companies
from khamsin.engagement.mission import fixed_type, mission_for, roll_type, settle_mode, settle_number
from khamsin.engagement.outcome import decide
from khamsin.engagement.withdrawal import meet
from khamsin.model.state import Engagement, KhamsinState
from sandtable.kernel.sequence import Procedure


def engagements(state: KhamsinState) -> Procedure:
    """Fight the next engagement by id; return whether none is left (KH-R50)."""
    engagement = _next(state)
    if engagement is not None:
        yield from _resolve(state, engagement)
    return _next(state) is None


def _next(state: KhamsinState) -> Engagement | None:
    return next((each for _, each in sorted(state.engagements.items()) if not each.over), None)


def _resolve(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Take an engagement from contact to the losses; what follows on the map is for the aftermath."""
    die = 0
    if state.options["withdraw_timing"] == "before_companies" and not fixed_type(engagement)[0]:
        die = yield from roll_type(engagement)
        yield mission_for(engagement, die, 0)
    yield from meet(state, engagement)
    if engagement.over:
        return
    yield from settle_mode(state, engagement)
    if not die and not fixed_type(engagement)[0]:
        die = yield from roll_type(engagement)
    number = yield from settle_number(state, engagement)
    yield mission_for(engagement, die, number)
    yield from reckon_advantage(state, engagement)
    yield from field_companies(state, engagement)
    fought = yield from fight(state, engagement)
    yield decide(state, engagement)
    yield from count_losses(state, engagement, fought)
