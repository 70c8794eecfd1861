"""Set-up: a hex for each unit that is there from the start (AGC-6.0a, D-DM-02)."""

from damos.model.events import SideSetUp
from damos.model.orders import SetUp
from damos.model.state import POOL, DamosState
from damos.turn.deployment import must_fill, set_up_hexes
from damos.turn.placing import HexSheet
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import Form
from sandtable.kernel.sequence import Procedure

RULE = "AGC-6.0a"


def set_up(state: DamosState) -> Procedure:
    """Let the phasing side set up."""
    side = state.phasing_side
    units = [
        each
        for each, unit in sorted(state.units.items())
        if unit.side == side and unit.standing == POOL and unit.arrives == 0
    ]
    hexes: dict[str, str] = {}
    if units:
        sheet = HexSheet.of(state, units, set_up_hexes(state, side), RULE, must_fill(state, side))
        order: SetUp = yield Decision(side, "set up your units", Form(SetUp, {"hexes": sheet}), RULE)
        hexes = {unit_id: order.hexes[unit_id] for unit_id in units}
    yield SideSetUp(side, hexes)
