"""A log as read from a file: its records by number, its openings and its damage."""

import contextlib
import hashlib
import re
from binascii import hexlify
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import msgspec

from sandtable.errors import LogClosed, LogDamaged, LogError
from sandtable.journal.file.annexes import ANNEX
from sandtable.journal.format.chain import CLOSE, MARK, START, Kinds, parted, stretches
from sandtable.journal.format.contents import Contents, contents_of, opened_part, public_fields
from sandtable.journal.format.header import Header, header_body
from sandtable.journal.format.limits import (
    MAX_LINES,
    check_lines,
)
from sandtable.journal.format.openings import (
    CLOSED,
    MAX_STEP,
    OPENING,
    ROOT,
    Commitment,
    Key,
    commitment_in,
    decode_opening,
    root_of,
)
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.records import KeyRecord
from sandtable.quoting import shortened

ASIDE = (ANNEX, OPENING)
KEY_RECORD = b'{"kind":"key"'
STANDING_RECORD = b'{"kind":"standing"'
"""The beginning of a record that gives a seat a new public key."""
MAX_CHANGES = 1_000
"""Maximum number of key records of a game: each costs at least two checks of signatures."""
_key_record = msgspec.json.Decoder(KeyRecord).decode
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError, MemoryError)
"""Exceptions that msgspec may raise on hostile bytes (measured; the newest versions raise fewer)."""


@dataclass
class Log:
    """A log as read from a file.

    ``chain`` is the header and the lines of the records, without line ends, annexes and openings; ``kinds`` are the
    kinds of all lines. ``lines`` has the
    header and the line of every record by number. All records of a closed step have the same line. ``header`` includes
    the fields that its opening shows. ``openings`` are the available openings, from the file or from the private file
    next to it, by record or step and addressee. ``kept`` are the annexes of the private file, and ``beside`` is the
    number of its intact bytes. ``torn`` is the data after the last finished stretch or annex, such as an unfinished
    line. ``broken`` is the number of the first record (0: the header) of the first stretch whose running hash does not
    fit, or None, and ``broken_to`` of its last. ``head`` is the running hash before that stretch, or of the whole chain
    without one, ``misfit`` the first opening that does not match its commitment. ``check``, which ``read_log`` calls,
    sets these. ``signatures`` are the checked ones.
    """

    name: str
    data: bytes = field(repr=False)
    header: Header
    chain: list[bytes] = field(repr=False)
    kinds: Kinds = field(repr=False)
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
        self.lines = self.chain
        self.places: Sequence[int] = range(len(self.chain))
        if self.kinds.may_have(CLOSED):
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
        """The contents of the openings; raises LogDamaged if one does not fit its line."""
        try:
            return contents_of(self.lines, self.openings)
        except UNREADABLE as error:
            raise LogDamaged(f"{self.name}: an opening cannot be read: {error}") from error

    @cached_property
    def new_keys(self) -> Mapping[str, list[tuple[int, str]]]:
        """The new public keys by seat, each with the number of its record, of the first MAX_CHANGES in the log.

        Raises the errors of msgspec if such a record is not valid.
        """
        found: dict[str, list[tuple[int, str]]] = {}
        if self.kinds.may_have(KEY_RECORD):
            for line in islice((each for each in self.chain if each.startswith(KEY_RECORD)), MAX_CHANGES):
                record = _key_record(line)
                found.setdefault(record.by, []).append((record.n, record.key))
        return found

    def whole(self, number: int) -> bytes:
        """Return record ``number`` as complete JSON; raise LogClosed if it is not open here.

        A close that lacks only its key counts as complete. Raises the errors of msgspec if a line with a commitment is
        not valid, and LogDamaged as ``contents`` does.
        """
        line = self.lines[number]
        if line.find(ROOT) < 0:  # faster than ``in``, which tries to read the word as a number first
            return line
        found = self.contents.whole.get(number)
        if found is not None or not commitment_in(line).root:
            return found or line
        if line.startswith(CLOSE):
            return msgspec.json.encode(public_fields(line))
        raise LogClosed(f"record {number} is closed here")

    def opened(self, number: int) -> bytes:
        """Return record ``number`` as ``whole`` does, by the umpire's opening of its line if there is one.

        This decodes no other opening, so it does not notice if one of them cannot be read.
        """
        line = self.lines[number]
        if line.find(ROOT) < 0:
            return line
        opening = self.openings.get((number, UMPIRE))
        if opening is None or line.startswith(CLOSED):
            return self.whole(number)
        return opened_part(decode_opening(opening), line) or self.whole(number)

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
        found, head = [], START
        for start, end in stretches(self.chain):
            inner = hashlib.sha256(head)
            for line in self.chain[start:end]:
                body, stored = parted(line)
                inner.update(body)
                head = inner.digest()
                found.append(stored or hexlify(head))
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
        return [number for number, line in lines if not line.startswith(ASIDE)]

    def check(self) -> None:
        """Check limits, chain, closed steps, openings and header; raise LogError for content that no log has."""
        check_lines(self.data, self.name)
        broken, self.head = check_chain(self.chain)
        if broken is not None:
            numbers = [number for number, place in enumerate(self.places) if broken[0] <= place <= broken[1]]
            self.broken, self.broken_to = numbers[0], numbers[-1]
        if self.kinds.may_have(CLOSED):
            self._check_steps()
        self.misfit = self._misfit()
        if self.broken is None and parted(self.lines[0])[0] != header_body(self.header):
            raise LogDamaged(f"{self.name}: line 1: the header is not in canonical form (duplicate key?)")

    def _check_steps(self) -> None:
        """Raise LogDamaged for a closed step that is not in canonical form.

        A step after another one shows that the first has as many records as a step may have.
        """
        number, may_begin = 0, True
        for line in self.chain:
            length = 1
            if line.startswith(CLOSED):
                found = _STEP.fullmatch(line)
                length = int(found[2] or number) - number + 1 if found else 0
                if not may_begin or not 1 <= length <= MAX_STEP or (length == 1) == bool(found and found[2]):
                    raise LogDamaged(f"{self.where(number)}: the closed step is not in canonical form")
            may_begin = length == MAX_STEP or not line.startswith(CLOSED)
            number += length

    def commitment(self, record: int) -> Commitment:
        """Return the commitment in the line of ``record``; raise LogError if it cannot be read."""
        try:
            return commitment_in(self.lines[record])
        except UNREADABLE as error:
            raise LogError(f"{self.where(record)}: cannot be read: {error}") from error

    def first_of(self, number: int) -> int:
        """Return the first record of the closed step that holds record ``number``, or ``number`` itself."""
        return bisect_left(self.places, self.places[number])

    def steps(self) -> list[int]:
        """Return the numbers of the lines with a commitment: the header (0), partly public records and closed steps.

        Raises LogError if a commitment cannot be read.
        """
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


