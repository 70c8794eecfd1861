"""Repair cuts off a torn tail, keeps a copy, and refuses altered logs."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cutting import writes_in

from sandtable.errors import LogDamaged, LogError, LogExists, LogWriteFailed
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.record import Recorded
from sandtable.journal.repair import cut_tail, repair


def test_repair_cuts_the_torn_line_and_keeps_the_old_file(game: Recorded, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(game.data[:-20])
    lost, kept = repair(path)
    assert kept is not None
    assert kept.read_bytes() == game.data[:-20]
    assert path.read_bytes() == b"".join(writes_in(game.data)[:-1])
    assert lost == len(game.data) - 20 - len(path.read_bytes())
    assert repair(path) == (0, None)


def orders_of(lines: list[bytes]) -> list[int]:
    return [place for place, line in enumerate(lines) if line.startswith(b'{"kind":"order"')]


def test_only_the_remains_of_the_last_write_are_cut_off(record: Callable[..., Recorded], tmp_path: Path) -> None:
    """A disk may write the sectors of one write in any order, so earlier lines may be lost and later ones present."""
    data = record(ruleset="toy").data
    path, lines = tmp_path / "log.jsonl", data.splitlines(keepends=True)
    *_, before, last = orders_of(lines)
    for hurt in range(last, len(lines)):
        for left in (bytes(len(lines[hurt]) - 1) + b"\n", b"\xff\r" + lines[hurt][2:], b"9\n"):
            path.write_bytes(b"".join([*lines[:hurt], left, *lines[hurt + 1 :]]))
            assert repair(path)[0] > 0
            assert path.read_bytes() == b"".join(writes_in(data)[:-1])
    altered = lines[last].replace(b'"n":', b'"n":1')
    for hurt, left in ((before, bytes(9) + b"\n"), (1, bytes(9) + b"\n"), (last, altered)):
        path.write_bytes(b"".join([*lines[:hurt], left, *lines[hurt + 1 :]]))
        with pytest.raises(LogError):  # a later order proves that it was on disk, or it can be read
            repair(path)


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    """Check that a log is unchanged afterwards and has no copy."""
    before = path.read_bytes()
    yield
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob(f"{path.stem}*")] == [path.name]


@pytest.fixture
def torn(game: Recorded, tmp_path: Path) -> Path:
    """Return the log of a game whose last line was cut off."""
    path = tmp_path / "torn.jsonl"
    path.write_bytes(b"".join(writes_in(game.data)[:4])[:-9])
    return path


def test_repair_does_not_change_a_log_that_is_being_written(torn: Path) -> None:
    writer, _ = LogWriter.reopen(torn)
    with unchanged(torn), writer, pytest.raises(LogWriteFailed, match="another process is writing"):
        repair(torn)


def test_data_written_after_reading_is_not_cut_off(torn: Path) -> None:
    writer, log = LogWriter.reopen(torn)
    with writer, torn.open("ab") as file:
        file.write(b"the rest of a line\n")
        file.flush()
        before = torn.read_bytes()
        with pytest.raises(LogWriteFailed, match="another program has changed the file"):
            cut_tail(writer, log)
    assert torn.read_bytes() == before


def test_writer_continues_after_cutting_the_tail(torn: Path, game: Recorded) -> None:
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
    return writes_in(game.data)[3][:-9]


def test_repair_refuses_an_altered_log_and_leaves_no_copy(torn: Path) -> None:
    torn.write_bytes(torn.read_bytes().replace(b'"n":2', b'"n":3', 1))
    with unchanged(torn), pytest.raises(LogDamaged, match=f"^{torn}: line 2: was altered: "):
        repair(torn)


def test_repair_on_a_full_disk_changes_nothing(torn: Path) -> None:
    import resource  # noqa: PLC0415 - not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with unchanged(torn):
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        try:
            with pytest.raises(LogWriteFailed, match="File too large"):
                repair(torn)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_broken_copy_is_on_disk_before_the_tail_is_cut_off(torn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_second_copy_is_kept_and_as_private_as_the_first(torn: Path) -> None:
    broken = torn.read_bytes()
    repair(torn)
    torn.write_bytes(broken)
    torn.chmod(0o600)
    _, kept = repair(torn)
    assert kept == torn.with_name("torn.jsonl.broken-2")
    assert kept.read_bytes() == broken
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_repair_keeps_copies_up_to_a_limit(game: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(game.data[:-5])
    made: list[str] = []

    def there(name: Path, data: bytes, mode: int) -> None:
        made.append(name.name)
        raise LogExists(str(name))

    monkeypatch.setattr("sandtable.files.writing.write_new", there)
    with pytest.raises(LogExists, match=rf"^{path}: 999 broken copies already exist: remove them$"):
        repair(path)
    assert made == [f"log.broken-{number}" for number in range(1, 1000)]
    assert path.read_bytes() == game.data[:-5]
