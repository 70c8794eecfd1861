"""Reading a log file: its lines, its openings and its damage."""

import contextlib
import hashlib
import os
import re
from binascii import hexlify
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from sandtable.errors import DataError, LogDamaged, LogError, LogTooNew
from sandtable.files.reading import read_file
from sandtable.journal.format.chain import CLOSE, START, link, parted
from sandtable.journal.format.header import FORMAT, FORMAT_VERSION, Header, header_body
from sandtable.journal.format.limits import (
    MAX_FILE,
    MAX_LINE,
    MAX_LINES,
    check_file,
    check_line,
    check_lines,
    check_shape,
    check_size,
)
from sandtable.journal.format.openings import (
    OPENING,
    Key,
    commitment_of,
    commitments_in,
    key_of,
    part_of,
)
from sandtable.kernel.decisions import UMPIRE
from sandtable.quoting import shortened

_ANNEX = b'{"kind":"annex"'
_ASIDE = (_ANNEX, OPENING)
_BEGINNING = b'{"kind":"header","format":"%b"' % FORMAT.encode()
_HEADER = msgspec.json.Decoder(Header)
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError, MemoryError)
"""Exceptions that msgspec may raise on hostile bytes (measured; the newest versions raise fewer)."""


@dataclass
class Log:
    """A log as read from a file.

    ``lines`` are the header and the records, without line ends, annexes and openings. ``header`` includes the fields
    that its opening shows. ``openings`` are the available openings, from the file or from the private file next to it,
    by record and addressee. ``kept`` are the annexes of the private file, and ``beside`` is the number of its intact
    bytes. ``torn`` is the data after the last finished record or annex: an unfinished line, or openings of records that
    were never written. ``broken`` is the number of the first record (0: the header) whose running hash does not fit, or
    None. ``head`` is the running hash before that record, ``misfit`` the first opening that does not match its
    commitment. ``check``, which ``read_log`` calls, sets these. ``signatures`` are the checked ones.
    """

    name: str
    data: bytes = field(repr=False)
    header: Header
    lines: list[bytes]
    torn: bytes = b""
    openings: dict[Key, bytes] = field(default_factory=dict, repr=False)
    kept: list[bytes] = field(default_factory=list, repr=False)
    beside: int = 0
    broken: int | None = None
    misfit: Key | None = None
    head: bytes = field(default=START, repr=False)
    signatures: dict[Any, bool] = field(default_factory=dict, repr=False)

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.lines) - 1

    @property
    def is_over(self) -> bool:
        """Whether the log ends with the close of its game."""
        return self.lines[-1].startswith(CLOSE)

    def annexes(self) -> list[bytes]:
        """Return the annex lines in order, each once; those of the log file come first."""
        own = [line for line in self.data.split(b"\n")[:-1] if line.startswith(_ANNEX)]
        return list(dict.fromkeys([*own, *self.kept]))

    def where(self, record: int) -> str:
        """Return the location of ``record`` for a message: file and line."""
        return f"{self.name}: line {self._line_numbers[record]}" if record < len(self._line_numbers) else self.name

    @cached_property
    def _line_numbers(self) -> list[int]:
        """Line numbers, from 1, of the header, the records and the next record."""
        lines = enumerate(self.data.split(b"\n"), start=1)
        return [number for number, line in lines if not line.startswith(_ASIDE)]

    def check(self) -> None:
        """Check limits, annexes, chain and openings; raise LogError for content that no log has."""
        check_lines(self.data, self.name)
        self.broken, self.head = check_chain(self.lines)
        self.misfit = self._misfit()
        parts = parted(self.lines[0])
        if self.broken is None and parts is not None and parts[0] != header_body(self.header):
            raise LogDamaged(f"{self.name}: line 1: the header is not in the form of this format (duplicate key?)")

    def sealed(self, record: int) -> dict[str, str]:
        """Return the commitments in the line of ``record`` by addressee; raise LogError if they cannot be read."""
        try:
            return commitments_in(self.lines[record])
        except UNREADABLE as error:
            raise LogError(f"{self.where(record)}: cannot be read: {error}") from error

    def _misfit(self) -> Key | None:
        for number, keys in groupby(sorted(self.openings), itemgetter(0)):
            commitments = self.sealed(number) if number <= self.records else {}
            for key in keys:
                if commitments.get(key[1]) != commitment_of(self.openings[key]):
                    return key
        return None


def read_bytes(path: str | Path, *, follow: bool = True) -> bytes:
    """Return the bytes of a log file; raise LogError if it does not exist, cannot be read or is too large.

    A symbolic link is read only if ``follow`` is true.
    """
    if Path(path).is_dir():
        raise LogError(f"{path}: is a folder: name the log file in it")
    try:
        data = read_file(path, MAX_FILE, follow=follow)
    except DataError as error:
        raise LogError(str(error)) from error
    check_size(data, str(path))
    return data


