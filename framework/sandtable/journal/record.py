"""Playing a game into a log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sandtable.journal.battles import BattleRecord, annex_facts, unknown
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.codec import encode_bodies
from sandtable.journal.format.file import LogWriter, annex_line
from sandtable.journal.format.header import Header, header_body
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.play.game import Game, Player
from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class Recorded:
    """A game that was played, and its log: ``data`` is the whole file, ``head`` its last running hash."""

    game: Game
    header: Header
    data: bytes
    head: bytes


def log_bytes(header: Header, game: Game, battles: Iterable[BattleRecord] = ()) -> tuple[bytes, bytes]:
    """Return the log of ``game`` as it stands, with the ``battles`` fought in it, and its last running hash."""
    first, head = chain([header_body(header)], START)
    rest, head = chain(encode_bodies(game.records), head)
    annexes = [annex_line(annex_facts(each)) for each in unknown(battles, ()).values()]
    return b"".join([first, *annexes, rest]), head


def battles_of(players: Mapping[str, Player]) -> list[BattleRecord]:
    """Return the battles that ``players`` have had fought: those of a ruleset in the umpire's seat."""
    return [battle for player in players.values() for battle in getattr(player, "battles", ())]


def play_recorded(prepared: Prepared, players: Mapping[str, Player], dice: KeyedDice, header: Header) -> Recorded:
    """Play a game to its end in memory and chain its log once: what tournaments do."""
    game = prepared.new_game(dice)
    game.play(players)
    data, head = log_bytes(header, game, battles_of(players))
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
    game.play(players, after=lambda: put_away(game, players, writer))


def put_away(game: Game, players: Mapping[str, Player], writer: LogWriter) -> None:
    """Put the new records of ``game`` into ``writer``; before them the battles, so that none is missed later."""
    for battle in unknown(battles_of(players), writer.battles).values():
        writer.annex(**annex_facts(battle))
        writer.battles.add(battle.digest)
    writer.put(game.records)
