"""Disputes: the log that a dispute names, its file, and the signatures of its rulings."""

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec import UNSET, structs

from sandtable.errors import DataError
from sandtable.journal.anchors import disputes
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.disputes import (
    Dispute,
    DisputedClaim,
    DisputeRuling,
    TriedBranch,
    dispute_bytes,
    read_dispute,
)
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def named(log: Log, **keys: str) -> Log:
    """Return the log with ``keys`` named in its header."""
    log.header = structs.replace(log.header, keys=keys)
    return log


def opened(log: Log, **more: Any) -> Dispute:
    return disputes.open_dispute(log, 5, "he moved twice", "x", "T3-1", **more)


def test_dispute_identifies_its_log_by_the_head_hash(game: Recorded, log: Log) -> None:
    dispute = opened(log)
    assert dispute.dispute == DisputedClaim(
        "log", log.header.game, log.records, head_at(log, log.records), 5, "he moved twice", "x", "T3-1", UNSET
    )
    assert disputes.why_another(dispute, log) == ""
    part = parse_log(b"".join(game.data.splitlines(keepends=True)[:-1]), "part")
    assert disputes.why_another(opened(part), log) == ""  # the game was continued since
    assert disputes.why_another(dispute, part) == (
        f"part has {part.records} records, and had {log.records} when the dispute was opened"
    )
    stranger = structs.replace(dispute, dispute=structs.replace(dispute.dispute, game="other"))
    assert disputes.why_another(stranger, log) == f"log is the game {log.header.game}, the dispute is about other"
    elsewhere = structs.replace(dispute, dispute=structs.replace(dispute.dispute, head="00"))
    assert disputes.why_another(elsewhere, log) == (
        f"log is another log of that game: its head after record {log.records} differs from the dispute's"
    )


def test_written_dispute_is_read_back(log: Log, tmp_path: Path) -> None:
    ruling = DisputeRuling("falls", 'as "they" said\nso', "umpire")
    for dispute in (
        opened(log),
        structs.replace(opened(log, odds=("1-3  hit  50 %", "ä")), branch=TriedBranch(die=("5:1=1",), outcome="x")),
        structs.replace(opened(log), rulings=(ruling,)),
        structs.replace(opened(log), branch=TriedBranch(), rulings=(ruling, ruling)),
    ):
        path = tmp_path / "case.toml"
        path.write_bytes(dispute_bytes(dispute))
        assert read_dispute(path) == dispute
        assert b'""' not in path.read_bytes()
    path.write_bytes(dispute_bytes(disputes.ruled(opened(log), structs.replace(ruling, verdict="waits"))))
    with pytest.raises(DataError, match=r"case\.toml: ruling\.verdict: is not one of stands, falls"):
        read_dispute(path)


def test_older_file_with_one_ruling_table_is_read(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "case.toml"
    one = disputes.ruled(opened(log), DisputeRuling("falls", "as they said", "umpire"))
    path.write_bytes(dispute_bytes(one).replace(b"[[ruling]]", b"[ruling]"))
    assert read_dispute(path) == one


def test_ruling_in_a_dispute_counts_if_its_signature_is_valid(log: Log, key: SigningKey) -> None:
    bare = opened(log)
    ruling = DisputeRuling("stands", "it lay flat", "umpire")
    ruled, signed = disputes.ruled(bare, ruling), disputes.ruled(bare, ruling, key)
    altered = structs.replace(signed, rulings=(structs.replace(signed.rulings[0], text="it lay askew"),))
    rebound = structs.replace(signed, dispute=structs.replace(signed.dispute, record=6))
    cut = structs.replace(signed, rulings=(structs.replace(signed.rulings[0], signature=""),))
    assert [disputes.why_not_signed(each, log) for each in (bare, ruled, signed)] == ["", "", ""]
    for each in (altered, rebound):
        assert "altered after it was signed" in disputes.why_not_signed(each, log)
    assert "was removed" in disputes.why_not_signed(cut, log)
    named(log, umpire=key.public)
    assert [disputes.why_not_signed(each, log) for each in (bare, signed)] == ["", ""]
    assert "the last is unsigned" in disputes.why_not_signed(ruled, log)
    assert "altered after it was signed" in disputes.why_not_signed(altered, log)
    named(log, umpire="0" * 64)
    assert "not signed by the umpire's key" in disputes.why_not_signed(signed, log)


def test_later_ruling_does_not_replace_a_better_signed_one(log: Log, key: SigningKey) -> None:
    other = SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
    by = [DisputeRuling("stands", text, "umpire") for text in ("flat", "askew", "lost", "found")]
    found = disputes.ruled(opened(log), by[0])

    def counting() -> int | None:
        return disputes.in_force([disputes.signature_of(found, n, key.public) for n in range(len(found.rulings))])

    assert counting() == 0
    found = disputes.ruled(found, by[1], key)
    assert counting() == 1
    found = disputes.ruled(disputes.ruled(found, by[2]), by[2], other)
    assert counting() == 1  # one is unsigned, one is signed by another key
    found = disputes.ruled(found, by[3], key)
    assert counting() == 4
    first = structs.replace(found.rulings[0], text="it was never there")
    found = structs.replace(found, rulings=(first, *found.rulings[1:]))
    assert counting() == 2  # each signature covers the rulings before it
