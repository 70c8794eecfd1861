"""A side's view follows from its slice alone, record by record."""

import base64
import hashlib
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import json

from sandtable.cli.main import cli
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.fold import effective, fold_steps, prepare_for, read_records
from sandtable.journal.sides.slices import shown_records, slice_log
from sandtable.kernel.decisions import PUBLIC
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.viewer.page.document import islands_of

pytestmark = pytest.mark.full

FOLDER = Path(__file__).parents[2] / "replays"
RULESETS = Rulesets()
SHORT = [
    "khamsin/allies-broken-teaching",
    "kampfpanzer/british-reached-arras",
    "damos/soviet-substantial-smolensk",
    "desert_aa/draw-round_limit",
    "axis_attack/draw-stalemate-armoured_clash",
]
LONG = [
    name
    for path in sorted(FOLDER.glob("*/*.jsonl"))
    if path.parent.name != "disputes" and (name := f"{path.parent.name}/{path.stem}") not in SHORT
]


@pytest.mark.parametrize("name", [*SHORT, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)])
def test_slice_of_a_side_gives_its_view(name: str) -> None:
    log = read_log(FOLDER / f"{name}.jsonl")
    prepared = prepare_for(log, RULESETS)
    for side in (*prepared.ruleset.viewers, PUBLIC):
        mine, whole = views_of_slice(log, prepared, side), views(read_records(log, prepared.ruleset), prepared, side)
        known: Any = None
        for number, view in whole.items():
            known = mine.get(number, known)
            assert known == view, f"record {number}, as {side} saw it"


@pytest.mark.parametrize("name", [SHORT[0], *(pytest.param(name, marks=pytest.mark.slow) for name in SHORT[3:])])
def test_page_of_a_side_is_rebuilt_from_its_slice(name: str, tmp_path: Path) -> None:
    page, side = tmp_path / "page.html", RULESETS.load(name.partition("/")[0]).manifest.sides[0]
    log = FOLDER / f"{name}.jsonl"
    assert command("log", "page", log, "--out", page, "--side", side).exit_code == 0
    checked = command("log", "page", "--check", page)
    assert checked.exit_code == 0, checked.stderr
    assert "so do its pictures, counts and decisions\n" in checked.stderr
    altered = json.decode(islands_of(page.read_bytes(), "page")["data"])
    altered["games"][0]["views"][0]["frames"]["frames"].pop()
    page.write_text(_DATA.sub(_packed(json.encode(altered)), page.read_text()))
    checked = command("log", "page", "--check", page)
    assert checked.exit_code == 1
    assert "its pictures, counts or decisions do NOT" in checked.stderr


@pytest.mark.parametrize("name", SHORT)
def test_page_of_a_spectator_is_checked_without_the_log(name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert command("log", "page", FOLDER / f"{name}.jsonl", "--out", page, "--side", "public").exit_code == 0
    checked = command("log", "page", "--check", page)
    assert checked.exit_code == 0, checked.stderr
    assert "so do its pictures, counts and decisions\n" in checked.stderr
    assert "Error" not in checked.stderr


def test_page_of_two_games_is_rebuilt_from_their_slices(tmp_path: Path) -> None:
    page, games = tmp_path / "page.html", FOLDER / "khamsin"
    one, other = games / "allies-broken-teaching.jsonl", games / "allies-position-teaching.jsonl"
    assert command("log", "page", one, "--compare", other, "--out", page, "--side", "axis").exit_code == 0
    checked = command("log", "page", "--check", page)
    assert checked.exit_code == 0, checked.stderr
    assert "so do its pictures, counts and decisions" in checked.stderr
    assert command("log", "page", "--check", page, one).exit_code == 2


_DATA = re.compile(r'<script type="text/plain" id="data"[^>]*>[^<]*</script>')


def _packed(data: bytes) -> str:
    """Return the packed pictures and words of a page."""
    packed = zlib.compress(data, 9)
    digest, text = hashlib.sha256(packed).hexdigest(), base64.b64encode(packed).decode()
    return f'<script type="text/plain" id="data" data-sha256="{digest}">{text}</script>'


def command(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], prog_name="sandtable")


def views_of_slice(log: Log, prepared: Prepared, side: str) -> dict[int, Any]:
    """Return the view of ``side`` after each record of its slice."""
    shown = effective(shown_records(parse_log(slice_log(log, prepared, side), "slice"), prepared))
    filled = (prepared.installed.ui.fill_in or nothing)(shown, side, prepared.board)
    return views(shown if filled is None else filled, prepared, side)


def views(records: Any, prepared: Prepared, side: str) -> dict[int, Any]:
    """Return the view of ``side`` after each record that counts."""
    return {record.n: prepared.ruleset.view(state, side) for record, state in fold_steps(records, prepared)}
