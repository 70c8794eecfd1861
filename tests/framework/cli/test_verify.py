"""``sandtable verify`` of several logs: what is said of each, and once of all."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.framework.cli.conftest import RULESETS, Run

EDITED = "played before the ruleset's files were edited, and the same with these"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a ruleset that a test may edit."""
    folder = tmp_path / "mine"
    shutil.copytree(RULESETS, folder)
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(folder))
    return folder / "skirmish.py"


def test_an_edit_that_changes_no_game_is_told_once_for_all_logs(
    run: Run, run_json: Callable[..., Any], source: Path
) -> None:
    for seed in "ab":
        assert run("play", "skirmish", "--seed", seed, "--out", f"{seed}.jsonl").exit_code == 0
    assert run("verify", "a.jsonl", "b.jsonl").stderr == "2 of 2 logs verified\n"

    with source.open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    assert run("play", "skirmish", "--seed", "c", "--out", "c.jsonl").exit_code == 0
    result = run("verify", "a.jsonl", "b.jsonl", "c.jsonl")
    assert (result.exit_code, result.stderr) == (0, f"3 of 3 logs verified; 2 {EDITED}\n")
    told = run_json("verify", "a.jsonl", "b.jsonl", "c.jsonl")
    assert [each["other_files"] for each in told] == [True, True, False]


def test_a_log_that_differs_is_told_by_its_difference_alone(run: Run, source: Path) -> None:
    assert run("play", "skirmish", "--seed", "a", "--out", "a.jsonl").exit_code == 0
    text = Path("a.jsonl").read_text(encoding="utf-8")
    Path("a.jsonl").write_text(text.rsplit("\n", 3)[0] + "\n", encoding="utf-8")
    with source.open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    result = run("verify", "a.jsonl")
    assert result.exit_code == 1
    assert "file ends early: a.jsonl" in result.stderr
    assert result.stderr.endswith("\n0 of 1 log verified\n")
