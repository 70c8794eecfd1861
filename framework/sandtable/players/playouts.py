"""Play-outs: games continued by bots from one position, to estimate who wins and how surely."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.events import shares_in
from sandtable.kernel.play.endings import exact_shares
from sandtable.kernel.play.game import Game
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Prepared


class PlayoutResults(NamedTuple):
    """Numbers of wins by side, with draws under "draw", and the points of each side: the sum of its shares."""

    won: Counter[str]
    points: dict[str, Fraction]


def playouts(game: Game, prepared: Prepared, names: Mapping[str, str], count: int, seed: str) -> PlayoutResults:
    """Return the results of ``count`` games continued from ``game`` by bots ``names`` (by seat).

    Game k has the dice, and its bots the streams, of ``seed``/k, so two positions are compared under equal conditions.
    A game that is over counts ``count`` times with its outcome.
    """
    sides = prepared.ruleset.viewers
    if game.is_over:
        shares = exact_shares(game.state.outcome, shares_in(game.records), sides)
        return PlayoutResults(Counter({game.state.outcome: count}), {side: count * shares[side] for side in sides})
    won: Counter[str] = Counter()
    points = dict.fromkeys(sides, Fraction())
    for number in range(1, count + 1):
        key = key_from_seed(f"{seed}/{number}")
        twin = game.fork(KeyedDice(key))
        twin.play(seat_players(prepared.at(game.state), names, key))
        won[twin.state.outcome] += 1
        for side, share in exact_shares(twin.state.outcome, shares_in(twin.records), sides).items():
            points[side] += share
    return PlayoutResults(won, points)


def standing(game: Game, prepared: Prepared) -> dict[str, int]:
    """Return the ruleset's evaluation of the sides, in thousandths, or {} without an evaluation or after the end."""
    evaluate = prepared.installed.bots.evaluate
    return {} if evaluate is None or game.is_over else dict(evaluate(game.state, game.state.board))
