"""Where a tournament is kept: one folder with one SQLite file: a row a game, its log beside it, compressed.

A chunk of games is one transaction: after a kill the file holds whole chunks only. It is written by one process, the
runner, which holds ``running.lock`` for as long as it lives; anybody may read meanwhile.
"""

import errno
import os
import shutil
import socket
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from sandtable.errors import DataError, LogDamaged, LogExists, LogWriteFailed, PlayError
from sandtable.files.folders import make_folder
from sandtable.files.writing import write_whole
from sandtable.lab.plan import Annex, Forfeit, GamePlan, Row, Tournament
from sandtable.lab.tournament.annexes import TABLES, Aside, annex_of, fault_of, put_asides
from sandtable.lab.tournament.manifest import (
    TournamentManifest,
    canonical,
    differences,
    parse_manifest,
    read_manifest,
)
from sandtable.lab.tournament.payloads import DICTIONARY, compressed, expanded
from sandtable.players.processes.limits import Verdict

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
_COLUMNS = (
    "number, round, pair, contest, seed, lineup, "
    "outcome, winner, ending, turns, records, head, verdicts, decisions, luck, nodes"
)

_VERDICTS: msgspec.json.Decoder[dict[str, Verdict]] = msgspec.json.Decoder(dict[str, Verdict])
_NUMBERS: msgspec.json.Decoder[dict[str, int]] = msgspec.json.Decoder(dict[str, int])
_NAMES: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


