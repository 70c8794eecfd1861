"""What is not for all of a game that goes on: a file beside its log, for who keeps the game (log format, section 8).

It holds openings, each there before the record that commits to it is in the log, and annexes with battles. Orders of a
sealed group move into the log when the last of them is in, the rest at the close; then the file goes.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sandtable.errors import LogExists, LogWriteFailed
from sandtable.files.folders import sync_folder
from sandtable.files.handles import is_at, read_handle, sync, write_all
from sandtable.files.writing import keep_copy, open_beside, open_new
from sandtable.journal.file.log import Log, finished_lines, private_file
from sandtable.journal.format.limits import MOST_FILE
from sandtable.journal.format.openings import Key

REPLACED = (
    "the file was moved, removed or replaced while the game was played: nothing more is written, and the game stops; "
    "put the file back that was here, then go on with `sandtable resume`"
)


class PrivateFile:
    """The file beside a log, open to append to; raises OSError where that fails.

    What was left of a last write when it was opened again is cut off by the first write, a copy of it kept: until then
    the log has not been judged.
    """

    def __init__(self, file: Path, handle: int) -> None:
        self._file = file.absolute()
        self._handle = handle
        self._waiting: dict[Key, bytes] = {}
        self._annexes: list[bytes] = []
        self._length = self._whole = os.fstat(handle).st_size

    @classmethod
    def create(cls, log: str | Path) -> "PrivateFile":
        """Make the file of ``log``, empty, readable by its owner alone. Raises LogExists if any file has its name."""
        file = private_file(log)
        handle = open_new(file, mode=0o600)
        sync_folder(file)
        return cls(file, handle)

    @classmethod
    def reopen(cls, log: str | Path, handle: int) -> "PrivateFile | None":
        """Open the file of ``log``, which is open as ``handle``; None where it has none. Nothing is changed yet.

        Raises LogWriteFailed for what is not written: a link, a file of two names or of another owner.
        """
        file = private_file(log)
        own = open_beside(file, handle)
        return None if own is None else cls(file, own)

    def lines(self) -> bytes:
        """Return the finished lines of the file; raises LogError for too many."""
        return finished_lines(read_handle(self._handle, MOST_FILE), self._file)

    def take(self, log: Log) -> None:
        """Note what of the file, as ``log`` read it, is kept back still, and what is whole."""
        shown = frozenset(log.data.split(b"\n"))
        self._waiting = {key: line for key, line in log.openings.items() if line not in shown}
        self._annexes = [line for line in log.kept if line not in shown]
        self._whole = log.beside

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
            keep_copy(self._file, read_handle(self._handle, MOST_FILE), 0o600)
            os.ftruncate(self._handle, self._whole)
            self._length = self._whole
        write_all(self._handle, data)
        self._length = self._whole = self._length + len(data)
        if durable:
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
        if self._handle >= 0 and is_at(self._handle, self._file):
            self._file.unlink()
        self.close()


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
