"""All games of a folder: made, resumed when a page is opened, and listed."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from sandtable.errors import PlayError, SandtableError
from sandtable.hosting.keying import choose_key, usual_dice
from sandtable.hosting.opening import open_game, with_opponents
from sandtable.hosting.taking_up import Seating, changed_seats
from sandtable.journal.file.keys import keep_key
from sandtable.journal.file.reading import read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.repair import cut_tail
from sandtable.journal.resume import rerun_to_end
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.shared.epochs import SHARED
from sandtable.players.players import HUMAN, seat_bot
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.quoting import shortened
from sandtable.web.live.clock import GameClock, read_pace
from sandtable.web.live.faults import Report
from sandtable.web.live.game import LiveGame, OpenedTable
from sandtable.web.live.table import GameTable, Looker
from sandtable.web.store import TableStore

SPECTATOR = "spectator"
HOST_UMPIRE = "umpire, the host"
UMPIRES = ("", "me", "link")
"""Holders of the umpire's seat: no one, the host, or another person."""


class NewGame(NamedTuple):
    """A requested game: ruleset, scenario ("" is the first), options, players by side or seat, dice ("" is usual).

    With ``hot_seat``, one link opens all seats of people. ``seed`` gives open dice, ``log`` is the name of the file;
    without them, both are generated. ``umpire`` is "me" for the host, "link" for another person, or "" for no umpire.
    ``pace`` is that of the clock (see ``read_pace``), or "".
    """

    ruleset: str
    scenario: str = ""
    options: Mapping[str, str] = {}
    players: Mapping[str, str] = {}
    dice: str = ""
    hot_seat: bool = False
    seed: str = ""
    log: str = ""
    umpire: str = ""
    pace: str = ""


class Made(NamedTuple):
    """A new game: its id, and the secrets of its links by name."""

    ident: str
    links: dict[str, str]


