"""The surrender phase: forces that the enemy is next to, and that have no way out, are gone for good (DM-10.0)."""

from damos.map.supply import has_supply_line, reaches_source
from damos.model.events import UnitsSurrendered
from damos.model.forces import enemy_of, stacks
from damos.model.state import DamosState
from damos.turn.special_rules import has_player_turn
from sandtable.kernel.sequence import Procedure


def surrender(state: DamosState) -> Procedure:
    """Check the forces of the phasing side, all in the same position, and let go who must."""
    side = state.phasing_side
    if not has_player_turn(state, side):
        return
    for hex_, units in surrendering(state, side).items():
        yield UnitsSurrendered(units, hex_)


def surrendering(state: DamosState, side: str) -> dict[str, list[str]]:
    """Return by hex, sorted, the forces of a side that would surrender now (DM-10.0a, DM-10.0b)."""
    return {
        hex_: list(units)
        for hex_, units in sorted(stacks(state, side).items())
        if not reaches_source(state, side, hex_) and is_pressed(state, side, hex_)
    }


def is_pressed(state: DamosState, side: str, hex_: str) -> bool:
    """Tell whether an enemy force that is supplied and not demoralised is adjacent to a side's force (DM-10.0a)."""
    enemy = enemy_of(side)
    there = stacks(state, enemy)
    return any(
        not all(state.units[unit_id].demoralized for unit_id in there[near]) and has_supply_line(state, enemy, near)
        for near in state.board.around[hex_]
        if near in there
    )
