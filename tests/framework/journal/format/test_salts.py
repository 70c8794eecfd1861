"""Salts by record and addressee, a separate source of salts, and the attack on a key made from a word."""

import hashlib
import hmac
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cutting import opening_of, writes_in
from guessing import proofs
from msgspec.structs import replace

from sandtable.errors import LogDamaged
from sandtable.journal.explain import explain
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import game_id, header_body
from sandtable.journal.format.openings import root_of
from sandtable.journal.format.salts import KeyedSalts, StoredSalts
from sandtable.journal.record import Recorded, play_on
from sandtable.journal.resume import resume
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import is_same, verify
from sandtable.kernel.decisions import UMPIRE, Decision
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.options import OneOf
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import ScriptPlayer
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.scratch import Say
from sandtable.testing.toy import AmbushLaid

SALT = "0123456789abcdef" * 2


def test_salts_follow_from_source_record_and_addressee() -> None:
    """Section 5 of the format: SHA-256 over an HMAC and the addressee, computed here with ``hmac``."""
    source = bytes(range(32))

    def hmac_hex(message: str) -> str:
        return hmac.new(source, message.encode(), hashlib.sha256).hexdigest()

    salts = KeyedSalts(source)
    seed = bytes.fromhex(hmac_hex("salt/17"))
    assert salts.of_step(17)("axis") == hashlib.sha256(seed + b"axis").hexdigest()[:32]
    assert salts.masked(17, "ab") == hmac_hex("state/17/ab")
    stored = StoredSalts({(17, "axis"): SALT}, {}, {17: "ef"})
    assert (stored.of_step(17)("axis"), stored.of_step(17)("allies"), stored.of_step(1)("axis")) == (SALT, "", "")
    assert (stored.masked(17, "ab"), stored.masked(18, "ab")) == ("ef", "ab")


def test_stored_question_is_accepted_by_label_if_salts_are_unknown() -> None:
    asked = AnsweredQuestion(1, "talk/red", 1, Decision("red", "say", OneOf([Say("go")], "X-1"), "X-1"))
    bare = text_of(asked)
    stored = StoredSalts({}, {1: "1/talk/red/1#blinded", 2: "1/talk/red/2#blinded", 3: bare}, {})
    assert stored.asked(1, asked, hidden=True) == "1/talk/red/1#blinded"
    assert stored.asked(1, asked, hidden=False) == bare  # questions are not blinded there
    assert stored.asked(2, asked, hidden=True) == bare
    assert stored.asked(3, asked, hidden=False) == bare
    assert stored.asked(4, asked, hidden=True) == bare


KEY = bytes(range(32))
WORDS = ["dice", "benghazi", "tobruk", "rommel"]
Play = Callable[..., Recorded]


@pytest.mark.parametrize(
    ("mode", "proven"),
    [
        ("open", {"commitment", "root of the header", "dice", "own salts", "hidden record"}),
        ("host", {"commitment", "dice", "own salts", "hidden record"}),
        ("manual", {"commitment", "own salts", "hidden record"}),
    ],
)
def test_seed_from_a_dictionary_reveals_hidden_records(
    record: Play, toy: Prepared, mode: str, proven: set[str]
) -> None:
    recorded = record("tobruk", mode, "toy")
    data = slice_log(parse_log(recorded.data, "log"), toy, "north")
    found = {word: proofs(data, key_from_seed(word)) for word in WORDS}
    assert [word for word in WORDS if found[word]] == ["tobruk"]
    assert set(found["tobruk"]) == proven
    events = [getattr(each, "event", None) for each in recorded.game.records]
    ambush = next(each for each in events if isinstance(each, AmbushLaid) and each.side == "south")
    assert found["tobruk"]["hidden record"] == ambush.space


def test_separate_salts_change_only_the_blinding_fields(record: Play, salted: bytes) -> None:
    blinded = {
        "header": {"game", "root"},
        "order": {"asked", "root"},
        "seal": {"digest"},
        "close": {"digest"},
        "closed": {"root"},
        "opening": {"salt", "part", "path"},
    }
    for line, other in zip(record("a", ruleset="toy").data.splitlines(), salted.splitlines(), strict=True):
        one, two = msgspec.json.decode(line), msgspec.json.decode(other)
        changed = {name for name in two if one.get(name) != two[name]} - {"hash"}
        assert changed <= blinded.get(two["kind"], set())
        if two["kind"] == "opening":
            assert two["salt"] == KeyedSalts(KEY).of_step(two["n"])(two["to"])


def test_log_with_salts_is_verified_explained_and_sliced(salted: bytes, toy: Prepared, rulesets: Rulesets) -> None:
    log, prepared = parse_log(salted, "log"), toy
    assert is_same(log, prepared)
    assert verify(log, prepared, deep=True).verdict == "verified"
    roll = next(number for number, line in enumerate(log.lines) if line.startswith(b'{"kind":"roll"'))
    assert explain(log, roll, rulesets).kind == "roll"
    for side in ("north", "south"):
        data = slice_log(log, prepared, side)
        assert KEY.hex().encode() not in data
        assert proofs(data, key_from_seed("a")).keys() == {"commitment", "dice"}
    other = salted.replace(KEY.hex().encode(), bytes(32).hex().encode())
    verdict = verify(parse_log(other, "log"), prepared)
    assert verdict.verdict == "false"
    assert verdict.first_difference is not None
    assert verdict.first_difference.kind == "altered record"


def test_log_with_salts_resumes_to_the_same_bytes(salted: bytes, rulesets: Rulesets, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(writes_in(salted)[:8]))
    resumed = resume(path, rulesets)
    records = read_records(parse_log(salted, "log"), resumed.prepared.ruleset)
    orders = [each.order for each in records[resumed.game.number :] if isinstance(each, OrderRecord)]
    with resumed.writer as writer:
        play_on(resumed.game, dict.fromkeys(resumed.prepared.ruleset.seats, ScriptPlayer(orders)), writer)
    assert path.read_bytes() == salted


@pytest.mark.parametrize("field", ["key", "salts"])
def test_header_value_that_is_not_hex_is_reported_with_its_line(
    salted: bytes, toy: Prepared, rulesets: Rulesets, field: str
) -> None:
    log = parse_log(salted, "x.jsonl")
    shown = {"key": log.header.key, "salts": log.header.salts} | {field: "zz" * 32}
    opening = opening_of(0, UMPIRE, {"part": shown})
    header = replace(log.header, root=root_of(opening))
    header = replace(header, game=game_id(header))
    rest = [parted(line)[0] for line in log.chain[1:]]
    openings = [opening, *(line for (n, _), line in log.openings.items() if n)]
    forged = parse_log(chain([header_body(header), *rest], START, {1: openings})[0], "x.jsonl")
    verdict = verify(forged, toy)
    assert verdict.verdict == "unreadable"
    assert verdict.first_difference is not None
    assert verdict.first_difference.text.startswith("x.jsonl: line 1: ")
    assert verdict.first_difference.text.endswith("is not 64 hex digits: it was altered")
    with pytest.raises(LogDamaged, match="is not 64 hex digits"):
        explain(forged, 5, rulesets)
