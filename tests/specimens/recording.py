"""Games of bots, recorded as ``sandtable play`` records them."""

from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared


def recorded(prepared: Prepared, seed: str | bytes, mode: str = "open", **named: str) -> Recorded:
    """Return a game with the dice of a seed or a key. Seats that are not ``named`` have a random player."""
    key = seed if isinstance(seed, bytes) else key_from_seed(seed)
    dice, names = make_dice(mode, key), name_seats(prepared, named)
    return play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice))
