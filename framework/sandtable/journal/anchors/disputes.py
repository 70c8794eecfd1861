"""A dispute as a file: what is claimed of which record of which log, the branch that was tried, and the ruling.

The file names the log by its head, so that no other log can pass for it; a folder of such files is a set of cases that
can be tried again with later rules. It is TOML, to be read, mailed and edited by people.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from sandtable.errors import DataError
from sandtable.files.document import decode_toml
from sandtable.files.reading import read_file
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.signing import SigningKey, is_signed
from sandtable.journal.file.log import Log

MOST_DISPUTE = 1 << 18
VERDICTS = ("stands", "falls")
"""What was recorded stands, or it falls."""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """What is in dispute: record ``record`` of the log of ``game`` with the running hash ``head`` after ``records``.

    ``odds`` are, in words, those of the roll in the record, or of that from which it follows; older files have none.
    """

    log: str
    game: str
    records: int
    head: str
    record: int
    claim: str
    by: str
    rule: str = ""
    odds: tuple[str, ...] | UnsetType = UNSET


class TriedBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """The branch that was tried, in the words of ``sandtable dispute whatif``, and what came of it."""

    die: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    ruling: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    then: str = "same"
    outcome: str = ""
    head: str = ""


class DisputeRuling(Struct, frozen=True, forbid_unknown_fields=True):
    """How it was ruled: ``verdict`` is of ``VERDICTS``; ``key`` is the public key of who signed."""

    verdict: str
    text: str
    by: str
    rule: str = ""
    key: str = ""
    signature: str = ""


class Dispute(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    dispute: Claim
    branch: TriedBranch | None = None
    ruling: DisputeRuling | None = None

    def message(self) -> bytes:
        """Return what a ruling signs: all of the file but the signature, as JSON."""
        ruling = self.ruling and structs.replace(self.ruling, key="", signature="")
        return b"sandtable dispute\n" + msgspec.json.encode(structs.replace(self, ruling=ruling), order="deterministic")


def open_dispute(log: Log, record: int, claim: str, by: str, rule: str, odds: Sequence[str] = ()) -> Dispute:
    """Return a dispute over a record of ``log`` as it stands."""
    return Dispute(
        Claim(log.name, log.header.game, log.records, log.head.hex(), record, claim, by, rule, tuple(odds) or UNSET)
    )


def signed(dispute: Dispute, key: SigningKey) -> Dispute:
    """Return a dispute whose ruling is signed with ``key``."""
    assert dispute.ruling is not None  # noqa: S101 - who signs has ruled
    return structs.replace(
        dispute, ruling=structs.replace(dispute.ruling, key=key.public, signature=key.sign(dispute.message()))
    )


def why_not_signed(dispute: Dispute, log: Log) -> str:
    """Return why a ruling's signature does not count; "" where it does, or where none is and none is wanted."""
    ruling, wanted = dispute.ruling, log.header.keys.get("umpire", "")
    if ruling is None:
        return ""
    if not ruling.signature:
        return "the ruling is not signed by the umpire of the log's header" if wanted else ""
    if wanted and ruling.key != wanted:
        return "the ruling is signed by another key than that of the umpire in the log's header"
    fits = is_signed(ruling.key, dispute.message(), ruling.signature)
    return "" if fits else "the ruling was altered after it was signed"


def why_another(dispute: Dispute, log: Log) -> str:
    """Return why ``log`` is not the one that the dispute is about; "" where it is, or that one played on."""
    claim = dispute.dispute
    if log.header.game != claim.game:
        return f"{log.name} is the game {log.header.game}, the dispute is about {claim.game}"
    if log.records < claim.records:
        return f"{log.name} has {log.records} records, and had {claim.records} when the dispute was opened"
    if head_at(log, claim.records) != claim.head:
        return (
            f"{log.name} is another log of that game: its head after record {claim.records} is not that of the dispute"
        )
    return ""


def read_dispute(path: str | Path) -> Dispute:
    """Return the dispute in a file; raises DataError, with file and key, for what is none."""
    try:
        found = msgspec.convert(decode_toml(read_file(path, MOST_DISPUTE), str(path)), Dispute)
    except msgspec.ValidationError as error:
        raise DataError(str(path), "", f"is no dispute: {error}") from error
    if found.ruling is not None and found.ruling.verdict not in VERDICTS:
        raise DataError(str(path), "ruling.verdict", f"is none of {', '.join(VERDICTS)}")
    return found


def dispute_bytes(dispute: Dispute) -> bytes:
    """Return the file of a dispute."""
    tables = []
    for name in dispute.__struct_fields__:
        table = getattr(dispute, name)
        if table is not None:
            rows = [
                f"{key} = {_toml(value)}"
                for key, value in structs.asdict(table).items()
                if value not in ("", (), UNSET)
            ]
            tables.append(f"[{name}]\n" + "\n".join(rows) + "\n")
    return "\n".join(tables).encode()


def _toml(value: Any) -> str:
    """Return a text, a number or a list of texts as TOML: JSON is that, for such values."""
    return json.dumps(value, ensure_ascii=False)
