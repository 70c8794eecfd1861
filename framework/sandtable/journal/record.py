"""Playing a game into a log."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandtable.journal.chain import START, chain
from sandtable.journal.codec import encode_bodies
from sandtable.journal.header import Header, header_body
from sandtable.journal.store import LogWriter
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.game import Game, Player
from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class Recorded:
    """A game that was played, and its log: ``data`` is the whole file, ``head`` its last running hash."""

    game: Game
    header: Header
    data: bytes
    head: bytes


def log_bytes(header: Header, game: Game) -> tuple[bytes, bytes]:
    """Return the log of ``game`` as it stands, and its last running hash."""
    return chain([header_body(header), *encode_bodies(game.records)], START)


def play_recorded(prepared: Prepared, players: Mapping[str, Player], dice: KeyedDice, header: Header) -> Recorded:
    """Play a game to its end in memory and chain its log once: what tournaments do."""
    game = prepared.new_game(dice)
    game.play(players)
    data, head = log_bytes(header, game)
    return Recorded(game, header, data, head)


def play_into_file(
    prepared: Prepared,
    players: Mapping[str, Player],
    dice: KeyedDice,
    header: Header,
    path: str | Path,
    *,
    durable: bool = False,
    force: bool = False,
    facts: Mapping[str, object] | None = None,
) -> Game:
    """Play a game to its end, each order in the file before the next question is asked.

    ``facts`` go into an annex after the header. Whatever interrupts the game leaves the log whole up to the last order.
    """
    game = prepared.new_game(dice)
    with LogWriter.create(path, header, durable=durable, force=force) as writer:
        if facts:
            writer.annex(**facts)
        play_on(game, players, writer)
    return game


def play_on(game: Game, players: Mapping[str, Player], writer: LogWriter) -> None:
    """Play ``game`` to its end, its records put into ``writer`` before each question and at the end."""
    game.play(players, after=lambda: writer.put(game.records))
