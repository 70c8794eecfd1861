"""Other answers than the commander's own, for players who try things out (see ``Commander.plans``).

Orders of a turn are written anew by bolder and by more careful heads, and for nobody to move; of ways to meet an
engagement, to retreat or to advance the first few are given as they are listed.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from khamsin.bots.answers import kind_of
from khamsin.bots.belief import Belief
from khamsin.bots.planning import write_orders
from khamsin.bots.position import Position
from khamsin.model.cards import Board
from khamsin.model.orders import Advance, LetGo, RetreatTo, Withdraw, WriteOrders
from khamsin.model.state import FIGHTING, PRECIPITOUS
from sandtable.kernel.decisions import Decision, Order

NERVES = (0, 2500, 500, 1200, 6000)
"""By how many thousandths other heads count what is risked."""
LISTED = 8
"""So many of the listed answers are worth trying."""


class Minded(Position):
    """What a commander works with who has another nerve."""

    mind = 1000

    @cached_property
    def nerve(self) -> int:
        """By how many thousandths risks count."""
        return self.mind


def other_answers(view: Any, board: Board, decision: Decision, belief: Belief) -> Iterator[Order]:
    """Yield answers that the commander would not give, likely ones first; some may not be allowed."""
    order = kind_of(decision.options)
    if order is WriteOrders:
        for nerve in NERVES:
            position = Minded(view, board, decision.side, belief)
            position.mind = nerve
            yield write_orders(position, decision.options)
        yield WriteOrders()
    elif order is Withdraw:
        yield Withdraw()
        yield Withdraw(FIGHTING)
        yield from _flights(view, decision.side)
    elif order in {RetreatTo, Advance, LetGo}:
        yield from islice(decision.options.values(), LISTED)


def _flights(view: Any, side: str) -> Iterator[Order]:
    """Yield that everybody leaves as he is, and each alone."""
    engagement = next((each for _, each in sorted(view.engagements.items()) if not each.over), None)
    force = list(engagement.forces.get(side, ())) if engagement else []
    yield Withdraw(leaving=dict.fromkeys(force, PRECIPITOUS))
    for each in force[:LISTED]:
        yield Withdraw(leaving={each: PRECIPITOUS})