@contextlib.contextmanager
def readable(path: str | Path) -> Iterator[None]:
    """Raise LogError if ``path`` is not a file that could be a log, or if reading it fails."""
    file = Path(path)
    try:
        if file.is_dir():
            raise LogError(f"{path}: is a folder: name the log file in it")
        if file.exists() and not file.is_file():
            raise LogError(f"{path}: is not a regular file")
        if file.stat().st_size > MAX_FILE:
            raise LogError(f"{path}: the file is larger than {MAX_FILE >> 20} MiB, the limit for a log")
        yield
    except OSError as error:
        raise LogError(f"{path}: cannot be read: {error.strerror or error}") from error


def read_log(path: str | Path) -> Log:
    """Return the log in the file ``path``; raise LogError (exit 3) if it cannot be recognized.

    Altered records and a torn tail are noted in the result, not raised; ``verify`` reports them.
    """
    return parse_log(read_bytes(path), str(path), kept_lines(path))


def parse_log(data: bytes, name: str, beside: bytes = b"") -> Log:
    """Return the log whose bytes are ``data``, after checking it; messages call it ``name``.

    ``beside`` are the lines of the private file next to it (see ``kept_lines``).
    """
    log = split_log(data, name, beside)
    log.check()
    return log


def misfit_text(log: Log) -> str:
    """Return a sentence that names the opening of ``log`` that does not match its commitment."""
    number, to = log.misfit or (0, "")
    what = "the header" if number == 0 else f"record {number}"
    return f"the opening of {what} for {shortened(to)} was altered: it does not match the commitment in the chain"


def private_file(log: str | Path) -> Path:
    """Return the path of the private file of ``log``, which holds what some players may not see during the game."""
    return Path(f"{log}.private")


def kept_lines(log: str | Path) -> bytes:
    """Return the finished lines of the private file of ``log``, or nothing without one."""
    file = private_file(log)
    if not os.path.lexists(file):
        return b""
    return finished_lines(read_bytes(file, follow=False), file)


def finished_lines(data: bytes, where: str | Path) -> bytes:
    """Return ``data`` up to its last line end; raise LogError if it is larger than a log may be."""
    check_size(data, str(where))
    return data[: data.rfind(b"\n") + 1]


def split_log(data: bytes, name: str, beside: bytes = b"") -> Log:
    """Return the log whose bytes are ``data``, with only its header checked: ``verify`` compares the rest itself."""
    check_file(data, name)
    *lines, torn = data.split(b"\n")
    if not lines:
        raise LogError(f"{name}: holds no finished line: it is not a log, or its header was never written")
    check_shape(lines[0], 1, name)
    header = _read_header(lines[0], name)
    if _ANNEX in data:
        _read_annexes(lines, name)
    annexes: list[bytes] = []
    openings: dict[Key, bytes] = {}
    most = _most_openings(header)
    if OPENING in data or beside:
        torn = _dangling(lines) + torn
        openings = _read_openings(lines, name, most)
    if openings or _ANNEX in data:
        lines = [line for line in lines if not line.startswith(_ASIDE)]
    if beside:
        check_together(data, beside, name)
        beside = _whole_beside(beside, lines, openings)
        aside, where = beside.split(b"\n"), str(private_file(name))
        annexes = _read_annexes(aside, where)
        kept = _read_openings(aside, where, most, rewritten=True)
        openings = {key: line for key, line in kept.items() if key[0] < len(lines)} | openings
    return Log(name, data, _opened(header, openings, name), lines, torn, openings, annexes, len(beside))


def check_together(data: bytes, beside: bytes, name: str) -> None:
    """Raise LogError if a log and its private file have more bytes or lines than a log: one moves into the other."""
    if len(data) + len(beside) > MAX_FILE or data.count(b"\n") + beside.count(b"\n") > MAX_LINES:
        most = f"{MAX_FILE >> 20} MiB or {MAX_LINES:,} lines"
        raise LogError(f"{private_file(name)}: has, together with its log, more than {most}, the limit for a log")


def _whole_beside(beside: bytes, lines: Sequence[bytes], shown: Mapping[Key, bytes]) -> bytes:
    """Return ``beside`` up to the first damaged line: a power cut can leave its last write unfinished.

    The records of that write are not in the log yet. If one of ``lines`` commits to an opening that is neither
    ``shown`` nor in the intact part, more than the last write was damaged. Then nothing is removed, and reading on
    reports the damage.
    """
    end, found = 0, set(shown)
    for line in beside.split(b"\n")[:-1]:
        key = key_of(line) if len(line) <= MAX_LINE else None
        if len(line) > MAX_LINE or not is_object(line) or (key is None and not annex_fits(line)):
            break
        found.add(key or (0, ""))
        end += len(line) + 1
    if end == len(beside):
        return beside
    try:
        committed = {(number, to) for number, line in enumerate(lines) for to in commitments_in(line)}
    except UNREADABLE:
        return beside
    return beside[:end] if committed <= found else beside


def is_object(line: bytes) -> bool:
    """Return whether a line is a JSON object; garbage is occasionally a JSON number, almost never an object."""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except UNREADABLE:
        return False


