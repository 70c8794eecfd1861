"""The bots: the commander, and the resolver for the umpire's seat; ``random`` every game has without its doing."""

from axis_attack.bots.answers import Desk, answer
from axis_attack.model.board import Board
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.views import View
from sandtable.rules.tabletop.resolver.resolver import ResolverPlayer


class Commander:
    """Fields all it may, spends points where they win games, and rebuilds what can fight."""

    def __init__(self, seat: str, stream: Stream, board: Board) -> None:
        self.seat, self.stream, self.board = seat, stream, board

    def choose(self, decision: Decision, view: View) -> Order:
        """Return an order that is allowed."""
        return answer(Desk(view(), self.board, decision.side, self.stream), decision)


PLAYERS = {"commander": Commander, "resolver": ResolverPlayer}
"""The player names of this ruleset."""
