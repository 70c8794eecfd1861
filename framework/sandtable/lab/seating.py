"""Seating plans: who plays which side in the games of a set, for any number of sides.

The games of a set have the same dice, and every player has every seat equally often in it. Players are numbers, one for
each seat in the order of the sides.
"""

from math import gcd

from sandtable.errors import PlayError

Seats = tuple[int, ...]
"""The number of the player of each side."""


def rotated(number: int, turn: int, sides: int) -> Seats:
    """Return the seats of game ``turn`` of set ``number``, with as many players as sides.

    The next side belongs to the player some indexes further. That distance depends on ``number`` and has no factor in
    common with ``sides``. If ``sides`` is a prime n, n - 1 sets bring every two players to every two sides exactly
    once.
    """
    steps = [step for step in range(1, sides) if gcd(step, sides) == 1] or [1]
    step = steps[number % len(steps)]
    return tuple((seat * step + turn) % sides for seat in range(sides))


def alone(turn: int, sides: int) -> Seats:
    """Return the seats of game ``turn`` of a set of two players: each alone on every side, the other on the rest."""
    player, seat = divmod(turn, sides)
    return tuple(player if each == seat else 1 - player for each in range(sides))


def games_in_set(players: int, sides: int) -> int:
    """Return the number of games in a set. Raises PlayError if the numbers of players and sides do not fit."""
    if players == sides:
        return sides
    if players == 2 < sides:
        return 2 * sides
    names = "2 players" if sides == 2 else f"2 players, or {sides}: a name may be given again"
    raise PlayError(f"{players} players cannot play for {sides} sides: name {names}")


def seats_of(game: int, players: int, sides: int) -> Seats:
    """Return the seats of game ``game`` (from 0), in one set after the other. Raises PlayError as games_in_set."""
    number, turn = divmod(game, games_in_set(players, sides))
    return rotated(number, turn, sides) if players == sides else alone(turn, sides)
