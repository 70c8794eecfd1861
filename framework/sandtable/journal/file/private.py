"""What is not for all of a game that goes on: a file beside its log, for who keeps the game (log format, section 8).

It holds openings, each there before the record that commits to it is in the log, and annexes with battles. Orders of a
sealed group move into the log when the last of them is in, the rest at the close; then the file goes.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sandtable.errors import LogExists
from sandtable.files.writing import sync, sync_folder
from sandtable.journal.file.log import Log, private_file
from sandtable.journal.format.openings import Key


class PrivateFile:
    """The file beside a log, open to append to; raises OSError where that fails."""

    def __init__(self, file: Path, handle: int, waiting: dict[Key, bytes], annexes: list[bytes]) -> None:
        self._file = file
        self._handle = handle
        self._waiting = waiting
        self._annexes = annexes

    @classmethod
    def create(cls, log: str | Path) -> "PrivateFile":
        """Make the file of a new ``log``, empty, readable by its owner alone."""
        file = private_file(log)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        sync_folder(file)
        return cls(file, handle, {}, [])

    @classmethod
    def reopen(cls, log: Log) -> "PrivateFile | None":
        """Open the file of a ``log`` that is gone on with; None where it has none. What is not whole of it goes."""
        file = private_file(log.name)
        if not os.path.lexists(file):
            return None
        handle = os.open(file, os.O_WRONLY | os.O_APPEND)
        if log.beside < os.fstat(handle).st_size:
            os.ftruncate(handle, log.beside)
        shown = frozenset(log.data.split(b"\n"))
        waiting = {key: line for key, line in log.openings.items() if line not in shown}
        return cls(file, handle, waiting, [line for line in log.kept if line not in shown])

    def put(self, openings: Mapping[Key, bytes], *, durable: bool) -> None:
        """Append ``openings``; with ``durable`` they are on the disk when this returns."""
        self._append(b"".join(line + b"\n" for line in openings.values()), durable=durable)
        self._waiting.update(openings)

    def put_annex(self, line: bytes, *, durable: bool) -> None:
        """Append an annex, without its line end, as ``put`` does."""
        self._append(line + b"\n", durable=durable)
        self._annexes.append(line)

    def annexes(self) -> list[bytes]:
        """Return the annexes that are kept back, for the log to take over."""
        due, self._annexes = self._annexes, []
        return due

    def _append(self, data: bytes, *, durable: bool) -> None:
        wanted = durable and bool(data)
        while data:
            data = data[os.write(self._handle, data) :]
        if wanted:
            sync(self._handle)

    def of_records(self, numbers: Iterable[int]) -> dict[Key, bytes]:
        """Return the openings of the records ``numbers`` that are still kept back, for the log to take over."""
        wanted = frozenset(numbers)
        due = {key: line for key, line in self._waiting.items() if key[0] in wanted}
        for key in due:
            del self._waiting[key]
        return due

    def all(self) -> dict[Key, bytes]:
        """Return all openings that are still kept back, for the log to take over."""
        return self.of_records([number for number, _ in self._waiting])

    def close(self) -> None:
        """Close the file."""
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            os.close(handle)

    def remove(self) -> None:
        """Remove the file: the log holds all that stood in it."""
        self.close()
        self._file.unlink(missing_ok=True)


def refuse_stray(log: str | Path) -> None:
    """Raise LogExists when openings are kept where those of a new ``log`` are to stand, and their own log is not there.

    A ``log`` that exists is left to who creates it: he may overwrite it, or may not.
    """
    file = private_file(log)
    if os.path.lexists(file) and not os.path.lexists(log):
        raise LogExists(
            f"{file} keeps what is closed in a game whose log is no longer here: move it after the log, if that was "
            f"moved; remove it, if the log is gone; or choose another name than {log}"
        )
