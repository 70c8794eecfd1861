"""The badge of a replay page, computed by its scripts in node: the verdicts are those of ``sandtable verify``."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cutting import cut_after
from honest_logs import prepared_for
from page_scripts import ask_scripts, script_folder
from rechained import rechained, tables_of
from signed_games import fixed_key, hands_in, signed_game, without

import sandtable as st
from sandtable.errors import LogClosed
from sandtable.journal.anchors.signing import new_key
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import OPENING
from sandtable.journal.sides.slices import count_closed, slice_log
from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[4] / "replays"
OPEN = REPLAYS / "kampfpanzer" / "russians-exited-summa.jsonl"
HIDDEN = REPLAYS / "khamsin" / "allies-broken-teaching.jsonl"
RULED = REPLAYS / "desert_aa" / "axis-capital_captured-ruled.jsonl"
ASK = """
import { readFileSync } from "fs";
import { Badge } from "./panels/badge.js";
import { checkLog, readLog } from "./proof/chain.js";
const [file, side, fault] = process.argv.slice(2);
const log = readLog(readFileSync(file, "utf8"));
const found = await checkLog(log, side);
const verdict = Badge.prototype.verdict(found, { log, data: { side, fault: Boolean(fault) } });
const records = log.records.map((each) => each.data);
console.log(JSON.stringify({ ...verdict, rulings: found.rulings, heads: found.heads, closed: found.closed, records }));
"""

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the scripts of the page, as modules that node can import."""
    return script_folder(tmp_path_factory.mktemp("scripts"), ASK)


def badge(scripts: Path, data: bytes, side: str = "", fault: str = "") -> dict[str, Any]:
    """Return the badge of a page with this log."""
    return ask_scripts(scripts, data, side, fault)


def test_badge_of_a_complete_log_is_verified_and_names_rulings(scripts: Path) -> None:
    found = badge(scripts, RULED.read_bytes())
    assert (found["state"], found["text"]) == ("verified", "Verified, unanchored")
    assert found["rulings"] == ["record 73 by umpire, signed", "record 99 by umpire, signed"]
    assert badge(scripts, RULED.read_bytes(), fault="yes")["state"] == "altered"


@pytest.mark.parametrize("path", [OPEN, RULED], ids=["open", "host"])
def test_the_badge_without_the_key_is_not_proven(path: Path, scripts: Path) -> None:
    lines = tables_of(path.read_bytes())
    for line in (lines[0], lines[-1]):
        line.get("opened", {}).pop(UMPIRE, None)
    found = badge(scripts, rechained(lines))
    assert found["state"] == "part"
    assert found["text"] == "Not proven: without the dice key"


def test_the_badge_without_an_opening_is_not_proven(scripts: Path) -> None:
    lines = tables_of(OPEN.read_bytes())
    place = next(place for place, line in enumerate(lines) if place and line.get("opened"))
    lines[place]["opened"] = {}
    assert badge(scripts, rechained(lines))["text"] == "Not proven: without an opening"


def test_the_badge_of_an_unfinished_log_is_verified_so_far(scripts: Path) -> None:
    for path, more in ((OPEN, ""), (RULED, ", the dice key is pending")):
        found = badge(scripts, cut_after(path.read_bytes(), 60))
        assert (found["state"], found["text"]) == ("verified", f"Verified so far: 60 records{more}")


def slice_for(path: Path, side: str) -> bytes:
    log = read_log(path)
    return slice_log(log, prepare_for(log, Rulesets()), side)


@pytest.mark.parametrize("side", ["axis", "allies", "public"])
def test_the_badge_of_a_sides_page_is_verified_so_far_for_that_side(side: str, scripts: Path) -> None:
    for path in (HIDDEN, RULED):
        part = slice_for(path, side)
        log = parse_log(part, "slice")
        found = badge(scripts, part, side)
        assert found["text"].startswith(f"Verified so far, as {'a spectator' if side == 'public' else side} saw it: ")
        assert found["closed"] == count_closed(log, prepare_for(log, Rulesets()).ruleset)
        assert badge(scripts, part)["text"].startswith("Not proven: ")


def without_proof(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in {"hash", "root"}}


@pytest.mark.parametrize("side", ["", "axis", "public"])
def test_records_in_closed_steps_are_found_by_their_number(side: str, scripts: Path) -> None:
    data = slice_for(HIDDEN, side) if side else HIDDEN.read_bytes()
    log, found = parse_log(data, "log"), badge(scripts, data, side)
    assert found["heads"] == [log.heads[place].decode() for place in log.places]
    for number in range(1, log.records + 1):
        try:
            due = json.loads(log.shown(number, side))
        except LogClosed:
            line = json.loads(log.lines[number])
            due = {"kind": "closed"} if line["kind"] == "closed" else line
        assert without_proof(found["records"][number]) == without_proof(due)


def test_the_badge_without_a_dummy_of_its_side_is_not_proven(scripts: Path) -> None:
    lines = slice_for(HIDDEN, "allies").splitlines(keepends=True)
    dummy = next(
        each for each in lines if each.startswith(OPENING) and b'"part"' not in each and b'"records"' not in each
    )
    lines.remove(dummy)
    assert badge(scripts, b"".join(lines), "allies")["text"] == "Not proven: without an opening"


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (rb'"salt":"[0-9a-f]', b'"salt":"x'),
        (rb'"path":"[0-9a-f]', b'"path":"x'),
        (rb'"path":"[0-9a-f]{64}', b'"path":"'),
        (rb'"at":\d', b'"at":3'),
        (rb'"dice":\[\d', b'"dice":[9'),
        (rb'("records":\[\{"kind":"[a-z]+","n":)', rb"\g<1>1"),
        (rb'"}$', b'","x":1}'),
    ],
)
@pytest.mark.parametrize("side", ["", "axis"])
def test_the_badge_of_an_altered_opening_is_false(side: str, pattern: bytes, replacement: bytes, scripts: Path) -> None:
    lines = (slice_for(HIDDEN, side) if side else HIDDEN.read_bytes()).split(b"\n")
    places = [at for at, each in enumerate(lines) if each.startswith(OPENING) and re.search(pattern, each)]
    if not places:
        assert (side, pattern[:4]) == ("", b'"at"'), "only a side's opening has this field"
        return
    number = json.loads(lines[places[-1]])["n"]
    lines[places[-1]] = re.sub(pattern, replacement, lines[places[-1]], count=1)
    found = badge(scripts, b"\n".join(lines), side)
    assert (found["state"], found["text"]) == ("altered", f"False: altered in record {number}")


