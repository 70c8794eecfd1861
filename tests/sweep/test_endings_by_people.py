"""People end a game of every ruleset, and every reader of the log reports it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from shipped import complete_games
from unfinished import play_until_closed

from sandtable.cli.main import cli
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words, prog_name="sandtable")


@pytest.mark.parametrize("ruleset", complete_games())
def test_game_ended_by_people_is_verified_narrated_and_closed(
    ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    prepared = Rulesets().load(ruleset).prepare()
    play_until_closed(prepared, tmp_path / "game.jsonl")
    files = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    first, last = prepared.ruleset.viewers
    shares = ("--share", f"{first}=500", "--share", f"{last}=500")
    for words in (
        ("resign", "game.jsonl", "--seat", first),
        ("resign", "game.jsonl", "--seat", last, "--reason", "it is late"),
        ("draw", "game.jsonl", *shares),
        ("dispute", "adjudicate", "game.jsonl", "--end", "draw", "--reason", "nobody can win"),
        ("dispute", "adjudicate", "game.jsonl", "--end", last, "--reason", "the pocket is closed"),
    ):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        ended = run(*words)
        assert ended.exit_code == 0, ended.stderr
        verified = run("verify", "game.jsonl", "--deep")
        assert verified.exit_code == 0, verified.stdout
        assert "verified, ended by people" in verified.stdout
        assert ", unsigned: " in verified.stderr
        told = run("replay", "game.jsonl").stdout
        assert "None" not in told
        assert any(word in told.splitlines()[-1] for word in (" resigns", " agree on a draw", " adjudicates the game"))
        assert run("resume", "game.jsonl").exit_code != 0
        assert run("resign", "game.jsonl", "--seat", first).exit_code != 0
        for side in (first, last, "public"):
            assert (
                run("log", "redact", "game.jsonl", "--side", side, "--out", f"{side}.jsonl", "--force").exit_code == 0
            )
            judged = run("verify", f"{side}.jsonl", "--as", side)
            assert judged.exit_code == 0, judged.stdout
    assert run("log", "page", "game.jsonl", "--out", "game.html").exit_code == 0
    assert "adjudicates the game as victory for" in Path("game.html").read_text()
