"""What else could be done on the march, for who tries things out: attacks made or not, and who goes next."""

from damos.bots.marching import LAST, candidates
from damos.bots.position import StaffPosition, field_of
from damos.model.orders import Activate, DeclareAttack, EndActivation, Step
from damos.movement.planning import FreshForces
from damos.movement.steps import NextHex
from sandtable.kernel.decisions import Decision, Order

FORCES = 5
"""So many forces that could go next are worth trying."""
HOPELESS = 15
"""An attack that succeeds in fewer of a hundred cases is not."""


def other_marches(position: StaffPosition, decision: Decision) -> list[Order]:
    """Return orders worth trying, the likeliest first; none where hardly anything hangs on it."""
    if position.turns_left > LAST:
        return []
    hexes = field_of(decision, Step, "hex")
    if isinstance(hexes, NextHex):
        return _attacks(position, hexes)
    forces = field_of(decision, Activate, "units")
    return _next(position, decision, forces) if isinstance(forces, FreshForces) else []


def _attacks(position: StaffPosition, hexes: NextHex) -> list[Order]:
    """Return attacks from where a force stands, and not to attack."""
    force = hexes.march
    chances = {
        hex_: position.chance(list(force.units), force.hex, hex_) for hex_ in hexes.halves if position.enemies_in(hex_)
    }
    worth = sorted((hex_ for hex_ in chances if chances[hex_] >= HOPELESS), key=lambda hex_: (-chances[hex_], hex_))
    return [*map(Step, worth), EndActivation()] if worth else []


def _next(position: StaffPosition, decision: Decision, forces: FreshForces) -> list[Order]:
    """Return who could go next, and what could be attacked together."""
    ranked = sorted(candidates(position, forces), reverse=True)[:FORCES]
    targets = field_of(decision, DeclareAttack, "target")
    beside = {near for hex_ in forces.by_hex for near in position.board.around[hex_] if position.enemies_in(near)}
    joint = [DeclareAttack(hex_) for hex_ in sorted(beside) if targets is not None and targets.why_not(hex_) is None]
    return [*(Activate(list(units)) for _, _, units in ranked), *joint]
