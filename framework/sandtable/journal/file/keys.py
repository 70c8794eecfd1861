"""The key of a game whose log does not show it yet: a file beside the log (log format, section 5).

The file is on the disk before the header that is committed to it, and goes when the close of the log shows the key.
No message tells what stands in it.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from sandtable.errors import DataError, LogError, LogExists, LogWriteFailed
from sandtable.files.reading import read_file
from sandtable.files.writing import write_secret
from sandtable.journal.file.log import read_bytes, read_log
from sandtable.journal.format.header import Header
from sandtable.kernel.dice import commitment

_KEY = re.compile(rb"([0-9a-f]{64})\n")
_LENGTH = 65


def key_file(log: str | Path) -> Path:
    """Return where the key of the game in ``log`` stands while the game goes on."""
    return Path(f"{log}.key")


def read_key(path: str | Path, *, follow: bool = True) -> bytes:
    """Return the 32-byte key in the file ``path``; raises DataError when it cannot be read or holds no key.

    A symbolic link is read, unless it is not to ``follow``.
    """
    found = _KEY.fullmatch(read_file(path, _LENGTH, follow=follow))
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
    key = read_key(file, follow=False)
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
        write_secret(file, b"%b\n" % key.hex().encode())
    except OSError as error:
        raise LogWriteFailed(f"{file}: the key cannot be written: {error.strerror}: the game was not begun") from error
    return file


def drop_key(log: str | Path, key: bytes) -> None:
    """Remove the file beside ``log`` if it holds ``key``: the close of the log shows it now."""
    file = key_file(log)
    with suppress(OSError, DataError):
        if read_key(file, follow=False) == key:
            file.unlink()
