"""SQLite files from untrusted sources: checked before they are opened, and opened without trust in their content.

A database can contain more than rows: endless views, triggers, pages that are used a million times, and next to it a
journal that names a file to remove. Only the tables that this program creates are accepted.
"""

import os
import sqlite3
import stat
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sandtable.errors import DataError
from sandtable.files.reading import opened
from sandtable.files.words import quoted

_BESIDE = ("", "-wal", "-shm", "-journal")
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names another journal, which SQLite removes; a single database never writes it."""

LARGEST_INTEGER = 1 << 53


class Column(NamedTuple):
    """A column of a table: its name, and the type of its values: integer, text or blob."""

    name: str
    kind: str


class SqlTable(NamedTuple):
    """A table as this program creates it: its SQL statement, in lower case with single spaces, and its columns."""

    made_by: str
    columns: tuple[Column, ...]


def tables_of(commands: str) -> dict[str, SqlTable]:
    """Return the tables that the SQL ``commands`` create, by name."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(commands)
        found = base.execute("select name, sql from sqlite_master").fetchall()
        info = "select name, lower(type) from pragma_table_info(?)"
        columns = {name: tuple(Column(*each) for each in base.execute(info, (name,))) for name, _ in found}
    return {name: SqlTable(_plain(sql), columns[name]) for name, sql in found}


def memory_database(commands: str) -> sqlite3.Connection:
    """Return a new database in memory with the tables that the SQL ``commands`` create."""
    base = sqlite3.connect(":memory:", isolation_level=None)
    base.executescript(commands)
    return base


def open_database(path: Path, most: int, *, to_write: bool = False, timeout: float = 30) -> sqlite3.Connection:
    """Return a connection to the SQLite file ``path``, read-only unless ``to_write``, which also creates the file.

    No value may have more than ``most`` bytes. Raises DataError if it, or a file that SQLite keeps next to it, is not a
    regular file, is a symbolic link, or has a second name. Raises sqlite3.Error if it cannot be opened.
    """
    judged = [_judged(path.with_name(path.name + end)) for end in _BESIDE]
    if to_write:
        _refuse_journal(path.with_name(f"{path.name}-journal"))
    try:
        base = _connected(path, "rwc" if to_write else "ro", most, timeout)
    except sqlite3.OperationalError as error:
        if to_write or (judged[1] is not None and judged[1].st_size) or not _is_read_only(error):
            raise
        # the folder is read-only, and the WAL file is missing or empty
        base = _connected(path, "ro&immutable=1", most, timeout)
    after = _judged(path)
    if after is None or (judged[0] is not None and not os.path.samestat(judged[0], after)):
        base.close()
        raise DataError(str(path), "", "was replaced by another file just now: try again")
    return base


def _is_read_only(error: sqlite3.OperationalError) -> bool:
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_CANTOPEN" or name.startswith("SQLITE_READONLY")


def _connected(path: Path, mode: str, most: int, timeout: float) -> sqlite3.Connection:
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=timeout, uri=True)
    try:
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most)
        base.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        base.execute("pragma trusted_schema = off")
        base.execute("pragma cell_size_check = on")
        base.execute(f"pragma query_only = {'off' if mode == 'rwc' else 'on'}")
        base.execute("select 1 from sqlite_master limit 1").fetchone()  # this makes SQLite open the files next to it
    except BaseException:
        base.close()
        raise
    return base


def _judged(path: Path) -> os.stat_result | None:
    """Return the status of a file that SQLite opens by its name, or None if the name does not exist.

    The file itself must not be opened here: closing it would release SQLite's locks on it (POSIX).
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DataError(str(path), "", f"cannot be read: {error.strerror}; check the path") from error
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        raise DataError(str(path), "", "is a symbolic link, has a second name, or is not a regular file: copy it")
    return found


def _refuse_journal(path: Path) -> None:
    """Raise DataError for a journal that names another one, because SQLite would remove the file with that name."""
    if not path.exists():
        return
    with opened(path, follow=False) as handle:
        os.lseek(handle, -min(os.fstat(handle).st_size, len(_NAMES_ANOTHER)), os.SEEK_END)
        if os.read(handle, len(_NAMES_ANOTHER)) == _NAMES_ANOTHER:
            raise DataError(str(path), "", "names another file to be removed: remove this journal")


def refuse_foreign(
    base: sqlite3.Connection,
    tables: Mapping[str, SqlTable],
    longest: Mapping[str, int],
    where: str,
    what: str = "a tournament",
) -> None:
    """Raise DataError, which calls the file ``what``, unless a database has exactly ``tables``, as created.

    The values of the tables in ``longest`` are checked, too: each may have that many bytes. Raises sqlite3.Error if the
    database cannot be read.
    """
    _refuse_other_tables(base, tables, where, what)
    for name, most in longest.items():
        _refuse_bad_values(base, name, tables[name], most, where)


def _refuse_other_tables(base: sqlite3.Connection, tables: Mapping[str, SqlTable], where: str, what: str) -> None:
    held = base.execute("select type, name, sql from sqlite_master limit ?", (len(tables) + 1,)).fetchall()
    for kind, name, sql in held:
        if kind == "table" and name in tables and _plain(str(sql)) != tables[name].made_by:
            problem = f"the table {name} is that of another version of Sandtable: use the version that made it"
            raise DataError(where, "", problem)
        if kind != "table" or name not in tables:
            raise DataError(where, "", f"contains the {quoted(kind)} {quoted(name)}, which is not part of {what}")
    missing = set(tables) - {name for _, name, _ in held}
    if missing:
        raise DataError(where, "", f"lacks the table {min(missing)}: it is damaged, or is not {what}")


def _refuse_bad_values(base: sqlite3.Connection, name: str, table: SqlTable, longest: int, where: str) -> None:
    """Raise DataError if ``table`` is damaged, or has a value of a wrong type or out of range.

    An integer must be from 0 to LARGEST_INTEGER; a text or blob may have up to ``longest`` bytes. The pages are checked
    first: if one page were used in several places, a small file could have more rows than can ever be read.
    """
    damage = base.execute(f"pragma quick_check({name})").fetchone()
    if damage != ("ok",):
        raise DataError(where, name, f"is damaged: {damage[0]}")
    wrong = [_is_wrong(column, longest) for column in table.columns]
    each, either = ", ".join(wrong), " or ".join(wrong)
    found = base.execute(f"select {each} from {name} where {either} limit 1").fetchone()  # noqa: S608 - our names
    if found is not None:
        column = table.columns[found.index(1)]
        problem = f"contains a value that is not of type {column.kind}, or is too large"
        raise DataError(where, f"{name}.{column.name}", problem)


def _is_wrong(column: Column, longest: int) -> str:
    """Return SQL that is 1 for a value that is out of range or does not have the type of ``column``, otherwise 0."""
    size = f"length(cast({column.name} as blob)) > {longest}"
    if column.kind == "integer":
        size = f"{column.name} not between 0 and {LARGEST_INTEGER}"
    return f"(typeof({column.name}) <> '{column.kind}' or {size})"


def _plain(sql: str) -> str:
    return " ".join(sql.lower().split())
