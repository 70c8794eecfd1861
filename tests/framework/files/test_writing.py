"""Files are written completely, never over a source, and their names are on the disk."""

import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.errors import LogExists, LogWriteFailed
from sandtable.files.folders import claimed_folder, folder_within, make_folder
from sandtable.files.writing import open_again, write_new, write_secret, write_whole


def test_new_file_and_its_name_are_synced_to_disk(tmp_path: Path, synced: list[str]) -> None:
    write_new(tmp_path / "new", b"abc")
    assert synced == ["new", tmp_path.name]
    assert (tmp_path / "new").read_bytes() == b"abc"


def test_write_whole_renames_after_the_data_is_on_disk(tmp_path: Path, synced: list[str]) -> None:
    (tmp_path / "page").write_bytes(b"old")
    write_whole(tmp_path / "page", b"new and longer")
    part, folder = synced
    assert part.endswith(".part")
    assert folder == tmp_path.name
    assert (tmp_path / "page").read_bytes() == b"new and longer"
    assert [file.name for file in tmp_path.iterdir()] == ["page"]


def test_names_of_new_folders_are_synced_to_disk(tmp_path: Path, synced: list[str]) -> None:
    make_folder(tmp_path / "a" / "b")
    assert sorted(synced) == sorted(["a", tmp_path.name])
    make_folder(tmp_path / "a" / "b")
    assert len(synced) == 2


@pytest.mark.parametrize("write", [write_new, write_whole])
def test_incomplete_new_file_is_removed(write: Callable[[Path, bytes], None], tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(LogWriteFailed, match="big: File too large"):
            write(tmp_path / "big", bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())


def test_file_replaced_during_opening_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"old")
    real = fcntl.flock

    def slow(handle: int, how: int) -> None:
        real(handle, how)
        (tmp_path / "other").write_bytes(b"other")
        (tmp_path / "other").replace(path)

    monkeypatch.setattr(fcntl, "flock", slow)
    with pytest.raises(LogWriteFailed, match="another process replaced this file just now: try again"):
        write_new(path, b"new", force=True)
    assert path.read_bytes() == b"other"


def test_file_system_without_locks_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(handle: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.raises(
        LogWriteFailed, match=r"cannot be locked \(No locks available\), so two processes could write it at once"
    ):
        write_new(tmp_path / "log", b"new")
    with claimed_folder(tmp_path / "folder"):  # files in it are locked, if the disk can
        pass


def test_device_is_written_without_a_lock(tmp_path: Path) -> None:
    with Path(os.devnull).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_new(os.devnull, b"gone", force=True)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_only_one_process_claims_a_folder(tmp_path: Path) -> None:
    with claimed_folder(tmp_path / "logs") as folder:
        assert folder.is_dir()
        with pytest.raises(LogExists, match="another process is filling this folder"), claimed_folder(folder):
            pass
    with claimed_folder(folder):
        (folder / "log").write_bytes(b"")
    with pytest.raises(LogExists, match="the folder is not empty"), claimed_folder(folder):
        pass
    with pytest.raises(LogWriteFailed, match="cannot be used as a folder"), claimed_folder(folder / "log"):
        pass


def test_source_is_not_overwritten_by_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"precious")
    (tmp_path / "link").symlink_to(source)
    os.link(source, tmp_path / "hard")
    monkeypatch.chdir(tmp_path)
    for name in ("source", "./source", "../" + tmp_path.name + "/source", str(source), "link", "hard"):
        for read in (source, "link", "hard"):
            with pytest.raises(LogExists, match=rf"{name}: is the file {read}, which is read here"):
                write_new(name, b"new", force=True, sources=("nowhere", read))
    assert source.read_bytes() == b"precious"
    write_new("other", b"new", force=True, sources=(source,))


@pytest.fixture
def thesis(tmp_path: Path) -> Path:
    """Return a file that is not named on the command line."""
    file = tmp_path / "thesis"
    file.write_bytes(b"precious")
    return file


def test_whole_file_is_not_written_through_a_link(tmp_path: Path, thesis: Path) -> None:
    for name in ("page", "page.part"):
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).symlink_to(thesis)
        write_whole(tmp_path / "page", b"new")
        assert (tmp_path / "page").read_bytes() == b"new"
        assert not (tmp_path / "page").is_symlink()
        assert thesis.read_bytes() == b"precious"


@pytest.mark.parametrize("kind", ["link", "hard", "dangling", "pipe"])
def test_forced_write_refuses_links_second_names_and_pipes(kind: str, tmp_path: Path, thesis: Path) -> None:
    name = tmp_path / kind
    if kind == "link":
        name.symlink_to(thesis)
    elif kind == "hard":
        os.link(thesis, name)
    elif kind == "dangling":
        name.symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(name)
    with pytest.raises(LogWriteFailed):
        write_new(name, b"new", force=True)
    with pytest.raises(LogWriteFailed):
        open_again(name)
    assert thesis.read_bytes() == b"precious"
    assert not (tmp_path / "elsewhere").exists()


def test_forced_write_to_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(LogWriteFailed, match="is not an ordinary file"):
            write_new(tmp_path / "pipe", b"new", force=True)
    finally:
        os.close(reader)


def test_secret_is_not_written_to_an_existing_file_or_link(tmp_path: Path, thesis: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "elsewhere")
    for taken in (thesis, tmp_path / "key"):
        with pytest.raises(FileExistsError):
            write_secret(taken, b"secret")
    assert thesis.read_bytes() == b"precious"
    assert not (tmp_path / "elsewhere").exists()
    write_secret(tmp_path / "own", b"secret")
    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o600


def test_failed_write_keeps_a_file_that_now_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"

    def fails(handle: int) -> None:
        (tmp_path / "other").write_bytes(b"precious")
        (tmp_path / "other").replace(path)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(LogWriteFailed, match="Input/output error"):
        write_new(path, b"new")
    assert path.read_bytes() == b"precious"


def test_folder_within_refuses_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger" / "plots").symlink_to(tmp_path)
    with pytest.raises(LogWriteFailed, match="plots: is a symbolic link"):
        folder_within(tmp_path / "stranger", "plots")
    assert folder_within(tmp_path / "stranger", "logs").is_dir()
