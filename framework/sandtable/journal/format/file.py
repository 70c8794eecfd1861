"""Reading a log file, and writing one so that nothing acknowledged is ever lost."""

import contextlib
import hashlib
import os
import re
from binascii import hexlify
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from sandtable.errors import DataError, LogDamaged, LogError, LogTooNew, LogWriteFailed
from sandtable.files.reading import read_file
from sandtable.files.writing import is_regular, open_again, open_new, sync, sync_folder
from sandtable.journal.format.chain import START, chain, link, parted
from sandtable.journal.format.codec import encode_bodies
from sandtable.journal.format.header import FORMAT, FORMAT_VERSION, Header, header_body
from sandtable.journal.format.limits import MOST_FILE, check_file, check_line, check_lines, check_shape, check_size

_ANNEX = b'{"kind":"annex"'
_BEGINNING = b'{"kind":"header","format":"%b"' % FORMAT.encode()
_PIECE = 1 << 20
_EMPTY = "the file exists, but is empty (was a game stopped as it began?): --force begins in it"
_HEADER = msgspec.json.Decoder(Header)
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError, MemoryError)
"""What msgspec may raise on hostile bytes (measured; the newest versions raise fewer)."""


@dataclass
class Log:
    """A log as it stands in a file: ``lines`` are header and records, without line ends and without annexes.

    ``torn`` is what follows the last line end: the beginning of a line that was never finished. ``broken`` is the
    number of the first record (0: the header) whose running hash does not fit, or None; ``head`` the running hash
    before it. Both are known after ``check``, which ``read_log`` has done.
    """

    name: str
    data: bytes = field(repr=False)
    header: Header
    lines: list[bytes]
    torn: bytes = b""
    broken: int | None = None
    head: bytes = field(default=START, repr=False)

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.lines) - 1

    def annexes(self) -> list[bytes]:
        """Return the lines that are annexes, in their order."""
        return [line for line in self.data.split(b"\n")[:-1] if line.startswith(_ANNEX)]

    def where(self, record: int) -> str:
        """Return the place of ``record`` for a message: file and line."""
        kept = -1
        for number, line in enumerate(self.data.split(b"\n"), start=1):
            kept += not line.startswith(_ANNEX)
            if kept == record:
                return f"{self.name}: line {number}"
        return self.name

    def check(self) -> None:
        """Check limits and annexes, and the chain; raises LogError for what no log holds."""
        check_lines(self.data, self.name)
        self.broken, self.head = check_chain(self.lines)
        parts = parted(self.lines[0])
        if self.broken is None and parts is not None and parts[0] != header_body(self.header):
            raise LogDamaged(f"{self.name}: line 1: the header is not written as this format writes it (a key twice?)")


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a log file; raises LogError when there is none or it is too large."""
    if Path(path).is_dir():
        raise LogError(f"{path}: is a folder: name the log file in it")
    try:
        data = read_file(path, MOST_FILE)
    except DataError as error:
        raise LogError(str(error)) from error
    check_size(data, str(path))
    return data


@contextlib.contextmanager
def _readable(path: str | Path) -> Iterator[None]:
    """Raise LogError where ``path`` is no file that could be a log, or reading it fails."""
    file = Path(path)
    try:
        if file.is_dir():
            raise LogError(f"{path}: is a folder: name the log file in it")
        if file.exists() and not file.is_file():
            raise LogError(f"{path}: is no ordinary file")
        if file.stat().st_size > MOST_FILE:
            raise LogError(f"{path}: the file is larger than {MOST_FILE >> 20} MiB: no log is")
        yield
    except OSError as error:
        raise LogError(f"{path}: cannot be read: {error.strerror or error}") from error


def read_log(path: str | Path) -> Log:
    """Return the log in the file ``path``; raises LogError (exit 3) when there is no telling what it is.

    Altered records and a torn tail are noted in the result, not raised: ``verify`` names them.
    """
    return parse_log(read_bytes(path), str(path))


def parse_log(data: bytes, name: str) -> Log:
    """Return the log whose bytes are ``data``, checked; ``name`` stands in messages."""
    log = split_log(data, name)
    log.check()
    return log


def split_log(data: bytes, name: str) -> Log:
    """Return the log whose bytes are ``data``, not checked beyond its header: for ``verify``, which compares it all."""
    check_file(data, name)
    *lines, torn = data.split(b"\n")
    if not lines:
        raise LogError(f"{name}: holds no finished line: it is no log, or its header was never written")
    check_shape(lines[0], 1, name)
    header = _read_header(lines[0], name)
    if _ANNEX in data:
        for number, line in enumerate(lines, start=1):
            if line.startswith(_ANNEX):
                check_line(line, number, name)
                _check_annex(line, number, name)
        lines = [line for line in lines if not line.startswith(_ANNEX)]
    return Log(name, data, header, lines, torn)


def check_chain(lines: Sequence[bytes]) -> tuple[int | None, bytes]:
    """Return the place of the first line whose hash does not fit (None: all do), and the running hash before it."""
    head = START
    for place, line in enumerate(lines):
        parts = parted(line)
        if parts is None:
            return place, head
        body, told = parts
        after = link(head, hashlib.sha256(body).digest())
        if hexlify(after) != told:
            return place, head
        head = after
    return None, head


def annex_line(facts: dict[str, Any]) -> bytes:
    """Return an annex: facts that are no part of the game. Its hash is that of its own bytes alone."""
    body = msgspec.json.encode({"kind": "annex", **facts})[:-1]
    return b'%b,"hash":"%b"}\n' % (body, hexlify(_annex_hash(body)))


def _annex_hash(body: bytes) -> bytes:
    return hashlib.sha256(b"sandtable annex\n" + body).digest()


def _check_annex(line: bytes, number: int, name: str) -> None:
    parts = parted(line)
    if parts is None or hexlify(_annex_hash(parts[0])) != parts[1]:
        raise LogDamaged(f"{name}: line {number}: the annex was altered: its hash does not fit its text")


def _read_header(line: bytes, name: str) -> Header:
    if not line.startswith(_BEGINNING):
        kind = "a slice for one side" if line.startswith(b'{"kind":"slice"') else "no Sandtable log"
        raise LogError(f"{name}: line 1: this is {kind}: a game's log begins with its header")
    try:
        header = _HEADER.decode(line)
    except UNREADABLE as error:
        _refuse_newer(line, name)
        raise LogError(f"{name}: line 1: the header cannot be read: {error}") from error
    if header.format_version != FORMAT_VERSION:
        _refuse_newer(line, name)
        raise LogError(f"{name}: line 1: there is no format version {header.format_version}")
    return header


def _refuse_newer(line: bytes, name: str) -> None:
    """Raise LogTooNew when the header is one of a newer format, whatever else stands in it."""
    found = re.match(rb'\{"kind":"header","format":"[^"]*","format_version":([0-9]{1,9})[,}]', line)
    if found and int(found[1]) > FORMAT_VERSION:
        version = int(found[1])
        raise LogTooNew(f"{name}: line 1: format {version} is newer than {FORMAT_VERSION}: update sandtable to read it")


class LogWriter:
    """Appends the records of a game to its file. After a failed write it is dead and writes nothing more.

    The file is locked while it is open, and its length is looked at before every write: where another program has
    written to it all the same, nothing more is. ``durable`` waits for the disk at every ``put``: for games with people
    in them. ``battles`` are the digests of the battles that stand in the file (see ``battles.py``).
    """

    def __init__(
        self, path: str | Path, handle: int, *, durable: bool = False, head: bytes = START, count: int = 0
    ) -> None:
        """Write to the open and locked ``handle``; use ``create`` or ``reopen`` to get one."""
        self.path = Path(path)
        self.durable = durable
        self.head = head
        self.count = count
        self.battles: set[str] = set()
        self._handle = handle
        self._length = os.fstat(handle).st_size if is_regular(handle) else None
        self._dead = False

    @classmethod
    def create(
        cls,
        path: str | Path,
        header: Header,
        *,
        durable: bool = False,
        force: bool = False,
        sources: Iterable[str | Path] = (),
        first: Callable[[], None] | None = None,
    ) -> "LogWriter":
        """Create the file and write the header.

        ``first`` is called when the file is there, empty and locked, and is an ordinary one: it does what must be done
        before there is a log. When it fails, a new file goes away again. Raises LogExists when the file is there
        already and not ``force``, or is one of the ``sources``, the files that the game is made from; LogWriteFailed
        when another process is writing it.
        """
        writer = cls(path, open_new(path, force=force, sources=sources, empty=_EMPTY), durable=durable)
        try:
            if first is not None and writer._length is not None:
                first()
        except BaseException:
            writer.close()
            if not force:
                Path(path).unlink()
            raise
        try:
            writer.write_bodies([header_body(header)])
            with writer._writing(writer._length):
                sync_folder(path)
        except BaseException:
            writer.close()
            raise
        return writer

    @classmethod
    def reopen(cls, path: str | Path, *, durable: bool = False) -> tuple["LogWriter", Log]:
        """Lock the log in ``path`` and read it; return a writer that goes on after its last line, and the log.

        Nobody else writes it from before it is read until the writer is closed. Raises LogError for what is no log,
        LogWriteFailed when another process is writing it. What is torn must be cut off before anything is written.
        """
        with _readable(path):
            handle = open_again(path)
            try:
                log = parse_log(_read_all(handle), str(path))
                writer = cls(path, handle, durable=durable, head=log.head, count=log.records)
            except BaseException:
                os.close(handle)
                raise
        writer._length = len(log.data) - len(log.torn)
        return writer, log

    def cut_off(self, log: Log) -> None:
        """Cut the torn tail off the file of ``log``, which ``reopen`` gave, and wait for the disk."""
        whole = len(log.data) - len(log.torn)
        with self._writing(len(log.data)):
            os.ftruncate(self._handle, whole)
            sync(self._handle)
            self._length = whole
        log.data, log.torn = log.data[:whole], b""

    def put(self, records: Sequence[Any]) -> None:
        """Write those of a game's ``records`` that are not in the file yet; when this returns they are safe."""
        if len(records) > self.count:
            self.write_bodies(encode_bodies(list(records[self.count :])))
            self.count = len(records)

    def annex(self, **facts: Any) -> None:
        """Write an annex: wall-clock, machine, anything that is no part of the game."""
        self._write(annex_line(facts))

    def close(self) -> None:
        """Make sure that all is on the disk, and close the file."""
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            try:
                if not self._dead:
                    sync(handle)
            except OSError as error:
                raise LogWriteFailed(f"{self.path}: {error.strerror}: the end of the log may be lost") from error
            finally:
                os.close(handle)

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write_bodies(self, bodies: list[bytes]) -> None:
        """Chain ``bodies`` (lines without hash field and last brace) to the log."""
        lines, head = chain(bodies, self.head)
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
            if length is not None and os.fstat(self._handle).st_size != length:
                self._dead = True
                raise LogWriteFailed(
                    f"{self.path}: another program has changed the file meanwhile: nothing more is written to it; "
                    "see what it holds with `sandtable verify`"
                )
            yield
        except OSError as error:
            self._dead = True
            raise LogWriteFailed(
                f"{self.path}: {error.strerror}: the log is whole up to the last order acknowledged; "
                "make room, then go on with `sandtable resume`"
            ) from error


def _read_all(handle: int) -> bytes:
    parts = []
    while part := os.read(handle, _PIECE):
        parts.append(part)
    return b"".join(parts)
