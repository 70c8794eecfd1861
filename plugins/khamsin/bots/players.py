"""The bots: the commander, and the resolver for the umpire's seat; ``random`` every game has without its doing."""

from collections.abc import Sequence
from typing import ClassVar

from khamsin.bots.answers import allocate, answer, other_answers
from khamsin.bots.belief import Belief
from khamsin.bots.planning import other_orders, write_orders
from khamsin.bots.position import Position
from khamsin.model.cards import Board
from khamsin.model.orders import Allocate, WriteOrders
from sandtable import Decision, Order, Stream, View
from sandtable.tabletop import ResolverPlayer


class Commander:
    """Masses against what it knows of the enemy, takes open ground, and spares the worn."""

    quick: ClassVar[type["Commander"]]
    """Who sits in for him in imagined games."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self._beliefs: dict[str, Belief] = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        belief = self._beliefs.setdefault(decision.side, Belief(self.board, decision.side))
        position = Position(view(), self.board, decision.side, belief)
        if getattr(decision.options, "order", None) is WriteOrders:
            order: Order = write_orders(position, decision.options)
            if decision.options.why_not(order) is None:
                return order
        return answer(position, decision, self.stream)

    def plans(self, decision: Decision, view: View) -> Sequence[Order]:
        """Return other orders that are worth trying, for who tries things out; ask ``choose`` first."""
        belief = self._beliefs.setdefault(decision.side, Belief(self.board, decision.side))
        position = Position(view(), self.board, decision.side, belief)
        if getattr(decision.options, "order", None) is WriteOrders:
            return list(other_orders(position, decision.options))
        return list(other_answers(position, decision))


WORST = 1
"""So many formations are given replacements in an imagined game."""


class Aide(Commander):
    """Sits in for the commander in imagined games: he looks after the most worn formation only."""

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        if getattr(decision.options, "order", None) is Allocate:
            belief = self._beliefs.setdefault(decision.side, Belief(self.board, decision.side))
            order = allocate(Position(view(), self.board, decision.side, belief), decision, WORST)
            if decision.options.why_not(order) is None:
                return order
        return super().choose(decision, view)


Commander.quick = Aide

PLAYERS = {"commander": Commander, "resolver": ResolverPlayer}
"""The player names of this ruleset."""
