"""The public interface for programs: games, logs and rulesets in a few calls, without the inner layers.

import sandtable as st

game = st.new_game("desert_aa", scenario="frontier", seed="readme", players={"axis": "commander"})
while game.pending:                      # the bots have answered; these decisions are yours
decision = game.waiting()[0]
game.submit(my_choice(decision, game.view(decision.side)), decision.seat)
game.save("frontier.jsonl")
st.verify("frontier.jsonl").verdict      # "verified"
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from sandtable.errors import SandtableError
from sandtable.journal.file.reading import read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import Header, make_dice, make_header
from sandtable.journal.hands.seeds import SeatKey
from sandtable.journal.hands.writing import Hands
from sandtable.journal.record import RunningHead, battle_annexes, form_for, log_bytes, store_records
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.decisions import UMPIRE, Order
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game, Player
from sandtable.players.players import HUMAN, name_seats, seat_bot
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.plugin.manifest import Manifest

__all__ = ["RecordedGame", "load", "new_game", "read_log", "rulesets", "verify"]


class RecordedGame(Game):
    """A game whose log is available at any time, with ``players`` (seat: player) that answer by themselves.

    The rest is as in ``Game``: ``pending``, ``waiting``, ``submit``, ``view``, ``undo``, ``fork``, ``records``.
    ``pending`` has only questions to seats without a player; ``play`` continues with additional players in those seats.
    ``hands`` sign the orders of the seats whose keys the header names, or take orders that were signed elsewhere.
    """

    __slots__ = ("_at_table", "_hands", "_signers", "header", "players")

    def __init__(
        self,
        prepared: Prepared,
        header: Header,
        key: bytes,
        players: Mapping[str, Player],
        signers: Iterable[SeatKey] = (),
    ) -> None:
        state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
        super().__init__(prepared.ruleset, state, make_dice(header.dice, key), prepared.first_state)
        self.header = header
        self.players: Mapping[str, Player] = MappingProxyType(dict(players))
        self._at_table = self.seats_of(self.players)
        self._signers = signers
        self._hands: Hands | None = None
        if header.keys:
            self.hands.follow(self)

    @property
    def hands(self) -> Hands:
        """The signed orders of the game, made when they are first used, because most games have no signed orders."""
        if self._hands is None:
            sink = RunningHead(self.header, form_for(self.ruleset, self.dice))
            self._hands = Hands(self.header, sink, self._signers)
        return self._hands

    def submit(self, order: Order, by: str | None = None) -> None:
        """Answer the pending decision, or that of seat ``by``, with ``order``; the players answer the following ones.

        Raises IllegalOrder, which leaves the game unchanged, or PlayError if no such decision is pending.
        """
        super().submit(order, by)
        self.answer()

    def answer(self) -> None:
        """Let the players answer until a seat without a player must decide, or the game is over."""
        self.proceed(self._at_table, self._after())

    def play(self, players: Mapping[str, Player] | None = None, after: Callable[[], None] | None = None) -> None:
        """Play to the end, with ``players`` (by seat or side) in addition to its own; ``after`` as in ``Game.play``."""
        super().play({**self.players, **(players or {})}, self._after(after))

    def _after(self, after: Callable[[], None] | None = None) -> Callable[[], None] | None:
        """Return ``after`` for a game without keys, otherwise a function that signs hands and then calls ``after``."""
        if not self.header.keys:
            return after

        def store() -> None:
            self.hands.store(self)
            if after is not None:
                after()

        return store

    def log(self) -> bytes:
        """Return the current log, as written by ``save``."""
        return log_bytes(self.header, self, battle_annexes(self.players))[0]

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the current log; raises LogExists if the file exists and ``force`` is not set."""
        with LogWriter.create(path, self.header, form_for(self.ruleset, self.dice), force=force) as writer:
            store_records(self, self.players, writer)


@cache
def _found(plugins_dir: str | None) -> Rulesets:
    return Rulesets(plugins_dir)


