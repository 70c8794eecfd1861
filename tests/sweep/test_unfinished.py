"""The keeper of an unfinished game with secrets sees all of it from their folder, in every ruleset."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from shipped import complete_games
from unfinished import closed_in, play_until_closed

from sandtable.cli.main import cli
from sandtable.journal.file.reading import private_file
from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.manager import Prepared, Rulesets

pytestmark = pytest.mark.full
Run = Callable[..., Result]


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


def test_board_without_the_private_file_is_refused_with_a_reason(run: Run) -> None:
    private_file("game.jsonl").unlink()
    for words in (
        ["log", "page", "game.jsonl"],
        ["replay", "game.jsonl", "--watch"],
        ["replay", "game.jsonl", "--board"],
    ):
        done = run(*words)
        assert done.exit_code == 2
        assert "game.jsonl.private" in done.stderr
    assert not Path("game.html").exists()
    assert run("replay", "game.jsonl").exit_code == 0


def test_refused_board_of_a_slice_names_its_side(run: Run, played: Prepared) -> None:
    refused = 0
    for side in played.ruleset.viewers:
        assert run("log", "redact", "game.jsonl", "--side", side, "--out", f"{side}.jsonl").exit_code == 0
        done = run("log", "page", f"{side}.jsonl")
        if closed_in(Path(f"{side}.jsonl"), played):
            assert (done.exit_code, f"slice of {side}" in done.stderr) == (2, True)
            refused += 1
        else:
            assert done.exit_code == 0, done.stderr
    assert refused