@pytest.mark.parametrize(
    "change",
    [
        lambda line, tail: line + b',"x":1' + tail,
        lambda line, tail: line + tail[:-1] + b',"x":1}',
        lambda line, tail: line + b"}",
        lambda line, tail: line + tail[:-1] + b"]",
        lambda line, tail: b"",
    ],
    ids=["field before the hash", "field after the hash", "no hash", "no object", "no line"],
)
def test_the_badge_of_an_altered_stretch_names_its_records(change: Callable[..., bytes], scripts: Path) -> None:
    lines = HIDDEN.read_bytes().split(b"\n")
    ends = [at for at, each in enumerate(lines) if parted(each)[1] and not each.startswith(OPENING)]
    body = parted(lines[ends[3]])[0]
    log = parse_log(HIDDEN.read_bytes(), "log")
    first = next(place for place in log.places if log.heads[place].decode() in lines[ends[2]].decode())
    lines[ends[3]] = change(body, lines[ends[3]][len(body) :])
    found = badge(scripts, b"\n".join(each for each in lines[:-1] if each) + b"\n")
    assert found["text"].startswith("False: altered in record")
    assert len(found["heads"]) - 1 == max(number for number, place in enumerate(log.places) if place == first)


def test_the_badge_of_a_ruling_by_a_player_is_false(scripts: Path) -> None:
    lines = tables_of(RULED.read_bytes())
    number = next(place for place, line in enumerate(lines) if line["kind"] == "ruling")
    lines[number] = {**lines[number], "by": "italy"}
    found = badge(scripts, rechained(lines))
    assert (found["state"], found["text"]) == ("altered", f"False: altered in record {number}")


@pytest.mark.parametrize("how", ["resignation", "agreed_draw", "adjudication"])
def test_badge_of_an_ending_depends_on_the_required_signatures(how: str, tmp_path: Path, scripts: Path) -> None:
    keys = {name: new_key(tmp_path / name) for name in ("allies", "axis", "umpire")}
    due = {"resignation": ["axis"], "agreed_draw": ["allies", "axis"], "adjudication": ["umpire"]}[how]
    header = {"kind": "header", "dice": "host", "keys": {name: key.public for name, key in keys.items()}}
    end = {"kind": "end", "n": 1, "by": due[-1], "how": how, "outcome": "draw", "sides": [due[-1]]}
    start = msgspec.json.encode(header)[:-1]
    head = chain([start], START)[1].hex()
    message = b"sandtable end\n%b\n%b" % (head.encode(), msgspec.json.encode(end))

    def is_false(signatures: dict[str, str]) -> bool:
        body = msgspec.json.encode({**end, "signatures": signatures} if signatures else end)[:-1]
        found = badge(scripts, chain([start, body], START)[0])
        assert found["state"] != "altered" or found["text"] == "False: altered in record 1"
        return bool(found["state"] == "altered")

    signed = {name: keys[name].sign(message) for name in due}
    assert not is_false(signed)
    assert is_false({})
    assert is_false({name: keys[name].sign(message) for name in keys})
    assert is_false({**signed, due[0]: keys[due[0]].sign(b"other words")})


def test_the_badge_of_a_signed_log_needs_every_hand(scripts: Path) -> None:
    prepared = prepared_for("desert_aa")
    data = signed_game(prepared)
    lines = tables_of(data)
    assert badge(scripts, data)["text"] == "Verified, unanchored"
    for hand in (hands_in(lines)[2], hands_in(lines)[-1]):
        assert badge(scripts, rechained(without(lines, hand)))["state"] == "altered"
        wrong = {**lines[hand], "signature": "0" * 128}
        assert badge(scripts, rechained([*lines[:hand], wrong, *lines[hand + 1 :]]))["state"] == "altered"
    assert badge(scripts, cut_after(data, hands_in(lines)[2] - 1))["state"] == "verified"


def test_the_badge_names_a_lost_key_and_refuses_a_forged_one(scripts: Path) -> None:
    seats = ("x", "o")
    game = st.new_game("tictactoe", seed="a", signers={seat: fixed_key(seat) for seat in seats})
    game.submit(next(iter(game.waiting()[0].options.values())))
    game.hands.change_key(game, "o", fixed_key("o", 2), [fixed_key("o")])
    lost = game.hands.change_key(game, "x", fixed_key("x", 2), [fixed_key("o", 2)], "the disk died")
    while not game.is_over:
        game.submit(next(iter(game.waiting()[0].options.values())))
    found = badge(scripts, game.log())
    assert (found["state"], found["rulings"]) == ("verified", [f"record {lost.n} by o, signed: x has a new key"])
    lines = tables_of(game.log())
    for change in ({"key": fixed_key("x", 3).public}, {"signatures": {"x": "0" * 128}}, {"reason": ""}):
        forged = [*lines[: lost.n], {**lines[lost.n], **change}, *lines[lost.n + 1 :]]
        assert badge(scripts, rechained(forged))["state"] == "altered"
