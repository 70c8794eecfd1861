"""Count lines of play of a given depth in orders ("performance test", a term from chess programs)."""

from itertools import islice

from sandtable.errors import PlayError
from sandtable.kernel.decisions import Order, Roll
from sandtable.kernel.dice import ChanceDice
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared

MAX_ORDERS = 10_000
"""Maximum number of orders at a decision; larger lists cannot be counted by hand, and would take too long."""


def divided(prepared: Prepared, depth: int) -> list[tuple[str, int]]:
    """Return the first orders, as text, with the number of lines of ``depth`` orders under each.

    A line that ends earlier is not counted at a greater depth. Raises PlayError for a game with dice or sealed orders.
    """
    game = prepared.new_game(ChanceDice())
    game.start()
    return [(str(order), _lines(twin, depth - 1)) for order, twin in _after(game)]


def perft(prepared: Prepared, depth: int) -> int:
    """Return the number of lines of play of ``depth`` orders. Raises PlayError as ``divided`` does."""
    return sum(number for _, number in divided(prepared, depth))


def _after(game: Game) -> list[tuple[Order, Game]]:
    seat, orders = _orders(game)
    found = []
    for order in orders:
        twin = game.fork()
        twin.submit(order, seat)
        found.append((order, twin))
    return found


def _orders(game: Game) -> tuple[str, list[Order]]:
    if isinstance(game.pending, Roll):
        raise PlayError(
            f"{game.ruleset.id} rolls dice ({game.pending.purpose}): lines of play are counted only without dice"
        )
    waiting = game.waiting()
    if len(waiting) != 1:
        raise PlayError(
            f"{game.ruleset.id} has {len(waiting)} decisions at once: lines of play are counted only for one at a time"
        )
    orders = list(islice(waiting[0].options.values(), MAX_ORDERS + 1))
    if len(orders) > MAX_ORDERS:
        choice = f"{game.ruleset.id} has more than {MAX_ORDERS:,} orders to choose from ({waiting[0].prompt})"
        raise PlayError(f"{choice}: lines of play are counted only if the orders can be listed")
    return waiting[0].seat, orders


def _lines(game: Game, depth: int) -> int:
    if depth == 0:
        return 1
    if game.is_over:
        return 0
    if depth == 1:
        return len(_orders(game)[1])
    return sum(_lines(twin, depth - 1) for _, twin in _after(game))
