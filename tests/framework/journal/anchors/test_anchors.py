"""Anchors: codes, files, signers, and why an anchor does not fit a log."""

import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec import structs

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.anchors.anchors import (
    NO_RECORD,
    anchor_by_code,
    anchor_line,
    anchor_of,
    head_at,
    misfit,
    read_anchors,
    signer,
)
from sandtable.journal.anchors.signing import SigningKey
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.verification.verify import verify
from sandtable.kernel.records import OrderRecord
from sandtable.plugin.manager import Prepared


@pytest.fixture
def key() -> SigningKey:
    return SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def named(log: Log, **keys: str) -> Log:
    """Return the log with ``keys`` named in its header."""
    log.header = structs.replace(log.header, keys=keys)
    return log


def running_hash(log: Log, number: int) -> str:
    """Return the running hash after a record, from the lines alone: as if a stretch ended there."""
    head, stretch, after = bytes(32), b"", b""
    for line in log.chain[: log.places[number] + 1]:
        body = line.partition(b',"hash":"')[0] if b',"hash":"' in line else line[:-1]
        after = hashlib.sha256(head + stretch + body).digest()
        head, stretch = (after, b"") if b',"hash":"' in line else (head, stretch + line + b"\n")
    return after.hex()


def test_anchor_has_the_head_hash_of_its_record_and_a_code(log: Log) -> None:
    for number in (0, 3, log.records):
        anchor = anchor_of(log, number)
        head = running_hash(log, number)
        assert (anchor.game, anchor.record, anchor.head) == (log.header.game, number, head)
        assert (anchor.by, anchor.signature) == ("", "")
        message = f"sandtable anchor\n{log.header.game}\n{number}\n{head}".encode()
        assert anchor.code().replace(" ", "") == hashlib.sha256(message).hexdigest()[:32]
        assert [len(group) for group in anchor.code().split(" ")] == [4] * 8
        assert misfit(anchor, log) == ""
        assert anchor_by_code(anchor.code().upper().replace(" ", "\n "), log).record == number
    assert anchor_of(log) == anchor_of(log, log.records)


def test_altered_log_is_anchored_only_before_the_alteration(game: Recorded) -> None:
    second = [each.n for each in game.game.records if isinstance(each, OrderRecord)][1]
    log = parse_log(game.data.replace(b'"n":%d,' % second, b'"n":%d,' % (second + 1), 1), "log")
    assert log.broken == second
    assert anchor_of(log, second - 1).record == second - 1
    reason = rf"^log: line {second + 1}: was altered: only an intact log can be anchored$"
    for number in (second, second + 1, None):
        with pytest.raises(LogDamaged, match=reason):
            anchor_of(log, number)


def test_mismatched_anchor_is_explained(log: Log) -> None:
    anchor, last = anchor_of(log, 3), log.records
    other = "f" * 64
    cases = {
        f"it anchors the game other, but this is the game {log.header.game}": structs.replace(anchor, game="other"),
        f"it anchors record {last + 1}; this log ends after record {last}": structs.replace(anchor, record=last + 1),
        f"after record 3 the head was {other[:16]}…; here it is {anchor.head[:16]}…": structs.replace(
            anchor, head=other
        ),
        f"after record -2 the head was {anchor.head[:16]}…; here it is …": structs.replace(anchor, record=-2),
        "no record of this log has the anchor code 'abcd0123'": anchor_by_code("ABCD  0123", log),
    }
    for expected, each in cases.items():
        assert misfit(each, log) == expected
    assert anchor_by_code("abcd", log).record == NO_RECORD


