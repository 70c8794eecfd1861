"""Open a new game: its players, key, header and log."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sandtable.hosting.keying import Keying
from sandtable.journal.file.keys import refuse_stray_key
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import Header, make_dice, make_header, person_plays
from sandtable.journal.record import form_for
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.play.game import Game
from sandtable.players.players import HUMAN, best_for, name_seats
from sandtable.plugin.manager import Prepared

Keep = Callable[[str, bytes], None]
"""A function that stores the key of a game next to its log, and reports where."""


class Opened(NamedTuple):
    """A game that has not begun, and its log."""

    game: Game
    writer: LogWriter
    header: Header


def with_opponents(prepared: Prepared, named: Mapping[str, str]) -> dict[str, str]:
    """Return the player of every seat: the one named for it or its side, or the best bot for the seat.

    The umpire's seat has the ruleset's usual umpire. Raises PlayError as ``name_seats`` does.
    """
    names = name_seats(prepared, named)
    free = [each for each, side in prepared.ruleset.seats.items() if not {each, side} & set(named) and each != UMPIRE]
    return names | {seat: best_for(prepared.installed, seat) for seat in free}


def open_game(
    prepared: Prepared,
    names: Mapping[str, str],
    keying: Keying,
    *,
    dice: str,
    path: str | Path = "",
    keys: Mapping[str, str] | None = None,
    keep: Keep | None = None,
    force: bool = False,
) -> Opened:
    """Open the log of a new game, without playing. Its name is ``path``, or is made from the game.

    A key that is in no file and not yet in the log is passed to ``keep`` before the log is created. ``keys`` are the
    public keys by seat. The log is durable if a person plays. Raises LogExists and LogWriteFailed.
    """
    keyed = make_dice(dice, keying.key, keying.salts)
    header = make_header(prepared, names, keyed, keys=dict(keys or {}))
    file = str(path) or f"{prepared.ruleset.id}-{prepared.scenario.id}-{header.game[:8]}.jsonl"
    first = None
    if dice != "open" and not keying.file and keep is not None:
        refuse_stray_key(file, force=force)
        first = partial(keep, file, keying.key)
    sources: Sequence[str] = [*map(str, prepared.sources()), *([keying.file] if keying.file else [])]
    writer = LogWriter.create(
        file,
        header,
        form_for(prepared.ruleset, keyed),
        durable=HUMAN in names.values(),
        force=force,
        private=person_plays(prepared.ruleset, names),
        sources=sources,
        first=first,
    )
    return Opened(prepared.new_game(keyed), writer, header)
