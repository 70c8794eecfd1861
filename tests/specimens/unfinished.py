"""A game with a person at a seat that stops while some of its records are closed."""

from pathlib import Path

from sandtable.errors import PlayError
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import make_dice, make_header, person_plays
from sandtable.journal.record import form_for, play_on
from sandtable.journal.sides.slices import count_closed
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import HUMAN, name_seats, seat_players
from sandtable.plugin.manager import Prepared

SALTS = bytes(range(32))
MAX_RECORDS = 600
"""Maximum number of records until one is closed and one order follows."""


def closed_in(path: Path, prepared: Prepared) -> int:
    """Return the number of closed records in the file ``path`` alone."""
    return count_closed(parse_log(path.read_bytes(), str(path)), prepared.ruleset)


def play_until_closed(prepared: Prepared, path: Path) -> Log:
    """Play into ``path``, with bots ordering for a person at the last seat, until the log has closed records.

    A turn must also have begun, so that the log has a position to draw.
    """
    key = key_from_seed("unfinished")
    players = seat_players(prepared, names := name_seats(prepared, {}), key)
    person = next(seat for seat in reversed([*prepared.ruleset.seats]) if seat != UMPIRE)
    names = names | {person: HUMAN}
    dice = make_dice("open", key, SALTS)
    game, header = prepared.new_game(dice), make_header(prepared, names, dice)
    assert person_plays(prepared.ruleset, names)
    most = 10
    with LogWriter.create(path, header, form_for(prepared.ruleset, dice), private=True) as writer:
        while not (game.state.turn and closed_in(path, prepared)):
            assert not game.is_over, f"{prepared.ruleset.id}: no record was closed while it was played"
            assert most <= MAX_RECORDS, f"{prepared.ruleset.id}: no record is closed after {most}"
            try:
                play_on(game, players, writer, most)
            except PlayError:
                most = game.number
    return read_log(path)
