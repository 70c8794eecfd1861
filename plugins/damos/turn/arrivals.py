"""Reinforcements: where they come in, and Soviet units that come back from behind the front (AGC-4.9, AGC-4.6.4)."""

from damos.map.zones import in_enemy_zone
from damos.model.events import UndyingRolled, UnitsEliminated, UnitsSurrendered
from damos.model.forces import enemy_of, is_occupied
from damos.model.state import DamosState
from damos.model.tables import d3
from damos.setup.reading import SOVIET
from sandtable.kernel.decisions import Roll
from sandtable.kernel.handlers import reacts
from sandtable.kernel.sequence import Procedure

UNDYING_TURNS = 2
UNDYING_FROM = 5


def entry_hexes(state: DamosState, side: str) -> list[str]:
    """Return the hexes, sorted, where reinforcements of a side can come in now (AGC-4.9a, R-DM-69).

    Its edge hexes, and the cities among them that are its own still; without enemies, and out of their zones.
    """
    board = state.board
    edges = {*board.edges["west"], *board.edges["east"]}
    return [
        hex_
        for hex_ in board.entries[side]
        if (hex_ in edges or state.control.get(hex_) == side)
        and not is_occupied(state, hex_, enemy_of(side))
        and not in_enemy_zone(state, side, hex_)
    ]


@reacts(UnitsEliminated, UnitsSurrendered)
def roll_undying(state: DamosState, event: UnitsEliminated | UnitsSurrendered) -> Procedure:
    """Roll for each Soviet unit that is lost on turns 1 and 2 whether, and when, it returns (AGC-4.6.4a, R-DM-65)."""
    if state.turn > UNDYING_TURNS:
        return
    for unit_id in sorted(event.units):
        if state.units[unit_id].side != SOVIET:
            continue
        (die,) = yield Roll(1, 6, f"undying:{unit_id}", "AGC-4.6.4a", favours=SOVIET)
        returns = strength = 0
        if die >= UNDYING_FROM:
            late = enemy_of(SOVIET)
            (turns,) = yield Roll(1, 6, f"undying.turns:{unit_id}", "AGC-4.6.4a", favours=late)
            returns = state.turn + d3(turns)
            strength = 1 if state.options["undying_strength"] == "one_sp" else state.board.counters[unit_id].sp
        yield UndyingRolled(unit_id, die, returns, strength)
