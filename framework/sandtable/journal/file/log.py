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
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from sandtable.errors import DataError, LogClosed, LogDamaged, LogError, LogTooNew
from sandtable.files.reading import read_file
from sandtable.journal.file.annexes import ANNEX, annex_fits, read_annexes
from sandtable.journal.format.chain import CLOSE, START, is_from_outside, parted
from sandtable.journal.format.contents import Contents, contents_of, public_fields
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
    CLOSED,
    OPENING,
    ROOT,
    Commitment,
    Key,
    commitment_in,
    decode_opening,
    key_of,
    root_of,
)
from sandtable.kernel.decisions import UMPIRE
from sandtable.quoting import shortened

_ASIDE = (ANNEX, OPENING)
_BEGINNING = b'{"kind":"header","format":"%b"' % FORMAT.encode()
_HEADER = msgspec.json.Decoder(Header)
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError, MemoryError)
"""Exceptions that msgspec may raise on hostile bytes (measured; the newest versions raise fewer)."""


@dataclass
class Log:
    """A log as read from a file.

    ``chain`` is the header and the lines of the records, without line ends, annexes and openings. ``lines`` has the
    header and the line of every record by number; all records of a closed step have the same line. ``header`` includes
    the fields that its opening shows. ``openings`` are the available openings, from the file or from the private file
    next to it, by record or step and addressee. ``kept`` are the annexes of the private file, and ``beside`` is the
    number of its intact bytes. ``torn`` is the data after the last finished stretch or annex, such as an unfinished
    line. ``broken`` is the number of the first record (0: the header) of the first stretch whose running hash does not
    fit, or None, and ``broken_to`` of its last. ``head`` is the running hash before that stretch, ``misfit`` the first
    opening that does not match its commitment. ``check``, which ``read_log`` calls, sets these. ``signatures`` are the
    checked ones.
    """

    name: str
    data: bytes = field(repr=False)
    header: Header
    chain: list[bytes] = field(repr=False)
    torn: bytes = b""
    openings: dict[Key, bytes] = field(default_factory=dict, repr=False)
    kept: list[bytes] = field(default_factory=list, repr=False)
    beside: int = 0
    broken: int | None = None
    broken_to: int = 0
    misfit: Key | None = None
    head: bytes = field(default=START, repr=False)
    signatures: dict[Any, bool] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.lines, self.places = _numbered(self.chain, self.name)

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.lines) - 1

    @property
    def is_over(self) -> bool:
        """Whether the log ends with the close of its game."""
        return self.lines[-1].startswith(CLOSE)

    @cached_property
    def contents(self) -> Contents:
        """What the openings show; raises LogDamaged if one does not fit its line."""
        try:
            return contents_of(self.lines, self.openings)
        except UNREADABLE as error:
            raise LogDamaged(f"{self.name}: an opening cannot be read: {error}") from error

    def whole(self, number: int) -> bytes:
        """Return record ``number`` as complete JSON; raise LogClosed if it is not open here.

        A close that lacks only its key counts as complete. Raises the errors of msgspec if the line is not JSON.
        """
        line = self.lines[number]
        if ROOT not in line:
            return line
        found = self.contents.whole.get(number)
        if found is not None or not commitment_in(line).root:
            return found or line
        if line.startswith(CLOSE):
            return msgspec.json.encode(public_fields(line))
        raise LogClosed(f"record {number} is closed here")

    def shown(self, number: int, side: str) -> bytes:
        """Return record ``number`` with the fields that are open to ``side`` or to all; raises as ``whole`` does."""
        try:
            return self.whole(number)
        except LogClosed:
            seen = self.contents.seen.get((number, side))
            fields = {} if seen else public_fields(self.lines[number])
            if not seen and _CONTENT.isdisjoint(fields):
                raise
            return seen or msgspec.json.encode(fields)

    def text(self, number: int) -> bytes:
        """Return record ``number``, complete if it is open here and otherwise its line, without hash and last brace."""
        try:
            return parted(self.whole(number))[0]
        except LogClosed:
            return parted(self.lines[number])[0]

    @cached_property
    def heads(self) -> list[bytes]:
        """The running hash, in hex, after each line of ``chain``, as if its stretch ended there."""
        found, head, inner = [], START, hashlib.sha256(START)
        for line in self.chain:
            body, stored = parted(line)
            inner.update(body)
            found.append(stored or hexlify(inner.digest()))
            if stored:
                head = inner.digest()
                inner = hashlib.sha256(head)
            else:
                inner.update(line[-1:] + b"\n")
        return found

    def annexes(self) -> list[bytes]:
        """Return the annex lines in order, each once; those of the log file come first."""
        own = [line for line in self.data.split(b"\n")[:-1] if line.startswith(ANNEX)]
        return list(dict.fromkeys([*own, *self.kept]))

    def where(self, record: int) -> str:
        """Return the location of ``record`` for a message: file and line."""
        line = self.line_of(record)
        return f"{self.name}: line {line}" if line else self.name

    def line_of(self, record: int) -> int:
        """Return the line number of ``record``, 0 if the file has no such line."""
        beyond = record - len(self.places)
        place = len(self.chain) + beyond if beyond >= 0 else self.places[record]
        return self._line_numbers[place] if place < len(self._line_numbers) else 0

    @cached_property
    def _line_numbers(self) -> list[int]:
        """Line numbers, from 1, of the lines of ``chain`` and of the next one."""
        lines = enumerate(self.data.split(b"\n"), start=1)
        return [number for number, line in lines if not line.startswith(_ASIDE)]

    def check(self) -> None:
        """Check limits, annexes, chain and openings; raise LogError for content that no log has."""
        check_lines(self.data, self.name)
        broken, self.head = check_chain(self.chain)
        if broken is not None:
            numbers = [number for number, place in enumerate(self.places) if broken[0] <= place <= broken[1]]
            self.broken, self.broken_to = numbers[0], numbers[-1]
        for line, after in pairwise(self.chain):
            if line.startswith(CLOSED) and after.startswith(CLOSED):
                number = self.places.index(self.chain.index(after))
                raise LogDamaged(f"{self.where(number)}: a closed step follows a closed step: they are one")
        self.misfit = self._misfit()
        if self.broken is None and parted(self.lines[0])[0] != header_body(self.header):
            raise LogDamaged(f"{self.name}: line 1: the header is not in the form of this format (duplicate key?)")

    def commitment(self, record: int) -> Commitment:
        """Return the commitment in the line of ``record``; raise LogError if it cannot be read."""
        try:
            return commitment_in(self.lines[record])
        except UNREADABLE as error:
            raise LogError(f"{self.where(record)}: cannot be read: {error}") from error

    def first_of(self, number: int) -> int:
        """Return the first record of the closed step that holds record ``number``, or ``number`` itself."""
        place = self.places[number]
        while number and self.places[number - 1] == place:
            number -= 1
        return number

    def steps(self) -> list[int]:
        """Return the numbers of the lines that commit to something: of partly public records, and of closed steps."""
        numbers = [number for number, line in enumerate(self.lines) if ROOT in line]
        return [each for each in numbers if (found := self.commitment(each)).root and found.n in (0, each)]

    def is_open(self) -> bool:
        """Return whether every opening fits its commitment, which ``check`` also notes in ``misfit``."""
        return self._misfit() is None

    def _misfit(self) -> Key | None:
        for number, to in sorted(self.openings):
            root = self.commitment(number).root if number <= self.records else ""
            if not root or root_of(self.openings[number, to]) != root:
                return number, to
        return None