@lru_cache(maxsize=32)
def _hooks_among(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of hooks."""
    return tuple(name for name in names if name.startswith("ruleset_"))


@lru_cache(maxsize=32)
def _of_module(module: ModuleType, _hooks: tuple[object, ...]) -> Installed:
    """Return the ruleset of ``module``, loaded again if one of its hooks was replaced."""
    return Installed(module.ruleset_manifest().id, module, module.__name__)


def rulesets(plugins_dir: str | Path | None = None) -> dict[str, Manifest]:
    """Return the manifest of every loadable ruleset, by id: the installed ones, and those in a folder."""
    found = _found(plugins_dir and str(plugins_dir)).load_all()
    return {ident: each.manifest for ident, each in found.items() if not isinstance(each, SandtableError)}


def load(ruleset: str | ModuleType, plugins_dir: str | Path | None = None) -> Installed:
    """Return a ruleset: by id, with variants as in ``toy+dusk``, or from its module or package.

    Raises RulesetMissing (with the known ids) or RulesetError, one line with the cause.
    """
    if isinstance(ruleset, ModuleType):
        found = vars(ruleset)
        return _of_module(ruleset, tuple(map(found.get, _hooks_among(tuple(found)))))
    return _found(plugins_dir and str(plugins_dir)).load(ruleset)


def new_game(
    ruleset: str | ModuleType | Installed,
    *,
    scenario: str = "",
    seed: str = "",
    options: Mapping[str, str] | None = None,
    players: Mapping[str, str | Player] | None = None,
    keys: Mapping[str, str] | None = None,
    signers: Mapping[str, SeatKey] | None = None,
) -> RecordedGame:
    """Return a new game at the first decision that no player answers.

    ``scenario`` is an id or a file, or "" for the default. ``options`` are by name; the others keep their defaults.
    ``players`` are by seat or side: the name of a bot, or an object with ``choose(decision, view)``. The umpire is
    played as the ruleset defines unless named.

    ``signers`` are the secrets of seats, whose orders are signed. ``keys`` are public keys of other seats, whose orders
    are signed elsewhere (``hands.give``).

    The same ruleset, scenario, options, seed and orders give the same log. Without a ``seed`` a new one is drawn; the
    dice key is in ``header.key``. Raises DataError, PlayError, RulesetError, one line each.
    """
    installed = ruleset if isinstance(ruleset, Installed) else load(ruleset)
    prepared = _prepare_once(installed, scenario, options or {})
    key = key_from_seed(seed or secrets.token_hex(16))
    table = _table(prepared, dict(players or {}), key)
    labels = {seat: label for seat, (label, _) in table.items()}
    seated = {seat: player for seat, (_, player) in table.items() if player is not None}
    signed = {seat: each.public for seat, each in (signers or {}).items()} | dict(keys or {})
    header = make_header(prepared, labels, make_dice("open", key), keys=dict(sorted(signed.items())))
    game = RecordedGame(prepared, header, key, seated, (signers or {}).values())
    game.start()
    game.answer()
    return game


MAX_PREPARED = 16
"""Maximum number of prepared scenarios that new_game keeps; beyond it, the oldest is dropped."""
_prepared: dict[tuple[Any, ...], tuple[tuple[Any, ...], Prepared]] = {}


def _prepare_once(installed: Installed, scenario: str, options: Mapping[str, str]) -> Prepared:
    """Return the prepared scenario, reused until one of its source files changes."""
    key = (installed, scenario, *sorted(options.items()))
    known = _prepared.get(key)
    if known is not None and known[0] == _file_stamps(known[1]):
        return known[1]
    prepared = installed.prepare(scenario, options)
    while len(_prepared) >= MAX_PREPARED:
        del _prepared[next(iter(_prepared))]
    _prepared[key] = (_file_stamps(prepared), prepared)
    return prepared


def _file_stamps(prepared: Prepared) -> tuple[Any, ...]:
    """Return the modification time, size and inode of each file; the stamp of a missing file equals no other."""
    stamps: list[object] = []
    for file in prepared.scenario.read:
        try:
            stat = Path(file).stat()
        except OSError:
            stamps.append(object())
        else:
            stamps.append((stat.st_mtime_ns, stat.st_size, stat.st_ino))
    return tuple(stamps)


def _table(prepared: Prepared, given: Mapping[str, str | Player], key: bytes) -> dict[str, tuple[str, Player | None]]:
    """Return, for each seat, its player's name in the header, and the player, or None if the program answers."""
    sides = [side for side in prepared.ruleset.seats.values() if side != UMPIRE]
    named = {who: each if isinstance(each, str) else HUMAN for who, each in given.items()}
    table: dict[str, tuple[str, Player | None]] = {}
    for seat, name in name_seats(prepared, dict.fromkeys(sides, HUMAN) | named).items():
        own = given.get(seat, given.get(prepared.ruleset.seats[seat]))
        if own is not None and not isinstance(own, str):
            table[seat] = type(own).__name__, own
        else:
            table[seat] = name, None if name == HUMAN else seat_bot(prepared, seat, name, key)
    return table


def verify(path: str | Path, *, deep: bool = False, side: str = "", plugins_dir: str | Path | None = None) -> Verdict:
    """Run the log in ``path`` again and compare every record; never raises because of the content of the file.

    ``deep`` also folds the events up to every seal, and checks each side's slice. With a ``side`` the file is verified
    as the slice of that side. Raises PlayError if the game does not have that side. ``deep`` raises DataError for an
    invalid key file next to the log.
    """
    return verify_log(path, _found(plugins_dir and str(plugins_dir)), deep=deep, side=side)
