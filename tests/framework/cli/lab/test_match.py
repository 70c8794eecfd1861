import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from command_line import Refusals, Refused, Run, RunJson
from cutting import parts_of_file

from sandtable.cli.output import progress
from sandtable.errors import PlayError
from sandtable.journal.record import Recorded, play_recorded
from sandtable.lab.matches import games

WORDS = ["match", "skirmish", "--player", "brave", "--player", "random", "--games", "20", "--seed", "m"]


def test_json_has_exactly_the_keys_that_scripts_depend_on(run_json: RunJson) -> None:
    told = run_json(*WORDS)
    assert list(told) == ["players", "games", "sides", "endings"]
    assert sum(told["sides"].values()) == pytest.approx(1)
    assert [list(player) for player in told["players"]] == [["name", "score", "games", "low", "high"]] * 2
    brave, random = told["players"]
    assert (brave["name"], random["name"]) == ("brave", "random")
    assert brave["score"] + random["score"] == pytest.approx(1)
    assert 0 <= brave["low"] <= brave["score"] <= brave["high"] <= 1
    assert told["games"] == sum(told["endings"].values()) == 20


@pytest.mark.full
def test_match_of_three_sides_reports_shares_and_the_equal_share(run: Run, run_json: RunJson) -> None:
    words = ["match", "league3", "--player", "random", "--player", "first", "--games", "18", "--seed", "m"]
    told = run_json(*words)
    assert sum(player["score"] for player in told["players"]) == pytest.approx(2 / 3)
    assert list(told["sides"]) == ["red", "green", "blue"]
    assert sum(told["sides"].values()) == pytest.approx(1)
    result = run(*words)
    assert "an equal share is 33.3%" in result.stderr
    assert "Elo difference of random to first: " in result.stderr
    assert run(*words[:4], "--games", "2").exit_code == 2


def test_match_result_is_printed_as_text(run: Run) -> None:
    result = run(*WORDS, "--out", "logs", code=0)
    lines = result.stdout.splitlines()
    assert lines[0].split()[:4] == ["player", "points", "games", "score"]
    assert lines[2].startswith("brave ")
    assert any(line.split() == ["all", "20"] for line in lines)
    assert "Elo difference of brave to random: +" in result.stderr
    assert "20 logs in logs: sandtable verify logs/*.jsonl" in result.stderr
    run("verify", *map(str, sorted(Path("logs").iterdir())), code=0)


def test_any_game_of_a_match_can_be_replayed_alone(run: Run) -> None:
    run(*WORDS, "--out", "logs")
    run("play", "skirmish", "--player", "red=random", "--player", "blue=brave", "--seed", "m/2", "--out", "4.jsonl")
    assert parts_of_file("4.jsonl") == parts_of_file("logs/0004.jsonl")


def test_too_few_games_give_no_elo_difference(run: Run) -> None:
    assert "Elo difference: n/a" in run(*WORDS[:-4], "--games", "1", "--seed", "m").stderr


WRONG = """
match skirmish --player brave
match skirmish --player a --player b --player c
match skirmish --player brave --player human
match skirmish --player brave --player caesar
match skirmish --player brave --player random --scenario noon
match skirmish --player brave --player random --option x=1
"""


def test_invalid_match_arguments_are_refused(refusals: Refusals) -> None:
    refusals(WRONG)


def test_logs_are_never_overwritten(run: Run, refused: Refused) -> None:
    Path("logs").mkdir()
    Path("logs/mine.txt").touch()
    assert "the folder is not empty" in refused(2, *WORDS, "--out", "logs")
    assert "cannot be used as a folder" in refused(1, *WORDS, "--out", "logs/mine.txt")


@pytest.mark.parametrize(("stop", "code"), [(PlayError("no order left"), 1), (KeyboardInterrupt(), 130)])
def test_logs_written_before_an_interruption_are_kept(
    stop: BaseException, code: int, run: Run, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Any] = []

    def fails(*what: Any) -> Recorded:
        played.append(what)
        if len(played) > 2:
            raise stop
        return play_recorded(*what)

    with monkeypatch.context() as failing:
        failing.setattr(games, "play_recorded", fails)
        result = run(*WORDS, "--out", "logs", "--workers", "1")
    assert result.exit_code == code
    assert result.stdout == ""
    assert "the logs written so far are kept: sandtable verify logs/*.jsonl" in result.stderr
    assert sorted(file.name for file in Path("logs").iterdir()) == ["0001.jsonl", "0002.jsonl"]
    assert "the folder is not empty" in (told := refused(2, *WORDS, "--out", "logs"))
    assert "written so far" not in told


def test_unwritable_log_leaves_no_partial_files(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = run(*WORDS, "--out", "logs", "--workers", "1", code=1)
    assert "logs/0001.jsonl: No space left on device" in result.stderr
    assert "written so far" not in result.stderr
    assert not list(Path("logs").iterdir())


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress(3) as seen:
        seen(1)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress(3) as seen:
        seen(3)
