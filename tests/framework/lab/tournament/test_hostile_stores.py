"""A tournament folder from an untrusted source: a report fails in one line and quickly, whatever the content."""

import os
import sqlite3
from pathlib import Path

import pytest
from bombs import multiply_rows
from tournaments import TEXT, base_of, manifest_of

from sandtable.errors import DataError, LogDamaged, SandtableError
from sandtable.lab.ratings.findings import findings
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.tournament.store import FILE, LOCK, Store

GAME = (0, 0, 0, 0, "s", '{"a":"bold","b":"blind"}', "a", "bold", "end", 3, 9, "h", "", '{"bold":1}', "", "", "")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """Return the folder of a tournament with one game."""
    Store.create(tmp_path, manifest_of(TEXT)).close()
    with base_of(tmp_path) as base:
        base.execute(f"insert into games values ({', '.join('?' * len(GAME))})", GAME)  # noqa: S608 - no text
        base.execute("insert into logs values (0, 0, x'00')")
        base.execute("insert into facts values ('surroundings', '{}')")
    return tmp_path


def read_all(folder: Path) -> None:
    """Read everything that report, verify and export read of the rows of a store."""
    with Store.open(folder) as store:
        tally = Tally(store.manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
        findings(tally, store.annex())
        assert len(list(store.games())) == store.count() == len(store.numbers())
        store.surroundings()
        store.fault(0)


def test_unaltered_store_is_read(event: Path) -> None:
    read_all(event)


NUMBERS = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 99) "
ENDLESS = "with recursive n(a, b) as (select 'format', '2' union all select a, b from n) "

SPOILED = [
    "update games set shares = '{'",
    "update games set shares = '{\"a\":-1}'",
    'update games set shares = \'{"a":600,"b":300}\'',
    'update games set shares = \'{"a":400,"b":600}\'',
    'update games set shares = \'{"a":600,"c":400}\'',
    "update games set luck = '{'",
    "update games set decisions = '[1]'",
    "update games set nodes = '{\"bold\":1e400}'",
    "update games set nodes = '{\"bold\":99999999999999999999}'",
    "update games set decisions = '{\"who\":1}'",
    "update games set lineup = '{}'",
    "update games set lineup = '{\"a\":1}'",
    'update games set lineup = \'{"a":"who"}\'',
    'update games set verdicts = \'{"bold":"hanged"}\'',
    'update games set verdicts = \'{"who":"time"}\'',
    "update games set winner = 'who'",
    "update games set contest = 99",
    "update games set number = -1",
    "update games set turns = 'many'",
    "update games set turns = 2.5",
    "update games set turns = 9223372036854775807",
    "update games set ending = x'00ff'",
    "update games set ending = cast(x'ff' as text)",
    "update games set ending = replace(hex(zeroblob(40000)), '00', 'ab')",
    "update facts set value = '{' where name = 'surroundings'",
    "update facts set value = '[1]' where name = 'surroundings'",
    "update facts set value = '[' where name = 'manifest'",
    "update facts set value = x'00' where name = 'manifest'",
    "delete from facts where name = 'manifest'",
    "delete from facts where name = 'base'; delete from facts where name = 'manifest'",
    "update facts set value = '9' where name = 'format'",
    f"{NUMBERS} insert into facts select i, '' from n",  # noqa: S608 - the text is ours
    "insert into clocks values (0, 'bold', 'x', 1, 1)",
    "insert into clocks values (0, 'bold', -1, 1, 1)",
    "insert into faults values (0, 'bold', 'a', 'time', x'00', '')",
    "insert into dictionaries values (1, 0, zeroblob(40000))",
    "drop table games",
    "drop table facts",
    "drop table games; create table games (number)",
    "create table more (a)",
    "create index slow on games (length(ending))",
    "create trigger t after insert on games begin delete from logs; end",
    "alter table games rename to g; create view games as select * from g",
    f"drop table games; create view games as {ENDLESS} select a as number from n",  # noqa: S608 - the text is ours
    f"drop table facts; create view facts as {ENDLESS} select a as name, b as value from n",  # noqa: S608 - the text is ours
]


@pytest.mark.parametrize("spoil", SPOILED)
def test_spoiled_store_is_refused_in_a_line(spoil: str, event: Path) -> None:
    with base_of(event) as base:
        base.executescript(spoil)
    with pytest.raises(SandtableError) as caught:
        read_all(event)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1_000


def test_table_with_reused_pages_is_refused(event: Path) -> None:
    """A file of a few pages can hold a table of millions of rows: 150 equal pages, three levels deep."""
    with base_of(event) as base:
        base.execute("pragma wal_checkpoint(truncate)")
        root = base.execute("select rootpage from sqlite_master where name = 'games'").fetchone()[0]
    multiply_rows(event / FILE, root)
    with sqlite3.connect(f"file:{event / FILE}?mode=ro", uri=True) as base:
        rows = base.execute("select count(*) from (select 1 from games limit 100000)").fetchone()[0]
    base.close()
    assert rows == 100_000
    with pytest.raises(DataError, match="games: is damaged"):
        read_all(event)


@pytest.mark.full
def test_log_that_is_too_large_is_not_read(event: Path) -> None:
    with base_of(event) as base:
        base.execute("update logs set body = zeroblob(68000000)")
    read_all(event)
    with Store.open(event) as store, pytest.raises(DataError, match="game 0: is not a tournament"):
        store.body(0)


def test_log_that_is_not_a_blob_is_damaged(event: Path) -> None:
    with base_of(event) as base:
        base.execute("update logs set body = 'text'")
    with Store.open(event) as store, pytest.raises(LogDamaged, match="it is not a blob"):
        store.body(0)


def test_reading_changes_nothing_in_a_store(event: Path) -> None:
    before = (event / FILE).read_bytes(), (event / FILE).stat().st_mtime_ns
    read_all(event)
    assert ((event / FILE).read_bytes(), (event / FILE).stat().st_mtime_ns) == before
    with Store.open(event) as store, pytest.raises(SandtableError):
        store.note("runner", "somebody else")
    assert ((event / FILE).read_bytes(), (event / FILE).stat().st_mtime_ns) == before


@pytest.mark.parametrize("kind", ["soft", "hard"])
@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm"])
def test_store_that_leads_to_another_file_is_left_alone(name: str, kind: str, event: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes((event / FILE).read_bytes())
    (event / name).unlink(missing_ok=True)
    if kind == "soft":
        (event / name).symlink_to(victim)
    else:
        os.link(victim, event / name)
    before = victim.read_bytes()
    for to_write in (False, True):
        with pytest.raises(DataError, match="is a symbolic link, has a second name"):
            Store.open(event, to_write=to_write)
    assert victim.read_bytes() == before


def test_lock_that_is_a_link_makes_no_file_elsewhere(event: Path, tmp_path: Path) -> None:
    (event / LOCK).unlink()
    (event / LOCK).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="is a symbolic link"):
        Store.open(event, to_write=True)
    assert not (tmp_path / "elsewhere").exists()


def test_journal_that_names_another_file_is_not_rolled_back(event: Path, tmp_path: Path) -> None:
    """SQLite removes the file that such a journal names."""
    (event / f"{FILE}-journal").write_bytes(bytes(512) + b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    with pytest.raises(DataError, match="names another file to be removed"):
        Store.open(event, to_write=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into every folder")
def test_store_in_a_folder_that_cannot_be_written_is_read(event: Path) -> None:
    event.chmod(0o555)
    try:
        read_all(event)
    finally:
        event.chmod(0o755)
