"""A bot without an entry point, named as `--player module:Class` or in a tournament's manifest."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Refused, Run
from tournaments import event_of

BOT = """
class Middle:
    def __init__(self, seat, stream, board):
        self.stream = stream

    def choose(self, decision, view):
        return decision.options.sample(self.stream)
"""
MANIFEST = event_of("tictactoe", Middle="middle_of_nowhere:Middle", Chance="random")
PLAY = ("play", "tictactoe", "--player", "x=middle_of_nowhere:Middle", "--seed", "a", "--out", "a.jsonl")
EVENT = ("tournament", "run", "event.toml", "--out", "out", "--workers", "1", "--allow-code")


@pytest.fixture(autouse=True)
def _bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("middle_of_nowhere.py").write_text(BOT)
    yield
    sys.modules.pop("middle_of_nowhere", None)


def test_log_of_a_named_bot_class_verifies_without_the_class(run: Run) -> None:
    run(*PLAY, code=0)
    assert b'"x":"middle_of_nowhere:Middle"' in Path("a.jsonl").read_bytes()
    Path("middle_of_nowhere.py").unlink()
    sys.modules.pop("middle_of_nowhere")
    run("verify", "a.jsonl", code=0)
    assert "middle_of_nowhere" not in sys.modules, "a log imports nothing"


def test_match_seats_a_named_bot_on_both_sides(run: Run) -> None:
    words = ("match", "tictactoe", "--player", "middle_of_nowhere:Middle", "--player", "random", "--games", "4")
    told = run(*words, "--seed", "a", "--workers", "1", code=0)
    assert "middle_of_nowhere:Middle" in told.stdout


def test_missing_bot_class_is_refused_with_its_key(refused: Refused) -> None:
    Path("event.toml").write_text(MANIFEST.replace(":Middle", ":Nobody"))
    told = "'middle_of_nowhere:Nobody' is not a bot: AttributeError"
    assert f"entrant[0].player: {told}" in refused(3, *EVENT)
    assert told in refused(2, "match", "tictactoe", "--player", "middle_of_nowhere:Nobody", "--player", "random")


def test_tournament_of_a_named_bot_is_readable_without_the_bot(run: Run) -> None:
    Path("event.toml").write_text(MANIFEST)
    run(*EVENT, code=0)
    assert "game 0: the same" in run("tournament", "rerun", "out", "0", "--allow-code").stdout
    sys.modules.pop("middle_of_nowhere")
    for words in (("verify", "out"), ("report", "out"), ("export", "out", "--logs", "logs")):
        run("tournament", *words, code=0)
        assert "middle_of_nowhere" not in sys.modules, "what is stored is read without it"
    Path("middle_of_nowhere.py").write_text(BOT + "# wiser\n")
    told = run("tournament", "resume", "out", "--allow-code")
    assert "Middle: middle_of_nowhere:Middle" in told.stderr
    assert "other rules or bots" in told.stderr
