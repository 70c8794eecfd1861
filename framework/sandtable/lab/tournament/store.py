"""The store of a tournament: one folder with one SQLite file, with one row per game and its compressed log.

A chunk of games is one transaction, so the file holds only complete chunks after a kill. One process writes it: the
runner, which holds ``running.lock`` as long as it lives. Other processes may read it meanwhile.
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
from sandtable.lab.ratings.rows import COLUMNS, RowResult, game_of, values_of, why_not_played
from sandtable.lab.tournament.annexes import TABLES, Aside, annex_of, fault_of, put_asides, surroundings_of
from sandtable.lab.tournament.manifest import TournamentManifest, canonical, differences, parse_manifest, read_manifest
from sandtable.lab.tournament.payloads import DICTIONARY, MAX_BODY, compressed, expanded

FILE, COPY, LOCK = "tournament.sqlite", "manifest.toml", "running.lock"
FORMAT = "3"
_OWN = {FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", COPY, LOCK, f"{LOCK}-journal"}
_MAX_LISTED = 3
"""Maximum number of differences that are listed."""

_SPARE_BYTES = 65_536
"""Bytes that SQLite may need in addition to its file."""

_TABLES = """
create table facts (name text primary key, value text not null) without rowid;
create table dictionaries (id integer primary key, contest integer not null, body blob not null);
create table games (
    number integer primary key, round integer not null, pair integer not null, contest integer not null,
    seed text not null, lineup text not null, outcome text not null, winner text not null, ending text not null,
    turns integer not null, records integer not null, head text not null,
    verdicts text not null, decisions text not null, luck text not null, nodes text not null,
    shares text not null
);
create table logs (number integer primary key, dictionary integer not null, body blob not null);
"""
_SCHEMA = tables_of(_TABLES + TABLES)
_LONGEST = {"facts": 2 * MAX_BYTES, "dictionaries": DICTIONARY, "games": 65_536, "faults": 65_536, "clocks": 65_536}
"""Maximum number of bytes of a value. Logs, most of a store, are checked one by one when they are read."""

_MAX_FACTS = 64


class Store:
    """The open folder of a tournament, to be used in a ``with``. ``manifest`` is the one that it began with."""

    def __init__(
        self, folder: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None, *, known: bool = False
    ) -> None:
        """Read the tournament's facts. Raises DataError for a store that this program did not make."""
        self.folder = folder
        self._base = connection
        self._lock = lock
        facts = self._checked({} if known else _LONGEST)
        if facts.get("format") != FORMAT:
            raise DataError(str(folder), "", f"has the format {facts.get('format')}: this program reads {FORMAT}")
        text = facts.get("manifest", "")
        self.manifest = TournamentManifest(text, facts.get("base", ""), parse_manifest(text, str(folder)))
        self._dictionaries: dict[int, bytes] = {0: b""}

    def _checked(self, longest: Mapping[str, int]) -> dict[str, str]:
        """Return the facts of a store after checking the type and size of all its values. Raises DataError."""
        with self._reading():
            refuse_foreign(self._base, _SCHEMA, longest, str(self.folder / FILE))
            facts = self._base.execute("select name, value from facts limit ?", (_MAX_FACTS,)).fetchall()
        return dict(facts)

    @contextmanager
    def _reading(self, key: str = "") -> Iterator[None]:
        """Raise DataError, naming ``key``, for errors of SQLite or a decoder about stored values."""
        try:
            yield
        except (sqlite3.Error, msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise DataError(str(self.folder / FILE), key, f"is not a tournament, or is damaged: {error}") from error

    @classmethod
    def create(cls, folder: str | Path, manifest: TournamentManifest) -> "Store":
        """Return the store of ``manifest`` in ``folder``, begun now or earlier with the same manifest.

        Raises LogExists if the folder holds something else, and PlayError if another runner is at work.
        """
        place = Path(folder)
        with _one_line_errors(place):
            make_folder(place)
            foreign = sorted(each.name for each in place.iterdir() if each.name not in _OWN)
            if not (place / FILE).exists() and foreign:
                raise LogExists(f"{folder}: is not empty and holds no tournament ({foreign[0]}): name another folder")
            lock, connection = _lock(place), None
            try:
                connection = open_database(place / FILE, MAX_BODY, to_write=True)
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
        """Return the store in ``folder``.

        Raises DataError if there is none, and PlayError if another process writes it. The values of a ``known`` store,
        which is already open elsewhere, are not checked again.
        """
        place = Path(folder)
        if not (place / FILE).is_file():
            raise DataError(str(folder), "", f"holds no tournament (no {FILE}): name the folder of one")
        with _one_line_errors(place):
            lock, connection = _lock(place) if to_write else None, None
            try:
                connection = open_database(place / FILE, MAX_BODY, to_write=to_write)
                if to_write:
                    _make_durable(connection)
                if not _is_begun(connection):
                    problem = "holds no tournament yet: start one with `sandtable tournament run`"
                    raise DataError(str(folder), "", problem)
                store = cls(place, connection, lock, known=known)
                if to_write:
                    store._check_copy()
                    store._note_runner()
                return store
            except BaseException:
                _close(connection, lock)
                raise

    def __enter__(self) -> "Store":
        """Return this store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Close the file and release the lock, so that another runner may start."""
        _close(self._base, self._lock)

    def _note_runner(self) -> None:
        copy = self.folder / COPY
        if not copy.exists():
            write_whole(copy, self.manifest.text.encode())
        self.note("runner", f"process {os.getpid()} on {socket.gethostname()}")

    def _check_copy(self) -> None:
        """Raise LogExists if the copy of the manifest in the folder was edited."""
        copy = self.folder / COPY
        if copy.exists():
            self.check_same(read_manifest(copy).tournament, COPY)

    def refuse_own(self, path: Path) -> None:
        """Raise LogExists if ``path`` is, or would be, a file of the store itself."""
        if path.name in _OWN and path.parent.resolve() == self.folder.resolve():
            raise LogExists(f"{path}: is a file of the tournament itself: name another")

    def check_same(self, other: Tournament, what: str) -> None:
        """Raise LogExists, with the differences, if ``other`` is not the tournament of this folder."""
        own = self.manifest.tournament
        if own.digest == other.digest:
            return
        if (own.title, own.seed) != (other.title, other.seed):
            problem = f"is the folder of another tournament, {own.title!r} with seed {own.seed!r}"
            raise LogExists(f"{self.folder}: {problem}: name another folder with --out")
        found = list(differences(canonical(own), canonical(other)))
        more = [f"and {len(found) - _MAX_LISTED} more"] if len(found) > _MAX_LISTED else []
        shown = "; ".join([*found[:_MAX_LISTED], *more])
        problem = f"{what} was edited since the tournament began: {shown}"
        raise LogExists(f"{self.folder}: {problem}: undo the edit, or name another folder")

    def fact(self, name: str) -> str:
        """Return the stored fact ``name``, or ""."""
        with self._reading(name):
            found = self._base.execute("select value from facts where name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def surroundings(self) -> dict[str, str]:
        """Return the surroundings that the tournament began with, empty if no game was played."""
        with self._reading("surroundings"):
            return surroundings_of(self.fact("surroundings"))

    def note(self, name: str, value: str) -> None:
        """Store the fact ``name``."""
        with _one_line_errors(self.folder), self._base:
            self._base.execute("insert or replace into facts values (?, ?)", (name, value))

    def dictionary(self, contest: int) -> tuple[int, bytes]:
        """Return the number and bytes of the dictionary for new logs of ``contest``, or (0, b"") if none exists yet."""
        query = "select id, body from dictionaries where contest = ? order by id limit 1"
        found = self._base.execute(query, (contest,)).fetchone()
        return (found[0], found[1]) if found else (0, b"")

    def add_dictionary(self, contest: int, bodies: Iterable[bytes]) -> None:
        """Make a dictionary of the bodies of some games. The newest bytes are kept."""
        body = b"".join(bodies)[-DICTIONARY:]
        with _one_line_errors(self.folder), self._base:
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
        """Store games in one transaction: plan, row, number of the dictionary, body compressed with it, and aside."""
        rows, logs, asides = [], [], []
        for plan, row, dictionary, packed, aside in games:
            rows.append(values_of(plan, row))
            logs.append((plan.number, dictionary, packed))
            asides.append((plan.number, plan.contest, row.decisions, aside))
        with _one_line_errors(self.folder), self._base:
            self._base.executemany(f"insert into games values ({', '.join('?' * 17)})", rows)  # noqa: S608 - no text
            self._base.executemany("insert into logs values (?, ?, ?)", logs)
            put_asides(self._base, asides)

    def drop(self, numbers: Iterable[int]) -> None:
        """Delete games that the schedule does not contain because an earlier pair decided their pairing."""
        each = [(number,) for number in numbers]
        with _one_line_errors(self.folder), self._base:
            self._base.executemany("delete from games where number = ?", each)
            self._base.executemany("delete from logs where number = ?", each)
            self._base.executemany("delete from faults where number = ?", each)

    def numbers(self) -> set[int]:
        """Return the numbers of the stored games."""
        with self._reading():
            return {number for (number,) in self._base.execute("select number from games")}

    def count(self) -> int:
        """Return the number of stored games."""
        with self._reading():
            return int(self._base.execute("select count(*) from games").fetchone()[0])

    def games(self) -> Iterator[tuple[GamePlan, Row]]:
        """Yield all games in order of number. Raises DataError for a game that is impossible in this tournament."""
        with self._reading():
            for each in self._base.execute(f"select {COLUMNS} from games order by number"):  # noqa: S608 - fixed words
                yield self._game(each)

    def results(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield ``columns`` of all games in order of number, undecoded. Reports use this for speed."""
        with self._reading():
            rows = self._base.execute(f"select {columns} from games order by number")  # noqa: S608 - our own words
            yield from iter(rows.fetchone, None)  # of the cursor itself, "yield from" closes it, too late

    def game(self, number: int) -> tuple[GamePlan, Row]:
        """Return one game. Raises DataError if it is not stored."""
        with self._reading(f"game {number}"):
            query = f"select {COLUMNS} from games where number = ?"  # noqa: S608 - fixed words
            found = self._base.execute(query, (number,)).fetchone()
            if found is not None:
                return self._game(found)
            last = self._base.execute("select max(number) from games").fetchone()[0]
        there = "no games yet" if last is None else f"{self.count():,} games, the last of them {last}"
        raise DataError(str(self.folder), f"game {number}", f"is not stored: there are {there}")

    def _game(self, values: tuple[Any, ...]) -> tuple[GamePlan, Row]:
        """Return a game from the ``values`` of its row. Raises DataError if it is impossible in this tournament."""
        with self._reading(f"game {values[0]}"):
            plan, row = game_of(values)
        named = {*row.verdicts, *row.decisions, *row.luck_milli, *row.nodes}
        result = RowResult(row.outcome, row.winner, row.shares)
        problem = why_not_played(self.manifest.tournament, plan.contest, plan.lineup, result, named)
        if problem:
            raise DataError(str(self.folder), f"game {plan.number}", problem)
        return plan, row

    def body(self, number: int) -> bytes:
        """Return the expanded body of a game's log. Raises LogDamaged if it is missing or damaged."""
        name = f"{self.folder}: game {number}"
        with self._reading(f"game {number}"):
            found = self._base.execute("select dictionary, body from logs where number = ?", (number,)).fetchone()
        if found is None:
            raise LogDamaged(f"{name}: its log is missing")
        if not isinstance(found[1], bytes):
            raise LogDamaged(f"{name}: its stored log is damaged: it is not a blob")
        return expanded(found[1], self._dictionary_of(found[0]), name)

    def fault(self, number: int) -> Forfeit | None:
        """Return why a game was forfeited, or None if it was not or the reason was not stored."""
        with self._reading(f"game {number}"):
            return fault_of(self._base, number)

    def annex(self) -> Annex:
        """Return all stored data except the games."""
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
    connection.execute("pragma synchronous = full")  # committed rows survive a power cut


def _close(*connections: sqlite3.Connection | None) -> None:
    """Close the connections that are not None."""
    for each in connections:
        if each is not None:
            each.close()


def _lock(folder: Path) -> sqlite3.Connection:
    """Return the lock that keeps other runners out while it is open. The system releases it when the process dies."""
    lock = None
    try:
        lock = open_database(folder / LOCK, MAX_BODY, to_write=True, timeout=0)
        lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        _close(lock)
        if "locked" not in str(error):
            raise
        who = "another runner"
        with suppress(SandtableError), Store.open(folder) as store:
            who = f"{who} ({store.fact('runner')})"
        raise PlayError(f"{folder}: {who} uses this folder: let it finish, or stop it first") from error
    return lock


@contextmanager
def _one_line_errors(folder: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into one-line errors."""
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
        raise DataError(str(folder / FILE), "", f"is not a tournament, or is damaged: {error}") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _full(folder) from error
        raise LogWriteFailed(f"{error.filename or folder}: {error.strerror or error}") from error


def _is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free < _SPARE_BYTES


def _full(folder: Path) -> LogWriteFailed:
    safe = "all stored games are safe; free some space, then repeat the command"
    return LogWriteFailed(f"{folder}: the disk is full: {safe}")
