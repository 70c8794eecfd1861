"""A dispute as a file: the claim about a record of a log, the branch that was tried, and the rulings.

The file names the log by its head, so that no other log can replace it. A folder of such files is a set of cases that
can be tried again with later rules. It is TOML, for people to read, mail and edit.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from sandtable.errors import DataError
from sandtable.files.document import decode_toml
from sandtable.files.reading import read_file
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.signing import SigningKey, is_signed
from sandtable.journal.file.log import Log
from sandtable.kernel.decisions import UMPIRE

MAX_DISPUTE = 1 << 18
VERDICTS = ("stands", "falls")
"""Verdicts: the disputed record is upheld, or it is overturned."""


class DisputedClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """The disputed claim about ``record`` of the log of ``game`` with the running hash ``head`` after ``records``.

    ``odds`` describe the roll in the record, or the roll from which it follows. Older files do not have ``odds``.
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
    """The branch that was tried, in the syntax of ``sandtable dispute whatif``, and its outcome."""

    die: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    ruling: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    then: str = "same"
    outcome: str = ""
    head: str = ""


class DisputeRuling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling; ``verdict`` is one of ``VERDICTS``, ``key`` the public key of the signature."""

    verdict: str
    text: str
    by: str
    rule: str = ""
    key: str = ""
    signature: str = ""


class Dispute(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a dispute file. ``rulings`` are in the order in which they were given, and are never replaced."""

    dispute: DisputedClaim
    branch: TriedBranch | None = None
    rulings: tuple[DisputeRuling, ...] = msgspec.field(default=(), name="ruling")

    def message(self, place: int) -> bytes:
        """Return the bytes that the ruling at index ``place`` signs: claim, branch, this and earlier rulings (JSON)."""
        ruling = structs.replace(self.rulings[place], key="", signature="")
        signed = _Signed(self.dispute, self.branch, ruling, self.rulings[:place] or UNSET)
        return b"sandtable dispute\n" + msgspec.json.encode(signed, order="deterministic")

    @property
    def is_signed(self) -> bool:
        """Whether any ruling has a signature, which covers claim and branch."""
        return any(each.signature for each in self.rulings)


class _Signed(Struct):
    """The content that a ruling signs; without ``earlier`` rulings the message has no such key."""

    dispute: DisputedClaim
    branch: TriedBranch | None
    ruling: DisputeRuling
    earlier: tuple[DisputeRuling, ...] | UnsetType


class Signature(NamedTuple):
    """The validity of a ruling's signature: ``told`` in words; ``holds`` is None for an unsigned ruling."""

    told: str
    holds: bool | None = None


def open_dispute(log: Log, record: int, claim: str, by: str, rule: str, odds: Sequence[str] = ()) -> Dispute:
    """Return a dispute over a record of ``log`` in its current state."""
    return Dispute(
        DisputedClaim(
            log.name, log.header.game, log.records, log.head.hex(), record, claim, by, rule, tuple(odds) or UNSET
        )
    )


def ruled(dispute: Dispute, ruling: DisputeRuling, key: SigningKey | None = None) -> Dispute:
    """Return ``dispute`` with one more ruling, signed with ``key`` if given."""
    added = structs.replace(dispute, rulings=(*dispute.rulings, ruling))
    if key is None:
        return added
    signature = key.sign(added.message(len(dispute.rulings)))
    ruling = structs.replace(ruling, key=key.public, signature=signature)
    return structs.replace(dispute, rulings=(*dispute.rulings, ruling))


def signature_of(dispute: Dispute, place: int, umpire: str = "") -> Signature:
    """Return the validity of the signature at index ``place``; ``umpire`` is the key in the log's header, if any.

    Raises SignaturesUnchecked if the ruling is signed and the library for signatures is not installed.
    """
    ruling = dispute.rulings[place]
    if not ruling.signature:
        return Signature("its signature was removed", holds=False) if ruling.key else Signature("unsigned")
    if not is_signed(ruling.key, dispute.message(place), ruling.signature):
        return Signature("altered after it was signed", holds=False)
    if umpire and ruling.key != umpire:
        return Signature("not signed by the umpire's key in the log's header")
    return Signature("signed by the umpire" if umpire else f"signed by key {ruling.key[:16]}…", holds=True)


def in_force(signatures: Sequence[Signature]) -> int | None:
    """Return the index of the ruling that counts, or None without a ruling.

    It is the last ruling with a valid signature. If there is none, it is the last unsigned ruling.
    """
    for validity in (True, None):
        found = [index for index, each in enumerate(signatures) if each.holds is validity]
        if found:
            return found[-1]
    return None


def why_not_signed(dispute: Dispute, log: Log) -> str:
    """Return why the rulings of ``dispute`` do not count, or "" if they do or there are none.

    A ruling must be unaltered. If the header of ``log`` names the umpire's key, at least one ruling must be signed with
    it. Raises SignaturesUnchecked as ``signature_of`` does.
    """
    umpire = log.header.keys.get(UMPIRE, "")
    signatures = [signature_of(dispute, place, umpire) for place in range(len(dispute.rulings))]
    for number, each in enumerate(signatures, start=1):
        if each.holds is False:
            return f"ruling {number} does not count: {each.told}"
    if umpire and signatures and not any(each.holds for each in signatures):
        return f"no ruling is signed by the umpire of the log's header; the last is {signatures[-1].told}"
    return ""


def why_another(dispute: Dispute, log: Log) -> str:
    """Return why ``log`` is not the log of the dispute, or "" if it is that log or a continuation of it."""
    claim = dispute.dispute
    if log.header.game != claim.game:
        return f"{log.name} is the game {log.header.game}, the dispute is about {claim.game}"
    if log.records < claim.records:
        return f"{log.name} has {log.records} records, and had {claim.records} when the dispute was opened"
    if head_at(log, claim.records) != claim.head:
        return (
            f"{log.name} is another log of that game: its head after record {claim.records} differs from the dispute's"
        )
    return ""


def read_dispute(path: str | Path) -> Dispute:
    """Return the dispute in a file; raise DataError, with file and key, if it is invalid."""
    table = decode_toml(read_file(path, MAX_DISPUTE), str(path))
    if isinstance(table.get("ruling"), dict):
        table = table | {"ruling": [table["ruling"]]}
    try:
        found = msgspec.convert(table, Dispute)
    except msgspec.ValidationError as error:
        raise DataError(str(path), "", f"is not a dispute: {error}") from error
    if any(each.verdict not in VERDICTS for each in found.rulings):
        raise DataError(str(path), "ruling.verdict", f"is not one of {', '.join(VERDICTS)}")
    return found


def dispute_bytes(dispute: Dispute) -> bytes:
    """Return the content of a dispute's file."""
    tables: list[tuple[str, Struct]] = [("[dispute]", dispute.dispute)]
    if dispute.branch is not None:
        tables.append(("[branch]", dispute.branch))
    tables += [("[[ruling]]", each) for each in dispute.rulings]
    texts = []
    for heading, table in tables:
        rows = [
            f"{key} = {_toml(value)}" for key, value in structs.asdict(table).items() if value not in ("", (), UNSET)
        ]
        texts.append(f"{heading}\n" + "\n".join(rows) + "\n")
    return "\n".join(texts).encode()


def _toml(value: Any) -> str:
    """Return a text, number or list of texts as TOML, which is the same as JSON for such values."""
    return json.dumps(value, ensure_ascii=False)
