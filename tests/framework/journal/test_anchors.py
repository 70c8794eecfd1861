"""Seals, keys, signed rulings and disputes: what fits a log, what does not, and in which words that is told."""

import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from msgspec import UNSET, structs

from sandtable.errors import DataError, LogDamaged, LogError, PlayError, RulesetMissing
from sandtable.journal.anchors import disputes, rulings
from sandtable.journal.anchors.anchors import (
    NO_RECORD,
    head_at,
    misfit,
    read_seals,
    seal_line,
    seal_of,
    sealed_by_code,
    signer,
)
from sandtable.journal.anchors.disputes import Claim, Dispute, DisputeRuling, TriedBranch, dispute_bytes, read_dispute
from sandtable.journal.anchors.rulings import why_not_umpires
from sandtable.journal.anchors.signing import SigningKey, is_public_key, is_signed, new_key, read_signing_key
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.verification.verify import verify
from sandtable.kernel.records import RulingRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.tictactoe import Marked


@pytest.fixture
def log(game: Recorded) -> Log:
    return parse_log(game.data, "log")


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def named(log: Log, **keys: str) -> Log:
    """Return the log as if its header named keys."""
    log.header = structs.replace(log.header, keys=keys)
    return log


# --- seals ---


def test_a_seal_is_the_head_after_its_record_and_reads_as_a_code(log: Log) -> None:
    for number in (0, 3, log.records):
        seal = seal_of(log, number)
        head = log.lines[number][-66:-2].decode()
        assert (seal.game, seal.record, seal.head) == (log.header.game, number, head)
        assert (seal.by, seal.signature) == ("", "")
        message = f"sandtable seal\n{log.header.game}\n{number}\n{head}".encode()
        assert seal.code().replace(" ", "") == hashlib.sha256(message).hexdigest()[:32]
        assert [len(group) for group in seal.code().split(" ")] == [4] * 8
        assert misfit(seal, log) == ""
        assert sealed_by_code(seal.code().upper().replace(" ", "\n "), log).record == number
    assert seal_of(log) == seal_of(log, log.records)


def test_of_a_log_that_was_altered_only_what_stands_before_is_sealed(game: Recorded) -> None:
    lines = game.data.split(b"\n")
    lines[4] = lines[4].replace(b'"n":4', b'"n":5')
    log = parse_log(b"\n".join(lines), "log")
    assert log.broken == 4
    assert seal_of(log, 3).record == 3
    for number in (4, 5, None):
        with pytest.raises(LogDamaged, match=r"^log: line 5: was altered: only a whole log is sealed$"):
            seal_of(log, number)
    log.lines[4] = b"{}"
    assert head_at(log, 4) == ""


def test_why_a_seal_does_not_fit_is_told(log: Log) -> None:
    seal, last = seal_of(log, 3), log.records
    other = "f" * 64
    cases = {
        f"it seals the game other, this is {log.header.game}": structs.replace(seal, game="other"),
        f"it seals record {last + 1}; this log ends after record {last}": structs.replace(seal, record=last + 1),
        f"after record 3 the head was {other[:16]}…; here it is {seal.head[:16]}…": structs.replace(seal, head=other),
        f"after record -2 the head was {seal.head[:16]}…; here it is …": structs.replace(seal, record=-2),
        "no record of this log has the seal code 'abcd0123'": sealed_by_code("ABCD  0123", log),
    }
    for told, each in cases.items():
        assert misfit(each, log) == told
    assert sealed_by_code("abcd", log).record == NO_RECORD


def test_who_signed_is_a_seat_of_the_header_or_a_key(log: Log, key: SigningKey) -> None:
    seal = seal_of(log, 3, key)
    assert (seal.by, len(seal.signature)) == (key.public, 128)
    assert misfit(seal, log) == ""
    assert signer(seal, log) == f"key {key.public[:16]}…, which the header does not name"
    assert signer(seal_of(log, 3), log) == ""
    assert signer(seal, named(log, x=key.public, o="0" * 64, umpire=key.public)) == "x and umpire"
    for forged in (
        structs.replace(seal, signature="0" * 128),
        structs.replace(seal, by="0" * 64),
        structs.replace(seal, by=key.public.upper()),
        structs.replace(seal, signature=seal.signature[:-1]),
        structs.replace(seal_of(log, 2, key), record=3, head=seal.head),
    ):
        assert misfit(forged, log) == f"the signature is not one of the key {forged.by}"


