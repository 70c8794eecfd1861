"""Reading a log file: its header, its lines, its openings, and what a power cut leaves of its last write."""

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from sandtable.errors import DataError, LogDamaged, LogError, LogTooNew
from sandtable.files.reading import read_file
from sandtable.journal.file.annexes import ANNEX, annex_fits, read_annexes
from sandtable.journal.file.log import ASIDE, UNREADABLE, Log
from sandtable.journal.format.chain import Kinds, parted
from sandtable.journal.format.header import FORMAT, FORMAT_VERSION, Header
from sandtable.journal.format.limits import (
    MAX_FILE,
    MAX_LINE,
    MAX_LINES,
    check_file,
    check_line,
    check_rewinds,
    check_shape,
    check_size,
)
from sandtable.journal.format.openings import OPENING, Key, decode_opening, key_of, root_of
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.shared.epochs import SHARED, why_no_chain
from sandtable.quoting import shortened

_BEGINNING = b'{"kind":"header","format":"%b"' % FORMAT.encode()
_HEADER = msgspec.json.Decoder(Header)


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
    """Return the log in the file ``path``; raise LogError (exit 3) if it cannot be read.

    Altered records, altered openings and a torn tail are noted in the result, not raised; ``verify`` reports them.
    Content that no log has, such as an altered annex, is raised.
    """
    return parse_log(read_bytes(path), str(path), kept_lines(path))


def parse_log(data: bytes, name: str, beside: bytes = b"") -> Log:
    """Return the log whose bytes are ``data``, after checking it; messages call it ``name``.

    ``beside`` are the lines of the private file next to it (see ``kept_lines``).
    """
    log = split_log(data, name, beside)
    log.check()
    return log


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
    """Return the log whose bytes are ``data``, with chain and openings unchecked: ``verify`` compares them itself.

    Raises LogError if the file as a whole, its header, an annex, or the form or number of its openings is invalid.
    """
    check_file(data, name)
    *lines, torn = data.split(b"\n")
    if not lines:
        raise LogError(f"{name}: holds no finished line: it is not a log, or its header was never written")
    kinds = Kinds.of(lines)
    check_rewinds(lines, kinds, name)
    check_shape(lines[0], 1, name)
    header = _read_header(lines[0], name)
    if kinds.may_have(ANNEX):
        read_annexes(lines, name)
    torn = _unfinished(lines) + torn
    openings: dict[Key, bytes] = {}
    most = _most_openings(header)
    if kinds.may_have(OPENING):
        openings = _read_openings(lines, name, most)
    if openings or kinds.may_have(ANNEX):
        lines = [line for line in lines if not line.startswith(ASIDE)]
    log = Log(name, data, header, lines, kinds, torn, openings)
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
    """Remove what follows the last finished stretch from ``lines`` and return it.

    Annexes, and openings of the header, directly after that stretch stay. A stretch ends with a running hash. A header
    without one stays, because it was altered.
    """
    end = len(lines)
    while end > 1 and (lines[end - 1].startswith(ASIDE) or not parted(lines[end - 1])[1]):
        end -= 1
    while end < len(lines) and (lines[end].startswith(ANNEX) or _is_of_header(lines[end])):
        end += 1
    if end == len(lines):
        return b""
    unfinished = b"".join(line + b"\n" for line in lines[end:])
    del lines[end:]
    return unfinished


def _is_of_header(line: bytes) -> bool:
    return line.startswith(OPENING) and (key_of(line) or (1, ""))[0] == 0


def _most_openings(header: Header) -> int:
    """Return the maximum number of openings per record: one for each player's side and one for the umpire."""
    return len(header.players) + 1


def _read_openings(lines: Sequence[bytes], name: str, most: int, *, rewritten: bool = False) -> dict[Key, bytes]:
    """Return the openings among ``lines``; raise LogError if a record has more than ``most``.

    An invalid opening, and two different ones with the same key, raise LogDamaged; with ``rewritten`` the last counts.
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
    if bool(header.chains) != (header.dice == SHARED):
        raise LogDamaged(f"{name}: line 1: shared dice need the chains of all sides, and other dice do not use chains")
    for owner, chain in header.chains.items():
        if why := why_no_chain(chain.tip, chain.links):
            raise LogDamaged(f"{name}: line 1: the chain of {shortened(owner)}: {why}")
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
