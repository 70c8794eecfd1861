"""`sandtable ruleset bisect`: the first of several versions of a ruleset that changes a recorded game."""

import shutil
from pathlib import Path

import pytest
from command_line import Refused, Run

ROOT = Path(__file__).parents[4]
FRONTIER = str(ROOT / "replays" / "desert_aa" / "draw-round_limit.jsonl")


@pytest.fixture
def versions() -> list[str]:
    """Return three versions: unchanged, with a remark, and with ground that pays one IPC too much (DAA-14.04)."""
    for name in ("1", "2", "3"):
        shutil.copytree(ROOT / "plugins" / "desert_aa", Path(name) / "desert_aa")
    index = Path("2/desert_aa/rules.toml")
    index.write_text(index.read_text() + "# a remark\n")
    pays = Path("3/desert_aa/economy/calculations.py")
    held = "(space, value[space], "
    assert held in pays.read_text()
    pays.write_text(pays.read_text().replace(held, "(space, value[space] + 1, "))
    return ["1", "2", "3"]


@pytest.mark.full
def test_first_version_that_changes_the_game_is_named(run: Run, versions: list[str]) -> None:
    words = [word for each in versions for word in ("--versions", each)]
    told = run("ruleset", "bisect", FRONTIER, *words, code=1)
    assert told.stdout.count("as recorded") == 2
    assert "first in 3: record " in told.stdout
    assert "IncomeCollected" in told.stdout
    assert "DAA-14.04" in told.stdout


@pytest.mark.full
def test_folder_without_the_ruleset_is_reported(run: Run) -> None:
    Path("empty").mkdir()
    name = "\x1b[2J\nFORGED.jsonl"  # cannot control the terminal
    shutil.copy(FRONTIER, name)
    told = run("ruleset", "bisect", name, "--versions", "empty", code=1)
    assert "it does not contain desert_aa" in told.stdout
    assert "cannot be run" in told.stdout
    assert "different" not in told.stdout
    assert "\x1b" not in told.output
    assert "\nFORGED" not in told.output


def test_missing_folder_is_refused(refused: Refused) -> None:
    assert "is not a folder" in refused(3, "ruleset", "bisect", FRONTIER, "--versions", "nowhere")
