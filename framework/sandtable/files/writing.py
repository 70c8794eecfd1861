"""Files that are written: by one process at a time, never over what is read, and found again after a power cut.

A file is locked before it is read or emptied. Windows has no such locks: there a ``LogWriter`` notices a second process
only by the bytes that it wrote.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandtable.errors import LogExists, LogWriteFailed

if sys.platform != "win32":
    import fcntl

_BINARY: int = getattr(os, "O_BINARY", 0)
"""Windows would write CR LF without it."""


USUAL_EMPTY = "the file exists, but is empty: choose another name with --out, or --force to write into it"


def open_new(
    path: str | Path,
    *,
    force: bool = False,
    sources: Iterable[str | Path] = (),
    mode: int = 0o666,
    empty: str = USUAL_EMPTY,
) -> int:
    """Return a handle that appends to the new and empty file ``path``, locked; with ``force`` one there is emptied.

    ``empty`` is what to say of one that is there already with nothing in it: what it means depends on the caller.
    Raises LogExists when it is there already, or is one of the ``sources``, which the caller has read; LogWriteFailed
    when another process is writing it, or it cannot be written.
    """
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY | (0 if force else os.O_EXCL)
        handle = os.open(path, flags, mode)
        try:
            _refuse_sources(handle, path, sources)
            _lock(handle, path)
            if is_regular(handle):
                os.ftruncate(handle, 0)
        except BaseException:
            os.close(handle)
            raise
    except FileExistsError:
        raise LogExists(_exists(path, empty)) from None
    except OSError as error:
        raise LogWriteFailed(f"{path}: cannot be written: {error.strerror}") from error
    return handle


def open_again(path: str | Path) -> int:
    """Return a handle that reads the file ``path`` and appends to it, locked; raises LogWriteFailed."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY)
        try:
            _lock(handle, path)
        except BaseException:
            os.close(handle)
            raise
    except OSError as error:
        raise LogWriteFailed(f"{path}: cannot be written: {error.strerror}") from error
    return handle


def write_new(
    path: str | Path, data: bytes, *, force: bool = False, sources: Iterable[str | Path] = (), mode: int = 0o666
) -> None:
    """Write ``data`` into the new file ``path``, and wait for the disk; raises as ``open_new``.

    A new file that cannot be written whole is taken away again.
    """
    handle = open_new(path, force=force, sources=sources, mode=mode)
    try:
        _write_all(handle, data)
        sync_folder(path)
    except BaseException as error:
        if not force:
            Path(path).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise LogWriteFailed(f"{path}: {error.strerror}") from error
        raise
    finally:
        os.close(handle)


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file in one go: under its name stands what was there, or all of ``data``. Raises LogWriteFailed."""
    part = Path(f"{path}.part")
    handle = open_new(part, force=True)
    try:
        _write_all(handle, data)
        if sys.platform == "win32":  # which renames no open file; elsewhere the lock is held until it has its name
            os.close(handle)
            handle = -1
        part.replace(path)
        sync_folder(path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise LogWriteFailed(f"{path}: {error.strerror}") from error
        raise
    finally:
        if handle >= 0:
            os.close(handle)


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


def is_regular(handle: int) -> bool:
    """Answer whether an open file is an ordinary one: a device or a pipe has no length, and nothing to lock."""
    return stat.S_ISREG(os.fstat(handle).st_mode)


def sync(handle: int) -> None:
    """Wait until what was written is on the disk. Raises OSError."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # a pipe or a device has nothing to wait for
            raise


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


def _exists(path: str | Path, empty: str) -> str:
    with suppress(OSError):
        if Path(path).stat().st_size == 0:
            return f"{path}: {empty}"
    return f"{path}: the file exists: choose another name with --out, or --force to lose it"


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
    sync(handle)


def _refuse_sources(handle: int, path: str | Path, sources: Iterable[str | Path]) -> None:
    """Raise LogExists when the open file is one of ``sources``, by whatever name it was called."""
    here = os.fstat(handle)
    for source in sources:
        with suppress(OSError):
            if os.path.samestat(here, os.stat(source)):  # noqa: PTH116 - a source is a name or a path
                raise LogExists(f"{path}: is the file {source}, which is read here: choose another name with --out")


def _lock(handle: int, path: str | Path) -> None:
    """Keep other processes from writing the open file until it is closed. Raises LogWriteFailed."""
    if sys.platform == "win32" or not is_regular(handle):
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LogWriteFailed(f"{path}: another process is writing this file: let it finish, or end it, first") from None
    except OSError as error:
        problem = f"cannot be locked ({error.strerror}), so two could write it at once: use another disk"
        raise LogWriteFailed(f"{path}: {problem}") from error
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(handle), os.stat(path)):  # noqa: PTH116 - as above
            return
    raise LogWriteFailed(f"{path}: another process put another file in its place just now: try again")


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
