"""A log run under several versions of a ruleset."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import json, to_builtins
from racing import BOTS, write

from sandtable.errors import DataError
from sandtable.front import new_game
from sandtable.journal import versions
from sandtable.journal.record import Recorded
from sandtable.journal.versions import VersionRun, check_folders, run_apart, run_version
from sandtable.plugin.manager import Rulesets


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a recorded game of version 1 of the race."""
    monkeypatch.chdir(tmp_path)
    write(Path("one"), "1")
    Path("old.jsonl").write_bytes(new_game(Rulesets("one", alone=True).load("race"), seed="a", players=BOTS).log())
    return tmp_path


def test_version_that_changes_the_game_is_identified(race: Path) -> None:
    same = run_version("one", "old.jsonl")
    assert same.is_same
    assert (same.folder, same.version, same.difference, same.problem, len(same.files)) == ("one", "1", None, "", 64)
    write(Path("two"), "2", times="2")
    other = run_version("two", "old.jsonl")
    assert other.difference is not None
    assert (other.is_same, other.version, other.difference.kind, other.difference.rule) == (
        False,
        "2",
        "rules diverge",
        "R-1",
    )
    Path("empty").mkdir()
    for folder, log, problem in (
        ("empty", "old.jsonl", "race"),
        ("one", "none.jsonl", "none.jsonl: cannot be read: No such file or directory; check the path"),
    ):
        wrong = run_version(folder, log)
        assert not wrong.is_same
        assert problem in wrong.problem
    frontier = Path(__file__).parents[3] / "replays" / "desert_aa" / "draw-round_limit.jsonl"
    assert run_version("empty", str(frontier)).problem == "it does not contain desert_aa"  # it is installed elsewhere
    assert (race / "old.jsonl").exists()


def outcome_of(
    monkeypatch: pytest.MonkeyPatch, stdout: bytes = b"", stderr: bytes = b"", *, hangs: bool = False
) -> VersionRun:
    words: list[Any] = []

    def run(given: list[str], **how: Any) -> Any:
        words.append((given[1:], how["timeout"]))
        if hangs:
            raise subprocess.TimeoutExpired(given, how["timeout"])
        return SimpleNamespace(stdout=stdout, stderr=stderr, returncode=3)

    monkeypatch.setattr(subprocess, "run", run)
    found = run_apart("f", "log")
    assert words == [(["-P", "-m", "sandtable.journal.versions", "f", "log"], 600)]
    return found


def test_failed_process_of_a_version_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    good = VersionRun("f", "1", "ab")
    assert outcome_of(monkeypatch, json.encode(to_builtins(good))) == good
    assert outcome_of(monkeypatch, hangs=True).problem == f"took longer than {versions.SECONDS} seconds"
    problem = outcome_of(monkeypatch, b"x", b"Traceback\nKeyError: 'x'\n").problem
    assert problem == "the process ended with 3: KeyError: 'x'"
    assert outcome_of(monkeypatch).problem == "the process ended with 3: no output"


@pytest.mark.full
def test_version_that_exits_its_process_is_reported(game: Recorded, tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text("import os\nos.write(2, b'enough')\nos._exit(3)\n")
    (tmp_path / "log").write_bytes(game.data)
    assert run_apart(str(tmp_path), str(tmp_path / "log")).problem == "the process ended with 3: enough"


def test_path_of_a_version_must_be_a_folder(tmp_path: Path) -> None:
    check_folders([str(tmp_path)])
    (tmp_path / "file").touch()
    for other in ("file", "none"):
        with pytest.raises(DataError, match=f"{other}: is not a folder"):
            check_folders([str(tmp_path), str(tmp_path / other)])
