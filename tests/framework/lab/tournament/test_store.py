"""The folder of a tournament: one tournament permanently, one runner at a time, complete chunks only."""

import errno
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tournaments import TEXT, base_of, is_open, manifest_of, noted_bases

from sandtable.errors import DataError, LogDamaged, LogExists, LogWriteFailed, PlayError
from sandtable.lab.tournament.annexes import Aside
from sandtable.lab.tournament.store import COPY, FILE, Store


def test_stored_games_are_read_back(play: Callable[..., Store]) -> None:
    store = play()
    games = list(store.games())
    assert [plan.number for plan, _ in games] == list(range(36))
    assert store.game(7) == games[7]
    assert store.count() == 36
    assert store.body(7)[:1] == b"o"
    assert store.fact("runner").startswith(f"process {os.getpid()} ")


def test_store_waits_for_the_disk_at_each_commit(tmp_path: Path) -> None:
    with Store.create(tmp_path, manifest_of(TEXT)) as store:
        assert waits_for_the_disk(store)
    with Store.open(tmp_path, to_write=True) as store:
        assert waits_for_the_disk(store)


def waits_for_the_disk(store: Store) -> bool:
    """Return whether SQLite waits for the disk at each commit. In WAL mode FULL (2) does, NORMAL does not."""
    pragmas = ("pragma journal_mode", "pragma synchronous")
    return [store._base.execute(each).fetchone()[0] for each in pragmas] == ["wal", 2]


def test_lost_manifest_copy_is_not_written_through_a_link(tmp_path: Path) -> None:
    store, victim = tmp_path / "event", tmp_path / "victim"
    Store.create(store, manifest_of(TEXT)).close()
    (store / COPY).unlink()
    victim.write_text("precious")
    (store / f"{COPY}.part").symlink_to(victim)
    Store.create(store, manifest_of(TEXT)).close()
    assert (store / COPY).read_text() == TEXT
    assert victim.read_text() == "precious"


def test_folder_belongs_to_one_tournament(tmp_path: Path) -> None:
    Store.create(tmp_path, manifest_of(TEXT)).close()
    Store.create(tmp_path, manifest_of("# again\n" + TEXT)).close()
    other = TEXT.replace("Skirmishes", "Others").replace('"m"', '"n"')
    with pytest.raises(LogExists, match="is the folder of another tournament, 'Skirmishes' with seed 'm'"):
        Store.create(tmp_path, manifest_of(other))
    edited = TEXT.replace("games = 6", "games = 8").replace("stubborn", "x")
    with pytest.raises(
        LogExists, match=r'edited .*: entrants\[2\]\.name: "stubborn" there, "x" here; games: 6 there, 8'
    ):
        Store.create(tmp_path, manifest_of(edited))


def test_edited_manifest_copy_is_refused(tmp_path: Path) -> None:
    Store.create(tmp_path, manifest_of(TEXT)).close()
    assert (tmp_path / COPY).read_text() == TEXT
    (tmp_path / COPY).write_text(TEXT.replace("games = 6", "games = 8"))
    with pytest.raises(LogExists, match=r"manifest\.toml was edited since .* games: 6 there, 8 here"):
        Store.open(tmp_path, to_write=True)
    Store.open(tmp_path).close()
    (tmp_path / COPY).unlink()
    Store.open(tmp_path, to_write=True).close()
    assert (tmp_path / COPY).read_text() == TEXT


def test_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(LogExists, match=r"not empty and holds no tournament \(letters\.txt\)"):
        Store.create(tmp_path, manifest_of(TEXT))
    assert [file.name for file in tmp_path.iterdir()] == ["letters.txt"]
    with pytest.raises(DataError, match="holds no tournament"):
        Store.open(tmp_path)
    with pytest.raises(DataError, match="holds no tournament"):
        Store.open(tmp_path / "nowhere")


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0 and then nothing", b"hello" * 1000])
def test_file_that_is_not_a_store_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(DataError, match=r"not a tournament|holds no tournament") as found:
        Store.open(tmp_path)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("to_write", [True, False])
