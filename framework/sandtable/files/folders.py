"""Folders: created, locked while they are filled, and durable after a power cut."""

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
    """Hold the empty folder ``path``, which is created if needed. No other process can claim it in the meantime.

    Raises LogExists if it is not empty or another process has it, and LogWriteFailed if it cannot be used.
    """
    folder = Path(path)
    handle = -1
    try:
        try:
            make_folder(folder)
            handle = _locked_folder(folder)
            full = any(folder.iterdir())
        except BlockingIOError:
            raise LogExists(f"{path}: another process is filling this folder: choose another") from None
        except OSError as error:
            raise LogWriteFailed(f"{path}: cannot be used as a folder: {error.strerror}") from error
        if full:
            raise LogExists(f"{path}: the folder is not empty: choose another")
        yield folder
    finally:
        if handle >= 0:
            os.close(handle)


@contextmanager
def held_folder(path: str | Path) -> Iterator[Path]:
    """Hold the existing folder ``path``. No other process can hold it in the meantime. Raises LogWriteFailed."""
    folder = Path(path)
    try:
        handle = _locked_folder(folder)
    except BlockingIOError:
        raise LogWriteFailed(f"{path}: another process uses this folder: wait for it, or end it") from None
    except OSError as error:
        raise LogWriteFailed(f"{path}: cannot be used as a folder: {error.strerror}") from error
    try:
        yield folder
    finally:
        if handle >= 0:
            os.close(handle)


def make_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents, and wait until their names are on the disk. Raises OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each)


def folder_within(folder: Path, name: str) -> Path:
    """Return the folder ``name`` in ``folder``, which may be untrusted, and create it if it is missing.

    Raises LogWriteFailed if it cannot be used as a folder, or if it is a symbolic link, because files in it would be
    written to a different place.
    """
    within = folder / name
    try:
        make_folder(within)
    except OSError as error:
        raise LogWriteFailed(f"{within}: cannot be used as a folder: {error.strerror}") from error
    if within.is_symlink():
        raise LogWriteFailed(f"{within}: is a symbolic link, which is not followed for writing: remove it")
    return within


def sync_folder(path: str | Path) -> None:
    """Wait until the name of the file ``path``, which is stored in its folder, is on the disk. Raises OSError."""
    if sys.platform == "win32":
        return
    with suppress(PermissionError):  # write permission for a folder does not imply read permission
        handle = os.open(Path(path).parent, os.O_RDONLY)
        try:
            sync(handle)
        finally:
            os.close(handle)


def _locked_folder(folder: Path) -> int:
    """Return a handle that holds a folder's lock, or -1 if folders have no locks; raises BlockingIOError."""
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
