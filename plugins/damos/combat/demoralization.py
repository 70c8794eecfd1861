"""Who loses heart, and how it spreads (DM-2.8)."""

from collections.abc import Sequence

from damos.combat.absorption import DEMORALIZED, absorb
from damos.model.events import ForceDemoralized
from damos.model.forces import is_demoralized, units_in
from damos.model.state import ON_MAP, DamosState
from sandtable.kernel.sequence import Procedure


def dishearten(state: DamosState, units: Sequence[str], why: str = "lost", *, in_meeting: bool = False) -> Procedure:
    """Demoralise a force that lost, where it stands now (DM-8.11e).

    After a meeting engagement it keeps heart. One that was demoralised already loses a strength point instead, its
    strongest unit alone (DM-8.11f); after a meeting engagement by option ``me_already_demoralized`` (R-DM-44).
    """
    there = [each for each in units if state.units[each].standing == ON_MAP]
    if not there:
        return
    hex_ = state.units[there[0]].hex
    if is_demoralized(state, there):
        if not in_meeting or state.options["me_already_demoralized"] == "lose_1_sp":
            yield from absorb(state, hex_, there, 1, DEMORALIZED)
    elif not in_meeting:
        yield ForceDemoralized(there, hex_, why)


def spread(state: DamosState, side: str, hex_: str) -> Procedure:
    """Demoralise what is stacked with demoralised units where a force ends (DM-2.8b, DM-2.6d, R-DM-06)."""
    units = units_in(state, hex_, side)
    firm = [each for each in units if not state.units[each].demoralized]
    if firm and len(firm) < len(units):
        yield ForceDemoralized(firm, hex_, "stacked", "DM-2.8b")
