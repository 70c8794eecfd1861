"""The reader of files named by users: each is a regular file, opened once, and read up to a limit."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandtable.errors import DataError
from sandtable.files.handles import NO_LINK, open_handle, read_handle


def read_file(path: str | Path, most: int, *, follow: bool = True) -> bytes:
    """Return the bytes of the file ``path``; if it has more than ``most``, one more than that, which shows the excess.

    Raises DataError as ``opened`` does.
    """
    with opened(path, follow=follow) as handle:
        return read_handle(handle, most)


@contextmanager
def opened(path: str | Path, *, follow: bool = True) -> Iterator[int]:
    """Open the file ``path`` for reading, and close it again.

    Raises DataError if it cannot be read or is not a regular file: a folder; a pipe, a device or a socket, which may
    never end or never begin; or a symbolic link, unless ``follow`` is set.
    """
    handle = _open(path, follow=follow)
    try:
        yield handle
    except OSError as error:
        raise DataError(str(path), "", f"cannot be read: {error.strerror or error}; check the path") from error
    finally:
        os.close(handle)


def hash_file(path: str | Path) -> str:
    """Return the SHA-256 of the file ``path``, of any size, in hex. Raises DataError as ``opened`` does."""
    with opened(path) as handle, os.fdopen(handle, "rb", closefd=False) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _open(path: str | Path, *, follow: bool) -> int:
    where = str(path)
    try:
        _refuse_strange(os.stat(path, follow_symlinks=follow).st_mode, where)  # noqa: PTH116 - a path as it was given
        handle = open_handle(path, os.O_RDONLY | (0 if follow else NO_LINK))
        try:
            # the decisive check; the one above avoids opening a device
            _refuse_strange(os.fstat(handle).st_mode, where)
        except BaseException:
            os.close(handle)
            raise
    except OSError as error:
        raise DataError(where, "", f"cannot be read: {error.strerror or error}; check the path") from error
    except ValueError as error:  # a path with a null character, from a file; the wording depends on the Python version
        problem = "embedded null byte" if "\0" in where else error
        raise DataError(ascii(where), "", f"is not a path: {problem}; correct it") from error
    return handle


def _refuse_strange(mode: int, where: str) -> None:
    if stat.S_ISDIR(mode):
        raise DataError(where, "", "cannot be read: Is a directory; check the path")
    if stat.S_ISLNK(mode):
        raise DataError(where, "", "is a symbolic link, which is not followed here: replace it with the file")
    if not stat.S_ISREG(mode):
        raise DataError(where, "", "cannot be read: is not an ordinary file, but a pipe, a device or a socket")