def _read_annexes(lines: Sequence[bytes], name: str) -> list[bytes]:
    """Return the annexes among ``lines``; raise LogDamaged if one was altered."""
    found = []
    for number, line in enumerate(lines, start=1):
        if line.startswith(_ANNEX):
            check_line(line, number, name)
            _check_annex(line, number, name)
            found.append(line)
    return found


def _dangling(lines: list[bytes]) -> bytes:
    """Remove the openings after the last record or annex from ``lines`` and return them: their record is missing.

    Openings of the header follow the header and stay.
    """
    end = len(lines)
    while end and lines[end - 1].startswith(OPENING) and (key_of(lines[end - 1]) or (1, ""))[0]:
        end -= 1
    dangling = b"".join(line + b"\n" for line in lines[end:])
    del lines[end:]
    return dangling


def _most_openings(header: Header) -> int:
    """Return the maximum number of openings per record: one for each player's side and one for the umpire."""
    return len(header.players) + 1


def _read_openings(lines: Sequence[bytes], name: str, most: int, *, rewritten: bool = False) -> dict[Key, bytes]:
    """Return the openings among ``lines``, at most ``most`` per record.

    Two different openings with the same key raise LogDamaged; with ``rewritten`` the last one counts.
    """
    why = "one for each player in the header, and one for the umpire"
    found: dict[Key, bytes] = {}
    counts: Counter[int] = Counter()
    for number, line in enumerate(lines, start=1):
        if line.startswith(OPENING):
            check_line(line, number, name)
            key = key_of(line)
            if key is None or (found.get(key, line) != line and not rewritten):
                raise LogDamaged(f"{name}: line {number}: is not an opening of this format, or a second one")
            counts[key[0]] += key not in found
            if counts[key[0]] > most:
                raise LogError(f"{name}: line {number}: record {key[0]} has more than {most} openings ({why})")
            found[key] = line
    return found


def _opened(header: Header, openings: Mapping[Key, bytes], name: str) -> Header:
    """Return ``header`` with key and salts if an opening shows them."""
    line = openings.get((0, UMPIRE))
    if line is None or header.sealed.get(UMPIRE) != commitment_of(line):
        return header
    try:
        shown = msgspec.convert(part_of(line), _Shown)
    except UNREADABLE as error:
        raise LogDamaged(f"{name}: the opening of the header cannot be read: {error}") from error
    return structs.replace(header, key=shown.key, salts=shown.salts)


class _Shown(Struct, forbid_unknown_fields=True):
    """The fields that the opening of a header shows."""

    key: str
    salts: str = ""


def check_chain(lines: Sequence[bytes]) -> tuple[int | None, bytes]:
    """Return the index of the first line whose hash does not fit (None: all fit), and the running hash before it."""
    head = START
    for index, line in enumerate(lines):
        parts = parted(line)
        if parts is None:
            return index, head
        body, stored = parts
        after = link(head, hashlib.sha256(body).digest())
        if hexlify(after) != stored:
            return index, head
        head = after
    return None, head


def annex_line(facts: dict[str, Any]) -> bytes:
    """Return an annex: facts that are not part of the game, hashed separately from the chain."""
    body = msgspec.json.encode({"kind": "annex", **facts})[:-1]
    return b'%b,"hash":"%b"}\n' % (body, hexlify(_annex_hash(body)))


def _annex_hash(body: bytes) -> bytes:
    return hashlib.sha256(b"sandtable annex\n" + body).digest()


def annex_fits(line: bytes) -> bool:
    """Return whether the hash of an annex fits its text."""
    parts = parted(line)
    return parts is not None and hexlify(_annex_hash(parts[0])) == parts[1]


def _check_annex(line: bytes, number: int, name: str) -> None:
    if not annex_fits(line):
        raise LogDamaged(f"{name}: line {number}: the annex was altered: its hash does not fit its text")


def _read_header(line: bytes, name: str) -> Header:
    if not line.startswith(_BEGINNING):
        raise LogError(f"{name}: line 1: this is not a Sandtable log: a log starts with its header")
    try:
        header = _HEADER.decode(line)
    except UNREADABLE as error:
        _refuse_other_format(line, name)
        raise LogError(f"{name}: line 1: the header cannot be read: {error}") from error
    if header.format_version != FORMAT_VERSION:
        _refuse_other_format(line, name)
        raise LogError(f"{name}: line 1: format version {header.format_version} does not exist")
    if header.dice != "open" and not header.commitment:
        raise LogDamaged(f"{name}: line 1: {header.dice} dice without a commitment: the key could be chosen later")
    return header


def _refuse_other_format(line: bytes, name: str) -> None:
    """Raise LogTooNew for the header of a later format, LogError for a pre-release one, whatever else it holds."""
    found = re.match(rb'\{"kind":"header","format":"[^"]*","format_version":([0-9]{1,9})[,}]', line)
    version = int(found[1]) if found else FORMAT_VERSION
    if version > FORMAT_VERSION:
        raise LogTooNew(f"{name}: line 1: format {version} is newer than {FORMAT_VERSION}: update sandtable to read it")
    if 0 < version < FORMAT_VERSION:
        raise LogError(
            f"{name}: line 1: written by a pre-release of Sandtable; this version reads format {FORMAT_VERSION}"
        )
