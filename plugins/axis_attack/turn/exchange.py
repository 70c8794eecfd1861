"""Exchange of support platoons, after the reinforcement dice or by option before them (AOA-11.21, AOA-R63)."""

from axis_attack.model.state import AxisState
from axis_attack.recovery.exchange import exchange_all
from sandtable.kernel.sequence import Procedure


def exchange(state: AxisState) -> Procedure:
    """Let both sides exchange, unless they have had their turn before the dice."""
    if state.options["exchange_when"] != "before_reinforcement":
        yield from exchange_all(state)
