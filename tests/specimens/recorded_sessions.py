"""Games played into a file as people play them, and checks of the remains after a crash.

Each order is synced before the next question.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sandtable.errors import PlayError, SandtableError
from sandtable.journal.file.keys import drop_key, keep_key
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import PERSON, make_dice, make_header, person_plays
from sandtable.journal.record import form_for, play_on
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.players.players import RandomPlayer
from sandtable.plugin.manager import Prepared, Rulesets

SALTS = bytes(range(32))


class Session(NamedTuple):
    """A game to be played: its ruleset, its dice mode, and whether people play, so that records are kept closed."""

    ruleset: str
    mode: str
    people: bool


SESSIONS = (
    Session("toy", "open", people=False),
    Session("toy", "open", people=True),
    Session("toy", "host", people=True),
    Session("desert_aa", "host", people=True),
)


class _Acknowledging(RandomPlayer):
    """A random player that acknowledges all earlier orders when it must choose again."""

    def __init__(self, stream: Stream, acknowledge_orders: Callable[[], None]) -> None:
        super().__init__(stream)
        self._acknowledge = acknowledge_orders

    def choose(self, decision: Any, view: Any) -> Any:
        self._acknowledge()
        return super().choose(decision, view)


def play_session(
    prepared: Prepared, session: Session, seed: str, path: Path, acknowledge: Callable[[int], object]
) -> bytes:
    """Play the game of ``seed`` into ``path``. Return its log.

    ``acknowledge`` is called with the number of safe orders.
    """
    key = key_from_seed(seed)
    names = dict.fromkeys(prepared.ruleset.seats, PERSON if session.people else "random")
    private = person_plays(prepared.ruleset, names)
    dice = make_dice(session.mode, key, SALTS if private and session.mode == "open" else b"")
    game, header = prepared.new_game(dice), make_header(prepared, names, dice)
    given = 0

    def acknowledge_orders() -> None:
        nonlocal given
        acknowledge(given)
        given += 1

    def keep() -> None:
        if session.mode != "open":
            keep_key(path, key)

    form = form_for(prepared.ruleset, dice)
    with LogWriter.create(path, header, form, durable=True, private=private, first=keep) as writer:
        players = {
            seat: _Acknowledging(Stream.for_player(key, seat), acknowledge_orders) for seat in prepared.ruleset.seats
        }
        play_on(game, players, writer)
    drop_key(path, key)
    acknowledge(given)
    return path.read_bytes()


def orders_in(log: Log) -> int:
    """Return the number of orders in a log."""
    return sum(line.startswith(b'{"kind":"order"') for line in log.lines)


def what_is_lost(path: Path, acknowledged: int, whole: bytes, rulesets: Rulesets) -> str:
    """Open, repair and resume the remains of the log ``whole``. Return the fault, or ""."""
    if not path.exists() or not path.read_bytes().startswith(whole[: whole.index(b"\n") + 1]):
        return f"{acknowledged} orders and no log" if acknowledged else ""  # a game that was never begun
    try:
        repair(path)
        log = read_log(path)
        if orders_in(log) < acknowledged:
            return f"{orders_in(log)} orders of {acknowledged}"
        alien = set(log.lines) - set(whole.splitlines())
        if alien:
            return f"an unknown line: {min(alien)[:80]!r}"
        with suppress(PlayError):  # the game is over, or was never begun
            resume(path, rulesets, durable=False).writer.close()
    except SandtableError as error:
        return str(error)
    return ""
