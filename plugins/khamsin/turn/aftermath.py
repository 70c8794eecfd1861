"""The aftermath: what the engagements of the turn bring on the map (KH-3.12)."""

from khamsin.engagement.settling import disable_ineffective, settle
from khamsin.leaders.leaders import displace_leaders
from khamsin.model.orders import OrderEngagements
from khamsin.model.secret_events import out_of_sight
from khamsin.model.state import KhamsinState
from khamsin.movement.contact import withdraw_guns
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.options import Form, SomeOf
from sandtable.kernel.sequence import Procedure


def aftermath(state: KhamsinState) -> Procedure:
    """Settle all engagements together; by option one after the other, in the order that the umpire likes (KH-R50)."""
    found = sorted(state.engagements)
    if state.options["engagement_order"] == "umpire_order" and len(found) > 1:
        space = Form(OrderEngagements, {"engagements": SomeOf(found, len(found), len(found), "KH-R50")})
        order: OrderEngagements = yield Decision(UMPIRE, "set the order of the engagements", space, "KH-R50")
        for each in order.engagements:
            yield from settle(state, [state.engagements[each]])
    elif found:
        yield from settle(state, [state.engagements[each] for each in found])
    yield from out_of_sight(state, _clear)
    yield from displace_leaders(state)


def _clear(state: KhamsinState) -> Procedure:
    """Take off the map, or away from the enemy, who cannot be where he is."""
    yield from disable_ineffective(state)
    yield from withdraw_guns(state)
