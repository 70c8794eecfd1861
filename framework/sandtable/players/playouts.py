"""Play-outs: games continued by bots from one position, to estimate who wins and how surely."""

from collections import Counter
from collections.abc import Mapping

from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Prepared


def playouts(game: Game, prepared: Prepared, names: Mapping[str, str], count: int, seed: str) -> Counter[str]:
    """Return how often each side won in ``count`` games continued from ``game`` by bots ``names`` (by seat).

    Game k has the dice, and its bots the streams, of ``seed``/k, so two positions are compared under equal conditions.
    A game that is over counts ``count`` times with its outcome.
    """
    if game.is_over:
        return Counter({game.state.outcome: count})
    won: Counter[str] = Counter()
    for number in range(1, count + 1):
        key = key_from_seed(f"{seed}/{number}")
        twin = game.fork(KeyedDice(key))
        twin.play(seat_players(prepared, names, key))
        won[twin.state.outcome] += 1
    return won


def standing(game: Game, prepared: Prepared) -> dict[str, int]:
    """Return the ruleset's own evaluation of the sides, in thousandths, or {} if it has none or the game is over."""
    evaluate = prepared.installed.bots.evaluate
    return {} if evaluate is None or game.is_over else dict(evaluate(game.state, prepared.board))
