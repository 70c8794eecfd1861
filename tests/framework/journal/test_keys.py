"""Keys that cannot be guessed, the file that keeps one, and why a seed is no such key."""

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from guessing import proofs
from msgspec.structs import replace

from sandtable.errors import DataError, LogDamaged, LogExists, LogWriteFailed, PlayError
from sandtable.journal.explain import explain
from sandtable.journal.file.keys import check_key, drop_key, keep_key, kept_key, key_file, read_key, refuse_stray_key
from sandtable.journal.file.log import parse_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.format.chain import START, chain_opened
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import Header, game_id, header_body, make_dice, make_header
from sandtable.journal.format.openings import commitment_of, opening_line
from sandtable.journal.format.salts import KeyedSalts
from sandtable.journal.record import Recorded, log_bytes, play_on
from sandtable.journal.resume import resume
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import is_same, verify
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import ScriptPlayer
from sandtable.plugin.manager import Rulesets
from sandtable.testing.toy import AmbushLaid

KEY = bytes(range(32))
WORDS = ["dice", "benghazi", "tobruk", "rommel"]
Play = Callable[..., Recorded]


# --- why: the attack on a key made from a word ---


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("open", {"commitment", "sealed header", "dice", "own salts", "hidden record"}),
        ("host", {"commitment", "dice", "own salts", "hidden record"}),
        ("manual", {"commitment", "own salts", "hidden record"}),
    ],
)
def test_a_seed_in_a_dictionary_gives_away_what_a_slice_hides(
    record: Play, rulesets: Rulesets, mode: str, told: set[str]
) -> None:
    recorded = record("tobruk", mode, "toy")
    data = slice_log(parse_log(recorded.data, "log"), rulesets.load("toy").prepare(), "north")
    found = {word: proofs(data, key_from_seed(word)) for word in WORDS}
    assert [word for word in WORDS if found[word]] == ["tobruk"]
    assert set(found["tobruk"]) == told
    events = [getattr(each, "event", None) for each in recorded.game.records]
    ambush = next(each for each in events if isinstance(each, AmbushLaid) and each.side == "south")
    assert found["tobruk"]["hidden record"] == ambush.space


# --- salts of their own ---


@pytest.fixture
def salted(record: Play, rulesets: Rulesets) -> bytes:
    """Return a log of the toy with the key of the seed "a" and salts of its own."""
    prepared, header = rulesets.load("toy").prepare(), record("a", ruleset="toy").header
    dice = make_dice("open", key_from_seed("a"), KEY)
    orders = [each.order for each in record("a", ruleset="toy").game.records if isinstance(each, OrderRecord)]
    game = prepared.new_game(dice)
    game.play(dict.fromkeys(prepared.ruleset.seats, ScriptPlayer(orders)))
    return log_bytes(make_header(prepared, header.players, dice), game)[0]


def test_salts_of_their_own_change_what_blinds_secrets_and_nothing_else(record: Play, salted: bytes) -> None:
    blinded = {
        "header": {"game", "sealed"},
        "order": {"asked", "sealed"},
        "seal": {"digest"},
        "close": {"digest"},
        "event": {"sealed"},
        "opening": {"salt", "salts", "asked"},
    }
    for line, other in zip(record("a", ruleset="toy").data.splitlines(), salted.splitlines(), strict=True):
        one, two = msgspec.json.decode(line), msgspec.json.decode(other)
        changed = {name for name in two if one.get(name) != two[name]} - {"hash"}
        assert changed <= blinded.get(two["kind"], set())
        if two["kind"] == "opening":
            assert two["salt"] == KeyedSalts(KEY).opening(two["n"], two["to"])


def test_a_log_with_salts_verifies_is_explained_and_sliced_without_them(salted: bytes, rulesets: Rulesets) -> None:
    log, prepared = parse_log(salted, "log"), rulesets.load("toy").prepare()
    assert is_same(log, prepared)
    assert verify(log, prepared, deep=True).verdict == "verified"
    roll = next(number for number, line in enumerate(log.lines) if line.startswith(b'{"kind":"roll"'))
    assert explain(log, roll, rulesets).kind == "roll"
    for side in ("north", "south"):
        data = slice_log(log, prepared, side)
        assert KEY.hex().encode() not in data
        assert proofs(data, key_from_seed("a")).keys() == {"commitment", "dice"}
    other = salted.replace(KEY.hex().encode(), bytes(32).hex().encode())
    assert verify(parse_log(other, "log"), prepared).verdict == "altered record"


