"""The key of a game whose log does not show it yet: a file beside the log (log format, section 5).

The file is on the disk before the header that is committed to it, and goes when the close of the log shows the key.
No message tells what stands in it.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from sandtable.errors import DataError, LogError, LogExists, LogWriteFailed
from sandtable.files.writing import sync_folder
from sandtable.journal.file.log import read_bytes, read_log
from sandtable.journal.format.header import Header
from sandtable.kernel.dice import commitment

_KEY = re.compile(rb"([0-9a-f]{64})\n")
_LONGEST = 66
"""Bytes read of a key file: one more than it has, so that a longer one is refused."""


def key_file(log: str | Path) -> Path:
    """Return where the key of the game in ``log`` stands while the game goes on."""
    return Path(f"{log}.key")


def read_key(path: str | Path) -> bytes:
    """Return the 32-byte key in the file ``path``; raises DataError when it cannot be read or holds no key."""
    file = Path(path)
    try:
        if file.exists() and not file.is_file():
            raise DataError(str(path), "", "is no ordinary file: a key file is wanted")
        with file.open("rb") as handle:
            found = _KEY.fullmatch(handle.read(_LONGEST))
    except OSError as error:
        raise DataError(str(path), "", f"cannot be read: {error.strerror or error}") from error
    if found is None:
        raise DataError(str(path), "", "holds no key: wanted are 64 hex digits (0-9, a-f) and one line end")
    return bytes.fromhex(found[1].decode())


def check_key(key: bytes, header: Header, where: str, log: str | Path) -> None:
    """Raise DataError, naming ``where`` the key came from, when it is not that of the game in ``log``."""
    if header.dice == "open":
        if key.hex() != header.key:
            raise DataError(where, "", f"is not the key of {log}, which stands in its header: leave it out")
    elif commitment(key) != header.commitment:
        raise DataError(where, "", f"is not the key of {log}: its header is committed to another one")


def kept_key(log: str | Path, header: Header) -> bytes | None:
    """Return the key that is kept beside ``log``, None without one; raises DataError when it is not the log's."""
    file = key_file(log)
    if not os.path.lexists(file):
        return None
    key = read_key(file)
    check_key(key, header, str(file), log)
    return key


def refuse_stray_key(log: str | Path, *, force: bool = False) -> None:
    """Raise LogExists when a key is kept where that of a new ``log`` is to stand.

    With ``force`` it may be the key of the log that is overwritten, or of none; that of a game whose log was moved away
    is not lost so. Without, a ``log`` that exists is left to who creates it: it is refused itself.
    """
    file = key_file(log)
    if os.path.lexists(file) and not (_belongs(file, log) if force else os.path.lexists(log)):
        raise LogExists(
            f"{file}: there is a key already, but not of a log {log}: begin with it (--key {file}), "
            "or remove the file if no log that was moved away needs it"
        )


def _belongs(file: Path, log: str | Path) -> bool:
    """Return whether ``file`` holds the key of ``log``, or was left by a game that was stopped before its header."""
    try:
        if b"\n" in read_bytes(log):
            check_key(read_key(file), read_log(log).header, str(file), log)
    except (DataError, LogError):
        return False
    return True


def keep_key(log: str | Path, key: bytes, *, replace: bool = False) -> Path:
    """Write ``key`` beside ``log``, readable by its owner alone; return the file when it is on the disk.

    Raises LogWriteFailed, also when a key is there already and not to be replaced.
    """
    file = key_file(log)
    try:
        if replace:
            file.unlink(missing_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as out:
            out.write(b"%b\n" % key.hex().encode())
            out.flush()
            os.fsync(handle)
        sync_folder(file)
    except OSError as error:
        raise LogWriteFailed(f"{file}: the key cannot be written: {error.strerror}: the game was not begun") from error
    return file


def drop_key(log: str | Path, key: bytes) -> None:
    """Remove the file beside ``log`` if it holds ``key``: the close of the log shows it now."""
    file = key_file(log)
    with suppress(OSError, DataError):
        if read_key(file) == key:
            file.unlink()
