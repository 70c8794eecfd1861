"""Games played on from one position by bots: who wins from here, and how surely."""

from collections import Counter
from collections.abc import Mapping

from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Prepared


def playouts(game: Game, prepared: Prepared, names: Mapping[str, str], count: int, seed: str) -> Counter[str]:
    """Return who won of ``count`` games played on from where ``game`` stands, by bots ``names`` (by seat).

    Game k has the dice, and its bots the streams, of ``seed``/k: two positions are compared by the same ones. A game
    that is over counts as it is.
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
    """Return how the sides stand by the ruleset's own evaluation, in thousandths; empty where it makes none."""
    evaluate = prepared.installed.bots.evaluate
    return {} if evaluate is None or game.is_over else dict(evaluate(game.state, prepared.board))