_CONTENT = frozenset(("event", "order", "dice", "digest", "outcome"))
"""Fields that make the public part of a record a complete record."""


def _numbered(chain: Sequence[bytes], name: str) -> tuple[list[bytes], list[int]]:
    """Return the line of each record by number, and its index in ``chain``.

    A closed step has as many records as its line says, unless it says something impossible: then it counts as one, and
    reading it reports the fault. Raises LogError for more records than a log may have.
    """
    lines: list[bytes] = []
    places: list[int] = []
    for place, line in enumerate(chain):
        count = 1
        if line.startswith(CLOSED):
            with contextlib.suppress(*UNREADABLE):
                step = commitment_in(line)
                count = step.last - step.n + 1 if step.n == len(lines) < step.last else 1
            if len(lines) + count > MAX_LINES:
                raise LogError(f"{name}: has more than {MAX_LINES:,} records, the limit for a log")
        lines += [line] * count
        places += [place] * count
    return lines, places


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
    if ANNEX in data:
        read_annexes(lines, name)
    annexes: list[bytes] = []
    torn = _unfinished(lines) + torn
    openings: dict[Key, bytes] = {}
    most = _most_openings(header)
    if OPENING in data:
        openings = _read_openings(lines, name, most)
    if openings or ANNEX in data:
        lines = [line for line in lines if not line.startswith(_ASIDE)]
    log = Log(name, data, header, lines, torn, openings)
    if beside:
        check_together(data, beside, name)
        beside = _whole_beside(beside, log)
        aside, where = beside.split(b"\n"), str(private_file(name))
        annexes = read_annexes(aside, where)
        kept = _read_openings(aside, where, most, rewritten=True)
        log.openings = {key: line for key, line in kept.items() if key[0] < len(log.lines)} | openings
        log.kept, log.beside = annexes, len(beside)
    log.header = _opened(header, log.openings, name)
    return log


