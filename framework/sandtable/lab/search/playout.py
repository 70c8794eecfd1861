"""Continue a simulated game to its end or for some time, and compute the pay of each side."""

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.errors import RulesetLoops, SandtableError
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import margin_in, shares_in
from sandtable.kernel.play.endings import exact_shares
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.simulator import Simulated
from sandtable.kernel.play.views import View

TIE = 0.02
"""Maximum share of the pay that depends on the margin. The outcome always counts for more."""

Evaluation = Callable[[Any, Any], Mapping[str, int]]
"""A function that returns the probability of each side's victory, in thousandths, from (state, board)."""


Guide = Callable[[str, Stream], Player]
"""A function that makes a quick player of reasonable strength for a seat and a stream."""

PlayOut = Callable[[Simulated, Mapping[str, Player]], Mapping[str, float]]
"""Continues a simulated game with these players, by seat, and returns the pay of each side."""


class _EnoughError(SandtableError):
    """The simulated game has reached its limit."""


class Work:
    """A counter of decisions made in simulated games. It is ``done`` at ``most`` (0: never)."""

    __slots__ = ("made", "most")

    def __init__(self, most: int = 0) -> None:
        self.made, self.most = 0, most

    @property
    def done(self) -> bool:
        """Whether the maximum number of decisions has been made."""
        return 0 < self.most <= self.made

    def bears(self, games: int, played: int) -> bool:
        """Return whether ``games`` games fit into the limit, if their average length is that of the ``played`` ones."""
        return not self.most or self.made * games <= self.most * played


class _Counting:
    """A player that stops the game after ``depth`` decisions of all seats together, or when turn ``last`` is over.

    ``work``, which all players share, counts the decisions.
    """

    def __init__(self, player: Player, game: Simulated, work: Work, depth: int, last: int) -> None:
        self._choose = player.choose
        self._game = game
        self._work = work
        self._end = work.made + depth
        self._last = last

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the player's choice. Raises _EnoughError if the limit is reached."""
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
    """Let ``players`` continue a simulated game, and return the pay of each side.

    The game ends after ``depth`` decisions or with turn ``last`` (0: no last turn). Each side is paid
    its share of the game. If the rules define a margin, it breaks ties. A game that is not over pays each
    side its ``evaluate`` value, or a draw without ``evaluate``. ``work`` counts decisions.

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
        except SandtableError:  # this deal cannot be continued: it favors neither side
            return shared
    exact = exact_shares(game.state.outcome, shares_in(game.records), sides)
    paid = {side: float(share) for side, share in exact.items()}
    margin = margin_in(game.records)
    return {side: _with_margin(paid[side], margin.get(side, 0), len(sides)) for side in sides} if margin else paid


def _with_margin(share: float, points: int, sides: int) -> float:
    """Return ``share`` adjusted by ``points``: more points pay more, but never as much as a better outcome."""
    return TIE + (1 - sides * TIE) * share + TIE * points / (1 + abs(points))
