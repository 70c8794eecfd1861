"""The data stored beside the logs: seats' links, drafts, chat and disputes. None of it is part of a game.

A log verifies without the store. If the store is lost, every game continues with new links.
"""

import hashlib
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sandtable.errors import DataError
from sandtable.files.databases import SqlTable, memory_database, open_database, refuse_foreign, tables_of
from sandtable.kernel.decisions import UMPIRE

NAME = "table.sqlite"
MAX_VALUE = 1 << 20
"""Maximum number of bytes of a stored value."""
MAX_CHAT = 2_000
"""Number of lines of chat that are kept for each game."""
COMMANDS = """
create table games (n integer primary key not null, id text not null, log text not null, title text not null);
create table seats (hash blob primary key not null, game text not null, seats text not null, name text not null)
    without rowid;
create table drafts (game text not null, seats text not null, question text not null, data text not null,
    primary key (game, seats)) without rowid;
create table kept (game text not null, seats text not null, kind text not null, data text not null,
    primary key (game, seats, kind)) without rowid;
create table chat (n integer primary key not null, game text not null, name text not null, words text not null);
create table disputes (n integer primary key not null, game text not null, seats text not null, data text not null);
"""


class SeatLink(NamedTuple):
    """The seats that a link opens, and the name by which its holder is called. Without seats it is for a spectator."""

    game: str
    seats: tuple[str, ...]
    name: str

    @property
    def is_umpire(self) -> bool:
        """Whether it is the umpire's. A screen that all people share may hold that seat, too, and only types dice."""
        return self.seats == (UMPIRE,)


