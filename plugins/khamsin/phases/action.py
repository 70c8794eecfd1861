"""The action phase: interdiction, activation, simultaneous moves, contact (KH-3.08 to KH-3.10)."""

from khamsin.movement.contact import find_engagements, withdraw_guns
from khamsin.movement.resolve import activate_all, carry_out, interdict, ordered_moves, reckon
from khamsin.people.leaders import displace_leaders, move_leaders
from khamsin.replacements import refund
from khamsin.state import KhamsinState
from sandtable.kernel.sequence import Procedure


def action(state: KhamsinState) -> Procedure:
    """Carry out the orders of both sides at once, and find the engagements that come of them."""
    yield from interdict(state)
    plan = yield from activate_all(state, ordered_moves(state))
    march = reckon(state, plan)
    yield from carry_out(state, march)
    yield from withdraw_guns(state)
    yield from move_leaders(state)
    yield from displace_leaders(state)
    yield from refund(state)
    yield from find_engagements(state, march.clashes)
