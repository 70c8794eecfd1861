"""The badge of a replay page, computed by its scripts in node: the verdicts are those of ``sandtable verify``."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cutting import cut_after
from rechained import rechained, tables_of

from sandtable.journal.file.reading import parse_log
from sandtable.journal.sides.slices import slice_log
from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.manager import Rulesets
from sandtable.viewer.page import assets

REPLAYS = Path(__file__).parents[4] / "replays"
SCRIPTS = Path(assets.__file__).parent / "scripts"
OPEN = REPLAYS / "kampfpanzer" / "russians-exited-summa.jsonl"
RULED = REPLAYS / "desert_aa" / "axis-capital_captured-ruled.jsonl"
ASK = """
import { readFileSync } from "fs";
import { Badge } from "./panels/badge.js";
import { checkLog, readLog } from "./proof/chain.js";
const [file, side, fault] = process.argv.slice(2);
const log = readLog(readFileSync(file, "utf8"));
const found = await checkLog(log, side);
const verdict = Badge.prototype.verdict(found, { log, data: { side, fault: Boolean(fault) } });
console.log(JSON.stringify({ ...verdict, rulings: found.rulings }));
"""

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the scripts of the page, as modules that node can import."""
    if shutil.which("node") is None:
        pytest.skip("no node here")
    folder = tmp_path_factory.mktemp("scripts")
    shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type":"module"}', encoding="utf-8")
    (folder / "ask.js").write_text(ASK, encoding="utf-8")
    return folder


def badge(scripts: Path, data: bytes, side: str = "", fault: str = "") -> dict[str, Any]:
    """Return the badge of a page with this log."""
    (scripts / "log.jsonl").write_bytes(data)
    node = shutil.which("node")
    assert node is not None
    asked = [node, "ask.js", "log.jsonl", side, fault]
    told = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=scripts)
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def test_the_badge_of_a_whole_log_is_verified_and_names_rulings(scripts: Path) -> None:
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


def test_the_badge_of_a_sides_page_is_verified_so_far_for_that_side(scripts: Path) -> None:
    log = parse_log(RULED.read_bytes(), "log")
    prepared = Rulesets().load("desert_aa").prepare("frontier")
    part = slice_log(log, prepared, "axis")
    assert badge(scripts, part, "axis")["text"].startswith("Verified so far, as axis saw it: ")
    assert badge(scripts, part)["text"].startswith("Not proven: ")


def test_the_badge_of_a_ruling_by_a_player_is_false(scripts: Path) -> None:
    lines = tables_of(RULED.read_bytes())
    number = next(place for place, line in enumerate(lines) if line["kind"] == "ruling")
    lines[number] = {**lines[number], "by": "italy"}
    found = badge(scripts, rechained(lines))
    assert (found["state"], found["text"]) == ("altered", f"False: altered in record {number}")