_STEP = re.compile(
    rb'\{"kind":"closed","n":([1-9][0-9]{0,6})(?:,"last":([1-9][0-9]{0,6}))?,"root":"[0-9a-f]{64}"(?:,"hash":"[0-9a-f]{64}")?\}'
)
_CONTENT = frozenset(("event", "order", "dice", "digest", "outcome"))
"""Fields that make the public part of a record a complete record."""


def _numbered(chain: Sequence[bytes], name: str) -> tuple[list[bytes], list[int]]:
    """Return the line of each record by number, and its index in ``chain``.

    A closed step has as many records as its line says, unless it says something impossible: then it counts as one, and
    reading it reports the error. Raises LogError for more records than a log may have.
    """
    lines: list[bytes] = []
    places: list[int] = []
    for place, line in enumerate(chain):
        count = 1
        if line.startswith(CLOSED):
            with contextlib.suppress(*UNREADABLE):
                step = commitment_in(line)
                count = step.last - step.n + 1 if step.n == len(lines) < step.last < step.n + MAX_STEP else 1
            if len(lines) + count > MAX_LINES:
                raise LogError(f"{name}: has more than {MAX_LINES:,} records, the limit for a log")
        lines += [line] * count
        places += [place] * count
    return lines, places


def misfit_text(log: Log) -> str:
    """Return a sentence that names the opening of ``log`` that does not match its commitment."""
    number, to = log.misfit or (0, "")
    what = "the header" if number == 0 else f"record {number}"
    return f"the opening of {what} for {shortened(to)} was altered: it does not match the commitment in the chain"


def check_chain(lines: list[bytes]) -> tuple[tuple[int, int] | None, bytes]:
    """Return the first and last index of the first stretch whose hash does not match, and the running hash before it.

    If all fit, returns None and the running hash of the whole chain.
    """
    head = START
    for start, end in stretches(lines):
        stretch = lines[start:end]
        stretch[-1], stored = parted(stretch[-1])
        text = b"\n".join(stretch)
        if MARK in text:
            early = next((index for index in range(start, end - 1) if parted(lines[index])[1]), None)
            if early is not None:
                return (start, early), head
        after = hashlib.sha256(head + text).digest()
        if hexlify(after) != stored:
            return (start, end - 1), head
        head = after
    return None, head
