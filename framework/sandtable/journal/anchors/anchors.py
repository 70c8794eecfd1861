"""Seals: the head of a log, written down, read out or signed, so that no other log can pass for it later.

A log proves its rules and its dice. That it is the game that was played, and not one that was played on from a copy,
only a seal proves, which both sides have (log format, section 9).
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sandtable.errors import LogDamaged, LogError
from sandtable.files.reading import read_file
from sandtable.journal.anchors.signing import SigningKey, is_signed
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.format.chain import parted
from sandtable.quoting import shortened

FORMAT = "sandtable-seal"
NO_RECORD = -1
"""The record of a seal that was given as a code and is that of no record."""
CODE_DIGITS = 32
_MOST_SEAL = 65_536


class Seal(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The head of a game after ``record``: its running hash there, as hex; signed by the key ``by``, if at all."""

    game: str
    record: int
    head: str
    format: str = ""
    by: str = ""
    signature: str = ""

    def message(self) -> bytes:
        """Return the bytes that are signed and from which the code is made."""
        return f"sandtable seal\n{self.game}\n{self.record}\n{self.head}".encode()

    def code(self) -> str:
        """Return the first 32 hex digits of the SHA-256 of the message, in groups of four."""
        digits = hashlib.sha256(self.message()).hexdigest()[:CODE_DIGITS]
        return " ".join(digits[at : at + 4] for at in range(0, CODE_DIGITS, 4))


def seal_of(log: Log, record: int | None = None, key: SigningKey | None = None) -> Seal:
    """Return the seal of ``log`` after ``record`` (None: the last), signed by ``key`` if there is one.

    Raises LogDamaged for a log whose chain is broken before it, LogError when there is no such record.
    """
    number = log.records if record is None else record
    if not 0 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, no {number}")
    if log.broken is not None and log.broken <= number:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: only a whole log is sealed")
    seal = Seal(log.header.game, number, head_at(log, number), FORMAT)
    return seal if key is None else replace(seal, by=key.public, signature=key.sign(seal.message()))


def head_at(log: Log, record: int) -> str:
    """Return the running hash after ``record`` as its line says; "" where it has none."""
    parts = parted(log.lines[record])
    return parts[1].decode("ascii", "replace") if parts else ""


def read_seals(path: str | Path) -> list[Seal]:
    """Return the seals in the file ``path``: one JSON object a line; raises DataError, LogError for what is none."""
    seals = []
    for number, line in enumerate(read_file(path, _MOST_SEAL).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            seal = msgspec.json.decode(line, type=Seal)
        except UNREADABLE as error:
            raise LogError(f"{path}: line {number}: is no seal: {error}") from error
        if seal.format != FORMAT:
            raise LogError(f"{path}: line {number}: is no seal: its format is {shortened(seal.format)!r}")
        seals.append(seal)
    if not seals:
        raise LogError(f"{path}: holds no seal")
    return seals


def seal_line(seal: Seal) -> bytes:
    """Return the seal as a line of a file."""
    return msgspec.json.encode(seal) + b"\n"


def misfit(seal: Seal, log: Log) -> str:
    """Return why ``seal`` does not fit ``log``; "" when it does. Whose key has signed it, ``signer`` says."""
    if seal.game != log.header.game:
        return f"it seals the game {shortened(seal.game)}, this is {log.header.game}"
    if seal.record == NO_RECORD:
        return f"no record of this log has the seal code {shortened(seal.head)!r}"
    if seal.record > log.records:
        return f"it seals record {seal.record}; this log ends after record {log.records}"
    head = head_at(log, seal.record) if seal.record >= 0 else ""
    if head != seal.head:
        return f"after record {seal.record} the head was {seal.head[:16]}…; here it is {head[:16]}…"
    if seal.signature and not is_signed(seal.by, seal.message(), seal.signature):
        return f"the signature is not one of the key {shortened(seal.by)}"
    return ""


def signer(seal: Seal, log: Log) -> str:
    """Return who signed ``seal``: a seat that the header gives that key, or the key; "" for nobody."""
    if not seal.signature:
        return ""
    seats = [seat for seat, key in log.header.keys.items() if key == seal.by]
    return " and ".join(seats) or f"key {seal.by[:16]}…, which the header does not name"


def sealed_by_code(code: str, log: Log) -> Seal:
    """Return the seal of ``log`` with ``code``, spaces aside; one of NO_RECORD, which fits no log, if none has."""
    wanted = "".join(code.lower().split())
    for number in range(log.records, -1, -1):
        seal = Seal(log.header.game, number, head_at(log, number))
        if seal.code().replace(" ", "") == wanted:
            return seal
    return Seal(log.header.game, NO_RECORD, wanted)
