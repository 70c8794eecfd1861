"""Cossacks: from turn 10 the Soviets name a hex, whose units have a zone of influence for that turn (AGC-4.8a)."""

from damos.model.events import CossacksNamed
from damos.model.forces import stacks
from damos.model.orders import ChooseHex, Decline
from damos.model.state import DamosState
from damos.setup.reading import SOVIET
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import AnyOf, Form, OneOf
from sandtable.kernel.sequence import Procedure

FIRST_TURN = 10
DECLINE = Decline()
RULE = "AGC-4.8a"


def name_cossacks(state: DamosState) -> Procedure:
    """Let the Soviets name a hex with units of theirs at the beginning of a turn, openly (R-DM-68)."""
    hexes = sorted(stacks(state, SOVIET))
    if state.turn < FIRST_TURN or not hexes:
        return
    space = AnyOf([Form(ChooseHex, {"hex": OneOf(hexes, RULE)}), OneOf([DECLINE], RULE)])
    prompt = "name the hex whose units have a zone of influence this turn, or none"
    order: ChooseHex | Decline = yield Decision(SOVIET, prompt, space, RULE)
    if isinstance(order, ChooseHex):
        yield CossacksNamed(order.hex)
