"""Writing a log: acknowledged records are safe, files are not overwritten, and only one process writes."""

import errno
import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cutting import writes_in

from sandtable.errors import LogError, LogExists, LogTorn, LogWriteFailed
from sandtable.files.writing import write_new
from sandtable.journal.file import writer as writer_module
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.reading import private_file, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import Recorded
from sandtable.journal.resume import resume
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Rulesets


def test_name_of_a_new_log_is_on_disk_before_the_first_question(
    game: Recorded, tmp_path: Path, synced: list[str]
) -> None:
    with LogWriter.create(tmp_path / "log.jsonl", game.header, game.form, durable=True):
        assert synced == ["log.jsonl", tmp_path.name]


def test_refusal_of_an_empty_file_mentions_a_game_only_for_logs(game: Recorded, tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    with pytest.raises(LogExists, match="empty: choose another name") as caught:
        write_new(tmp_path / "here", b"<svg/>")
    assert "game" not in str(caught.value)
    with pytest.raises(LogExists, match="game stop"):
        LogWriter.create(tmp_path / "here", game.header, game.form)


BUSY = "another process is writing"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock on a file, as another process would."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


@pytest.fixture
def half(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game that was interrupted."""
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(writes_in(game.data)[:3]))
    return path


@pytest.fixture
def torn(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game whose last line was cut off."""
    path = tmp_path / "torn.jsonl"
    path.write_bytes(b"".join(game.data.splitlines(keepends=True)[:6])[:-9])
    return path


def test_writer_stops_after_its_file_was_changed(half: Path) -> None:
    before = half.read_bytes()
    writer, _ = LogWriter.reopen(half)
    with writer:
        half.write_bytes(before[:-1])
        with pytest.raises(LogWriteFailed, match="another program has changed the file"):
            writer.annex(words=1)
        half.write_bytes(before)
        with pytest.raises(LogWriteFailed, match="an earlier write failed"):
            writer.annex(words=1)
    assert half.read_bytes() == before


def test_without_locks_only_one_of_two_writers_continues(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    (one, _), (other, _) = LogWriter.reopen(half), LogWriter.reopen(half)
    with one, other:
        other.annex(words=1)
        with pytest.raises(LogWriteFailed, match="another program has changed the file"):
            one.annex(words=2)
        other.annex(words=3)
    assert read_log(half).annexes() == [annex_line({"words": each})[:-1] for each in (1, 3)]


def test_nothing_is_written_after_a_torn_tail(torn: Path, game: Recorded, rulesets: Rulesets) -> None:
    before = torn.read_bytes()
    writer, _ = LogWriter.reopen(torn)
    writer.form = game.form
    with writer, pytest.raises(LogWriteFailed):
        writer.put(game.game.records)
    with pytest.raises(LogTorn):
        resume(torn, rulesets)
    assert torn.read_bytes() == before


def test_force_does_not_overwrite_a_log_that_is_open_for_writing(half: Path, game: Recorded) -> None:
    before = half.read_bytes()
    with locked(half), pytest.raises(LogWriteFailed, match=BUSY):
        LogWriter.create(half, game.header, game.form, force=True)
    assert half.read_bytes() == before
    LogWriter.create(half, game.header, game.form, force=True).close()
    assert read_log(half).records == 0


def test_file_holds_all_records_after_each_put(game: Recorded, tmp_path: Path) -> None:
    path, records = tmp_path / "log.jsonl", game.game.records
    with LogWriter.create(path, game.header, game.form, durable=True) as writer:
        asked = [each.n - 1 for each in records if isinstance(each, OrderRecord)]
        for end in (0, *asked, asked[-1], len(records), len(records)):
            writer.put(records[:end])
            assert game.data.startswith(path.read_bytes())
            assert read_log(path).records == end
    assert path.read_bytes() == game.data


def test_existing_file_is_not_overwritten(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("precious")
    with pytest.raises(LogExists, match="--force"):
        LogWriter.create(path, game.header, game.form)
    assert path.read_text() == "precious"
    LogWriter.create(path, game.header, game.form, force=True).close()
    assert read_log(path).records == 0
    with pytest.raises(LogWriteFailed):
        LogWriter.create(tmp_path / "no" / "folder" / "log.jsonl", game.header, game.form)


def test_second_writer_is_refused(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with (
        LogWriter.create(path, game.header, game.form),
        pytest.raises(LogWriteFailed, match="another process is writing"),
    ):
        LogWriter.reopen(path)
    LogWriter.reopen(path)[0].close()


@pytest.mark.parametrize("call", range(8))
def test_writer_stops_after_a_failed_write(
    call: int, game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, calls = tmp_path / "log.jsonl", [0]
    real = os.write

    def full(handle: int, data: bytes) -> int:
        calls[0] += 1
        if calls[0] > call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data[: max(1, len(data) // 2)])

    monkeypatch.setattr(os, "write", full)
    acknowledged = -1
    with pytest.raises(LogWriteFailed, match="No space left"):  # noqa: PT012 - which step fails is the parameter
        writer = LogWriter.create(path, game.header, game.form)
        acknowledged = 0
        for end in range(1, len(game.game.records)):
            writer.put(game.game.records[:end])
            acknowledged = end
    monkeypatch.undo()
    if acknowledged >= 0:
        assert read_log(path).records >= acknowledged
        with pytest.raises(LogWriteFailed, match="an earlier write failed"):
            writer.put(game.game.records)
        writer.close()
    assert game.data.startswith(path.read_bytes())


def test_failed_fsync_is_not_retried(game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    writer = LogWriter.create(tmp_path / "log.jsonl", game.header, game.form, durable=True)
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(LogWriteFailed):
        writer.put(game.game.records[:3])
    monkeypatch.undo()
    with pytest.raises(LogWriteFailed, match="an earlier write failed"):
        writer.put(game.game.records)


def test_writer_waits_for_the_disk_only_if_durable(game: Recorded, tmp_path: Path, synced: list[str]) -> None:
    with LogWriter.create(tmp_path / "a", game.header, game.form) as writer:
        writer.put(game.game.records)
        writer.annex(note=1)
        assert synced == [tmp_path.name]
    writer.close()
    assert synced == [tmp_path.name, "a"]  # once, at the end
    with LogWriter.create(tmp_path / "b", game.header, game.form, durable=True) as writer:
        before = len(synced)
        writer.put(game.game.records)
        writer.put(game.game.records)
        assert len(synced) == before + 1


def test_disk_failure_at_close_is_reported(game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "log"
    writer = LogWriter.create(path, game.header, game.form)
    monkeypatch.setattr(writer_module, "sync", fails)
    with pytest.raises(LogWriteFailed, match=f"^{path}: Input/output error: the end of the log may be lost$"):
        writer.close()
    writer.close()
    with pytest.raises(LogWriteFailed, match="an earlier write failed"):
        writer.put(game.game.records)


def test_step_before_creation_runs_for_regular_files_only(toy_game: Recorded, tmp_path: Path) -> None:
    done: list[str] = []

    def do() -> None:
        done.append("x")

    LogWriter.create(os.devnull, toy_game.header, toy_game.form, force=True, private=True, first=do).close()
    assert done == []
    assert not private_file(os.devnull).exists()
    path = tmp_path / "log"
    path.write_bytes(b"old")

    def fails() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        LogWriter.create(path, toy_game.header, toy_game.form, force=True, first=fails)
    assert path.exists()
    with pytest.raises(KeyError):
        LogWriter.create(tmp_path / "new", toy_game.header, toy_game.form, first=fails)
    assert not (tmp_path / "new").exists()


def replaced(path: Path) -> None:
    """Replace a file with a copy, as a sync client or an editor does."""
    path.with_name("copy").write_bytes(path.read_bytes())
    path.with_name("copy").replace(path)


def moved(path: Path) -> None:
    path.rename(path.with_name("moved"))


@pytest.mark.parametrize("lose", [replaced, moved, Path.unlink])
@pytest.mark.parametrize("beside", [False, True], ids=["log", "private"])
def test_log_that_loses_its_name_during_play_is_not_written_again(
    beside: bool, lose: Callable[[Path], None], toy_game: Recorded, tmp_path: Path
) -> None:
    path, records = tmp_path / "log", toy_game.game.records
    with LogWriter.create(path, toy_game.header, toy_game.form, private=True) as writer:
        writer.put(records[:5])
        lose(private_file(path) if beside else path)
        before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
        with pytest.raises(LogWriteFailed, match=r"moved, removed or replaced .* the game stops"):
            writer.put(records[:6])
        with pytest.raises(LogWriteFailed, match="an earlier write failed"):
            writer.put(records[:7])
    assert {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before


def test_write_during_the_replacement_of_a_log_is_not_acknowledged(
    game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "log", os.write
    with LogWriter.create(path, game.header, game.form) as writer:

        def slow(handle: int, data: bytes) -> int:
            (tmp_path / "old").write_bytes(b"")
            (tmp_path / "old").replace(path)
            return real(handle, data)

        monkeypatch.setattr(os, "write", slow)
        with pytest.raises(LogWriteFailed, match="moved, removed or replaced"):
            writer.put(game.game.records[:3])


def test_log_is_written_after_a_change_of_working_folder(
    game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with LogWriter.create("log", game.header, game.form) as writer:
        monkeypatch.chdir("/")
        writer.put(game.game.records)
    assert (tmp_path / "log").read_bytes() == game.data


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_log_is_not_reopened_under_another_name(kind: str, half: Path) -> None:
    """``LOG.private`` and ``LOG.key`` are found by the name of the log."""
    other, before = half.with_name("alias"), half.read_bytes()
    if kind == "soft":
        other.symlink_to(half)
    else:
        os.link(half, other)
    with pytest.raises(LogWriteFailed, match=r"is a symbolic link|has 2 names"):
        LogWriter.reopen(other)
    assert half.read_bytes() == before


@pytest.mark.full
def test_log_and_private_file_share_the_size_limit(half: Path) -> None:
    with private_file(half).open("wb") as file:
        file.truncate((64 << 20) - 1)
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
    for read in (read_log, LogWriter.reopen):
        with pytest.raises(LogError, match="more than 64 MiB"):
            read(half)
