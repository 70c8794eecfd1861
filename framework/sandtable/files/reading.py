"""Reading a file that somebody named: an ordinary one, and never more of it than was meant to be read."""

import os
import stat
from pathlib import Path

from sandtable.errors import DataError

_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def read_file(path: str | Path, most: int) -> bytes:
    """Return the bytes of the file ``path``; where it has more than ``most``, one more than that, so that it shows.

    Raises DataError for what cannot be read and for what is no ordinary file: a folder; a pipe, a device or a socket,
    which may have no end, or never begin.
    """
    where = str(path)
    try:
        _refuse_strange(os.stat(path).st_mode, where)  # noqa: PTH116 - a path as it was given
        handle = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
        with os.fdopen(handle, "rb") as file:
            _refuse_strange(os.fstat(handle).st_mode, where)  # it may be another since
            return file.read(most + 1)
    except OSError as error:
        raise DataError(where, "", f"cannot be read: {error.strerror or error}; check the path") from error
    except ValueError as error:  # a path with a null character, out of another file: each Python words it otherwise
        problem = "embedded null byte" if "\0" in where else error
        raise DataError(ascii(where), "", f"is no path: {problem}; correct it") from error


def _refuse_strange(mode: int, where: str) -> None:
    if stat.S_ISDIR(mode):
        raise DataError(where, "", "cannot be read: Is a directory; check the path")
    if not stat.S_ISREG(mode):
        raise DataError(where, "", "cannot be read: is no ordinary file, but a pipe, a device or a socket")
