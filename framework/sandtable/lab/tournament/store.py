"""Where a tournament is kept: one folder with one SQLite file: a row a game, its log beside it, compressed.

A chunk of games is one transaction: after a kill the file holds whole chunks only. It is written by one process, the
runner, which holds ``running.lock`` for as long as it lives; anybody may read meanwhile.
"""

import errno
import os
import shutil
import socket
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from sandtable.errors import DataError, LogDamaged, LogExists, LogWriteFailed, PlayError, SandtableError
from sandtable.files.databases import open_database, refuse_foreign, tables_of
from sandtable.files.document import MAX_BYTES
from sandtable.files.folders import make_folder
from sandtable.files.writing import write_whole
from sandtable.lab.plan import Annex, Forfeit, GamePlan, Row, Tournament
from sandtable.lab.ratings.rows import COLUMNS, game_of, values_of, why_not_played
from sandtable.lab.tournament.annexes import TABLES, Aside, annex_of, fault_of, put_asides, surroundings_of
from sandtable.lab.tournament.manifest import (
    TournamentManifest,
    canonical,
    differences,
    parse_manifest,
    read_manifest,
)
from sandtable.lab.tournament.payloads import DICTIONARY, MOST_BODY, compressed, expanded

FILE, COPY, LOCK = "tournament.sqlite", "manifest.toml", "running.lock"
FORMAT = "2"
_OWN = {FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", COPY, LOCK, f"{LOCK}-journal"}
_SHOWN = 3
"""So many differences are told."""

_ROOM = 65_536
"""Bytes that SQLite may need beside its file."""

_TABLES = """
create table facts (name text primary key, value text not null) without rowid;
create table dictionaries (id integer primary key, contest integer not null, body blob not null);
create table games (
    number integer primary key, round integer not null, pair integer not null, contest integer not null,
    seed text not null, lineup text not null, outcome text not null, winner text not null, ending text not null,
    turns integer not null, records integer not null, head text not null,
    verdicts text not null, decisions text not null, luck text not null, nodes text not null
);
create table logs (number integer primary key, dictionary integer not null, body blob not null);
"""
_SCHEMA = tables_of(_TABLES + TABLES)
_ADDED = ("faults", "clocks")
"""Tables that stores of before do not have."""

_LONGEST = {"facts": 2 * MAX_BYTES, "dictionaries": DICTIONARY, "games": 65_536, "faults": 65_536, "clocks": 65_536}
"""Maximum number of bytes of a value. Logs, most of a store, are looked at one by one when they are read."""

_MOST_FACTS = 64


class Store:
    """A tournament's folder, open. Use it in a ``with``; ``manifest`` is what it was begun with."""

    def __init__(
        self, folder: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None, *, known: bool = False
    ) -> None:
        """Read what the tournament is; raises DataError for a store that this program has not made."""
        self.folder = folder
        self._base = connection
        self._lock = lock
        facts = self._checked({} if known else _LONGEST)
        if facts.get("format") != FORMAT:
            raise DataError(str(folder), "", f"is of format {facts.get('format')}: this program reads {FORMAT}")
        text = facts.get("manifest", "")
        self.manifest = TournamentManifest(text, facts.get("base", ""), parse_manifest(text, str(folder)))
        self._dictionaries: dict[int, bytes] = {0: b""}

    def _checked(self, longest: Mapping[str, int]) -> dict[str, str]:
        """Return the facts of a store, in which all is of the right kind and size. Raises DataError."""
        with self._reading():
            refuse_foreign(self._base, _SCHEMA, longest, _ADDED, str(self.folder / FILE))
            facts = self._base.execute("select name, value from facts limit ?", (_MOST_FACTS,)).fetchall()
        return dict(facts)

    @contextmanager
    def _reading(self, key: str = "") -> Iterator[None]:
        """Raise DataError, naming ``key``, for what SQLite or a decoder says of stored values."""
        try:
            yield
        except (sqlite3.Error, msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise DataError(str(self.folder / FILE), key, f"is no tournament, or damaged: {error}") from error

    @classmethod
    def create(cls, folder: str | Path, manifest: TournamentManifest) -> "Store":
        """Return the store of ``manifest`` in ``folder``, begun now, or begun before with the same manifest.

        Raises LogExists for a folder of something else, PlayError where another runner is at work.
        """
        place = Path(folder)
        with _speaking(place):
            make_folder(place)
            strange = sorted(each.name for each in place.iterdir() if each.name not in _OWN)
            if not (place / FILE).exists() and strange:
                raise LogExists(f"{folder}: is not empty and holds no tournament ({strange[0]}): name another folder")
            lock, connection = _lock(place), None
            try:
                connection = open_database(place / FILE, MOST_BODY, to_write=True)
                _make_durable(connection)
                if not _is_begun(connection):
                    _begin(connection, manifest)
                store = cls(place, connection, lock)
                store.check_same(manifest.tournament, "the manifest")
                store._note_runner()
                return store
            except BaseException:
                _close(connection, lock)
                raise

    @classmethod
    def open(cls, folder: str | Path, *, to_write: bool = False, known: bool = False) -> "Store":
        """Return the store in ``folder``; raises DataError where there is none, PlayError where it is being written.

        The values of one that is ``known``, because it is open elsewhere, are not looked at again.
        """
        place = Path(folder)
        if not (place / FILE).is_file():
            raise DataError(str(folder), "", f"holds no tournament (no {FILE}): name the folder of one")
        with _speaking(place):
            lock, connection = _lock(place) if to_write else None, None
            try:
                connection = open_database(place / FILE, MOST_BODY, to_write=to_write)
                if to_write:
                    _make_durable(connection)
                if not _is_begun(connection):
                    raise DataError(str(folder), "", "holds no tournament yet: `sandtable tournament run` begins it")
                store = cls(place, connection, lock, known=known)
                if to_write:
                    store._check_copy()
                    store._note_runner()
                return store
            except BaseException:
                _close(connection, lock)
                raise

    def __enter__(self) -> "Store":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file, and let another runner in."""
        _close(self._base, self._lock)

    def _note_runner(self) -> None:
        copy = self.folder / COPY
        if not copy.exists():
            write_whole(copy, self.manifest.text.encode())
        with _speaking(self.folder):
            self._base.executescript(TABLES)  # a store of before these were kept
        self.note("runner", f"process {os.getpid()} on {socket.gethostname()}")

    def _check_copy(self) -> None:
        """Refuse to go on when somebody edited the copy of the manifest in the folder."""
        copy = self.folder / COPY
        if copy.exists():
            self.check_same(read_manifest(copy).tournament, COPY)

    def refuse_own(self, path: Path) -> None:
        """Raise LogExists when ``path`` is, or would be, a file of the store itself."""
        if path.name in _OWN and path.parent.resolve() == self.folder.resolve():
            raise LogExists(f"{path}: is a file of the tournament itself: name another")

    def check_same(self, other: Tournament, what: str) -> None:
        """Raise LogExists, with the difference, where ``other`` is not the tournament of this folder."""
        own = self.manifest.tournament
        if own.digest == other.digest:
            return
        if (own.title, own.seed) != (other.title, other.seed):
            problem = f"is the folder of another tournament, {own.title!r} with seed {own.seed!r}"
            raise LogExists(f"{self.folder}: {problem}: name another folder with --out")
        found = list(differences(canonical(own), canonical(other)))
        shown = "; ".join(found[:_SHOWN]) + (f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")
        problem = f"{what} was edited since the tournament began: {shown}"
        raise LogExists(f"{self.folder}: {problem}: take it back, or name another folder")

    def fact(self, name: str) -> str:
        """Return what was noted, "" for nothing."""
        with self._reading(name):
            found = self._base.execute("select value from facts where name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def surroundings(self) -> dict[str, str]:
        """Return what the tournament was begun with; nothing where no game was played."""
        with self._reading("surroundings"):
            return surroundings_of(self.fact("surroundings"))

    def note(self, name: str, value: str) -> None:
        """Note something."""
        with _speaking(self.folder), self._base:
            self._base.execute("insert or replace into facts values (?, ?)", (name, value))

    def dictionary(self, contest: int) -> tuple[int, bytes]:
        """Return number and bytes of the dictionary for new logs of ``contest``; 0 and none before there is one."""
        found = self._base.execute(
            "select id, body from dictionaries where contest = ? order by id limit 1", (contest,)
        ).fetchone()
        return (found[0], found[1]) if found else (0, b"")

    def add_dictionary(self, contest: int, bodies: Iterable[bytes]) -> None:
        """Make a dictionary of the bodies of some games; the newest counts most."""
        body = b"".join(bodies)[-DICTIONARY:]
        with _speaking(self.folder), self._base:
            self._base.execute("insert into dictionaries (contest, body) values (?, ?)", (contest, body))

    def _dictionary_of(self, number: int) -> bytes:
        if number not in self._dictionaries:
            with self._reading(f"dictionary {number}"):
                found = self._base.execute("select body from dictionaries where id = ?", (number,)).fetchone()
            if found is None:
                raise LogDamaged(f"{self.folder}: the dictionary {number} is missing")
            self._dictionaries[number] = found[0]
        return self._dictionaries[number]

    def put(self, games: Iterable[tuple[GamePlan, Row, int, bytes, Aside]]) -> None:
        """Store games in one go: plan, row, the log's body as compressed with the dictionary of that number, aside."""
        rows, logs, asides = [], [], []
        for plan, row, dictionary, packed, aside in games:
            rows.append(values_of(plan, row))
            logs.append((plan.number, dictionary, packed))
            asides.append((plan.number, plan.contest, row.decisions, aside))
        with _speaking(self.folder), self._base:
            self._base.executemany(f"insert into games values ({', '.join('?' * 16)})", rows)  # noqa: S608 - no text
            self._base.executemany("insert into logs values (?, ?, ?)", logs)
            put_asides(self._base, asides)

    def drop(self, numbers: Iterable[int]) -> None:
        """Take games out that the schedule does not hold: a pairing was decided before them."""
        each = [(number,) for number in numbers]
        with _speaking(self.folder), self._base:
            self._base.executemany("delete from games where number = ?", each)
            self._base.executemany("delete from logs where number = ?", each)
            self._base.executemany("delete from faults where number = ?", each)

    def numbers(self) -> set[int]:
        """Return the numbers of the games that are stored."""
        with self._reading():
            return {number for (number,) in self._base.execute("select number from games")}

    def count(self) -> int:
        """Return how many games are stored."""
        with self._reading():
            return int(self._base.execute("select count(*) from games").fetchone()[0])

    def games(self) -> Iterator[tuple[GamePlan, Row]]:
        """Yield all games by number; raises DataError for one that the tournament cannot have had."""
        with self._reading():
            for each in self._base.execute(f"select {COLUMNS} from games order by number"):  # noqa: S608 - fixed words
                yield self._game(each)

    def results(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield ``columns`` of all games by number, as they are stored: for reports, which are quick with that."""
        with self._reading():
            rows = self._base.execute(f"select {columns} from games order by number")  # noqa: S608 - our own words
            yield from iter(rows.fetchone, None)  # of the cursor itself, "yield from" closes it, too late

    def game(self, number: int) -> tuple[GamePlan, Row]:
        """Return one game; raises DataError for one that is not stored."""
        with self._reading(f"game {number}"):
            query = f"select {COLUMNS} from games where number = ?"  # noqa: S608 - fixed words
            found = self._base.execute(query, (number,)).fetchone()
            if found is not None:
                return self._game(found)
            last = self._base.execute("select max(number) from games").fetchone()[0]
        there = "no game yet" if last is None else f"{self.count():,} games, the last of them {last}"
        raise DataError(str(self.folder), f"game {number}", f"is not stored: there are {there}")

    def _game(self, values: tuple[Any, ...]) -> tuple[GamePlan, Row]:
        """Return a game from the ``values`` of its row. Raises DataError if the tournament cannot have had it."""
        with self._reading(f"game {values[0]}"):
            plan, row = game_of(values)
        named = {*row.verdicts, *row.decisions, *row.luck_milli, *row.nodes}
        problem = why_not_played(self.manifest.tournament, plan.contest, plan.lineup, row.winner, named)
        if problem:
            raise DataError(str(self.folder), f"game {plan.number}", problem)
        return plan, row

    def body(self, number: int) -> bytes:
        """Return the body of a game's log, expanded."""
        name = f"{self.folder}: game {number}"
        with self._reading(f"game {number}"):
            found = self._base.execute("select dictionary, body from logs where number = ?", (number,)).fetchone()
        if found is None:
            raise LogDamaged(f"{name}: its log is missing")
        if not isinstance(found[1], bytes):
            raise LogDamaged(f"{name}: its stored log is damaged: it is no blob")
        return expanded(found[1], self._dictionary_of(found[0]), name)

    def fault(self, number: int) -> Forfeit | None:
        """Return why a game was forfeited; None where it was not, or nobody noted it."""
        with self._reading(f"game {number}"):
            return fault_of(self._base, number)

    def annex(self) -> Annex:
        """Return what is told of the tournament beside its games."""
        with self._reading():
            return annex_of(self._base, self.manifest.text, f"sandtable tournament run {COPY} --out again")

    def pack(self, contest: int, body: bytes) -> tuple[int, bytes]:
        """Return a body compressed for this store, and the number of the dictionary."""
        number, dictionary = self.dictionary(contest)
        return number, compressed(body, dictionary)


def _begin(connection: sqlite3.Connection, manifest: TournamentManifest) -> None:
    connection.execute("begin")
    try:
        for command in (_TABLES + TABLES).split(";")[:-1]:
            connection.execute(command)
        facts = {"format": FORMAT, "manifest": manifest.text, "base": manifest.base}
        connection.executemany("insert into facts values (?, ?)", facts.items())
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _is_begun(connection: sqlite3.Connection) -> bool:
    return connection.execute("select 1 from sqlite_master limit 1").fetchone() is not None


def _make_durable(connection: sqlite3.Connection) -> None:
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")  # what is committed outlasts a power cut


def _close(*connections: sqlite3.Connection | None) -> None:
    """Close them, those that were opened."""
    for each in connections:
        if each is not None:
            each.close()


def _lock(folder: Path) -> sqlite3.Connection:
    """Return what keeps other runners out for as long as it is open; the system lets go of it when a process dies."""
    lock = None
    try:
        lock = open_database(folder / LOCK, MOST_BODY, to_write=True, timeout=0)
        lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        _close(lock)
        if "locked" not in str(error):
            raise
        who = "another runner"
        with suppress(SandtableError), Store.open(folder) as store:
            who = f"{who} ({store.fact('runner')})"
        raise PlayError(f"{folder}: {who} is at work in this folder: let it finish, or end it, first") from error
    return lock


@contextmanager
def _speaking(folder: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and _is_full(folder)):
            raise _full(folder) from error
        raise LogWriteFailed(f"{folder / FILE}: {error}") from error
    except LogWriteFailed as error:
        if getattr(error.__cause__, "errno", None) == errno.ENOSPC:
            raise _full(folder) from error
        raise
    except sqlite3.DatabaseError as error:
        raise DataError(str(folder / FILE), "", f"is no tournament, or damaged: {error}") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _full(folder) from error
        raise LogWriteFailed(f"{error.filename or folder}: {error.strerror or error}") from error


def _is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free < _ROOM


def _full(folder: Path) -> LogWriteFailed:
    safe = "all stored games are safe; make room, then give the same command again"
    return LogWriteFailed(f"{folder}: the disk is full: {safe}")
