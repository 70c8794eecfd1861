"""Open files, checked through their handle, because a name may lead to another file until the file is open."""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from sandtable.errors import LogWriteFailed

if sys.platform != "win32":
    import fcntl

NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
"""Flag that refuses a symbolic link as the last part of a path (ELOOP)."""

_ALWAYS: int = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
"""Flags for every file: do not wait for a pipe, and do not write CR LF on Windows."""

_PIECE = 1 << 20


def open_handle(path: str | Path, flags: int, mode: int = 0o666) -> int:
    """Return a handle of ``path`` without waiting for a pipe or a terminal. Raises OSError."""
    return os.open(path, flags | _ALWAYS, mode)


def is_regular(handle: int) -> bool:
    """Return whether an open file is a regular file; a device has no length and no lock."""
    return stat.S_ISREG(os.fstat(handle).st_mode)


def is_at(handle: int, path: str | Path) -> bool:
    """Return whether the name ``path`` itself, not a symbolic link, leads to an open file. Raises OSError."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except (FileNotFoundError, NotADirectoryError):
        return False


def refuse_to_write(handle: int, path: str | Path) -> None:
    """Raise LogWriteFailed if an open file is a pipe or a socket, or has a second name.

    Writing to a file with a second name also changes the file of that name. Devices such as /dev/null are allowed.
    """
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISCHR(found.st_mode):
        raise LogWriteFailed(f"{path}: is not an ordinary file, but a folder, a pipe or a socket: choose another")
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        raise LogWriteFailed(
            f"{path}: the file has {found.st_nlink} names (hard links), and writing to one changes them all: "
            "copy it, and use the copy"
        )


def link_error(path: str | Path, error: OSError) -> LogWriteFailed | None:
    """Return the refusal of a symbolic link if ``error`` results from opening one with ``NO_LINK``, or None."""
    if error.errno not in {errno.ELOOP, errno.EMLINK} or not Path(path).is_symlink():
        return None
    return LogWriteFailed(f"{path}: is a symbolic link, which is not followed for writing: name its target")


def lock(handle: int, path: str | Path) -> None:
    """Prevent other processes from writing the open file until it is closed. Raises LogWriteFailed.

    Windows has no such locks: there, only bytes that a second process wrote are detected.
    """
    if not is_regular(handle):
        return
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            problem = "another process is writing this file: wait for it, or end it"
            raise LogWriteFailed(f"{path}: {problem}") from None
        except OSError as error:
            problem = f"cannot be locked ({error.strerror}), so two processes could write it at once: use another disk"
            raise LogWriteFailed(f"{path}: {problem}") from error
    if not is_at(handle, path):
        raise LogWriteFailed(f"{path}: another process replaced this file just now: try again")


def read_handle(handle: int, most: int) -> bytes:
    """Return the bytes of an open file from its beginning, at most ``most`` plus one. Raises OSError."""
    os.lseek(handle, 0, os.SEEK_SET)
    parts, left = [], most + 1
    while left and (part := os.read(handle, min(left, _PIECE))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def write_all(handle: int, data: bytes) -> None:
    """Write all of ``data`` to an open file. Raises OSError."""
    while data:
        data = data[os.write(handle, data) :]


def sync(handle: int) -> None:
    """Wait until the written data is on the disk. Raises OSError."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # a device has nothing to wait for
            raise


def remove_own(handle: int, path: str | Path) -> None:
    """Remove the name ``path`` of an open file, unless it now leads to another file."""
    with suppress(OSError):
        if is_at(handle, path):
            Path(path).unlink()
