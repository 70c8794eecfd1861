"""The income phase, and what closes a power's turn: cut supply, the last round (DAA-14.04, DAA-6.03, DAA-R63)."""

from desert_aa.combat.control import check_round_limit
from desert_aa.model.events import IncomeCollected
from desert_aa.model.state import DesertState
from desert_aa.movement.supply import cut_at_enemy_end
from sandtable.kernel.sequence import Procedure


def income(state: DesertState) -> Procedure:
    """Pay the power on move for its spaces, into its purse (DAA-14.04, DAA-R01); then close its turn."""
    power = state.phasing_power
    yield IncomeCollected(power, state.board.purse_of[power], state.board.worth(state.control, power))
    yield from cut_at_enemy_end(state)
    yield from check_round_limit(state)
