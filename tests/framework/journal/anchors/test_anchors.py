"""Seals: codes, files of seals, signers, and the reason why a seal does not fit a log."""

import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec import structs

from sandtable.errors import LogDamaged, LogError
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
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def named(log: Log, **keys: str) -> Log:
    """Return the log as if its header named keys."""
    log.header = structs.replace(log.header, keys=keys)
    return log


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


UPTO = "anchored up to and including"


def test_of_seals_that_fit_the_last_is_told_and_the_first_that_does_not_is_the_verdict(
    game: Recorded, log: Log, prepared: Prepared, key: SigningKey
) -> None:
    verdict = verify(log, prepared, seals=[(seal_of(log, 5), "a"), (seal_of(log, 2, key), "b")])
    assert (verdict.verdict, verdict.anchor, verdict.exit_code) == (
        "verified",
        f"{UPTO} record 5",
        0,
    )
    verdict = verify(log, prepared, seals=[(seal_of(log, 2), "a"), (seal_of(log, 4, key), "b")])
    assert verdict.anchor == f"{UPTO} record 4, signed by key {key.public[:16]}…, which the header does not name"
    assert verify(log, prepared).anchor == ""
    assert (verdict.head, verdict.game) == (head_at(log, log.records), log.header.game)
    wrong = structs.replace(seal_of(log, 4), head="0" * 64)
    verdict = verify(log, prepared, seals=[(seal_of(log, 5), "a"), (wrong, "b")])
    found = verdict.first_difference
    assert found is not None
    assert (verdict.verdict, verdict.exit_code, found.kind, found.record) == ("false", 1, "seal", 4)
    assert found.field == "head"
    assert found.text.startswith("b: the anchor does not fit: after record 4 the head was 0000000000000000…")
    part = parse_log(b"".join(game.data.splitlines(keepends=True)[:5]), "part")  # what is unfinished may be sealed
    verdict = verify(part, prepared, seals=[(seal_of(log, 3), "a")])
    assert (verdict.verdict, verdict.anchor) == ("verified so far", f"{UPTO} record 3")
    verdict = verify(part, prepared, seals=[(seal_of(log, 5), "a")])
    assert (verdict.verdict, verdict.exit_code, verdict.anchor) == ("false", 1, "")
    for record, told in ((0, "the header alone"), (log.records, f"record {log.records}, the last")):
        anchor = verify(log, prepared, seals=[(seal_of(log, record), "a")]).anchor
        assert anchor == f"{UPTO} {told}"


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


def test_a_game_may_be_sealed_before_its_first_record_and_not_before_that(game: Recorded, log: Log) -> None:
    assert seal_of(log, 0).head == parse_log(game.data, "again").lines[0].rpartition(b'"hash":"')[2][:-2].decode()
    for number in (-1, log.records + 1):
        with pytest.raises(LogError, match=f"has records 1 to {log.records}, no {number}"):
            seal_of(log, number)
