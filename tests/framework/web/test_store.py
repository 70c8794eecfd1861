"""The store beside the logs: what an earlier version lacks is added, and a foreign file is refused."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sandtable.errors import DataError
from sandtable.web.store import NAME, TableStore


def run(folder: Path, command: str) -> None:
    """Change the file of a store."""
    with closing(sqlite3.connect(folder / NAME)) as base:
        base.executescript(command)


def test_store_of_an_earlier_version_gets_the_missing_table(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    token = store.new_link("game", ["north"], "north")
    store.close()
    run(tmp_path, "drop table disputes")
    with closing(TableStore(tmp_path)) as store:
        link = store.link("game", token)
        assert link is not None
        number = store.add_dispute(link, "{}")
        assert store.disputes("game") == [(number, ("north",), "{}")]


@pytest.mark.parametrize(
    "command", ["create table other (n integer)", "drop table seats; create view seats as select 1"]
)
def test_foreign_store_is_refused_and_unchanged(tmp_path: Path, command: str) -> None:
    TableStore(tmp_path).close()
    run(tmp_path, f"drop table disputes; {command}")
    with pytest.raises(DataError, match="not part of a store of tables"):
        TableStore(tmp_path)
    with closing(sqlite3.connect(tmp_path / NAME)) as base:
        names = {name for (name,) in base.execute("select name from sqlite_master")}
    assert "disputes" not in names


def test_freed_seat_leaves_the_other_seats_of_its_link(tmp_path: Path) -> None:
    with closing(TableStore(tmp_path)) as store:
        token, alone = store.new_link("game", ["italy", "germany"], "axis"), store.new_link("game", ["england"], "x")
        other = store.new_link("another", ["italy"], "axis")
        store.free("game", "italy")
        store.free("game", "england")
        found = store.link("game", token)
        assert found is not None
        assert found.seats == ("germany",)
        assert store.link("game", alone) is None
        assert store.link("another", other) is not None
