"""Start phase, second step: replacements are allocated in secret (KH-3.03, KH-5)."""

from khamsin.model.cards import SIDES
from khamsin.model.orders import Allocate
from khamsin.model.secret_events import out_of_sight
from khamsin.model.state import KhamsinState
from khamsin.supply.replacements import allocate, allocation_space
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.sequence import Procedure


def replacements(state: KhamsinState) -> Procedure:
    """Ask each side that has points, and formations in need of them; points that are not used are lost (KH-5.08)."""
    asked = []
    for side in SIDES:
        space = allocation_space(state, side)
        if space is not None:
            asked.append(Decision(side, "allocate your replacements", space, "KH-5.02", secret=True))
    answers: dict[str, Allocate] = yield Sealed(tuple(asked))

    def give(work: KhamsinState) -> Procedure:
        for order in answers.values():
            yield from allocate(work, order)

    yield from out_of_sight(state, give)
