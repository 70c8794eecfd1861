"""Strategic movement at double allowance (DM-6.0), and the surrender of forces without a path to a source (DM-10.0)."""

from damos.combat.losses import propagate_demoralization
from damos.map.calculations import path_steps
from damos.map.supply import has_supply_line, reaches_source
from damos.model.events import ForceMovedStrategically, UnitsSurrendered
from damos.model.forces import enemy_of, stacks
from damos.model.orders import EndPhase, MoveStrategically
from damos.model.state import DamosState
from damos.movement.march import END_PHASE
from damos.movement.strategic import strategic_options, twice_allowed
from damos.turn.rail_conversion import extend_rails
from damos.turn.special_rules import has_player_turn
from sandtable import Calculation, Decision, Procedure


def strategic(state: DamosState) -> Procedure:
    """Let the phasing side convert railways, then move forces one by one until it ends the phase."""
    side = state.phasing_side
    if not has_player_turn(state, side):  # AGC-4.6.1a
        return
    yield from extend_rails(state)  # AGC-4.3.1d
    while True:
        moves = strategic_options(state, side)
        if moves is None:
            return
        prompt = "move a force strategically, or end strategic movement"
        order: MoveStrategically | EndPhase = yield Decision(
            side, prompt, moves, "DM-6.0a", done=END_PHASE, purpose="move_strategically"
        )
        if isinstance(order, EndPhase):
            return
        units, path = sorted(order.units), list(order.path)
        cost = Calculation("halves", path_steps(state, units, path))
        yield ForceMovedStrategically(units, path, cost.total, calculations=(cost, twice_allowed(state, units)))
        yield from propagate_demoralization(state, side, path[-1])  # DM-2.8b


def surrender(state: DamosState) -> Procedure:
    """Check all forces of the phasing side before any is removed, then remove those that must surrender."""
    side = state.phasing_side
    if not has_player_turn(state, side):
        return
    for hex_, units in surrendering(state, side).items():
        yield UnitsSurrendered(units, hex_)


def surrendering(state: DamosState, side: str) -> dict[str, list[str]]:
    """Return the forces of a side that would surrender now, by hex, sorted (DM-10.0a, DM-10.0b)."""
    around, enemies = state.board.around, stacks(state, enemy_of(side))
    return {
        hex_: list(units)
        for hex_, units in stacks(state, side).items()
        if not enemies.keys().isdisjoint(around[hex_])  # most forces have no enemy next to them, so no path is traced
        and not reaches_source(state, side, hex_)
        and is_pressed(state, side, hex_)
    }


def is_pressed(state: DamosState, side: str, hex_: str) -> bool:
    """Return whether a supplied, non-demoralized enemy force is adjacent to a side's force (DM-10.0a)."""
    enemy = enemy_of(side)
    there = stacks(state, enemy)
    return any(
        not all(state.units[unit_id].demoralized for unit_id in there[near]) and has_supply_line(state, enemy, near)
        for near in state.board.around[hex_]
        if near in there
    )