class Store:
    """A tournament's folder, open. Use it in a ``with``; ``manifest`` is what it was begun with."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None) -> None:
        self.folder = folder
        self._base = connection
        self._lock = lock
        facts = dict(connection.execute("select name, value from facts"))
        if facts.get("format") != FORMAT:
            raise DataError(str(folder), "", f"is of format {facts.get('format')}: this program reads {FORMAT}")
        self.manifest = TournamentManifest(
            facts["manifest"], facts["base"], parse_manifest(facts["manifest"], str(folder))
        )
        self._dictionaries: dict[int, bytes] = {0: b""}

    # ------------------------------------------------------------------ opening and closing

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
                connection = _connect(place)
                if not connection.execute("select count(*) from sqlite_master").fetchone()[0]:
                    _begin(connection, manifest)
                store = cls(place, connection, lock)
                store.check_same(manifest.tournament, "the manifest")
                store._note_runner()
                return store
            except BaseException:
                _close(connection, lock)
                raise

    @classmethod
    def open(cls, folder: str | Path, *, to_write: bool = False) -> "Store":
        """Return the store in ``folder``; raises DataError where there is none, PlayError where it is being written."""
        place = Path(folder)
        if not (place / FILE).is_file():
            raise DataError(str(folder), "", f"holds no tournament (no {FILE}): name the folder of one")
        with _speaking(place):
            lock, connection = _lock(place) if to_write else None, None
            try:
                connection = _connect(place)
                if not connection.execute("select count(*) from sqlite_master").fetchone()[0]:
                    raise DataError(str(folder), "", "holds no tournament yet: `sandtable tournament run` begins it")
                store = cls(place, connection, lock)
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

    # ------------------------------------------------------------------ facts and dictionaries

    def fact(self, name: str) -> str:
        """Return what was noted, "" for nothing."""
        found = self._base.execute("select value from facts where name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

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
            found = self._base.execute("select body from dictionaries where id = ?", (number,)).fetchone()
            if found is None:
                raise LogDamaged(f"{self.folder}: the dictionary {number} is missing")
            self._dictionaries[number] = found[0]
        return self._dictionaries[number]

    # ------------------------------------------------------------------ games

    def put(self, games: Iterable[tuple[GamePlan, Row, int, bytes, Aside]]) -> None:
        """Store games in one go: plan, row, the log's body as compressed with the dictionary of that number, aside."""
        rows, logs, asides = [], [], []
        for plan, row, dictionary, packed, aside in games:
            rows.append(
                (
                    *(plan.number, plan.round, plan.pair, plan.contest, plan.seed, _text(plan.lineup)),
                    *(row.outcome, row.winner, row.ending, row.turns, row.records, row.head),
                    *(_text({name: each for name, each in row.verdicts.items() if each != "ok"}),),
                    *(_text(row.decisions), _text(row.luck_milli), _text(row.nodes)),
                )
            )
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
        return {number for (number,) in self._base.execute("select number from games")}

    def count(self) -> int:
        """Return how many games are stored."""
        return int(self._base.execute("select count(*) from games").fetchone()[0])

    def games(self) -> Iterator[tuple[GamePlan, Row]]:
        """Yield all games by number."""
        rows = self._base.execute(f"select {_COLUMNS} from games order by number")  # noqa: S608 - fixed words
        for each in rows:
            yield _game(each)

    def results(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield ``columns`` of all games by number, as they are stored: for reports, which are quick with that."""
        yield from self._base.execute(f"select {columns} from games order by number")  # noqa: S608 - our own words

    def game(self, number: int) -> tuple[GamePlan, Row]:
        """Return one game; raises DataError for one that is not stored."""
        found = self._base.execute(
            f"select {_COLUMNS} from games where number = ?",  # noqa: S608 - fixed words
            (number,),
        ).fetchone()
        if found is None:
            last = self._base.execute("select max(number) from games").fetchone()[0]
            there = "no game yet" if last is None else f"{self.count():,} games, the last of them {last}"
            raise DataError(str(self.folder), f"game {number}", f"is not stored: there are {there}")
        return _game(found)

    def body(self, number: int) -> bytes:
        """Return the body of a game's log, expanded."""
        found = self._base.execute("select dictionary, body from logs where number = ?", (number,)).fetchone()
        name = f"{self.folder}: game {number}"
        if found is None:
            raise LogDamaged(f"{name}: its log is missing")
        return expanded(found[1], self._dictionary_of(found[0]), name)

    def fault(self, number: int) -> Forfeit | None:
        """Return why a game was forfeited; None where it was not, or nobody noted it."""
        return fault_of(self._base, number)

    def annex(self) -> Annex:
        """Return what is told of the tournament beside its games."""
        return annex_of(self._base, self.manifest.text, f"sandtable tournament run {COPY} --out again")

    def log_bytes(self) -> int:
        """Return how many bytes all stored logs take."""
        return int(self._base.execute("select coalesce(sum(length(body)), 0) from logs").fetchone()[0])

    def pack(self, contest: int, body: bytes) -> tuple[int, bytes]:
        """Return a body compressed for this store, and the number of the dictionary."""
        number, dictionary = self.dictionary(contest)
        return number, compressed(body, dictionary)


def _text(table: object) -> str:
    return msgspec.json.encode(table).decode() if table else ""


@lru_cache(4096)
def _lineup(text: str) -> dict[str, str]:
    return _NAMES.decode(text)


@lru_cache(4096)
def _verdicts(text: str, lineup: str) -> dict[str, Verdict]:
    """Return the verdicts on all of a lineup; only those that are not ok are stored."""
    usual: dict[str, Verdict] = dict.fromkeys(_lineup(lineup).values(), "ok")
    return {**usual, **_VERDICTS.decode(text)} if text else usual


def _game(values: tuple[Any, ...]) -> tuple[GamePlan, Row]:
    number, turn, pair, contest, seed, lineup = values[:6]
    outcome, winner, ending, turns, records, head, verdicts, decisions, luck, nodes = values[6:]
    return GamePlan(number, turn, pair, contest, seed, _lineup(lineup)), Row(
        *(number, outcome, winner, ending, turns, records, head),
        verdicts=_verdicts(verdicts, lineup),
        decisions=_NUMBERS.decode(decisions) if decisions else {},
        luck_milli=_NUMBERS.decode(luck) if luck else {},
        nodes=_NUMBERS.decode(nodes) if nodes else {},
    )


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


def _connect(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / FILE, timeout=30)
    try:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")  # what is committed outlasts a power cut
    except BaseException:
        connection.close()
        raise
    return connection


def _close(*connections: sqlite3.Connection | None) -> None:
    """Close them, those that were opened."""
    for each in connections:
        if each is not None:
            each.close()


def _lock(folder: Path) -> sqlite3.Connection:
    """Return what keeps other runners out for as long as it is open; the system lets go of it when a process dies."""
    lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    try:
        lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise
        who = "another runner"
        with suppress(sqlite3.Error), closing(sqlite3.connect(folder / FILE)) as base:
            found = base.execute("select value from facts where name = 'runner'").fetchone()
            who = f"{who} ({found[0]})" if found else who
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