def test_a_log_with_salts_goes_on_to_the_same_bytes(salted: bytes, rulesets: Rulesets, tmp_path: Path) -> None:
    lines, path = salted.splitlines(keepends=True), tmp_path / "log.jsonl"
    path.write_bytes(b"".join(lines[:30]))
    resumed = resume(path, rulesets)
    given = [msgspec.json.decode(line).get("order") for line in lines[resumed.game.number + 1 :]]
    decode = RecordCodec.of(resumed.prepared.ruleset).order.decode
    orders = [decode(msgspec.json.encode(each)) for each in given if each]
    with resumed.writer as writer:
        play_on(resumed.game, dict.fromkeys(resumed.prepared.ruleset.seats, ScriptPlayer(orders)), writer)
    assert path.read_bytes() == salted


def test_dice_in_another_language_need_no_salts(salted: bytes, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    (tmp_path / "log.jsonl").write_bytes(salted)
    script = Path(__file__).parents[2] / "replays" / "verify.js"
    told = subprocess.run([node, script, tmp_path / "log.jsonl"], capture_output=True, text=True, check=False)
    assert told.returncode == 0
    assert "dice: " in told.stdout


@pytest.mark.parametrize("field", ["key", "salts"])
def test_what_is_no_hex_in_a_header_is_told_in_a_line(salted: bytes, rulesets: Rulesets, field: str) -> None:
    log = parse_log(salted, "x.jsonl")
    shown = {"key": log.header.key, "salts": log.header.salts} | {field: "zz" * 32}
    opening = opening_line(0, UMPIRE, "0" * 32, shown)
    header = replace(log.header, sealed={UMPIRE: commitment_of(opening)})
    header = replace(header, game=game_id(header))
    rest = [line.partition(b',"hash":"')[0] for line in log.lines[1:]]
    openings = {0: {UMPIRE: opening}} | {n: {to: line} for (n, to), line in log.openings.items() if n}
    forged = parse_log(
        chain_opened([header_body(header), *rest], {1: openings.pop(0), **openings}, START)[0], "x.jsonl"
    )
    prepared = rulesets.load("toy").prepare()
    verdict = verify(forged, prepared)
    assert verdict.verdict == "unreadable"
    assert verdict.first_difference is not None
    assert verdict.first_difference.text.startswith("x.jsonl: line 1: ")
    assert verdict.first_difference.text.endswith("is not 64 hex digits: it was altered")
    with pytest.raises(LogDamaged, match="is not 64 hex digits"):
        explain(forged, 5, rulesets)


# --- the file ---


def test_a_kept_key_is_its_owners_alone_and_comes_back(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    file = keep_key(log, KEY)
    assert file == key_file(log) == tmp_path / "a.jsonl.key"
    assert file.read_text() == f"{KEY.hex()}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_key(file) == KEY
    drop_key(log, bytes(32))
    assert file.exists()
    drop_key(log, KEY)
    drop_key(log, KEY)
    assert not file.exists()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        KEY.hex().encode(),
        KEY.hex().upper().encode() + b"\n",
        KEY.hex().encode() + b"\r\n",
        b"00" * 33 + b"\n",
        KEY.hex().encode() + b"\n\n",
    ],
    ids=["empty", "no line end", "upper case", "CRLF", "too long", "two line ends"],
)
def test_a_file_without_a_key_is_refused_and_its_text_not_told(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "a.key"
    file.write_bytes(text)
    with pytest.raises(DataError, match=r"a\.key: holds no key: wanted are 64 hex digits") as caught:
        read_key(file)
    assert KEY.hex()[:8] not in str(caught.value).lower()


def test_what_is_no_file_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.key: cannot be read: No such file"):
        read_key(tmp_path / "a.key")
    os.mkfifo(tmp_path / "pipe.key")
    for each in (tmp_path, tmp_path / "pipe.key"):
        with pytest.raises(DataError, match="is no ordinary file"):
            read_key(each)


@pytest.mark.parametrize("mode", ["open", "host", "manual"])
def test_a_key_is_compared_with_what_the_header_says(record: Play, mode: str) -> None:
    header = record("a", mode).header
    check_key(key_from_seed("a"), header, "here", "a.jsonl")
    with pytest.raises(DataError, match=r"here: is not the key of a\.jsonl"):
        check_key(KEY, header, "here", "a.jsonl")


def test_a_new_key_takes_the_place_of_none_but_that_of_the_log_it_overwrites(record: Play, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    refuse_stray_key(log)
    keep_key(log, key_from_seed("a"))
    for force in (False, True):  # the log was moved away: its key is all that is left here
        with pytest.raises(LogExists, match=r"there is a key already, but not of a log .*a\.jsonl: begin with it"):
            refuse_stray_key(log, force=force)
    log.write_bytes(record("b", "host").data)
    with pytest.raises(LogExists):
        refuse_stray_key(log, force=True)
    for own in (record("a", "host").data, b"", b'{"kind":"header","fo'):
        log.write_bytes(own)
        refuse_stray_key(log, force=True)


def test_a_log_is_begun_when_its_key_is_kept_and_not_before(
    record: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, steps = tmp_path / "a.jsonl", list[str]()
    write, wait = LogWriter._write_header, os.fsync

    def writing(self: LogWriter, header: Header) -> None:
        steps.append(f"header, with the key {key_file(log).read_text().strip()}")
        write(self, header)

    monkeypatch.setattr(LogWriter, "_write_header", writing)

    def waiting(handle: int) -> None:
        steps.append("wait for the disk")
        wait(handle)

    monkeypatch.setattr(os, "fsync", waiting)
    recorded = record("a", "host")
    LogWriter.create(log, recorded.header, recorded.form, first=lambda: void(keep_key(log, KEY))).close()
    assert steps[:3] == ["wait for the disk", "wait for the disk", f"header, with the key {KEY.hex()}"]


def test_where_the_key_cannot_be_kept_no_log_is_begun(record: Play, tmp_path: Path) -> None:
    recorded = record("a", "host")
    log = tmp_path / ("a" * 253)
    with pytest.raises(LogWriteFailed, match="the key cannot be written: File name too long: the game was not begun"):
        LogWriter.create(log, recorded.header, recorded.form, first=lambda: void(keep_key(log, KEY)))
    assert list(tmp_path.iterdir()) == [tmp_path / "rulesets"]


def void(_: object) -> None:
    """Throw a value away."""


# --- going on with it ---


@pytest.mark.parametrize("mode", ["host", "manual"])
def test_resume_finds_the_key_beside_the_log(record: Play, rulesets: Rulesets, tmp_path: Path, mode: str) -> None:
    lines, log = record("a", mode).data.splitlines(keepends=True), tmp_path / "a.jsonl"
    log.write_bytes(b"".join(lines[:7]))
    with pytest.raises(PlayError, match=r"its dice key is not in the log, and there is no .*a\.jsonl\.key"):
        resume(log, rulesets)
    keep_key(log, KEY)
    with pytest.raises(DataError, match=r"a\.jsonl\.key: is not the key of .*a\.jsonl: its header is committed"):
        resume(log, rulesets)
    with pytest.raises(LogWriteFailed, match="File exists"):
        keep_key(log, key_from_seed("a"))
    keep_key(log, key_from_seed("a"), replace=True)
    key_file(log).unlink()
    keep_key(log, key_from_seed("a"), replace=True)  # whether one is there or not
    with resume(log, rulesets).writer:
        assert kept_key(log, record("a", mode).header) == key_from_seed("a")


def test_a_key_that_outlived_its_game_goes_when_somebody_looks(
    record: Play, rulesets: Rulesets, tmp_path: Path
) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(record("a", "host").data)
    keep_key(log, key_from_seed("a"))  # killed after the close was written
    with pytest.raises(PlayError, match="the game is over"):
        resume(log, rulesets)
    assert not key_file(log).exists()
