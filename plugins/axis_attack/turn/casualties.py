"""Casualties: every platoon that took part is given a new level (AOA-10.01)."""

from axis_attack.model.state import AxisState
from axis_attack.recovery.casualties import assess_all
from sandtable.kernel.sequence import Procedure


def casualties(state: AxisState) -> Procedure:
    """Assess the platoons of both forces; after a concession nobody has lost anything (AOA-R29)."""
    if state.report is not None and not state.conceded:
        yield from assess_all(state, state.report)