class Games:
    """The games in ``folder``. Only one server at a time can play them, because a log under play is locked.

    ``is_brief`` games have links only until the server stops, and the folder gets no store.
    """

    def __init__(self, folder: Path, rulesets: Rulesets, *, is_brief: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._is_brief = is_brief
        self.folder, self.rulesets = folder, rulesets
        self.tables: dict[str, GameTable] = {}
        self.notice_hosts: frozenset[str] = frozenset()
        self.report: Report = lambda _: None
        """Shows the host a line about a failure."""
        self.watch: Callable[[GameTable], None] | None = None
        """Called after each change of a game."""
        self._locks: dict[str, asyncio.Lock] = {}

    @cached_property
    def store(self) -> TableStore:
        """The store, opened by the thread that serves, the only one that uses it. Raises DataError."""
        return TableStore(None if self._is_brief else self.folder)

    async def make(self, wish: NewGame) -> Made:
        """Make a game and its links. Raises SandtableError if the game cannot be made."""
        read_pace(wish.pace)
        live = await asyncio.to_thread(self._made, wish)
        table = self._seat(live)
        if wish.pace:
            table.set_clock(GameClock(wish.pace, [seat for seat, name in live.names.items() if name == HUMAN]))
        title = f"{live.prepared.installed.manifest.title}: {live.prepared.scenario.title}"
        self.store.add_game(live.ident, live.path.name, title)
        umpire = _umpire_of(wish, live)
        links = self._links(live.ident, live.prepared, live.names, hot_seat=wish.hot_seat, umpire=umpire)
        table.wake_bots()
        return Made(live.ident, links)

    def _seat(self, live: LiveGame) -> GameTable:
        table = self.tables[live.ident] = GameTable(live, self.store)
        table.watch, table.report, table.reopen = self.watch, self.report, self._reopened
        return table

    def _reopened(self, live: LiveGame) -> LiveGame:
        live.writer.close()
        return self._resumed(live.ident, live.path)

    def _made(self, wish: NewGame) -> LiveGame:
        if wish.umpire not in UMPIRES:
            raise PlayError(f"an umpire is {' or '.join(filter(None, UMPIRES))}, not {shortened(wish.umpire)!r}")
        prepared = self.rulesets.load(wish.ruleset).prepare(wish.scenario, dict(wish.options))
        usual = prepared.installed.manifest.usual
        is_person = wish.dice == "manual" or (wish.umpire and UMPIRE not in usual)
        judge = {UMPIRE: HUMAN} if is_person else {}
        names = with_opponents(prepared, judge | dict(wish.players))
        seed = wish.seed or None
        dice = wish.dice or usual_dice(prepared, names, seed)
        _check_dice(dice)
        keying = choose_key(prepared, names, dice, seed=seed)
        name = wish.log or f"{prepared.ruleset.id}-{prepared.scenario.id}-{secrets.token_hex(4)}.jsonl"
        path = self.folder / name
        game, writer, header, _ = open_game(prepared, names, keying, dice=dice, path=path, keep=_keep)
        bots = {
            seat: seat_bot(prepared, seat, name, keying.key, salts=keying.salts)
            for seat, name in names.items()
            if name != HUMAN
        }
        live = LiveGame(header.game[:12], OpenedTable(prepared, game, writer, header, bots, keying.key), names)
        game.start()
        live.give_implied()
        live.store()
        live.catch_up()
        return live

    def _links(
        self, ident: str, prepared: Prepared, names: Mapping[str, str], *, hot_seat: bool, umpire: str = ""
    ) -> dict[str, str]:
        """Make a link for every side that people play, or one for all of them, one for spectators, and the umpire's.

        ``umpire`` is the name of the umpire's holder, or "" without one. Then a person's decisions for the umpire are
        made at the screen that all people share, or by another link.
        """
        seats: dict[str, list[str]] = {}
        for seat, side in prepared.ruleset.seats.items():
            if names[seat] == HUMAN and (seat != UMPIRE or (hot_seat and not umpire)):
                seats.setdefault("all seats" if hot_seat else side, []).append(seat)
        links = {name: self.store.new_link(ident, held, name) for name, held in seats.items()}
        if umpire or (names[UMPIRE] == HUMAN and not hot_seat):
            links[UMPIRE] = self.store.new_link(ident, [UMPIRE], umpire or UMPIRE)
        return links | {SPECTATOR: self.store.new_link(ident, (), SPECTATOR)}

    async def table(self, ident: str) -> GameTable:
        """Return the table of a game, which is resumed from its log if necessary. Raises SandtableError."""
        async with self._locks.setdefault(ident, asyncio.Lock()):
            if ident not in self.tables:
                log = self.store.log_of(ident)
                if not log or Path(log).name != log:
                    raise PlayError("there is no such game here")
                live = await asyncio.to_thread(self._resumed, ident, self.folder / log)
                self._seat(live)
            return self.tables[ident]

    def _resumed(self, ident: str, path: Path) -> LiveGame:
        writer, log = LogWriter.reopen(str(path), durable=True)
        try:
            _check_dice(log.header.dice)
            if log.header.keys:
                raise PlayError(
                    "its seats sign their orders, which a table in the browser cannot do: use `sandtable resume`"
                )
            if log.torn and log.broken is None:
                cut_tail(writer, log)
            header = log.header
            seating = Seating(header.players, changed_seats(log), header.known_salts(str(path)))
            resumed = rerun_to_end(writer, log, self.rulesets, before=seating.seat)
            seating.follow(resumed.game)
        except BaseException:
            writer.close()
            raise
        opened = OpenedTable(resumed.prepared, resumed.game, writer, resumed.header, seating.seated, resumed.key)
        live = LiveGame(ident, opened, seating.names)
        live.give_implied()
        live.store()
        live.catch_up()
        return live

    async def adopt(self, name: str, *, hot_seat: bool = False) -> Made:
        """Make links for a log in the folder that this store does not know, to resume it. Raises SandtableError."""
        path = self.folder / name
        if Path(name).name != name or not name.endswith(".jsonl"):
            raise PlayError(f"{name!r} is not the name of a log in this folder")
        header = read_log(str(path)).header
        ident = header.game[:12]
        prepared = self.rulesets.load(header.ruleset).prepare(header.scenario, dict(header.options))
        self.store.add_game(ident, name, f"{prepared.installed.manifest.title}: {prepared.scenario.title}")
        return Made(ident, self._links(ident, prepared, header.players, hot_seat=hot_seat))

    async def new_links(self, ident: str) -> dict[str, str]:
        """Replace the links of a game. Raises SandtableError if there is no such game."""
        live = (await self.table(ident)).live
        umpire = self.store.umpire_of(ident)
        self.store.drop_links(ident)
        return self._links(ident, live.prepared, live.names, hot_seat=False, umpire=umpire)

    def listed(self) -> list[dict[str, Any]]:
        """Return the rows of the lobby, one for every game."""
        found = []
        for ident, log, title in self.store.games():
            table = self.tables.get(ident)
            facts = table.live.facts() if table is not None else {}
            found.append({"game": ident, "log": log, "title": title, "open": table is not None, **facts})
        return found

    def unknown_logs(self) -> Iterable[str]:
        """Yield the names of logs in the folder that have no table yet."""
        known = {log for _, log, _ in self.store.games()}
        yield from sorted(each.name for each in self.folder.glob("*.jsonl") if each.name not in known)

    def close(self) -> None:
        """Close all logs and the store."""
        for table in self.tables.values():
            try:
                table.live.writer.close()
            except SandtableError:
                continue
        self.store.close()


def _umpire_of(wish: NewGame, live: LiveGame) -> str:
    """Return the name of the umpire's holder: the host also holds the seat if real dice must be typed."""
    is_person = live.names[UMPIRE] == HUMAN and not wish.hot_seat
    if wish.umpire == "me" or (is_person and not wish.umpire and UMPIRE not in wish.players):
        return HOST_UMPIRE
    return UMPIRE if wish.umpire or is_person else ""


class Visit(NamedTuple):
    """A page at a table of ``games``."""

    games: Games
    table: GameTable
    looker: Looker


Answer = Callable[[Visit, Any], Awaitable[None]]
"""A function that answers a message of a page. It may raise SandtableError, which is shown in the page."""


def _check_dice(dice: str) -> None:
    """Raise PlayError for shared dice: a table does not collect the links of the sides."""
    if dice == SHARED:
        raise PlayError("a table in the browser has no shared dice: choose host dice, or play at a terminal")


def _keep(file: str, key: bytes) -> None:
    keep_key(file, key)
