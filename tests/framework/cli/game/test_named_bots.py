"""A bot without an entry point, named as `--player module:Class` or in a tournament's manifest."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Run

BOT = """
class Middle:
    def __init__(self, seat, stream, board):
        self.stream = stream

    def choose(self, decision, view):
        return decision.options.sample(self.stream)
"""
MANIFEST = """
[tournament]
title = "Strangers"
seed = "s"
games = 2

[[contest]]
ruleset = "tictactoe"

[[entrant]]
name = "Middle"
player = "middle_of_nowhere:Middle"

[[entrant]]
name = "Chance"
player = "random"
"""


@pytest.fixture(autouse=True)
def _bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("middle_of_nowhere.py").write_text(BOT)
    yield
    sys.modules.pop("middle_of_nowhere", None)


def test_play_seats_it(run: Run) -> None:
    told = run("play", "tictactoe", "--player", "x=middle_of_nowhere:Middle", "--seed", "a", "--out", "a.jsonl")
    assert told.exit_code == 0, told.stderr
    assert b'"x":"middle_of_nowhere:Middle"' in Path("a.jsonl").read_bytes()


def test_a_log_of_it_verifies_without_it(run: Run) -> None:
    run("play", "tictactoe", "--player", "x=middle_of_nowhere:Middle", "--seed", "a", "--out", "a.jsonl")
    Path("middle_of_nowhere.py").unlink()
    sys.modules.pop("middle_of_nowhere")
    assert run("verify", "a.jsonl").exit_code == 0
    assert "middle_of_nowhere" not in sys.modules, "a log imports nothing"


def test_match_seats_it_on_both_sides(run: Run) -> None:
    words = ("match", "tictactoe", "--player", "middle_of_nowhere:Middle", "--player", "random", "--games", "4")
    told = run(*words, "--seed", "a", "--workers", "1")
    assert told.exit_code == 0, told.stderr
    assert "middle_of_nowhere:Middle" in told.stdout


def test_missing_bot_class_is_refused(run: Run) -> None:
    told = run("match", "tictactoe", "--player", "middle_of_nowhere:Nobody", "--player", "random")
    assert told.exit_code == 2
    assert "'middle_of_nowhere:Nobody' is not a bot: AttributeError" in told.stderr


def test_a_tournament_plays_it_and_is_read_without_it(run: Run) -> None:
    Path("event.toml").write_text(MANIFEST)
    told = run("tournament", "run", "event.toml", "--out", "out", "--workers", "1", "--allow-code")
    assert told.exit_code == 0, told.stderr
    assert "game 0: the same" in run("tournament", "rerun", "out", "0", "--allow-code").stdout
    sys.modules.pop("middle_of_nowhere")
    for words in (("verify", "out"), ("report", "out"), ("export", "out", "--logs", "logs")):
        assert run("tournament", *words).exit_code == 0
        assert "middle_of_nowhere" not in sys.modules, "what is stored is read without it"


def test_a_bot_that_was_edited_since_is_named(run: Run) -> None:
    Path("event.toml").write_text(MANIFEST)
    run("tournament", "run", "event.toml", "--out", "out", "--workers", "1", "--allow-code")
    sys.modules.pop("middle_of_nowhere")
    Path("middle_of_nowhere.py").write_text(BOT + "# wiser\n")
    told = run("tournament", "resume", "out", "--allow-code")
    assert "Middle: middle_of_nowhere:Middle" in told.stderr
    assert "other rules or bots" in told.stderr


def test_a_manifest_that_names_no_bot_is_refused_by_its_key(run: Run) -> None:
    Path("event.toml").write_text(MANIFEST.replace(":Middle", ":Nobody"))
    told = run("tournament", "run", "event.toml", "--out", "out", "--allow-code")
    assert told.exit_code == 3
    assert "entrant[0].player: 'middle_of_nowhere:Nobody' is not a bot: AttributeError" in told.stderr