def test_of_seals_that_fit_the_last_is_told_and_the_first_that_does_not_is_the_verdict(
    game: Recorded, prepared: Prepared, key: SigningKey
) -> None:
    log = parse_log(game.data, "log")
    verdict = verify(log, prepared, seals=[(seal_of(log, 5), "a"), (seal_of(log, 2, key), "b")])
    assert (verdict.verdict, verdict.anchor, verdict.exit_code) == ("verified", "sealed after record 5", 0)
    verdict = verify(log, prepared, seals=[(seal_of(log, 2), "a"), (seal_of(log, 4, key), "b")])
    assert verdict.anchor == f"sealed after record 4, signed by key {key.public[:16]}…, which the header does not name"
    assert verify(log, prepared).anchor == ""
    assert (verdict.head, verdict.game) == (head_at(log, log.records), log.header.game)
    wrong = structs.replace(seal_of(log, 4), head="0" * 64)
    verdict = verify(log, prepared, seals=[(seal_of(log, 5), "a"), (wrong, "b")])
    found = verdict.first_difference
    assert found is not None
    assert (verdict.verdict, verdict.exit_code, found.record, found.field) == ("seal", 1, 4, "head")
    assert found.text.startswith("b: the seal does not fit: after record 4 the head was 0000000000000000…")
    part = parse_log(b"".join(game.data.splitlines(keepends=True)[:5]), "part")  # what is unfinished may be sealed
    verdict = verify(part, prepared, seals=[(seal_of(log, 3), "a")])
    assert (verdict.verdict, verdict.anchor) == ("file ends early", "sealed after record 3")
    assert verify(part, prepared, seals=[(seal_of(log, 5), "a")]).verdict == "seal"


def test_a_file_of_seals_has_one_a_line(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "seals"
    one, two = seal_of(log, 1), seal_of(log, 2)
    path.write_bytes(b"\n" + seal_line(one) + b"  \n" + seal_line(two))
    assert read_seals(path) == [one, two]
    for data, told in (
        (b"", "holds no seal"),
        (b"\n \n", "holds no seal"),
        (seal_line(one) + b"\n{}\n", "line 3: is no seal: Object missing required field `game`"),
        (seal_line(structs.replace(one, format="other")), "line 1: is no seal: its format is 'other'"),
    ):
        path.write_bytes(data)
        with pytest.raises(LogError, match=f"^{path}: {told}"):
            read_seals(path)


# --- keys ---


def test_a_key_is_its_owners_alone_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    made = new_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_signing_key(path).public == made.public
    assert is_public_key(made.public)
    assert is_signed(made.public, b"words", read_signing_key(path).sign(b"words"))
    before = path.read_bytes()
    with pytest.raises(DataError, match="is there already: a key is never overwritten; name another file"):
        new_key(path)
    assert path.read_bytes() == before
    with pytest.raises(DataError, match="cannot be written: No such file or directory"):
        new_key(tmp_path / "no" / "a.key")


def test_what_is_no_private_key_of_ours_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    path.write_bytes(b"words")
    with pytest.raises(DataError, match="holds no private key as `sandtable key new` makes them"):
        read_signing_key(path)
    plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    for other, told in (
        (x25519.X25519PrivateKey.generate().private_bytes(*plain, serialization.NoEncryption()), "of another kind"),
        (
            ed25519.Ed25519PrivateKey.generate().private_bytes(*plain, serialization.BestAvailableEncryption(b"x")),
            "holds no private key",
        ),
    ):
        path.write_bytes(other)
        with pytest.raises(DataError, match=told):
            read_signing_key(path)


def test_keys_and_signatures_are_hex_digits_of_their_length(key: SigningKey) -> None:
    signature = key.sign(b"words")
    assert is_signed(key.public, b"words", signature)
    assert not is_signed(key.public, b"other words", signature)
    for public, told in (
        (key.public.upper(), signature),
        (key.public + "0", signature),
        (key.public, signature + "0"),
        (key.public, signature[:-1] + "g"),
        ("", signature),
        (key.public, ""),
        ("f" * 64, signature),
    ):
        assert not is_signed(public, b"words", told)
    assert [is_public_key(text) for text in ("0" * 64, "0" * 63, "0" * 65, "A" * 64, "")] == [True, *[False] * 4]


def test_without_the_package_nothing_is_signed_and_nobody_accused(
    tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = key.sign(b"words")
    for name in [each for each in sys.modules if each.partition(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    told = r"signatures want the package cryptography: install sandtable\[keys\]"
    for act in (new_key, read_signing_key):
        with pytest.raises(PlayError, match=told):
            act(tmp_path / "a.key")
    with pytest.raises(RulesetMissing, match=told):
        is_signed(key.public, b"words", signature)
    assert not is_signed(key.public, b"words", "none")
    assert not os.path.lexists(tmp_path / "a.key")


# --- rulings ---


def test_a_ruling_counts_where_the_key_of_the_header_has_signed_it(log: Log, key: SigningKey) -> None:
    ruling: RulingRecord[Any] = RulingRecord(4, "umpire", "his pen was dry", Marked("x", 4))
    head = head_at(log, 3)
    assert why_not_umpires(ruling, log) == ""  # no key is named
    with pytest.raises(PlayError, match=rf"the header names {'0' * 16}…, not {key.public[:16]}…"):
        rulings.signed(ruling, head, key, {"umpire": "0" * 64})
    for keys in ({}, {"x": "0" * 64}, {"umpire": key.public}):
        signed = rulings.signed(ruling, head, key, keys)
        assert is_signed(key.public, rulings.ruling_message(ruling, head), signed.signature)
    named(log, umpire=key.public)
    assert why_not_umpires(signed, log) == ""
    assert why_not_umpires(ruling, log) == "the ruling is not signed; the header names the umpire's key"
    for other in (
        structs.replace(signed, reason="otherwise"),
        structs.replace(signed, n=5),
        rulings.signed(ruling, head_at(log, 4), key, {}),
    ):
        assert why_not_umpires(other, log) == "the ruling is not signed by the umpire whose key the header names"


# --- disputes ---


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