def test_signer_is_a_seat_of_the_header_or_a_key(log: Log, key: SigningKey) -> None:
    anchor = anchor_of(log, 3, key)
    assert (anchor.by, len(anchor.signature)) == (key.public, 128)
    assert misfit(anchor, log) == ""
    assert signer(anchor, log) == f"key {key.public[:16]}…, which the header does not name"
    assert signer(anchor_of(log, 3), log) == ""
    assert signer(anchor, named(log, x=key.public, o="0" * 64, umpire=key.public)) == "x and umpire"
    for forged in (
        structs.replace(anchor, signature="0" * 128),
        structs.replace(anchor, by="0" * 64),
        structs.replace(anchor, by=key.public.upper()),
        structs.replace(anchor, signature=anchor.signature[:-1]),
        structs.replace(anchor_of(log, 2, key), record=3, head=anchor.head),
    ):
        assert misfit(forged, log) == f"the signature was not made with the key {forged.by}"


UPTO = "anchored up to and including"


def test_verdict_names_the_last_match_or_first_mismatched_anchor(
    game: Recorded, log: Log, prepared: Prepared, key: SigningKey
) -> None:
    verdict = verify(log, prepared, anchors=[(anchor_of(log, 5), "a"), (anchor_of(log, 2, key), "b")])
    assert (verdict.verdict, verdict.anchor, verdict.exit_code) == (
        "verified",
        f"{UPTO} record 5",
        0,
    )
    verdict = verify(log, prepared, anchors=[(anchor_of(log, 2), "a"), (anchor_of(log, 4, key), "b")])
    assert verdict.anchor == f"{UPTO} record 4, signed by key {key.public[:16]}…, which the header does not name"
    assert verify(log, prepared).anchor == ""
    assert (verdict.head, verdict.game) == (head_at(log, log.records), log.header.game)
    wrong = structs.replace(anchor_of(log, 4), head="0" * 64)
    verdict = verify(log, prepared, anchors=[(anchor_of(log, 5), "a"), (wrong, "b")])
    found = verdict.first_difference
    assert found is not None
    assert (verdict.verdict, verdict.exit_code, found.kind, found.record) == ("false", 1, "anchor", 4)
    assert found.field == "head"
    assert found.text.startswith("b: the anchor does not match: after record 4 the head was 0000000000000000…")
    part = parse_log(b"".join(game.data.splitlines(keepends=True)[:5]), "part")  # an unfinished log can be anchored
    verdict = verify(part, prepared, anchors=[(anchor_of(log, 3), "a")])
    assert (verdict.verdict, verdict.anchor) == ("verified so far", f"{UPTO} record 3")
    verdict = verify(part, prepared, anchors=[(anchor_of(log, 5), "a")])
    assert (verdict.verdict, verdict.exit_code, verdict.anchor) == ("false", 1, "")
    for record, expected in ((0, "the header alone"), (log.records, f"record {log.records}, the last")):
        anchor = verify(log, prepared, anchors=[(anchor_of(log, record), "a")]).anchor
        assert anchor == f"{UPTO} {expected}"


def test_anchor_file_has_one_anchor_per_line(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "anchors"
    one, two = anchor_of(log, 1), anchor_of(log, 2)
    path.write_bytes(b"\n" + anchor_line(one) + b"  \n" + anchor_line(two))
    assert read_anchors(path) == [one, two]
    for data, expected in (
        (b"", "holds no anchor"),
        (b"\n \n", "holds no anchor"),
        (anchor_line(one) + b"\n{}\n", "line 3: is not an anchor: Object missing required field `game`"),
        (anchor_line(structs.replace(one, format="other")), "line 1: is not an anchor: its format is 'other'"),
    ):
        path.write_bytes(data)
        with pytest.raises(LogError, match=f"^{path}: {expected}"):
            read_anchors(path)


def test_game_can_be_anchored_at_the_header_but_not_before(game: Recorded, log: Log) -> None:
    assert anchor_of(log, 0).head == parse_log(game.data, "again").lines[0].rpartition(b'"hash":"')[2][:-2].decode()
    for number in (-1, log.records + 1):
        with pytest.raises(LogError, match=f"has records 1 to {log.records}, not {number}"):
            anchor_of(log, number)
