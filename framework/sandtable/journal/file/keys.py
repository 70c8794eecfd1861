"""The key file: a file next to the log that holds the game's key until the log shows it (log format, section 5).

The file is on disk before the header that commits to its key. It is removed when the close of the log shows the key.
Messages never contain the content of the file.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from sandtable.errors import DataError, LogError, LogExists, LogWriteFailed
from sandtable.files.reading import read_file
from sandtable.files.writing import write_secret
from sandtable.journal.file.reading import read_bytes, read_log
from sandtable.journal.format.header import Header
from sandtable.kernel.dice import commitment

_KEY = re.compile(rb"([0-9a-f]{64})\n")
_LENGTH = 65


def key_file(log: str | Path) -> Path:
    """Return the path of the key file of ``log``."""
    return Path(f"{log}.key")


def read_key(path: str | Path, *, follow: bool = True) -> bytes:
    """Return the 32-byte key in the file ``path``; raise DataError if it cannot be read or holds no key.

    A symbolic link is read only if ``follow`` is true.
    """
    found = _KEY.fullmatch(read_file(path, _LENGTH, follow=follow))
    if found is None:
        raise DataError(str(path), "", "holds no key: expected 64 hex digits (0-9, a-f) and one line end")
    return bytes.fromhex(found[1].decode())


def check_key(key: bytes, header: Header, where: str, log: str | Path) -> None:
    """Raise DataError if ``key`` is not that of the game in ``log``; ``where`` names the source of the key.

    With open dice, ``header`` must show the key, including the key that an opening shows.
    """
    if header.dice == "open":
        if not header.key and header.root:
            raise DataError(where, "", f"cannot be compared with the key of {log}: its opening is not in this file")
        if key.hex() != header.key:
            raise DataError(where, "", f"is not the key of {log}: its header shows the key, so omit this one")
    elif commitment(key) != header.commitment:
        raise DataError(where, "", f"is not the key of {log}: its header commits to a different key")


def kept_key(log: str | Path, header: Header) -> bytes | None:
    """Return the key in the key file of ``log``, or None without one.

    Raises DataError if the file cannot be read, holds no key, or holds a different key.
    """
    file = key_file(log)
    if not os.path.lexists(file):
        return None
    key = read_key(file, follow=False)
    check_key(key, header, str(file), log)
    return key


def refuse_stray_key(log: str | Path, *, force: bool = False) -> None:
    """Raise LogExists if a key file already exists for a new ``log``.

    With ``force`` the key file is accepted if it belongs to the log that is overwritten, or if that log has no header.
    The key of a game whose log was moved away is thus never lost. Without ``force`` an existing ``log`` is accepted
    here, because creating it fails anyway.
    """
    file = key_file(log)
    if os.path.lexists(file) and not (_belongs(file, log) if force else os.path.lexists(log)):
        raise LogExists(
            f"{file}: this key file exists, but it is not the key of a log {log}: start with it (--key {file}), "
            "or remove the file if no log that was moved away needs it"
        )


def _belongs(file: Path, log: str | Path) -> bool:
    """Return whether ``file`` holds the key of ``log``, or was left by a game that stopped before its header."""
    try:
        if b"\n" in read_bytes(log):
            check_key(read_key(file), read_log(log).header, str(file), log)
    except (DataError, LogError):
        return False
    return True


def keep_key(log: str | Path, key: bytes, *, replace: bool = False) -> Path:
    """Write ``key`` next to ``log``, readable only by its owner, and return the file once it is on disk.

    Raises LogWriteFailed, also if a key file exists and ``replace`` is false.
    """
    file = key_file(log)
    try:
        if replace:
            file.unlink(missing_ok=True)
        write_secret(file, b"%b\n" % key.hex().encode())
    except OSError as error:
        raise LogWriteFailed(f"{file}: the key cannot be written: {error.strerror}: no game was started") from error
    return file


def drop_key(log: str | Path, key: bytes) -> None:
    """Remove the key file of ``log`` if it holds ``key``, because the close of the log now shows it."""
    file = key_file(log)
    with suppress(OSError, DataError):
        if read_key(file, follow=False) == key:
            file.unlink()
