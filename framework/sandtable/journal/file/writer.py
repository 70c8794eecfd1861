"""Writing a log so that nothing acknowledged is ever lost, and nothing secret is shown before its time."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sandtable.errors import LogWriteFailed
from sandtable.files.folders import sync_folder
from sandtable.files.handles import is_at, is_regular, read_handle, remove_own, sync
from sandtable.files.writing import open_again, open_new
from sandtable.journal.file.log import Log, annex_line, parse_log, private_file, readable
from sandtable.journal.file.private import REPLACED, PrivateFile, refuse_stray
from sandtable.journal.file.tails import log_without_tail
from sandtable.journal.format.chain import START, chain, chain_opened
from sandtable.journal.format.header import Header, header_body, header_opening
from sandtable.journal.format.limits import MOST_FILE, check_size
from sandtable.journal.format.lines import LineForm, Written
from sandtable.journal.format.openings import Key
from sandtable.journal.format.secrecy import opened_with
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import CloseRecord

_EMPTY = "the file exists, but is empty (was a game stopped as it began?): --force begins in it"


class LogWriter:
    """Appends the records of a game to its file. After a failed write it is dead and writes nothing more.

    The file is locked while it is open. Before every write, and after it, its length and its name are looked at: where
    another program has written to it all the same, moved, removed or replaced it, nothing more is acknowledged.
    ``durable`` waits for the disk at every ``put``: for games with people in them. ``form`` makes lines of records; who
    reopens a log sets it before anything is put. ``private`` keeps the openings that not all may see in a file beside
    the log, until they may. ``battles`` are the digests of the battles that stand in the file (see ``battles.py``).
    """

    def __init__(
        self, path: str | Path, handle: int, *, durable: bool = False, head: bytes = START, count: int = 0
    ) -> None:
        """Write to the open and locked ``handle``; use ``create`` or ``reopen`` to get one."""
        self.path = Path(path)
        self.durable = durable
        self.head = head
        self.count = count
        self.form: LineForm | None = None
        self.private: PrivateFile | None = None
        self.battles: set[str] = set()
        self._handle = handle
        self._place = self.path.absolute()
        self._length = os.fstat(handle).st_size if is_regular(handle) else None
        self._dead = False

    @classmethod
    def create(
        cls,
        path: str | Path,
        header: Header,
        form: LineForm,
        *,
        durable: bool = False,
        force: bool = False,
        private: bool = False,
        sources: Iterable[str | Path] = (),
        first: Callable[[], None] | None = None,
    ) -> "LogWriter":
        """Create the file and write the header.

        ``first`` is called when the file is there, empty and locked, and is an ordinary one: it does what must be done
        before there is a log. When it fails, a new file goes away again. Raises LogExists when the file is there
        already and not ``force``, or is one of the ``sources``, the files that the game is made from; LogWriteFailed
        when another process is writing it.
        """
        refuse_stray(path)
        writer = cls(path, open_new(path, force=force, sources=sources, empty=_EMPTY), durable=durable)
        writer.form = form
        try:
            if first is not None and writer._length is not None:
                first()
        except BaseException:
            if not force:
                remove_own(writer._handle, path)
            writer.close()
            raise
        try:
            with writer._writing(writer._length):
                private_file(path).unlink(missing_ok=True)
            if private:
                writer.keep_private()
            writer._write_header(header)
            with writer._writing(writer._length):
                sync_folder(path)
        except BaseException:
            writer.close()
            raise
        return writer

    @classmethod
    def reopen(cls, path: str | Path, *, durable: bool = False, mending: bool = False) -> tuple["LogWriter", Log]:
        """Lock the log in ``path`` and read it; return a writer that goes on after its last line, and the log.

        Nobody else writes it from before it is read until the writer is closed. Raises LogError for what is no log,
        LogWriteFailed when another process is writing it. What is torn must be cut off before anything is written; with
        ``mending`` that is all that the last write left damaged.
        """
        with readable(path):
            writer = cls(path, open_again(path), durable=durable)
            try:
                log = writer._read(mending=mending)
            except BaseException:
                writer._drop()
                raise
        return writer, log

    def _read(self, *, mending: bool) -> Log:
        """Read the file and what is kept beside it, each by the handle that is written to; return the log."""
        data = read_handle(self._handle, MOST_FILE)
        check_size(data, str(self.path))
        self.private = PrivateFile.reopen(self.path, self._handle)
        beside = self.private.lines() if self.private is not None else b""
        log = (log_without_tail if mending else parse_log)(data, str(self.path), beside)
        if self.private is not None:
            self.private.take(log)
        self.head, self.count = log.head, log.records
        self._length = len(data) - len(log.torn)
        return log

    def cut_off(self, log: Log) -> None:
        """Cut the torn tail off the file of ``log``, which ``reopen`` gave, and wait for the disk."""
        whole = len(log.data) - len(log.torn)
        with self._writing(len(log.data)):
            os.ftruncate(self._handle, whole)
            sync(self._handle)
            self._length = whole
        log.data, log.torn = log.data[:whole], b""

    def keep_private(self) -> None:
        """Keep openings beside the log from now on, in a new file. Raises LogExists if any file has its name."""
        with self._writing(self._length):
            if self.private is None and self._length is not None:
                self.private = PrivateFile.create(self.path)

    def put(self, records: Sequence[Any]) -> None:
        """Write those of a game's ``records`` that are not in the file yet; when this returns they are safe."""
        if len(records) == self.count:
            return
        assert self.form is not None  # noqa: S101 - who puts has set it
        new = records[self.count :]
        written = self.form.encode(new)
        if self.private is not None:
            written = self._kept_back(self.private, records, written)
        lines, head = chain_opened(written.bodies, written.openings, self.head)
        if self.private is not None and isinstance(new[-1], CloseRecord):
            self._write(b"".join(line + b"\n" for line in self.private.annexes()))
        self._write(lines)
        self.head, self.count = head, len(records)
        if self.private is not None and isinstance(new[-1], CloseRecord):
            with self._writing(self._length):
                sync(self._handle)
            kept, self.private = self.private, None
            try:
                kept.remove()
            except OSError as error:
                where = private_file(self.path)
                raise LogWriteFailed(
                    f"{where}: {error.strerror}: it cannot be removed; the game is over and its log is whole: remove it"
                ) from error

    def _kept_back(self, private: PrivateFile, records: Sequence[Any], written: Written) -> Written:
        """Put the openings of ``written`` away; return it with those that all may see from now on."""
        openings: dict[Key, bytes] = {}
        for place, own in written.openings.items():
            number = records[self.count + place].n
            openings.update({(number, to): line for to, line in own.items()})
        with self._writing(self._length):
            private.put(openings, durable=self.durable)
        shown: dict[int, dict[str, bytes]] = {}
        for place in range(self.count, len(records)):
            if isinstance(records[place], CloseRecord):
                due = private.all()
            else:
                due = private.of_records(opened_with(records, place))
            if due:
                shown[place - self.count] = {f"{number}/{to}": line for (number, to), line in due.items()}
        return written._replace(openings=shown)

    def annex(self, **facts: Any) -> None:
        """Write an annex: wall-clock, machine, anything that is no part of the game."""
        self._write(annex_line(facts))

    def put_battle(self, digest: str, **facts: Any) -> None:
        """Write the annex of the battle with ``digest``; where openings are kept back it is, too, until the close."""
        if self.private is None:
            self.annex(**facts)
        else:
            with self._writing(self._length):
                self.private.put_annex(annex_line(facts)[:-1], durable=self.durable)
        self.battles.add(digest)

    def close(self) -> None:
        """Make sure that all is on the disk, and close the file."""
        if self.private is not None:
            self.private.close()
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            try:
                if not self._dead:
                    sync(handle)
            except OSError as error:
                raise LogWriteFailed(f"{self.path}: {error.strerror}: the end of the log may be lost") from error
            finally:
                os.close(handle)

    def _drop(self) -> None:
        """Close the file, to which nothing was written."""
        self._dead = True
        self.close()

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_header(self, header: Header) -> None:
        lines, head = chain([header_body(header)], self.head)
        opening = header_opening(header)
        if opening is not None and self.private is not None:
            with self._writing(self._length):
                self.private.put({(0, UMPIRE): opening}, durable=self.durable)
        elif opening is not None:
            lines += opening + b"\n"
        self._write(lines)
        self.head = head

    def _write(self, data: bytes) -> None:
        with self._writing(self._length):
            while data:
                written = os.write(self._handle, data)
                data = data[written:]
                if self._length is not None:
                    self._length += written
            if self.durable:
                sync(self._handle)

    @contextlib.contextmanager
    def _writing(self, length: int | None) -> Iterator[None]:
        """Unless the file has ``length`` bytes and what is done succeeds: raise LogWriteFailed, write nothing more."""
        if self._dead or self._handle < 0:
            raise LogWriteFailed(f"{self.path}: an earlier write failed: nothing more is written to this log")
        try:
            self._check(length)
            yield
            self._check(None if length is None else self._length)
        except OSError as error:
            self._dead = True
            raise LogWriteFailed(
                f"{self.path}: {error.strerror}: the log is whole up to the last order acknowledged; "
                "make room, then go on with `sandtable resume`"
            ) from error
        except LogWriteFailed:
            self._dead = True
            raise

    def _check(self, length: int | None) -> None:
        """Raise LogWriteFailed unless the open file has its name and ``length`` bytes, None for a device."""
        if length is None:
            return
        if not is_at(self._handle, self._place):
            raise LogWriteFailed(f"{self.path}: {REPLACED}")
        if os.fstat(self._handle).st_size != length:
            raise LogWriteFailed(
                f"{self.path}: another program has changed the file meanwhile: nothing more is written to it; "
                "see what it holds with `sandtable verify`"
            )
        if self.private is not None:
            self.private.check()
