"""The action phase: interdiction, activation, simultaneous moves, contact (KH-3.08 to KH-3.10)."""

from khamsin.leaders.leaders import displace_leaders, move_leaders
from khamsin.model.battle_events import meet, records_by_side
from khamsin.model.state import KhamsinState
from khamsin.movement.contact import Clashes, find_engagements, withdraw_guns
from khamsin.movement.resolution import (
    activate_all,
    carry_out,
    compute_march,
    goals,
    interdict,
    ordered_moves,
    pieces_met,
)
from khamsin.supply.replacements import refund
from sandtable import HiddenStep, Procedure


def action(state: KhamsinState) -> Procedure:
    """Carry out the orders of both sides at once, and find the engagements that come of them."""
    yield from interdict(state)
    clashes: Clashes = yield HiddenStep(_moves, records_by_side)
    yield from displace_leaders(state)
    yield from find_engagements(state, clashes)


def _moves(state: KhamsinState) -> Procedure:
    """Move all pieces; return who met on connectors."""
    ends, paths = goals(state), ordered_moves(state)
    plan = yield from activate_all(state, paths)
    march = compute_march(state, plan)
    yield from carry_out(state, march)
    yield from withdraw_guns(state)
    yield from move_leaders(state)
    yield from refund(state)
    yield from meet(pieces_met(state, ends, paths, plan))
    return march.clashes
