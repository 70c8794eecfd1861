"""Strategic movement: fresh, supplied forces far behind the front, at twice their pace (DM-6.0)."""

from damos.combat.demoralization import spread
from damos.model.events import ForceMovedStrategically
from damos.model.orders import EndPhase, MoveStrategically
from damos.model.state import DamosState
from damos.movement.menu import END_PHASE
from damos.movement.strategic import path_halves, strategic_options
from damos.turn.rail_conversion import extend_rails
from damos.turn.special_rules import has_player_turn
from sandtable.kernel.decisions import Decision
from sandtable.kernel.sequence import Procedure


def strategic(state: DamosState) -> Procedure:
    """Let the phasing side convert railways, then move, force by force, as long as it likes."""
    side = state.phasing_side
    if not has_player_turn(state, side):  # AGC-4.6.1a
        return
    yield from extend_rails(state)  # AGC-4.3.1d
    while True:
        moves = strategic_options(state, side)
        if moves is None:
            return
        prompt = "move a force strategically, or end strategic movement"
        order: MoveStrategically | EndPhase = yield Decision(side, prompt, moves, "DM-6.0a", done=END_PHASE)
        if isinstance(order, EndPhase):
            return
        units, path = sorted(order.units), list(order.path)
        yield ForceMovedStrategically(units, path, path_halves(state, units, path) or 0)
        yield from spread(state, side, path[-1])  # DM-2.8b
