"""The writer of files: one process at a time, never through a link, never over an input file.

A file is checked and locked through its handle before it is read or emptied. A file that is written in one step is
written under a random name in the same folder, and renamed when it is complete.
"""

import os
import secrets
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sandtable.errors import LogExists, LogWriteFailed
from sandtable.files.folders import sync_folder
from sandtable.files.handles import (
    NO_LINK,
    is_regular,
    link_error,
    lock,
    open_handle,
    refuse_to_write,
    remove_own,
    sync,
    write_all,
)

USUAL_EMPTY = "the file exists, but is empty: choose another name with --out, or --force to write into it"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK
_MAX_COPIES = 999


def open_new(
    path: str | Path,
    *,
    force: bool = False,
    sources: Iterable[str | Path] = (),
    mode: int = 0o666,
    empty: str = USUAL_EMPTY,
) -> int:
    """Return a locked handle that appends to the new, empty file ``path``; with ``force`` an existing file is emptied.

    ``empty`` is the message for an existing file without content, whose meaning depends on the caller. Raises LogExists
    if the file exists, or is one of the ``sources``, which the caller has read. Raises LogWriteFailed if it is a
    symbolic link or has a second name, another process is writing it, or it cannot be written.
    """
    sources = tuple(sources)
    try:
        if force:
            _refuse_sources(path, sources)  # a link to a source is reported as that source
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_LINK | (0 if force else os.O_EXCL)
        handle = open_handle(path, flags, mode)
        try:
            _refuse_sources(path, sources, handle)
            refuse_to_write(handle, path)
            lock(handle, path)
            if is_regular(handle):
                os.ftruncate(handle, 0)
        except BaseException:
            os.close(handle)
            raise
    except FileExistsError:
        raise LogExists(_exists(path, empty)) from None
    except OSError as error:
        raise _not_written(path, error) from error
    return handle


def open_again(path: str | Path) -> int:
    """Return a locked handle that reads the file ``path`` and appends to it.

    Raises LogWriteFailed if it is a symbolic link, is not a regular file, has a second name, or cannot be written.
    """
    try:
        handle = open_handle(path, os.O_RDWR | os.O_APPEND | NO_LINK)
        try:
            refuse_to_write(handle, path)
            lock(handle, path)
        except BaseException:
            os.close(handle)
            raise
    except OSError as error:
        raise _not_written(path, error) from error
    return handle


def open_beside(path: str | Path, log: int) -> int | None:
    """Return a handle, as ``open_again`` does, of a file next to an open ``log``, or None if it does not exist.

    Also raises LogWriteFailed if it belongs neither to the owner of this process nor, for root, to the owner of the
    log.
    """
    if not os.path.lexists(path):
        return None
    handle = open_again(path)
    owner = os.fstat(handle).st_uid
    if sys.platform != "win32" and owner != os.geteuid() and (os.geteuid() or owner != os.fstat(log).st_uid):
        os.close(handle)
        raise LogWriteFailed(
            f"{path}: belongs to another user, who could read it: copy it with the log, and continue with the copies"
        )
    return handle


def write_new(
    path: str | Path, data: bytes, *, force: bool = False, sources: Iterable[str | Path] = (), mode: int = 0o666
) -> None:
    """Write ``data`` into the new file ``path``, and wait for the disk; raises as ``open_new``.

    A new file that cannot be written completely is removed.
    """
    handle = open_new(path, force=force, sources=sources, mode=mode)
    try:
        _fill(handle, path, data, is_new=not force)
    except OSError as error:
        raise LogWriteFailed(f"{path}: {error.strerror}") from error


def write_secret(path: str | Path, data: bytes) -> None:
    """Write ``data`` into the new file ``path``, readable only by its owner, and wait for the disk.

    Raises FileExistsError if a file or link has the name, and OSError if it cannot be written.
    """
    _fill(open_handle(path, _NEW, 0o600), path, data, is_new=True)


def _fill(handle: int, path: str | Path, data: bytes, *, is_new: bool) -> None:
    """Write ``data`` to the open file ``path``, wait for the disk, and close it; a failure removes a new file."""
    try:
        write_all(handle, data)
        sync(handle)
        sync_folder(path)
    except BaseException:
        if is_new:
            remove_own(handle, path)
        raise
    finally:
        os.close(handle)


def write_whole(path: str | Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file in one step: a reader finds the old content or all of ``data``. Raises LogWriteFailed.

    A symbolic link is replaced, and its target is left unchanged.
    """
    part = Path(path).with_name(f".sandtable-{secrets.token_hex(8)}.part")
    try:
        handle = open_handle(part, _NEW, mode)
    except OSError as error:
        raise _not_written(path, error) from error
    try:
        write_all(handle, data)
        sync(handle)
        if sys.platform == "win32":  # Windows cannot rename an open file
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


def keep_copy(path: str | Path, data: bytes, mode: int) -> Path:
    """Write ``data``, the content of the file ``path``, into a new file next to it, with ``mode``; return its path.

    Raises LogExists if there are too many such copies, and as ``write_new``.
    """
    for number in range(1, _MAX_COPIES + 1):
        copy = Path(f"{path}.broken-{number}")
        try:
            write_new(copy, data, mode=mode)
        except LogExists:
            continue
        return copy
    raise LogExists(f"{path}: {_MAX_COPIES} broken copies already exist: remove them")


def _not_written(path: str | Path, error: OSError) -> LogWriteFailed:
    return link_error(path, error) or LogWriteFailed(f"{path}: cannot be written: {error.strerror}")


def _exists(path: str | Path, empty: str) -> str:
    with suppress(OSError):
        if Path(path).stat().st_size == 0:
            return f"{path}: {empty}"
    return f"{path}: the file exists: choose another name with --out, or --force to overwrite it"


def _refuse_sources(path: str | Path, sources: Iterable[str | Path], handle: int | None = None) -> None:
    """Raise LogExists if the file ``path``, open as ``handle``, is one of ``sources``, by any name."""
    for source in sources:
        with suppress(OSError):
            here = os.stat(path) if handle is None else os.fstat(handle)  # noqa: PTH116 - a name or a path
            if os.path.samestat(here, os.stat(source)):  # noqa: PTH116 - as above
                raise LogExists(f"{path}: is the file {source}, which is read here: choose another name with --out")
