"""Playing an imagined game on, to its end or for a while, and what comes of it for each side."""

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.simulator import Simulated
from sandtable.kernel.play.views import View

Evaluation = Callable[[Any, Any], Mapping[str, int]]
"""Tells from (state, board) how likely each side is to win, in thousandths."""


class _EnoughError(SandtableError):
    """The game has gone on for long enough."""


class _Counting:
    """A player who stops the game after so many decisions of all seats together, or when ``last`` turn is over.

    ``left`` is shared by all of them.
    """

    def __init__(self, player: Player, game: Simulated, left: list[int], last: int) -> None:
        self._choose = player.choose
        self._game = game
        self._left = left
        self._last = last

    def choose(self, decision: Decision, view: View) -> Order:
        """Return what the player chooses."""
        if not self._left[0] or self._game.state.turn > self._last > 0:
            raise _EnoughError
        self._left[0] -= 1
        return self._choose(decision, view)


def play_out(
    game: Simulated, players: Mapping[str, Player], depth: int, last: int = 0, evaluate: Evaluation | None = None
) -> Mapping[str, float]:
    """Let ``players`` play on, ``depth`` decisions at most, to the end of turn ``last``; return what that pays.

    The winner gets 1, the others nothing, and a draw is shared by all. A game that is not over by then pays each side
    its ``evaluate``, as a draw where there are none. With ``last`` 0 no turn is the last. Raises RulesetLoops.
    """
    sides = game.ruleset.viewers
    shared = dict.fromkeys(sides, 1 / len(sides))
    if not game.is_over:
        game.flow()
        left = [depth]
        try:
            game.play({seat: _Counting(player, game, left, last) for seat, player in players.items()})
        except _EnoughError:
            if evaluate is None:
                return shared
            return {side: share / 1000 for side, share in evaluate(game.state, game.state.board).items()}
        except RulesetLoops:
            raise
        except SandtableError:  # what was dealt cannot be played on: it tells nothing either way
            return shared
    outcome = game.state.outcome
    return {side: float(side == outcome) for side in sides} if outcome in sides else shared
