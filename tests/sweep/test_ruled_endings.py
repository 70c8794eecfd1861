"""An umpire's ruling ends a game of every ruleset, and every reader of the log reports it."""

from pathlib import Path

import msgspec
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
def test_ruling_that_ends_a_game_is_narrated_as_a_ruling(
    ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    installed = Rulesets().load(ruleset)
    prepared = installed.prepare()
    game = tmp_path / "game.jsonl"
    play_until_closed(prepared, game)
    files = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    winner = prepared.ruleset.viewers[-1]
    for ending in (*installed.manifest.endings, "resigned"):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        event = msgspec.json.encode({"type": "GameEnded", "outcome": winner, "ending": ending, "rule": ""}).decode()
        ruled = run("log", "rule", "game.jsonl", "--reason", "by adjudication", "--event", event)
        assert ruled.exit_code == 0, ruled.stderr
        assert "sandtable resume" not in ruled.stderr
        assert run("verify", "game.jsonl").exit_code == 0
        told = run("replay", "game.jsonl").stdout
        assert "None" not in told
        assert told.splitlines()[-1].startswith("  Umpire rules (by adjudication): The game is over: victory for ")
        assert "Worth of the ground" not in told
        assert run("resume", "game.jsonl").exit_code != 0
    assert run("log", "page", "game.jsonl", "--out", "game.html").exit_code == 0
    assert "Umpire rules (by adjudication): The game is over" in Path("game.html").read_text()
