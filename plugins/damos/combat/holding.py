"""Whose a hex is that both sides were in (DM-2.9a).

Control goes with the last force that moved through a hex. One that enters a defended hex has not moved through it while
the defender stands, nor has one that is thrown out: so the hex is his who is alone in it in the end.
"""

from damos.model.events import HexHeld
from damos.model.forces import is_occupied
from damos.model.state import DamosState
from sandtable.kernel.sequence import Procedure


def hold(state: DamosState, hex_: str) -> Procedure:
    """Give the hex to the side that is alone in it, if it has not got it already."""
    sides = [side for side in state.board.sides if is_occupied(state, hex_, side)]
    if len(sides) == 1 and state.control.get(hex_) != sides[0]:
        yield HexHeld(hex_, sides[0])
