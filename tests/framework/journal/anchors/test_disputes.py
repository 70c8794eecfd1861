"""Disputes: the log that a dispute names, its file, and the signature of its ruling."""

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec import UNSET, structs

from sandtable.errors import DataError
from sandtable.journal.anchors import disputes
from sandtable.journal.anchors.anchors import head_at
from sandtable.journal.anchors.disputes import Claim, Dispute, DisputeRuling, TriedBranch, dispute_bytes, read_dispute
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.record import Recorded


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def named(log: Log, **keys: str) -> Log:
    """Return the log as if its header named keys."""
    log.header = structs.replace(log.header, keys=keys)
    return log


def opened(log: Log, **more: Any) -> Dispute:
    return disputes.open_dispute(log, 5, "he moved twice", "x", "T3-1", **more)


def test_a_dispute_names_its_log_by_the_head(game: Recorded, log: Log) -> None:
    dispute = opened(log)
    assert dispute.dispute == Claim(
        "log", log.header.game, log.records, head_at(log, log.records), 5, "he moved twice", "x", "T3-1", UNSET
    )
    assert disputes.why_another(dispute, log) == ""
    part = parse_log(b"".join(game.data.splitlines(keepends=True)[:-1]), "part")
    assert disputes.why_another(opened(part), log) == ""  # played on since
    assert disputes.why_another(dispute, part) == (
        f"part has {part.records} records, and had {log.records} when the dispute was opened"
    )
    stranger = structs.replace(dispute, dispute=structs.replace(dispute.dispute, game="other"))
    assert disputes.why_another(stranger, log) == f"log is the game {log.header.game}, the dispute is about other"
    elsewhere = structs.replace(dispute, dispute=structs.replace(dispute.dispute, head="00"))
    assert disputes.why_another(elsewhere, log) == (
        f"log is another log of that game: its head after record {log.records} is not that of the dispute"
    )


def test_what_is_written_of_a_dispute_is_read_again(log: Log, tmp_path: Path) -> None:
    ruling = DisputeRuling("falls", 'as "they" said\nso', "umpire")
    for dispute in (
        opened(log),
        structs.replace(opened(log, odds=("1-3  hit  50 %", "ä")), branch=TriedBranch(die=("5:1=1",), outcome="x")),
        structs.replace(opened(log), ruling=ruling),
        structs.replace(opened(log), branch=TriedBranch(), ruling=ruling),
    ):
        path = tmp_path / "case.toml"
        path.write_bytes(dispute_bytes(dispute))
        assert read_dispute(path) == dispute
        assert b'""' not in path.read_bytes()
    path.write_bytes(dispute_bytes(structs.replace(opened(log), ruling=structs.replace(ruling, verdict="waits"))))
    with pytest.raises(DataError, match=r"case\.toml: ruling\.verdict: is none of stands, falls"):
        read_dispute(path)


def test_a_ruling_in_a_dispute_counts_where_its_signature_does(log: Log, key: SigningKey) -> None:
    bare = opened(log)
    ruled = structs.replace(bare, ruling=DisputeRuling("stands", "it lay flat", "umpire"))
    signed = disputes.signed(ruled, key)
    assert signed.ruling is not None
    altered = structs.replace(signed, ruling=structs.replace(signed.ruling, text="it lay askew"))
    resealed = structs.replace(signed, dispute=structs.replace(signed.dispute, record=6))
    assert [disputes.why_not_signed(each, log) for each in (bare, ruled, signed, altered, resealed)] == [
        "",
        "",
        "",
        "the ruling was altered after it was signed",
        "the ruling was altered after it was signed",
    ]
    named(log, umpire=key.public)
    assert [disputes.why_not_signed(each, log) for each in (bare, ruled, signed, altered)] == [
        "",
        "the ruling is not signed by the umpire of the log's header",
        "",
        "the ruling was altered after it was signed",
    ]
    named(log, umpire="0" * 64)
    assert disputes.why_not_signed(signed, log) == (
        "the ruling is signed by another key than that of the umpire in the log's header"
    )