@pytest.mark.parametrize("content", [b"", b"hello" * 1000])
def test_failed_open_leaves_no_file_open(
    content: bytes, to_write: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_bytes(content)
    opened = noted_bases(monkeypatch)
    with pytest.raises(DataError):
        Store.open(tmp_path, to_write=to_write)
    assert [is_open(each) for each in opened] == [False] * (1 + to_write)


def test_refused_create_leaves_no_file_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.create(tmp_path, manifest_of(TEXT)):
        opened = noted_bases(monkeypatch)
        with pytest.raises(PlayError, match="uses this folder"):
            Store.open(tmp_path, to_write=True)
    with pytest.raises(LogExists):
        Store.create(tmp_path, manifest_of(TEXT.replace("Skirmishes", "Others").replace('"m"', '"n"')))
    assert [is_open(each) for each in opened] == [False] * 4


def test_interrupted_create_starts_again(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"")
    with Store.create(tmp_path, manifest_of(TEXT)) as store:
        assert store.count() == 0


def test_folder_has_one_runner_and_any_number_of_readers(tmp_path: Path) -> None:
    with Store.create(tmp_path, manifest_of(TEXT)):
        message = rf"another runner \(process {os.getpid()} on .*\) uses this folder"
        with pytest.raises(PlayError, match=message):
            Store.create(tmp_path, manifest_of(TEXT))
        with pytest.raises(PlayError, match=message):
            Store.open(tmp_path, to_write=True)
        with Store.open(tmp_path) as reader:
            assert reader.count() == 0
    Store.open(tmp_path, to_write=True).close()


def test_full_disk_loses_no_stored_game(play: Callable[..., Store]) -> None:
    store = play()
    before = list(store.games())
    pages = store._base.execute("pragma page_count").fetchone()[0]
    store._base.execute(f"pragma max_page_count = {pages}")
    plan, row = before[0]
    more = [(replace(plan, number=1000 + n), replace(row, number=1000 + n), 0, bytes(5000), Aside()) for n in range(50)]
    with pytest.raises(LogWriteFailed, match="the disk is full: all stored games are safe") as found:
        store.put(more)
    assert "\n" not in str(found.value)
    assert list(store.games()) == before
    store._base.execute("pragma max_page_count = 1000000")
    store.put(more)
    assert store.count() == 86


def test_folder_that_cannot_be_created_raises_log_write_failed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LogWriteFailed, match=os.strerror(errno.EEXIST)):
        Store.create(tmp_path / "file", manifest_of(TEXT))


def test_missing_game_or_log_is_named(play: Callable[..., Store]) -> None:
    store = play()
    with pytest.raises(DataError, match="game 99: is not stored: there are 36 games, the last of them 35"):
        store.game(99)
    with base_of(store.folder) as base:
        base.execute("delete from logs where number = 3")
    with pytest.raises(LogDamaged, match="game 3: its log is missing"):
        store.body(3)


def test_annex_is_stored_apart_from_the_games(play: Callable[..., Store]) -> None:
    store = play()
    annex = store.annex()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", annex.began)
    assert annex.began <= annex.last
    assert annex.manifest == TEXT
    assert annex.surroundings["skirmish"].startswith("version 1, files ")
    games = {(each.contest, each.entrant): each.games for each in annex.clocks}
    assert games == {(contest, name): 12 for contest in range(2) for name in ("blind", "bold", "stubborn")}
    assert all(each.nanoseconds > 0 and each.decisions > each.games for each in annex.clocks)
    assert not annex.faults


@pytest.mark.full
def test_store_of_another_version_is_refused_with_advice(play: Callable[..., Store]) -> None:
    folder = play().folder
    with base_of(folder) as base:
        base.execute("alter table games drop column shares")
    with pytest.raises(DataError, match=r"games is that of another version .*: use the version that made it"):
        Store.open(folder)
