"""Playing an imagined game to its end, and what its end pays each side."""

from collections.abc import Callable, Mapping

from sandtable.errors import SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.game import Player
from sandtable.kernel.simulator import Simulated
from sandtable.kernel.views import View

Guide = Callable[[str], Player]
"""Makes, for a seat, a player who plays well enough and quickly."""


class _EnoughError(SandtableError):
    """The game has gone on for long enough."""


class _Counting:
    """A player who stops the game after so many decisions of all seats together; ``left`` is shared by them."""

    def __init__(self, player: Player, left: list[int]) -> None:
        self._choose = player.choose
        self._left = left

    def choose(self, decision: Decision, view: View) -> Order:
        """Return what the player chooses."""
        if not self._left[0]:
            raise _EnoughError
        self._left[0] -= 1
        return self._choose(decision, view)


def play_out(game: Simulated, guide: Guide, depth: int) -> Mapping[str, float]:
    """Play ``game`` on for at most ``depth`` decisions; return what its end pays each side.

    The winner gets 1, the others nothing; a draw, and a game that was not over by then, is shared by all.
    """
    sides = game.ruleset.viewers
    if not game.is_over:
        game.flow()
        left = [depth]
        players = {seat: _Counting(guide(seat), left) for seat in game.ruleset.seats}
        try:
            game.play(players)
        except SandtableError:  # enough, or what was dealt cannot be played on: it tells nothing either way
            return dict.fromkeys(sides, 1 / len(sides))
    outcome = game.state.outcome
    if outcome in sides:
        return {side: float(side == outcome) for side in sides}
    return dict.fromkeys(sides, 1 / len(sides))
