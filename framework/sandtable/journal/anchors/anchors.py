"""Seals: the head of a log, written down, read out or signed, so that no other log can pass for it later.

A log proves its rules and its dice. That it is the game that was played, and not one that was played on from a copy,
only a seal proves, which both sides have (log format, section 9).
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

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
"""In a seal that was given as words, and reads like that of no record."""
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
        """Return what is signed, and what the words are made of."""
        return f"sandtable seal\n{self.game}\n{self.record}\n{self.head}".encode()

    def words(self) -> str:
        """Return the seal as 12 words (BIP 39) of the first 128 bits of the SHA-256 of its message."""
        text: str = _word_list().to_mnemonic(hashlib.sha256(self.message()).digest()[:16])
        return text


@cache
def _word_list() -> Any:
    from mnemonic import Mnemonic  # noqa: PLC0415 - it reads its list from a file, wanted here alone

    return Mnemonic("english")


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
        return f"after no record does the seal of this log read {shortened(seal.head)!r}"
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


def sealed_by_words(words: str, log: Log) -> Seal:
    """Return the seal of ``log`` that reads ``words``; where none does, one of no record, which fits nothing."""
    wanted = " ".join(words.lower().split())
    for number in range(log.records, -1, -1):
        seal = Seal(log.header.game, number, head_at(log, number))
        if seal.words() == wanted:
            return seal
    return Seal(log.header.game, NO_RECORD, wanted)
