"""The bots: the commander, and the resolver for the umpire's seat. The framework provides ``random``."""

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
    """A bot that concentrates against known enemies, takes open ground, and spares worn formations."""

    quick: ClassVar[type["Commander"]]
    """The bot that replaces this one in simulated games."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board
        self._beliefs: dict[str, Belief] = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order."""
        belief = self._beliefs.setdefault(decision.side, Belief(self.board, decision.side))
        position = Position(view(), self.board, decision.side, belief)
        if getattr(decision.options, "order", None) is WriteOrders:
            order: Order = write_orders(position, decision.options)
            if decision.options.why_not(order) is None:
                return order
        return answer(position, decision, self.stream)

    def plans(self, decision: Decision, view: View) -> Sequence[Order]:
        """Return other orders that are worth trying, for search bots; call ``choose`` first."""
        belief = self._beliefs.setdefault(decision.side, Belief(self.board, decision.side))
        position = Position(view(), self.board, decision.side, belief)
        if getattr(decision.options, "order", None) is WriteOrders:
            return list(other_orders(position, decision.options))
        return list(other_answers(position, decision))


WORST = 1
"""Number of formations that get replacements in a simulated game."""


class Aide(Commander):
    """The commander's replacement in simulated games: it gives replacements to the most worn formation only."""

    def choose(self, decision: Decision, view: View) -> Order:
        """Return a legal order."""
        if getattr(decision.options, "order", None) is Allocate:
            belief = self._beliefs.setdefault(decision.side, Belief(self.board, decision.side))
            order = allocate(Position(view(), self.board, decision.side, belief), decision, WORST)
            if decision.options.why_not(order) is None:
                return order
        return super().choose(decision, view)


Commander.quick = Aide

PLAYERS = {"commander": Commander, "resolver": ResolverPlayer}
"""The player names of this ruleset."""
