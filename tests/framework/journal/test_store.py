"""Writing: nothing acknowledged is lost, nothing is overwritten, a failed write ends it."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.errors import LogError, LogExists, LogWriteFailed
from sandtable.journal.file.log import read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import Recorded


def test_put_piece_by_piece_writes_the_same_bytes(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LogWriter.create(path, game.header, game.form, durable=True) as writer:
        for end in range(0, len(game.game.records) + 1, 3):
            writer.put(game.game.records[:end])
        writer.put(game.game.records)
        writer.put(game.game.records)
    assert path.read_bytes() == game.data


def test_after_each_put_the_file_holds_all_that_was_put(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LogWriter.create(path, game.header, game.form) as writer:
        for end in range(1, len(game.game.records) + 1):
            writer.put(game.game.records[:end])
            assert game.data.startswith(path.read_bytes())
            assert read_log(path).records == end


def test_an_existing_file_is_not_overwritten(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("precious")
    with pytest.raises(LogExists, match="--force"):
        LogWriter.create(path, game.header, game.form)
    assert path.read_text() == "precious"
    LogWriter.create(path, game.header, game.form, force=True).close()
    assert read_log(path).records == 0


def test_a_second_writer_is_refused(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with (
        LogWriter.create(path, game.header, game.form),
        pytest.raises(LogWriteFailed, match="another process is writing"),
    ):
        LogWriter.reopen(path)
    LogWriter.reopen(path)[0].close()


def test_force_does_not_empty_a_log_that_is_being_written(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LogWriter.create(path, game.header, game.form) as writer:
        writer.put(game.game.records[:4])
        with pytest.raises(LogWriteFailed):
            LogWriter.create(path, game.header, game.form, force=True)
        assert read_log(path).records == 4


@pytest.mark.parametrize("call", range(8))
def test_a_failed_write_kills_the_handle(
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


def test_a_failed_fsync_is_not_tried_again(game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    writer = LogWriter.create(tmp_path / "log.jsonl", game.header, game.form, durable=True)
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(LogWriteFailed):
        writer.put(game.game.records[:3])
    monkeypatch.undo()
    with pytest.raises(LogWriteFailed, match="an earlier write failed"):
        writer.put(game.game.records)


def test_folders_devices_and_missing_files_are_refused(tmp_path: Path, record: Callable[..., Recorded]) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/null")):
        with pytest.raises(LogError, match=str(path)):
            read_log(path)
    with pytest.raises(LogWriteFailed):
        LogWriter.create(tmp_path / "no" / "folder" / "log.jsonl", record().header, record().form)
