"""The engagement phase, one engagement after another (KH-3.11, KH-12.03), and its aftermath on the map (KH-3.12)."""

from khamsin.engagement.attrition import Fought, count_losses
from khamsin.engagement.battle import fight
from khamsin.engagement.companies import field_companies
from khamsin.engagement.mission import compute_advantage, fixed_type, mission_for, roll_type, settle_mode, settle_number
from khamsin.engagement.outcome import decide
from khamsin.engagement.settling import disable_ineffective, settle
from khamsin.engagement.withdrawal import meet
from khamsin.leaders.leaders import displace_leaders
from khamsin.model.orders import OrderEngagements
from khamsin.model.state import Engagement, KhamsinState
from khamsin.movement.contact import withdraw_guns
from khamsin.movement.out_of_sight import out_of_sight
from sandtable import UMPIRE, Decision, Form, Procedure, SomeOf


def engagements(state: KhamsinState) -> Procedure:
    """Fight the next engagement in the order of ids. Return whether no engagement is left (KH-R50)."""
    engagement = _next(state)
    if engagement is not None:
        yield from _resolve(state, engagement)
    return _next(state) is None


def _next(state: KhamsinState) -> Engagement | None:
    return next((each for _, each in sorted(state.engagements.items()) if not each.over), None)


def _resolve(state: KhamsinState, engagement: Engagement) -> Procedure:
    """Resolve an engagement from contact to losses. ``aftermath`` carries out its effects on the map."""
    die = 0
    if state.options["withdraw_timing"] == "before_companies" and not fixed_type(engagement)[0]:
        die = yield from roll_type(engagement)
        yield mission_for(engagement, die, None)
    yield from meet(state, engagement)
    if engagement.over:
        return
    yield from settle_mode(state, engagement)
    if not die and not fixed_type(engagement)[0]:
        die = yield from roll_type(engagement)
    number = yield from settle_number(state, engagement)
    yield mission_for(engagement, die, number)
    yield from compute_advantage(state, engagement)
    yield from field_companies(state, engagement)
    fought = yield from fight(state, engagement)
    yield decide(state, engagement)
    yield from out_of_sight(lambda work: _count(work, engagement.id, fought), "recovery", "KH-22.02")


def _count(state: KhamsinState, engagement_id: str, fought: Fought) -> Procedure:
    yield from count_losses(state, state.engagements[engagement_id], fought)


def aftermath(state: KhamsinState) -> Procedure:
    """Settle all engagements together, or, by option, one after another in the umpire's order (KH-R50)."""
    found = sorted(state.engagements)
    if state.options["engagement_order"] == "umpire_order" and len(found) > 1:
        space = Form(OrderEngagements, {"engagements": SomeOf(found, len(found), len(found), "KH-R50")})
        prompt, purpose = "set the order of the engagements", "order_engagements"
        order: OrderEngagements = yield Decision(UMPIRE, prompt, space, "KH-R50", purpose=purpose)
        for each in order.engagements:
            yield from settle(state, [state.engagements[each]])
    elif found:
        yield from settle(state, [state.engagements[each] for each in found])
    yield from out_of_sight(_clear, "guns", "KH-R105")
    yield from displace_leaders(state)


def _clear(state: KhamsinState) -> Procedure:
    """Send ineffective formations to their base, and withdraw guns that are alone with enemies."""
    yield from disable_ineffective(state)
    yield from withdraw_guns(state)
