"""One process at a time writes a log: it is locked before it is read, and nothing of another's is cut off."""

import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandtable.errors import LogDamaged, LogTorn, LogWriteFailed
from sandtable.journal.file.log import annex_line, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import Recorded
from sandtable.journal.repair import cut_tail, repair
from sandtable.journal.resume import resume
from sandtable.kernel.decisions import Decision
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared, Rulesets

BUSY = "another process is writing"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file as another process would."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


@pytest.fixture
def half(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game that was interrupted."""
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(game.data.splitlines(keepends=True)[:6]))
    return path


@pytest.fixture
def torn(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game whose last line was cut off."""
    path = tmp_path / "torn.jsonl"
    path.write_bytes(b"".join(game.data.splitlines(keepends=True)[:6])[:-9])
    return path


@pytest.mark.full
def test_a_second_resume_is_refused_while_the_first_runs_the_rules_again(half: Path, rulesets: Rulesets) -> None:
    def meanwhile(prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        with pytest.raises(LogWriteFailed, match=BUSY):
            resume(half, rulesets)
        return lambda _: None

    resume(half, rulesets, before=meanwhile).writer.close()
    resume(half, rulesets).writer.close()


def test_a_resume_that_fails_lets_others_in(half: Path, rulesets: Rulesets) -> None:
    def broken(prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resume(half, rulesets, before=broken)
    resume(half, rulesets).writer.close()


def test_what_another_program_wrote_without_a_lock_is_not_followed_by_more(half: Path, rulesets: Rulesets) -> None:
    before = half.read_bytes()

    def meanwhile(prepared: Prepared, key: bytes, game: Game) -> Callable[[Decision], None]:
        half.write_bytes(before + b"words")
        return lambda _: None

    with pytest.raises(LogWriteFailed, match="another program has changed the file"):
        resume(half, rulesets, before=meanwhile)
    assert half.read_bytes() == before + b"words"


def test_a_writer_whose_file_was_changed_is_dead(half: Path) -> None:
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


def test_where_nothing_can_be_locked_only_one_of_two_goes_on(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    (one, _), (other, _) = LogWriter.reopen(half), LogWriter.reopen(half)
    with one, other:
        other.annex(words=1)
        with pytest.raises(LogWriteFailed, match="another program has changed the file"):
            one.annex(words=2)
        other.annex(words=3)
    assert read_log(half).annexes() == [annex_line({"words": each})[:-1] for each in (1, 3)]


def test_repair_leaves_alone_what_another_process_is_writing(torn: Path) -> None:
    before = torn.read_bytes()
    with locked(torn), pytest.raises(LogWriteFailed, match=BUSY):
        repair(torn)
    assert torn.read_bytes() == before
    assert [file.name for file in torn.parent.glob("torn*")] == ["torn.jsonl"]


def test_what_came_to_the_file_after_it_was_read_is_not_cut_off(torn: Path) -> None:
    writer, log = LogWriter.reopen(torn)
    with writer, torn.open("ab") as file:
        file.write(b"the rest of a line\n")
        file.flush()
        before = torn.read_bytes()
        with pytest.raises(LogWriteFailed, match="another program has changed the file"):
            cut_tail(writer, log)
    assert torn.read_bytes() == before


def test_nothing_is_written_behind_a_torn_tail(torn: Path, game: Recorded, rulesets: Rulesets) -> None:
    before = torn.read_bytes()
    writer, _ = LogWriter.reopen(torn)
    writer.form = game.form
    with writer, pytest.raises(LogWriteFailed):
        writer.put(game.game.records)
    with pytest.raises(LogTorn):
        resume(torn, rulesets)
    assert torn.read_bytes() == before


def test_a_writer_goes_on_behind_what_it_cut_off(torn: Path, game: Recorded) -> None:
    writer, log = LogWriter.reopen(torn)
    writer.form = game.form
    with writer:
        assert log.torn
        lost, kept = cut_tail(writer, log)
        assert (lost, log.torn, log.data) == (len(log_tail(game)), b"", torn.read_bytes())
        writer.put(game.game.records)
    assert torn.read_bytes() == game.data
    assert kept == torn.with_name("torn.jsonl.broken-1")


def log_tail(game: Recorded) -> bytes:
    return game.data.splitlines(keepends=True)[5][:-9]


def test_an_altered_log_is_not_mended_and_no_copy_is_left(torn: Path) -> None:
    torn.write_bytes(torn.read_bytes().replace(b'"n":2', b'"n":3', 1))
    with pytest.raises(LogDamaged, match="repair only cuts off a torn last line"):
        repair(torn)
    assert [file.name for file in torn.parent.glob("torn*")] == ["torn.jsonl"]


def test_repair_on_a_full_disk_changes_nothing(torn: Path) -> None:
    import resource  # noqa: PLC0415 - not on every system

    before = torn.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(LogWriteFailed, match="File too large"):
            repair(torn)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert torn.read_bytes() == before
    assert [file.name for file in torn.parent.glob("torn*")] == ["torn.jsonl"]


def test_the_broken_copy_is_on_the_disk_before_anything_is_cut_off(torn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, cut = os.fsync, os.ftruncate

    def note_sync(handle: int) -> None:
        copies = [file.name for file in torn.parent.glob("*.broken-*") if is_open_as(handle, file)]
        done.extend(copies or [f"fsync {'folder' if stat.S_ISDIR(os.fstat(handle).st_mode) else 'log'}"])
        sync(handle)

    def note_cut(handle: int, length: int) -> None:
        if is_open_as(handle, torn):
            done.append(f"cut at {length}")
        cut(handle, length)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "ftruncate", note_cut)
    repair(torn)
    whole = torn.stat().st_size
    assert done[:4] == ["torn.jsonl.broken-1", "fsync folder", f"cut at {whole}", "fsync log"]


def is_open_as(handle: int, path: Path) -> bool:
    return os.path.samestat(os.fstat(handle), path.stat())


def test_a_second_copy_is_kept_beside_the_first_and_no_more_readable(torn: Path) -> None:
    broken = torn.read_bytes()
    repair(torn)
    torn.write_bytes(broken)
    torn.chmod(0o600)
    _, kept = repair(torn)
    assert kept == torn.with_name("torn.jsonl.broken-2")
    assert kept.read_bytes() == broken
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_force_takes_no_log_from_under_a_writer_that_has_only_opened_it(half: Path, game: Recorded) -> None:
    before = half.read_bytes()
    with locked(half), pytest.raises(LogWriteFailed, match=BUSY):
        LogWriter.create(half, game.header, game.form, force=True)
    assert half.read_bytes() == before
    LogWriter.create(half, game.header, game.form, force=True).close()
    assert read_log(half).records == 0
