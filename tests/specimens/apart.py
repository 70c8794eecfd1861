"""Whole games of bots in replicas that lack each other's secrets, and the same games with a keeper."""

from typing import Any

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.replicas.replica import Replica
from sandtable.players.players import best_for, seat_bot
from sandtable.plugin.manager import Prepared
from sandtable.testing.checks.replicas import Replicas, play_apart


def _bots(prepared: Prepared, key: bytes) -> dict[str, Any]:
    seats = [seat for seat, side in prepared.ruleset.seats.items() if side in prepared.ruleset.viewers]
    return {seat: seat_bot(prepared, seat, best_for(prepared.installed, seat), key) for seat in seats}


def bots_apart(prepared: Prepared, seed: str) -> Replicas:
    """Play a game of the best bots in replicas, each of which sees the view of its own replica."""
    key = key_from_seed(seed)
    bots = _bots(prepared, key)

    def choose(replica: Replica, decision: Decision) -> Order:
        side = prepared.ruleset.side_of(decision.seat)
        order: Order = bots[decision.seat].choose(decision, replica.seat_view(side))
        return order

    return play_apart(prepared, lambda: KeyedDice(key), choose)


def bots_together(prepared: Prepared, seed: str) -> Game:
    """Play the same game with a keeper."""
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    game.play(_bots(prepared, key))
    return game
