import shlex
from importlib.metadata import entry_points
from pathlib import Path

import msgspec
import pytest
from command_line import Run


@pytest.fixture(autouse=True)
def _only_these_rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.plugin.manager.entry_points", lambda group: [])


def test_every_ruleset_is_played_and_verified(run: Run) -> None:
    for _ in range(2):  # it can be run again
        result = run("demo", code=0)
        heading, _, row, _, total = result.stdout.splitlines()
        assert heading.split() == ["ruleset", "outcome", "ending", "turns", "records", "time", "verified"]
        assert (row.split()[0], row.split()[-1]) == ("skirmish", "verified")
        assert total.split()[0] == "all"
        assert "replay one: sandtable replay" in result.stderr
        assert len(list(Path("sandtable-demo").glob("*.jsonl"))) == 1


def test_a_broken_ruleset_does_not_stop_the_others(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "broken.py").write_text("raise RuntimeError('at import')\n")
    (folder / "tictactoe.py").write_text("from sandtable.testing.tictactoe import *\n")
    result = run("demo", "--plugins-dir", str(folder), "--json", code=1)
    rows = msgspec.json.decode(result.stdout)
    assert rows[0] == {"ruleset": "broken", "error": "broken cannot be loaded: RuntimeError: at import"}
    assert rows[1]["verified"] == "verified"
    assert "broken: broken cannot be loaded" in run("demo", "--plugins-dir", str(folder)).stderr


def test_demo_without_installed_rulesets_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    result = run("demo", "--plugins-dir", str(tmp_path / "none"), code=1)
    assert "no ruleset is installed" in result.stderr


@pytest.mark.full
def test_demo_ends_with_commands_that_can_be_pasted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.plugin.manager.entry_points", entry_points)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    told = run("demo", "--out", "a folder").stderr.splitlines()
    commands = {
        line.partition(":")[0]: shlex.split(line.partition("sandtable ")[2])
        for line in told
        if line.startswith(("replay one:", "play one:"))
    }
    watched = run(*commands["replay one"])
    assert (watched.exit_code, "Western Desert" in watched.stdout) == (0, True)
    played = run(*commands["play one"], typed="quit\n", code=0)
    assert commands["play one"][1] == "desert_aa"
    assert "england=human" in played.stderr


def test_demo_omits_the_side_if_no_ruleset_names_one(run: Run) -> None:
    told = run("demo").stderr.splitlines()
    replay, play = (next(each for each in told if each.startswith(first)) for first in ("replay one:", "play one:"))
    assert replay.index("sandtable ") == play.index("sandtable ")  # the commands are aligned
    words = shlex.split(play.partition("sandtable ")[2])
    assert words[:3] == ["play", "skirmish", "--plugins-dir"]
    run(*words, code=0)
