"""Visible parts of unfinished games with secrets, in every ruleset: all for the keeper, a part for others."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from shipped import complete_games
from unfinished import closed_in, play_until_closed

from sandtable.cli.main import cli
from sandtable.journal.file.reading import private_file
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.plugin.manager import Prepared, Rulesets

pytestmark = pytest.mark.full
Run = Callable[..., Result]
BOARDS = (("board",), ("replay", "--board"), ("replay", "--watch"))
"""Commands that draw the board of a log in the terminal, without the log."""


@pytest.fixture(params=complete_games())
def played(request: pytest.FixtureRequest) -> Prepared:
    return Rulesets().load(request.param).prepare()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: Prepared) -> Run:
    """Return a function that runs a command line beside ``game.jsonl``; a watcher leaves at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    monkeypatch.setattr(click, "getchar", lambda: "q")
    path = tmp_path / "game.jsonl"
    play_until_closed(played, path)
    assert closed_in(path, played)
    assert private_file(path).exists()

    def running(*words: str) -> Result:
        return CliRunner().invoke(cli, words, prog_name="sandtable")

    return running


def test_keeper_of_an_unfinished_game_can_view_it_as_any_side(run: Run, played: Prepared) -> None:
    for side in ("", *played.ruleset.viewers):
        sight = ["--side", side] if side else []
        page = f"{side or UMPIRE}.html"
        lines = [
            ["replay", "game.jsonl", "--board"],
            ["replay", "game.jsonl", "--watch"],
            ["board", "game.jsonl"],
            ["ask", "game.jsonl", "?"],
            ["explain", "game.jsonl", "--at", "1"],
            ["log", "page", "game.jsonl", "--out", page],
        ]
        for words in lines:
            done = run(*words, *sight)
            # one side may not see the first record: explaining it is refused to that side alone
            assert done.exit_code == 0 or (words[0] == "explain" and side and "may see" in done.stderr), (
                words,
                side,
                done.stderr,
            )
        checked = run("log", "page", "--check", page, *(["game.jsonl"] if side else []))
        assert checked.exit_code == 0, checked.stderr


def test_log_without_its_private_file_is_shown_as_to_spectators(run: Run, played: Prepared) -> None:
    public = {words: run(words[0], "game.jsonl", *words[1:], "--side", PUBLIC) for words in BOARDS}
    whole = {words: run(words[0], "game.jsonl", *words[1:]) for words in BOARDS}
    private_file("game.jsonl").unlink()
    for words in BOARDS:
        done = run(words[0], "game.jsonl", *words[1:])
        assert done.exit_code == public[words].exit_code == whole[words].exit_code == 0, done.stderr
        assert "shown as spectators see it: the rest is in game.jsonl.private" in done.stderr
        assert "game.jsonl.private" not in whole[words].stderr
        assert done.stdout == public[words].stdout
        assert done.stdout != whole[words].stdout
        for side in played.ruleset.viewers:
            refused = run(words[0], "game.jsonl", *words[1:], "--side", side)
            assert (refused.exit_code, f"it does not show what {side} saw" in refused.stderr) == (2, True)
    done = run("log", "page", "game.jsonl")
    assert done.exit_code == 0, done.stderr
    assert "shown as spectators see it: the rest is in game.jsonl.private" in done.stderr
    checked = run("log", "page", "--check", "game.html")
    assert checked.exit_code == 0, checked.stderr


def test_slice_shows_its_side_the_same_as_the_complete_log(run: Run, played: Prepared) -> None:
    closed = 0
    for side in (*played.ruleset.viewers, PUBLIC):
        own = f"{side}.jsonl"
        assert run("log", "redact", "game.jsonl", "--side", side, "--out", own).exit_code == 0
        closed += closed_in(Path(own), played)
        for words in BOARDS:
            whole, done = run(words[0], "game.jsonl", *words[1:], "--side", side), run(words[0], own, *words[1:])
            assert done.exit_code == whole.exit_code == 0, done.stderr
            assert done.stdout == whole.stdout
        pages = [Path("whole.html"), Path("slice.html")]
        for source, page in zip((["game.jsonl", "--side", side], [own]), pages, strict=True):
            done = run("log", "page", *source, "--out", str(page), "--force")
            assert done.exit_code == 0, done.stderr
        assert pages[0].read_bytes() == pages[1].read_bytes()
    assert closed


def test_slice_does_not_show_the_board_of_another_side(run: Run, played: Prepared) -> None:
    sides = played.ruleset.viewers
    for side, other in zip(sides, reversed(sides), strict=True):
        run("log", "redact", "game.jsonl", "--side", side, "--out", f"{side}.jsonl")
        for words in BOARDS:
            done = run(words[0], f"{side}.jsonl", *words[1:], "--side", other)
            assert done.exit_code == 2
            assert f"it does not show what {other} saw" in done.stderr
