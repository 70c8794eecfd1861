"""A dispute as a file: what is claimed of which record of which log, the branch that was tried, and the ruling.

The file names the log by its head, so that no other log can pass for it; a folder of such files is a set of cases that
can be tried again with later rules. It is TOML, to be read, mailed and edited by people.
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
    """A ruling; ``verdict`` is one of ``VERDICTS``, ``key`` the public key of the signature."""

    verdict: str
    text: str
    by: str
    rule: str = ""
    key: str = ""
    signature: str = ""


class Dispute(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. ``rulings`` are in the order in which they were given: none is ever replaced."""

    dispute: Claim
    branch: TriedBranch | None = None
    rulings: tuple[DisputeRuling, ...] = msgspec.field(default=(), name="ruling")

    def message(self, place: int) -> bytes:
        """Return what the ruling at ``place`` signs: claim, branch, the ruling itself and earlier rulings, as JSON."""
        ruling = structs.replace(self.rulings[place], key="", signature="")
        signed = _Signed(self.dispute, self.branch, ruling, self.rulings[:place] or UNSET)
        return b"sandtable dispute\n" + msgspec.json.encode(signed, order="deterministic")

    @property
    def is_signed(self) -> bool:
        """Whether a ruling has a signature, which covers the claim and the branch."""
        return any(each.signature for each in self.rulings)


class _Signed(Struct):
    """What a ruling signs; without ``earlier`` rulings the message has no such key."""

    dispute: Claim
    branch: TriedBranch | None
    ruling: DisputeRuling
    earlier: tuple[DisputeRuling, ...] | UnsetType


class Signature(NamedTuple):
    """How far the signature of a ruling holds: ``told`` in words; ``holds`` is None for a ruling without one."""

    told: str
    holds: bool | None = None


def open_dispute(log: Log, record: int, claim: str, by: str, rule: str, odds: Sequence[str] = ()) -> Dispute:
    """Return a dispute over a record of ``log`` as it stands."""
    return Dispute(
        Claim(log.name, log.header.game, log.records, log.head.hex(), record, claim, by, rule, tuple(odds) or UNSET)
    )


def ruled(dispute: Dispute, ruling: DisputeRuling, key: SigningKey | None = None) -> Dispute:
    """Return ``dispute`` with one more ruling, signed with ``key`` if there is one."""
    added = structs.replace(dispute, rulings=(*dispute.rulings, ruling))
    if key is None:
        return added
    signature = key.sign(added.message(len(dispute.rulings)))
    ruling = structs.replace(ruling, key=key.public, signature=signature)
    return structs.replace(dispute, rulings=(*dispute.rulings, ruling))


def signature_of(dispute: Dispute, place: int, umpire: str = "") -> Signature:
    """Return how far the ruling at ``place`` is signed, by the key ``umpire`` if the log's header names one.

    Raises SignaturesUnchecked if the ruling is signed and the library for signatures is not installed.
    """
    ruling = dispute.rulings[place]
    if not ruling.signature:
        return Signature("its signature was cut out", holds=False) if ruling.key else Signature("unsigned")
    if not is_signed(ruling.key, dispute.message(place), ruling.signature):
        return Signature("altered after it was signed", holds=False)
    if umpire and ruling.key != umpire:
        return Signature("signed by another key than that of the umpire in the log's header")
    return Signature("signed by the umpire" if umpire else f"signed by key {ruling.key[:16]}…", holds=True)


def in_force(signatures: Sequence[Signature]) -> int | None:
    """Return the place of the ruling that counts, or None without a ruling.

    It is the last whose signature holds. Only if there is none, an unsigned one counts, the last.
    """
    for wanted in (True, None):
        places = [place for place, each in enumerate(signatures) if each.holds is wanted]
        if places:
            return places[-1]
    return None


def why_not_signed(dispute: Dispute, log: Log) -> str:
    """Return why the rulings of ``dispute`` do not count, "" if they do or if there are none.

    A ruling must not be altered. If the header of ``log`` names the umpire's key, the umpire must have signed one.
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
    table = decode_toml(read_file(path, MOST_DISPUTE), str(path))
    if isinstance(table.get("ruling"), dict):
        table = table | {"ruling": [table["ruling"]]}
    try:
        found = msgspec.convert(table, Dispute)
    except msgspec.ValidationError as error:
        raise DataError(str(path), "", f"is no dispute: {error}") from error
    if any(each.verdict not in VERDICTS for each in found.rulings):
        raise DataError(str(path), "ruling.verdict", f"is none of {', '.join(VERDICTS)}")
    return found


def dispute_bytes(dispute: Dispute) -> bytes:
    """Return the file of a dispute."""
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
    """Return a text, a number or a list of texts as TOML: JSON is that, for such values."""
    return json.dumps(value, ensure_ascii=False)
