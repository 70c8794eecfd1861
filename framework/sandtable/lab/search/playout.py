"""Playing an imagined game on, to its end or for a while, and what comes of it for each side."""

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import margin_in
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.simulator import Simulated
from sandtable.kernel.play.views import View

TIE = 0.02
"""So much of what a play-out pays hangs on the margin, more or less: who wins always counts for more."""

Evaluation = Callable[[Any, Any], Mapping[str, int]]
"""Tells from (state, board) how likely each side is to win, in thousandths."""


Guide = Callable[[str, Stream], Player]
"""Makes, for a seat and a stream, a player who plays well enough and quickly."""

PlayOut = Callable[[Simulated, Mapping[str, Player]], Mapping[str, float]]
"""Plays an imagined game on with these players, by seat, and tells what that pays each side."""


class _EnoughError(SandtableError):
    """The game has gone on for long enough."""


class Work:
    """How many decisions have been made in imagined games; ``most``, after which it is ``done`` (0: never)."""

    __slots__ = ("made", "most")

    def __init__(self, most: int = 0) -> None:
        self.made, self.most = 0, most

    @property
    def done(self) -> bool:
        """Whether so many have been made as may be."""
        return 0 < self.most <= self.made

    def bears(self, games: int, played: int) -> bool:
        """Tell whether so many games can be had, if the others are as long as those ``played``."""
        return not self.most or self.made * games <= self.most * played


class _Counting:
    """A player who stops the game after ``depth`` decisions of all seats together, or when ``last`` turn is over.

    ``work``, shared by all of them, counts them.
    """

    def __init__(self, player: Player, game: Simulated, work: Work, depth: int, last: int) -> None:
        self._choose = player.choose
        self._game = game
        self._work = work
        self._end = work.made + depth
        self._last = last

    def choose(self, decision: Decision, view: View) -> Order:
        """Return what the player chooses."""
        if self._work.made >= self._end or self._game.state.turn > self._last > 0:
            raise _EnoughError
        self._work.made += 1
        return self._choose(decision, view)


def play_out(
    game: Simulated,
    players: Mapping[str, Player],
    depth: int,
    last: int = 0,
    evaluate: Evaluation | None = None,
    work: Work | None = None,
) -> Mapping[str, float]:
    """Let ``players`` play on, ``depth`` decisions at most, to the end of turn ``last``; return what that pays.

    The winner gets 1, the others nothing, and a draw is shared by all; where the rules tell a margin it breaks ties. A
    game that is not over by then pays each side its ``evaluate``, as a draw where there are none. With ``last`` 0 no
    turn is the last. ``work`` counts decisions.
    Raises RulesetLoops.
    """
    sides = game.ruleset.viewers
    shared = dict.fromkeys(sides, 1 / len(sides))
    if not game.is_over:
        game.flow()
        work = work or Work()
        try:
            game.play({seat: _Counting(player, game, work, depth, last) for seat, player in players.items()})
        except _EnoughError:
            if evaluate is None:
                return shared
            return {side: share / 1000 for side, share in evaluate(game.state, game.state.board).items()}
        except RulesetLoops:
            raise
        except SandtableError:  # what was dealt cannot be played on: it tells nothing either way
            return shared
    outcome = game.state.outcome
    paid = {side: float(side == outcome) for side in sides} if outcome in sides else shared
    margin = margin_in(game.records)
    return {side: _with_margin(paid[side], margin.get(side, 0), len(sides)) for side in sides} if margin else paid


def _with_margin(share: float, points: int, sides: int) -> float:
    """Return a ``share`` in which the more ``points`` count for more: never as much as another outcome does."""
    return TIE + (1 - sides * TIE) * share + TIE * points / (1 + abs(points))
