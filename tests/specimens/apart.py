"""Whole games of bots in replicas that lack each other's secrets, and the same games with a keeper."""

from typing import Any

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import play_recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify
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
    """Play a game of the best bots in replicas; each bot sees only the view of its replica."""
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


def log_apart(prepared: Prepared, seed: str) -> Log:
    """Return the log of a game of the best bots without a keeper, with the secrets of all sides."""
    dice = KeyedDice(key_from_seed(seed), "host")
    apart = prepared.apart(prepared.ruleset.viewers)
    bots = _bots(prepared, dice.key)
    header = make_header(apart, dict.fromkeys(bots, "bot"), dice)
    return parse_log(play_recorded(apart, bots, dice, header).data, "log")


def verdict_on_slice(log: Log, prepared: Prepared, side: str, *more: bytes) -> Verdict:
    """Return the verdict on the slice of ``log`` for ``side``, with ``more`` openings, each in a separate line."""
    first, rest = slice_log(log, prepared, side).split(b"\n", 1)
    data = b"\n".join([first, *more, rest])
    return verify(parse_log(data, f"slice of {side}"), prepared.apart(prepared.ruleset.viewers), side=side)
