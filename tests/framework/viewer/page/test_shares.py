"""The check of shared dice in a replay page, computed by its scripts in node."""

import hmac
from pathlib import Path
from typing import Any

import pytest
from page_scripts import ask_scripts, script_folder
from rechained import rechained, tables_of
from shared_games import shared_game, shares_in

from sandtable.journal.epochs.stored import SharedRolls
from sandtable.journal.file.reading import parse_log
from sandtable.journal.sides.slices import slice_log
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy

pytestmark = pytest.mark.full

ASK = """
import { readFileSync } from "fs";
import { Badge } from "./panels/badge.js";
import { checkLog, keyOfRoll, readLog } from "./proof/chain.js";
import { hexOf } from "./proof/hashing.js";
const [file, side] = process.argv.slice(2);
const log = readLog(readFileSync(file, "utf8"));
const found = await checkLog(log, side);
const verdict = Badge.prototype.verdict(found, { log, data: { side } });
const keys = {};
for (const [place, { data }] of log.records.entries()) {
  if (data.kind === "roll" && data.dice.length) keys[place] = hexOf(await keyOfRoll(log, place) || []);
}
const said = Badge.prototype.dice(found, log.header);
console.log(JSON.stringify({ ...verdict, faults: found.faults, rolls: found.rolls, keys, said }));
"""


def prepared() -> Prepared:
    return Installed("toy", toy, "the toy").prepare()


@pytest.fixture(scope="module")
def data() -> bytes:
    return shared_game(prepared(), "page").data


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return script_folder(tmp_path_factory.mktemp("scripts"), ASK)


def page(scripts: Path, data: bytes, side: str = "") -> dict[str, Any]:
    return ask_scripts(scripts, data, side)


def test_page_confirms_a_game_with_shared_dice(scripts: Path, data: bytes) -> None:
    found = page(scripts, data)
    rolls = [line for line in tables_of(data) if line["kind"] == "roll"]
    assert (found["state"], found["text"]) == ("verified", "Verified, unanchored")
    assert (found["faults"], found["rolls"]) == ([], len(rolls))
    assert found["said"] == f"{len(rolls)} rolls match the shares of all sides"


def test_page_has_the_key_of_each_roll(scripts: Path, data: bytes) -> None:
    shared = SharedRolls(parse_log(data, "log"))
    assert shared.first_contradiction() is None
    assert page(scripts, data)["keys"] == {str(number): key.hex() for number, key in shared.keys.items()}
    for line in tables_of(data):
        if line["kind"] == "roll" and line["dice"]:
            word = hmac.digest(shared.keys[line["n"]], line["label"].encode(), "sha256")[:4]
            assert int.from_bytes(word, "big") % line["sides"] + 1 == line["dice"][0]


def test_page_of_a_side_confirms_the_dice_without_the_key(scripts: Path, data: bytes) -> None:
    part = slice_log(parse_log(data, "log"), prepared(), "north")
    found = page(scripts, part, "north")
    assert found["text"].startswith("Verified so far, as north saw it: ")
    assert found["rolls"] == page(scripts, data)["rolls"]
    assert page(scripts, part)["text"].startswith("Not proven: without ")


@pytest.mark.parametrize("change", ["share", "die", "epoch", "at", "removed", "sides"])
def test_page_refuses_altered_shares_and_dice(change: str, scripts: Path, data: bytes) -> None:
    lines = tables_of(data)
    number = shares_in(data)[1]
    line = lines[number]
    roll = next(each for each in lines[number:] if each["kind"] == "roll" and each["dice"])
    if change == "die":
        roll["dice"][0] = roll["dice"][0] % roll["sides"] + 1
    elif change == "removed":
        lines[number : number + 1] = []
        lines[number:] = [{**each, "n": each["n"] - 1} for each in lines[number:]]
    elif change == "sides":
        line["links"].pop("south")
    else:
        links = {**line["links"], "south": "ab" * 32}
        altered: dict[str, Any] = {"share": {"links": links}, "epoch": {"epoch": 3}, "at": {"at": 1}}
        line.update(altered[change])
    found = page(scripts, rechained(lines))
    assert found["state"] == "altered"
    due = {"die": roll["n"], "removed": roll["n"] - 1}.get(change, number)
    assert found["faults"][0]["record"] == due
