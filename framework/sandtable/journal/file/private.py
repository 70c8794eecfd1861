"""The private file next to a log: what some players may not see while the game continues (log format, section 8).

It holds openings and annexes with battles. Each opening is written before the record that commits to it is in the log.
The orders of a sealed group move into the log when the group is complete, all other lines at the close. Then the file
is removed.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from sandtable.errors import LogExists, LogWriteFailed
from sandtable.files.folders import sync_folder
from sandtable.files.handles import is_at, read_handle, sync, write_all
from sandtable.files.writing import keep_copy, open_beside, open_new
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import finished_lines, private_file
from sandtable.journal.format.limits import MAX_FILE
from sandtable.journal.format.openings import Key, key_of

REPLACED = (
    "the file was moved, removed or replaced during the game: nothing more is written, and the game stops; "
    "restore the original file, then continue with `sandtable resume`"
)


class PrivateFile:
    """The private file of a log, open for appending; methods raise OSError if that fails.

    If the last write before a reopening was left unfinished, the first new write cuts it off and keeps a copy. The
    reopening itself changes nothing, because the log has not been judged then.
    """

    def __init__(self, file: Path, handle: int) -> None:
        self._file = file.absolute()
        self._handle = handle
        self._waiting: dict[Key, bytes] = {}
        self._annexes: list[bytes] = []
        self._length = self._whole = os.fstat(handle).st_size

    @classmethod
    def create(cls, log: str | Path) -> "PrivateFile":
        """Create the file of ``log``, empty and readable only by its owner; raise LogExists if that name is taken.

        Raises LogWriteFailed if it cannot be written.
        """
        file = private_file(log)
        handle = open_new(file, mode=0o600)
        sync_folder(file)
        return cls(file, handle)

    @classmethod
    def reopen(cls, log: str | Path, handle: int) -> "PrivateFile | None":
        """Open the file of ``log``, which is open as ``handle``; return None if there is none. Changes nothing yet.

        Raises LogWriteFailed for a link, a file with two names or a file of another owner.
        """
        file = private_file(log)
        own = open_beside(file, handle)
        return None if own is None else cls(file, own)

    def lines(self) -> bytes:
        """Return the finished lines of the file; raise LogError if they exceed the limits of a log."""
        return finished_lines(read_handle(self._handle, MAX_FILE), self._file)

    def take(self, log: Log) -> None:
        """Note from ``log`` which lines of the file are still withheld and how many of its bytes are intact."""
        shown = frozenset(log.data.split(b"\n"))
        self._waiting = {key: line for key, line in log.openings.items() if line not in shown}
        self._annexes = [line for line in log.kept if line not in shown]
        self._whole = log.beside

    def put(self, openings: Sequence[bytes], *, durable: bool) -> None:
        """Append ``openings``, given without line ends; with ``durable`` they are on disk when this returns."""
        self._append(b"".join(line + b"\n" for line in openings), durable=durable)
        self._waiting.update((key, line) for line in openings if (key := key_of(line)) is not None)

    def put_annex(self, line: bytes, *, durable: bool) -> None:
        """Append an annex, given without its line end; ``durable`` as in ``put``."""
        self._append(line + b"\n", durable=durable)
        self._annexes.append(line)

    def annexes(self) -> list[bytes]:
        """Return the withheld annexes, for the log to take over."""
        due, self._annexes = self._annexes, []
        return due

    def check(self) -> None:
        """Raise LogWriteFailed if another program has changed, replaced or removed the file."""
        if not is_at(self._handle, self._file):
            raise LogWriteFailed(f"{self._file}: {REPLACED}")
        if os.fstat(self._handle).st_size != self._length:
            raise LogWriteFailed(f"{self._file}: another program has changed the file: nothing more is written")

    def _append(self, data: bytes, *, durable: bool) -> None:
        if not data:
            return
        if self._whole < self._length:
            keep_copy(self._file, read_handle(self._handle, MAX_FILE), 0o600)
            os.ftruncate(self._handle, self._whole)
            self._length = self._whole
        write_all(self._handle, data)
        self._length = self._whole = self._length + len(data)
        if durable:
            sync(self._handle)

    def of_records(self, numbers: Iterable[int]) -> list[bytes]:
        """Return the withheld openings of the records ``numbers``, for the log to take over."""
        selected = frozenset(numbers)
        due = [key for key in self._waiting if key[0] in selected]
        return [self._waiting.pop(key) for key in due]

    def all(self) -> list[bytes]:
        """Return all withheld openings, for the log to take over."""
        due, self._waiting = self._waiting, {}
        return [*due.values()]

    def close(self) -> None:
        """Close the file."""
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            os.close(handle)

    def remove(self) -> None:
        """Remove the file: the log now holds all of its content."""
        try:
            if self._handle >= 0 and is_at(self._handle, self._file):
                self._file.unlink()
        finally:
            self.close()


def refuse_stray(log: str | Path) -> None:
    """Raise LogExists if a private file exists for a new ``log`` although its own log is gone.

    An existing ``log`` is accepted here: creating the new log decides whether it is overwritten.
    """
    file = private_file(log)
    if os.path.lexists(file) and not os.path.lexists(log):
        raise LogExists(
            f"{file} holds the secrets of a game whose log is no longer here: if the log was moved, move this file "
            f"with it; if the log is gone, remove this file; or choose a different log name"
        )
