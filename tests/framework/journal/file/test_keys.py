"""The key file next to a log."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.errors import DataError, LogExists, LogWriteFailed
from sandtable.journal.file.keys import check_key, drop_key, keep_key, key_file, read_key, refuse_stray_key
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.header import Header
from sandtable.journal.record import Recorded
from sandtable.kernel.dice import key_from_seed

KEY = bytes(range(32))
Play = Callable[..., Recorded]


def test_kept_key_is_readable_by_its_owner_only_and_can_be_read_back(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    file = keep_key(log, KEY)
    assert file == key_file(log) == tmp_path / "a.jsonl.key"
    assert file.read_text() == f"{KEY.hex()}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_key(file) == KEY
    drop_key(log, bytes(32))
    assert file.exists()
    drop_key(log, KEY)
    drop_key(log, KEY)
    assert not file.exists()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        KEY.hex().encode(),
        KEY.hex().upper().encode() + b"\n",
        KEY.hex().encode() + b"\r\n",
        b"00" * 33 + b"\n",
        KEY.hex().encode() + b"\n\n",
    ],
    ids=["empty", "no line end", "upper case", "CRLF", "too long", "two line ends"],
)
def test_file_without_a_key_is_refused_and_its_text_not_shown(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "a.key"
    file.write_bytes(text)
    with pytest.raises(DataError, match=r"a\.key: holds no key") as caught:
        read_key(file)
    assert KEY.hex()[:8] not in str(caught.value).lower()


def test_missing_file_folder_or_pipe_is_refused_as_key(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.key: cannot be read: No such file"):
        read_key(tmp_path / "a.key")
    os.mkfifo(tmp_path / "pipe.key")
    for each in (tmp_path, tmp_path / "pipe.key"):
        with pytest.raises(DataError, match=r"is not an ordinary file|Is a directory"):
            read_key(each)


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_key_is_compared_with_the_header(record: Play, mode: str) -> None:
    header = record("a", mode).header
    check_key(key_from_seed("a"), header, "here", "a.jsonl")
    with pytest.raises(DataError, match=r"here: is not the key of a\.jsonl"):
        check_key(KEY, header, "here", "a.jsonl")


def test_new_key_replaces_only_the_key_of_the_log_it_overwrites(record: Play, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    refuse_stray_key(log)
    keep_key(log, key_from_seed("a"))
    for force in (False, True):  # the log was moved away and only its key is left here
        with pytest.raises(LogExists, match=r"not the key of a log .*a\.jsonl"):
            refuse_stray_key(log, force=force)
    log.write_bytes(record("b", "host").data)
    with pytest.raises(LogExists):
        refuse_stray_key(log, force=True)
    for own in (record("a", "host").data, b"", b'{"kind":"header","fo'):
        log.write_bytes(own)
        refuse_stray_key(log, force=True)


def test_header_is_written_only_after_the_key_is_on_disk(
    record: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, steps = tmp_path / "a.jsonl", list[str]()
    write, wait = LogWriter._write_header, os.fsync

    def writing(self: LogWriter, header: Header) -> None:
        steps.append(f"header, with the key {key_file(log).read_text().strip()}")
        write(self, header)

    monkeypatch.setattr(LogWriter, "_write_header", writing)

    def waiting(handle: int) -> None:
        steps.append("wait for the disk")
        wait(handle)

    monkeypatch.setattr(os, "fsync", waiting)
    recorded = record("a", "host")
    LogWriter.create(log, recorded.header, recorded.form, first=lambda: void(keep_key(log, KEY))).close()
    assert steps[:3] == ["wait for the disk", "wait for the disk", f"header, with the key {KEY.hex()}"]


def test_log_is_not_created_if_its_key_cannot_be_kept(record: Play, tmp_path: Path) -> None:
    recorded = record("a", "host")
    log = tmp_path / ("a" * 253)
    with pytest.raises(LogWriteFailed, match="the key cannot be written: File name too long"):
        LogWriter.create(log, recorded.header, recorded.form, first=lambda: void(keep_key(log, KEY)))
    assert list(tmp_path.iterdir()) == [tmp_path / "rulesets"]


def void(_: object) -> None:
    """Discard a value."""