def check_together(data: bytes, beside: bytes, name: str) -> None:
    """Raise LogError if a log and its private file have more bytes or lines than a log: one moves into the other."""
    if len(data) + len(beside) > MAX_FILE or data.count(b"\n") + beside.count(b"\n") > MAX_LINES:
        most = f"{MAX_FILE >> 20} MiB or {MAX_LINES:,} lines"
        raise LogError(f"{private_file(name)}: has, together with its log, more than {most}, the limit for a log")


def _whole_beside(beside: bytes, log: Log) -> bytes:
    """Return ``beside`` up to the first damaged line: a power cut can leave its last write unfinished.

    The records of that write are not in ``log`` yet. If a line of the log commits to an opening that is neither there
    nor in the intact part, more than the last write was damaged. Then nothing is removed, and reading on reports the
    damage.
    """
    end, found = 0, set(log.openings)
    for line in beside.split(b"\n")[:-1]:
        key = key_of(line) if len(line) <= MAX_LINE else None
        if len(line) > MAX_LINE or not is_object(line) or (key is None and not annex_fits(line)):
            break
        found.add(key or (0, ""))
        end += len(line) + 1
    if end == len(beside):
        return beside
    try:
        committed = {(number, UMPIRE) for number in log.steps()}
    except LogError:
        return beside
    return beside[:end] if committed <= found else beside


def is_object(line: bytes) -> bool:
    """Return whether a line is a JSON object; garbage is occasionally a JSON number, almost never an object."""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except UNREADABLE:
        return False


def _unfinished(lines: list[bytes]) -> bytes:
    """Remove what follows the last finished stretch from ``lines`` and return it, except annexes directly after it.

    A stretch ends with a running hash. A header without one stays, because it was altered.
    """
    end = len(lines)
    while end > 1 and (lines[end - 1].startswith(_ASIDE) or not parted(lines[end - 1])[1]):
        end -= 1
    while end < len(lines) and (lines[end].startswith(ANNEX) or _is_of_header(lines[end])):
        end += 1
    unfinished = b"".join(line + b"\n" for line in lines[end:])
    del lines[end:]
    return unfinished


def _is_of_header(line: bytes) -> bool:
    return line.startswith(OPENING) and (key_of(line) or (1, ""))[0] == 0


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
    if line is None or not header.root or header.root != root_of(line):
        return header
    try:
        shown = msgspec.json.decode(bytes(decode_opening(line).part) or b"{}", type=_Shown)
    except UNREADABLE as error:
        raise LogDamaged(f"{name}: the opening of the header cannot be read: {error}") from error
    return structs.replace(header, key=shown.key, salts=shown.salts)


class _Shown(Struct, forbid_unknown_fields=True):
    """The fields that the opening of a header shows."""

    key: str
    salts: str = ""


def check_chain(lines: Sequence[bytes]) -> tuple[tuple[int, int] | None, bytes]:
    """Return the first and last index of the first stretch whose hash does not fit, and the running hash before it.

    None means that all fit. A hash must be stored in the header, the last line, and each line before one from outside,
    and in no other.
    """
    head, start = START, 0
    last = len(lines) - 1
    inner = hashlib.sha256(head)
    for index, line in enumerate(lines):
        body, stored = parted(line)
        inner.update(body)
        if bool(stored) != (index in (0, last) or is_from_outside(lines[index + 1])):
            return (start, index), head
        if not stored:
            inner.update(line[-1:] + b"\n")
            continue
        if hexlify(after := inner.digest()) != stored:
            return (start, index), head
        head, start, inner = after, index + 1, hashlib.sha256(after)
    return None, head


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
