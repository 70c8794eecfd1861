"""Writing a log so that nothing acknowledged is lost and no secret is shown early."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sandtable.errors import LogWriteFailed
from sandtable.files.folders import sync_folder
from sandtable.files.handles import is_at, is_regular, read_handle, remove_own, sync
from sandtable.files.writing import open_again, open_new
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.private import REPLACED, PrivateFile, refuse_stray
from sandtable.journal.file.reading import parse_log, private_file, readable
from sandtable.journal.file.tails import log_without_tail
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.header import Header, header_body, header_commitment
from sandtable.journal.format.limits import MAX_FILE, check_size
from sandtable.journal.format.lines import LineForm, Written
from sandtable.journal.format.secrecy import opened_with
from sandtable.kernel.records import CloseRecord

_EMPTY = "the file exists, but is empty (did a game stop at its start?): use --force to write to it"


class LogWriter:
    """Appends the records of a game to its file. After a failed write it writes nothing more.

    The file is locked while it is open. Its length and name are checked before and after every write: if another
    program has written to, moved, removed or replaced it, nothing more is acknowledged. ``durable`` waits for the disk
    at every ``put``, for games that people play. ``form`` turns records into lines; after ``reopen`` it must be set
    before the first ``put``. ``private`` is the file that withholds openings until all players may see them.
    ``battles`` are the digests of the battles in the file (see ``battles.py``).
    """

    def __init__(
        self, path: str | Path, handle: int, *, durable: bool = False, head: bytes = START, count: int = 0
    ) -> None:
        """Write to the open and locked ``handle``; call ``create`` or ``reopen`` to get a writer."""
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

        ``first`` is called when the file exists, is empty, locked and regular: it does what must precede the header. It
        is not called for a device. If it fails, the file is removed again, unless ``force`` is set. Raises LogExists if
        the file exists and ``force`` is false, or if it is one of the ``sources``, the files that the game is made
        from. Raises LogWriteFailed if another process is writing the file.
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
    def reopen(cls, path: str | Path, *, durable: bool = False, repairing: bool = False) -> tuple["LogWriter", Log]:
        """Lock and read the log in ``path``; return a writer that continues after its last line, and the log.

        The lock is taken before reading and kept until the writer is closed. Raises LogError if the file is not a log,
        LogWriteFailed if another process is writing it. The torn tail must be cut off before anything is written; with
        ``repairing`` it includes all damage of the last write.
        """
        with readable(path):
            writer = cls(path, open_again(path), durable=durable)
            try:
                log = writer._read(repairing=repairing)
            except BaseException:
                writer._drop()
                raise
        return writer, log

    def _read(self, *, repairing: bool) -> Log:
        """Read the log and its private file through the handles that are written to; return the log."""
        data = read_handle(self._handle, MAX_FILE)
        check_size(data, str(self.path))
        self.private = PrivateFile.reopen(self.path, self._handle)
        beside = self.private.lines() if self.private is not None else b""
        log = (log_without_tail if repairing else parse_log)(data, str(self.path), beside)
        if self.private is not None:
            self.private.take(log)
        self.head, self.count = log.head, log.records
        self._length = len(data) - len(log.torn)
        return log

    def cut_off(self, log: Log) -> None:
        """Cut the torn tail off the file of ``log``, which ``reopen`` returned, and wait for the disk."""
        whole = len(log.data) - len(log.torn)
        with self._writing(len(log.data)):
            os.ftruncate(self._handle, whole)
            sync(self._handle)
            self._length = whole
        log.data, log.torn = log.data[:whole], b""

    def keep_private(self) -> None:
        """Withhold openings in a new private file from now on; raise LogExists if a file of that name exists."""
        with self._writing(self._length):
            if self.private is None and self._length is not None:
                self.private = PrivateFile.create(self.path)

    def put(self, records: Sequence[Any]) -> None:
        """Append the ``records`` of the game that are not in the file yet; with ``durable``, wait for the disk.

        A CloseRecord also moves the content of the private file into the log, and removes that file. Raises
        LogWriteFailed.
        """
        if len(records) == self.count:
            return
        assert self.form is not None  # noqa: S101 - set by every caller of put
        new = records[self.count :]
        written = self.form.encode(new)
        openings = {index: [line] for index, line in written.openings.items()}
        if self.private is not None:
            openings = self._kept_back(self.private, records, written)
        lines, head = chain(written.bodies, self.head, openings)
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
                    f"{where}: {error.strerror}: it cannot be removed; the game is over, its log complete: remove it"
                ) from error

    def _kept_back(self, private: PrivateFile, records: Sequence[Any], written: Written) -> dict[int, list[bytes]]:
        """Write the openings of ``written`` to the private file; return those that all may see now.

        They come before the last stretch, so that every opening in the log follows its record or is in its stretch.
        """
        with self._writing(self._length):
            private.put(list(written.openings.values()), durable=self.durable)
        if isinstance(records[-1], CloseRecord):
            return {len(written.bodies) - 1: private.all()}
        opened = [each for index in range(self.count, len(records)) for each in opened_with(records, index)]
        return {len(written.bodies) - 1: private.of_records(opened)}

    def check(self) -> None:
        """Raise LogWriteFailed if another program has changed, moved or removed the file."""
        with self._writing(self._length):
            pass

    def annex(self, **facts: Any) -> None:
        """Write an annex: wall-clock time, machine, or other facts that are not part of the game."""
        self._write(annex_line(facts))

    def put_battle(self, digest: str, **facts: Any) -> None:
        """Write the annex of the battle with ``digest``, into the private file if there is one."""
        if self.private is None:
            self.annex(**facts)
        else:
            with self._writing(self._length):
                self.private.put_annex(annex_line(facts)[:-1], durable=self.durable)
        self.battles.add(digest)

    def close(self) -> None:
        """Flush everything to disk and close the file. Raises LogWriteFailed."""
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
        """Close the file without having written to it."""
        self._dead = True
        self.close()

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_header(self, header: Header) -> None:
        assert self.form is not None  # noqa: S101 - set by create
        lines, head = chain([header_body(header)], self.head)
        _, opening = header_commitment(header, self.form.viewers)
        if opening and self.private is not None:
            with self._writing(self._length):
                self.private.put([opening], durable=self.durable)
        elif opening:
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
        """Raise LogWriteFailed unless the file has ``length`` bytes and the block succeeds.

        After a failure nothing more is written.
        """
        if self._dead or self._handle < 0:
            raise LogWriteFailed(f"{self.path}: an earlier write failed: nothing more is written to this log")
        try:
            self._check(length)
            yield
            self._check(None if length is None else self._length)
        except OSError as error:
            self._dead = True
            raise LogWriteFailed(
                f"{self.path}: {error.strerror}: the log is complete up to the last acknowledged order; "
                "free some disk space, then continue with `sandtable resume`"
            ) from error
        except LogWriteFailed:
            self._dead = True
            raise

    def _check(self, length: int | None) -> None:
        """Raise LogWriteFailed unless the open file still has its name and ``length`` bytes; None means a device."""
        if length is None:
            return
        if not is_at(self._handle, self._place):
            raise LogWriteFailed(f"{self.path}: {REPLACED}")
        if os.fstat(self._handle).st_size != length:
            raise LogWriteFailed(
                f"{self.path}: another program has changed the file: nothing more is written to it; "
                "check it with `sandtable verify`"
            )
        if self.private is not None:
            self.private.check()