class TableStore:
    """The store of the ``folder`` in which the logs are; without a folder, in memory.

    Raises DataError if the file there is not such a store, or is not safe to open.
    """

    def __init__(self, folder: Path | None) -> None:
        if folder is None:
            self._base = memory_database(COMMANDS)
            return
        path = folder / NAME
        is_new = not path.exists()
        self._base = open_database(path, MAX_VALUE, to_write=True)
        self._base.isolation_level = None
        if is_new:
            self._base.executescript(f"pragma journal_mode = wal; {COMMANDS}")
        try:
            tables = tables_of(COMMANDS)
            _add_missing(self._base, tables, str(path))
            refuse_foreign(self._base, tables, dict.fromkeys(tables, MAX_VALUE), str(path), "a store of tables")
        except DataError:
            self._base.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    # --- games and links ---

    def add_game(self, ident: str, log: str, title: str) -> None:
        """Store a game with the name of its log in the folder."""
        if not self.log_of(ident):
            self._base.execute("insert into games (id, log, title) values (?, ?, ?)", (ident, log, title))

    def games(self) -> Iterator[tuple[str, str, str]]:
        """Yield the id, log and title of every game."""
        yield from self._base.execute("select id, log, title from games order by n")

    def log_of(self, ident: str) -> str:
        """Return the name of a game's log, or ""."""
        row = self._base.execute("select log from games where id = ?", (ident,)).fetchone()
        return str(row[0]) if row else ""

    def new_link(self, game: str, seats: Iterable[str], name: str) -> str:
        """Return a new secret for these seats; an earlier one for the same seats no longer opens them."""
        token, joined = secrets.token_urlsafe(16), " ".join(seats)
        self._base.execute("delete from seats where game = ? and seats = ? and seats <> ''", (game, joined))
        self._base.execute("insert into seats values (?, ?, ?, ?)", (_hash(token), game, joined, name))
        return token

    def link(self, game: str, token: str) -> SeatLink | None:
        """Return what ``token`` opens in ``game``, or None."""
        asked = "select seats, name from seats where hash = ? and game = ?"
        row = self._base.execute(asked, (_hash(token), game)).fetchone()
        return SeatLink(game, tuple(row[0].split()), row[1]) if row else None

    def drop_links(self, game: str) -> None:
        """Make all links of ``game`` that open seats invalid."""
        self._base.execute("delete from seats where game = ? and seats <> ''", (game,))

    def free(self, game: str, seat: str) -> None:
        """Take ``seat`` from every link of ``game``; a link without another seat becomes invalid."""
        for key, seats in self._base.execute("select hash, seats from seats where game = ?", (game,)).fetchall():
            if seat not in seats.split():
                continue
            rest = " ".join(each for each in seats.split() if each != seat)
            if rest:
                self._base.execute("update seats set seats = ? where hash = ?", (rest, key))
            else:
                self._base.execute("delete from seats where hash = ?", (key,))

    def umpire_of(self, game: str) -> str:
        """Return the name of the umpire's link of ``game``, or "" if it has no umpire."""
        row = self._base.execute("select name from seats where game = ? and seats = ?", (game, UMPIRE)).fetchone()
        return str(row[0]) if row else ""

    # --- drafts and chat ---

    def keep_draft(self, link: SeatLink, question: str, data: str) -> None:
        """Store the unfinished order of a link; it replaces the previous one."""
        row = (link.game, " ".join(link.seats), question, data)
        self._base.execute("insert or replace into drafts values (?, ?, ?, ?)", row)

    def draft(self, link: SeatLink, question: str) -> str:
        """Return the unfinished order for ``question``, or ""."""
        asked = "select data from drafts where game = ? and seats = ? and question = ?"
        row = self._base.execute(asked, (link.game, " ".join(link.seats), question)).fetchone()
        return str(row[0]) if row else ""

    def keep(self, game: str, kind: str, data: str, seats: Iterable[str] = ()) -> None:
        """Store a text of a ``kind`` for the holder of ``seats``, or for the game; it replaces the previous one."""
        row = (game, " ".join(seats), kind, data)
        self._base.execute("insert or replace into kept values (?, ?, ?, ?)", row)

    def kept(self, game: str, kind: str, seats: Iterable[str] = ()) -> str:
        """Return the stored text of a ``kind``, or ""."""
        asked = "select data from kept where game = ? and seats = ? and kind = ?"
        row = self._base.execute(asked, (game, " ".join(seats), kind)).fetchone()
        return str(row[0]) if row else ""

    def all_kept(self, game: str, kind: str) -> list[tuple[str, str]]:
        """Return the seats, joined by spaces, and the text of every stored text of a ``kind`` that is not ""."""
        asked = "select seats, data from kept where game = ? and kind = ? and data <> '' order by seats"
        return self._base.execute(asked, (game, kind)).fetchall()

    def say(self, link: SeatLink, words: str) -> None:
        """Store a line of chat; the oldest lines beyond MAX_CHAT are dropped."""
        base = self._base
        base.execute("insert into chat (game, name, words) values (?, ?, ?)", (link.game, link.name, words))
        oldest = "select n from chat where game = ? order by n desc limit 1 offset ?"
        base.execute(f"delete from chat where game = ? and n <= ({oldest})", (link.game, link.game, MAX_CHAT))  # noqa: S608 - our text

    def chat(self, game: str) -> list[tuple[str, str]]:
        """Return the lines of chat of a game: name and words."""
        return self._base.execute("select name, words from chat where game = ? order by n", (game,)).fetchall()

    # --- disputes ---

    def add_dispute(self, link: SeatLink, data: str) -> int:
        """Store a dispute of the holder of ``link``; return its number."""
        row = (link.game, " ".join(link.seats), data)
        found = self._base.execute("insert into disputes (game, seats, data) values (?, ?, ?) returning n", row)
        return int(found.fetchone()[0])

    def change_dispute(self, number: int, data: str) -> None:
        """Replace the content of a dispute."""
        self._base.execute("update disputes set data = ? where n = ?", (data, number))

    def disputes(self, game: str) -> list[tuple[int, tuple[str, ...], str]]:
        """Return the disputes of a game: number, seats of the link that filed it, and content."""
        rows = self._base.execute("select n, seats, data from disputes where game = ? order by n", (game,))
        return [(number, tuple(seats.split()), data) for number, seats, data in rows]


def _add_missing(base: sqlite3.Connection, tables: dict[str, SqlTable], where: str) -> None:
    """Add the tables that a store of an earlier version lacks; raises DataError if the file is not a store."""
    held = {str(name) for (name,) in base.execute("select name from sqlite_master limit ?", (len(tables) + 1,))}
    known = {name: table for name, table in tables.items() if name in held}
    refuse_foreign(base, known, {}, where, "a store of tables")
    for name in tables.keys() - known.keys():
        base.execute(tables[name].made_by)


def _hash(token: str) -> bytes:
    return hashlib.sha256(b"sandtable link\n" + token.encode()).digest()
