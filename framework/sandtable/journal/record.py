"""Playing a game into a log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandtable.errors import PlayError
from sandtable.journal.battles import BattleRecord, annex_facts, unknown
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.header import Header, header_body, header_commitment, person_plays
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.kernel.dice import Dice, KeyedDice
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Prepared


@dataclass(frozen=True)
class Recorded:
    """A played game and its log: ``data`` is the whole file, ``head`` its last running hash."""

    game: Game
    header: Header
    data: bytes
    head: bytes

    @property
    def form(self) -> LineForm:
        """The form in which its records are written."""
        return form_for(self.game.ruleset, self.game.dice)


def log_bytes(header: Header, game: Game, annexes: Iterable[bytes] = ()) -> tuple[bytes, bytes]:
    """Return the log of ``game`` so far, with ``annexes`` after its header, and its last running hash."""
    first, rest, head = log_lines(header, game)
    return b"".join([first, *annexes, rest]), head


def log_lines(header: Header, game: Game) -> tuple[bytes, bytes, bytes]:
    """Return the header lines of ``game``, the lines of its records, and the last running hash."""
    first, head = chain([header_body(header)], START)
    opening = header_commitment(header, game.ruleset.viewers)[1] if header.root else b""
    if opening:
        first += opening + b"\n"
    written = form_for(game.ruleset, game.dice).encode(game.records)
    rest, head = chain(written.bodies, head, {index: (line,) for index, line in written.openings.items()})
    return first, rest, head


def form_for(ruleset: Ruleset, dice: Dice) -> LineForm:
    """Return the form in which the records of a game with these ``dice`` are written."""
    assert isinstance(dice, KeyedDice)  # noqa: S101 - a recorded game has a key
    return LineForm(ruleset, KeyedSalts(dice.salt_source))


def battles_of(players: Mapping[str, Player]) -> list[BattleRecord]:
    """Return the battles that ``players`` have resolved: those of a ruleset in the umpire's seat."""
    return [battle for player in players.values() for battle in getattr(player, "battles", ())]


def battle_annexes(players: Mapping[str, Player]) -> list[bytes]:
    """Return the annexes of the battles that ``players`` have resolved, each battle once."""
    return [annex_line(annex_facts(each)) for each in unknown(battles_of(players), ()).values()]


class RunningHead:
    """The running hash of a log that is not written; hands read it here as they do from a LogWriter."""

    def __init__(self, header: Header, form: LineForm) -> None:
        self.form: LineForm | None = form
        self.count = 0
        _, self.head = chain([header_body(header)], START)

    def put(self, records: Sequence[Any]) -> None:
        """Take the ``records`` that are new."""
        assert self.form is not None  # noqa: S101 - set above
        _, self.head = chain(self.form.encode(records[self.count :]).bodies, self.head)
        self.count = len(records)


def play_recorded(
    prepared: Prepared,
    players: Mapping[str, Player],
    dice: KeyedDice,
    header: Header,
    signers: Iterable[SeatKey] = (),
) -> Recorded:
    """Play a game to its end in memory and chain its log once, as tournaments do.

    ``signers`` sign the orders of the seats whose keys the header names.
    """
    game = prepared.new_game(dice)
    if header.keys:
        hands = Hands(header, RunningHead(header, form_for(prepared.ruleset, dice)), signers)
        hands.follow(game)
        game.play(players, after=lambda: hands.store(game))
    else:
        game.play(players)
    data, head = log_bytes(header, game, battle_annexes(players))
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
    """Play a game to its end; each order is in the file before the next question is asked.

    ``facts`` go into an annex after the header. An interruption leaves the log complete up to the last order.
    """
    game = prepared.new_game(dice)
    form = form_for(prepared.ruleset, dice)
    private = person_plays(prepared.ruleset, header.players)
    with LogWriter.create(path, header, form, durable=durable, force=force, private=private) as writer:
        if facts:
            writer.annex(**facts)
        play_on(game, players, writer)
    return game


def play_on(
    game: Game, players: Mapping[str, Player], writer: LogWriter, most: int = 0, hands: Hands | None = None
) -> None:
    """Play ``game`` to its end, and put its records into ``writer`` before each question and at the end.

    ``hands`` sign the orders of the seats whose keys the header names.

    Raises PlayError, with the log intact, if the unfinished game has more than ``most`` records; 0 means no limit.
    """

    def after() -> None:
        store_records(game, players, writer, hands)
        if most and game.number > most and not game.is_over:
            raise PlayError(
                f"more than {most:,} records without an end, in turn {game.state.turn}, phase {game.state.phase}: "
                "the log is kept; --max-records raises the limit"
            )

    game.play(players, after=after)


def store_records(game: Game, players: Mapping[str, Player], writer: LogWriter, hands: Hands | None = None) -> None:
    """Put the new records of ``game`` into ``writer``; the battles go first, so that none is missing later.

    ``hands`` sign the orders of a seat when another one must decide.
    """
    for battle in unknown(battles_of(players), writer.battles).values():
        writer.put_battle(battle.digest, **annex_facts(battle))
    if hands is None:
        writer.put(game.records)
    else:
        hands.store(game)
