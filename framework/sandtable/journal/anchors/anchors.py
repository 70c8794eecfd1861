"""Anchors: the head of a log, written down, read aloud or signed, so that no other log can replace it.

A log proves its rules and its dice. Only an anchor that both sides have proves that it is the game that was played, and
not one that was continued from a copy (log format, section 9).
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sandtable.errors import LogDamaged, LogError
from sandtable.files.reading import read_file
from sandtable.journal.anchors.rotation import keys_before
from sandtable.journal.anchors.signing import SigningKey, is_signed
from sandtable.journal.anchors.words import are_words, code_of
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.format.chain import parted
from sandtable.quoting import shortened

FORMAT = "sandtable-anchor"
NO_RECORD = -1
"""Record number of an anchor that was given as a code and fits no record."""
CODE_DIGITS = 32
_MAX_ANCHORS = 65_536


class Anchor(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The head of a game after ``record``: its running hash in hex, optionally signed by the key ``by``."""

    game: str
    record: int
    head: str
    format: str = ""
    by: str = ""
    signature: str = ""

    def message(self) -> bytes:
        """Return the bytes that are signed and that the code is derived from."""
        return f"sandtable anchor\n{self.game}\n{self.record}\n{self.head}".encode()

    def code(self) -> str:
        """Return the first 32 hex digits of the SHA-256 of the message, in groups of four."""
        digits = hashlib.sha256(self.message()).hexdigest()[:CODE_DIGITS]
        return " ".join(digits[at : at + 4] for at in range(0, CODE_DIGITS, 4))


def is_signed_in(log: Log, public: str, message: bytes, signature: str) -> bool:
    """Return what ``is_signed`` returns, and raise what it raises; each signature in ``log`` is checked once."""
    checked = (public, hashlib.sha256(message).digest(), signature)
    if checked not in log.signatures:
        log.signatures[checked] = is_signed(public, message, signature)
    return log.signatures[checked]


def anchor_of(log: Log, record: int | None = None, key: SigningKey | None = None) -> Anchor:
    """Return the anchor of ``log`` after ``record`` (None: the last), signed by ``key`` if given.

    Raises LogDamaged if the chain breaks up to that record, LogError if the record does not exist.
    """
    number = log.records if record is None else record
    if not 0 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, not {number}")
    if log.broken is not None and log.broken <= number:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: only an intact log can be anchored")
    anchor = Anchor(log.header.game, number, head_at(log, number), FORMAT)
    return anchor if key is None else replace(anchor, by=key.public, signature=key.sign(anchor.message()))


def head_at(log: Log, record: int) -> str:
    """Return the running hash after the line of ``record``, in hex: as if a stretch ended there."""
    stored = parted(log.lines[record])[1]
    return (stored or log.heads[log.places[record]]).decode("ascii", "replace")


def read_anchors(path: str | Path) -> list[Anchor]:
    """Return the anchors in the file ``path``, one JSON object per line; raise DataError or LogError if invalid."""
    anchors = []
    for number, line in enumerate(read_file(path, _MAX_ANCHORS).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            anchor = msgspec.json.decode(line, type=Anchor)
        except UNREADABLE as error:
            raise LogError(f"{path}: line {number}: is not an anchor: {error}") from error
        if anchor.format != FORMAT:
            raise LogError(f"{path}: line {number}: is not an anchor: its format is {shortened(anchor.format)!r}")
        anchors.append(anchor)
    if not anchors:
        raise LogError(f"{path}: holds no anchor")
    return anchors


def anchor_line(anchor: Anchor) -> bytes:
    """Return the anchor as a line of a file."""
    return msgspec.json.encode(anchor) + b"\n"


def misfit(anchor: Anchor, log: Log) -> str:
    """Return why ``anchor`` does not fit ``log``, or "" if it fits. A signature is checked against its own key only.

    Raises SignaturesUnchecked without the library for signatures.
    """
    if anchor.game != log.header.game:
        return f"it anchors the game {shortened(anchor.game)}, but this is the game {log.header.game}"
    if anchor.record == NO_RECORD:
        return f"no record of this log has the anchor code {shortened(anchor.head)!r}"
    if anchor.record > log.records:
        return f"it anchors record {anchor.record}; this log ends after record {log.records}"
    head = head_at(log, anchor.record) if anchor.record >= 0 else ""
    if head != anchor.head:
        return f"after record {anchor.record} the head was {anchor.head[:16]}…; here it is {head[:16]}…"
    if anchor.signature and not is_signed(anchor.by, anchor.message(), anchor.signature):
        return f"the signature was not made with the key {shortened(anchor.by)}"
    return ""


def signer(anchor: Anchor, log: Log) -> str:
    """Return the signer of ``anchor``: the seats that had its key then, or the key; "" if it is unsigned."""
    if not anchor.signature:
        return ""
    seats = [seat for seat, key in keys_before(log, anchor.record + 1).items() if key == anchor.by]
    return " and ".join(seats) or f"key {anchor.by[:16]}…, which the header does not name"


def anchor_by_code(code: str, log: Log) -> Anchor:
    """Return the anchor of ``log`` with ``code``, ignoring spaces, or an anchor of NO_RECORD, which fits no log.

    The code may be given as twelve words (see ``words``).
    """
    digits = (code_of(code) or code) if are_words(code) else "".join(code.lower().split())
    for number in range(log.records, -1, -1):
        anchor = Anchor(log.header.game, number, head_at(log, number))
        if anchor.code().replace(" ", "") == digits:
            return anchor
    return Anchor(log.header.game, NO_RECORD, digits)
