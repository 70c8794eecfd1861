"""Folders: made, held while they are filled, and found again after a power cut."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandtable.errors import LogExists, LogWriteFailed
from sandtable.files.handles import sync

if sys.platform != "win32":
    import fcntl


@contextmanager
def claimed_folder(path: str | Path) -> Iterator[Path]:
    """Hold the empty folder ``path``, made if it is not there: no other process can claim it meanwhile.

    Raises LogExists when it is not empty or another has it, LogWriteFailed when it cannot be used.
    """
    folder = Path(path)
    handle = -1
    try:
        try:
            make_folder(folder)
            handle = _locked_folder(folder)
            full = any(folder.iterdir())
        except BlockingIOError:
            raise LogExists(f"{path}: another process is filling this folder: name another") from None
        except OSError as error:
            raise LogWriteFailed(f"{path}: cannot be used as a folder: {error.strerror}") from error
        if full:
            raise LogExists(f"{path}: the folder is not empty: name another")
        yield folder
    finally:
        if handle >= 0:
            os.close(handle)


def make_folder(folder: Path) -> None:
    """Make ``folder``, and those above it, unless they are there; their names are on the disk then. Raises OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each)


def folder_within(folder: Path, name: str) -> Path:
    """Return the folder ``name`` in ``folder``, which may be a stranger's, and make it unless it is there.

    Raises LogWriteFailed if it is a symbolic link: what is written into it would be written elsewhere.
    """
    within = folder / name
    try:
        make_folder(within)
    except OSError as error:
        raise LogWriteFailed(f"{within}: cannot be used as a folder: {error.strerror}") from error
    if within.is_symlink():
        raise LogWriteFailed(f"{within}: is a symbolic link, and nothing is written through one: remove it")
    return within


def sync_folder(path: str | Path) -> None:
    """Wait until the name of the file ``path`` is on the disk: it stands in its folder. Raises OSError."""
    if sys.platform == "win32":
        return
    with suppress(PermissionError):  # who may write into a folder need not be let to read it
        handle = os.open(Path(path).parent, os.O_RDONLY)
        try:
            sync(handle)
        finally:
            os.close(handle)


def _locked_folder(folder: Path) -> int:
    """Return a handle that holds a folder's lock, -1 where folders have none; raises BlockingIOError."""
    if sys.platform == "win32":
        return -1
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:
        pass  # some network disks lock files only
    return handle
