"""The action phase: interdiction, activation, simultaneous moves, contact (KH-3.08 to KH-3.10)."""

from collections.abc import Mapping

from khamsin.leaders.leaders import displace_leaders, move_leaders
from khamsin.model.battle_events import meet
from khamsin.model.state import KhamsinState
from khamsin.movement.activation import roll_for_all
from khamsin.movement.contact import Clashes, find_engagements, withdraw_guns
from khamsin.movement.out_of_sight import out_of_sight
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
from sandtable import Procedure


def action(state: KhamsinState) -> Procedure:
    """Carry out the orders of both sides at once, and find the resulting engagements."""
    yield from out_of_sight(interdict, "interdiction", "KH-7.06")
    dice: dict[str, int] = yield from roll_for_all(state)
    clashes: Clashes = yield from out_of_sight(lambda work: _moves(work, dice), "guns", "KH-R105")
    yield from displace_leaders(state)
    yield from find_engagements(state, clashes)


def _moves(state: KhamsinState, dice: Mapping[str, int]) -> Procedure:
    """Move all pieces, activated by ``dice``; return the clashes on connectors."""
    ends, paths = goals(state), ordered_moves(state)
    plan = yield from activate_all(state, paths, dice)
    march = compute_march(state, plan)
    yield from carry_out(state, march)
    yield from withdraw_guns(state)
    yield from move_leaders(state)
    yield from refund(state)
    yield from meet(pieces_met(state, ends, paths, plan))
    return march.clashes
