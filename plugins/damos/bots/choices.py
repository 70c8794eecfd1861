"""Alternative orders for search bots, and the fast march of simulated games."""

from damos.bots.company import could_go_back
from damos.bots.marching import LAST, candidates, march, required_chance
from damos.bots.position import StaffPosition, field_of
from damos.model.orders import Activate, DeclareAttack, EndActivation, Rally, Step
from damos.movement.planning import FreshForces
from damos.movement.steps import NextHex
from sandtable import Decision, Order

FORCES = 5
"""Maximum number of forces whose activation is worth trying."""
HOPELESS = 15
"""Minimum probability in percent of an attack that is worth trying."""


def other_marches(position: StaffPosition, decision: Decision) -> list[Order]:
    """Return marches and next forces worth trying, best first, or [] before the last turns and for other decisions."""
    if position.turns_left > LAST:
        return []
    hexes = field_of(decision, Step, "hex")
    if isinstance(hexes, NextHex):
        return _attacks(position, hexes)
    forces = field_of(decision, Activate, "units")
    return _next(position, decision, forces) if isinstance(forces, FreshForces) else []


def _attacks(position: StaffPosition, hexes: NextHex) -> list[Order]:
    """Return orders to attack from a force's hex, and the end of its activation, or [] if no attack is worth trying."""
    force = hexes.march
    chances = {
        hex_: position.chance(list(force.units), force.hex, hex_) for hex_ in hexes.halves if position.enemies_in(hex_)
    }
    worth = sorted((hex_ for hex_ in chances if chances[hex_] >= HOPELESS), key=lambda hex_: (-chances[hex_], hex_))
    return [*map(Step, worth), EndActivation()] if worth else []


def _next(position: StaffPosition, decision: Decision, forces: FreshForces) -> list[Order]:
    """Return the activations of the best forces, and declarations of concerted attacks."""
    ranked = sorted(candidates(position, forces), reverse=True)[:FORCES]
    targets = field_of(decision, DeclareAttack, "target")
    beside = {near for hex_ in forces.by_hex for near in position.board.around[hex_] if position.enemies_in(near)}
    joint = [DeclareAttack(hex_) for hex_ in sorted(beside) if targets is not None and targets.why_not(hex_) is None]
    return [*(Activate(list(units)) for _, _, units in ranked), *joint]


def quick_march(position: StaffPosition, decision: Decision) -> Order:
    """Return the next step of a march in a simulated game: an attack, or one hex nearer, without comparing paths.

    Grand assaults, demoralized forces and forces that can rally march as in the real game.
    """
    hexes = field_of(decision, Step, "hex")
    if not isinstance(hexes, NextHex):
        return EndActivation()
    force = hexes.march
    units, here = list(force.units), force.hex
    is_shaken = any(position.units[each].demoralized for each in units)
    if force.goal or is_shaken or decision.options.why_not(Rally()) is None:
        return march(position, decision)[0]
    chances = [(position.chance(units, here, hex_), hex_) for hex_ in hexes.halves if position.enemies_in(hex_)]
    best, target = max(chances, default=(0, ""))
    if target and best >= required_chance(position, here) and could_go_back(position, units, target):
        return Step(target)
    nearer = [(position.distance_left(units, hex_), hex_) for hex_ in hexes.halves if _can_stay(position, units, hex_)]
    left, nearest = min(nearer, default=(0, here))
    return Step(nearest) if left < position.distance_left(units, here) else EndActivation()


def _can_stay(position: StaffPosition, units: list[str], hex_: str) -> bool:
    """Return whether a force may end in a hex: no enemy, space, and supply if its side advances without a dash."""
    if position.enemies_in(hex_) or not position.room_for(units, hex_):
        return False
    return not position.advances() or position.would_be_supplied(hex_) or position.dashes(units)
