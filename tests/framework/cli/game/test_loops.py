"""Rules that loop without a decision: every command that runs them reports it in one line, and ends."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Run
from tests.framework.cli.conftest import RULESETS
from tournaments import event_of

from sandtable.kernel.play import watchdog

TOLD = "skirmish: no question in 1,000 steps"
WHERE = "phase plot (SK-2.1), in plot < walk, last BrokenOff (SK-4.2): the rules loop there"


@pytest.fixture(autouse=True)
def _loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the valid skirmish by one that loops after both sides have chosen their stances."""
    monkeypatch.setattr(watchdog, "RUN", 1_000)
    folder = tmp_path / "rulesets"
    folder.mkdir()
    for file in RULESETS.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    text = (folder / "skirmish.py").read_text(encoding="utf-8")
    old = "        yield Plotted(side, order.stance)\n"
    assert old in text
    (folder / "skirmish.py").write_text(text.replace(old, old + '    while True:\n        yield BrokenOff("red")\n'))
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(folder))


def test_play_reports_the_location_of_a_loop_and_keeps_the_log(run: Run) -> None:
    result = run(
        "play", "skirmish", "--player", "red=first", "--player", "blue=first", "--seed", "a", "--out", "a.jsonl", code=4
    )
    (line,) = [each for each in result.stderr.splitlines() if not each.startswith("seed")]
    assert TOLD in line
    assert WHERE in line
    assert run("verify", "a.jsonl").stderr.startswith("a.jsonl: verified so far: ")


def test_match_and_tournament_stop_at_a_looping_game(run: Run, refused: Callable[..., str]) -> None:
    match = refused(1, "match", "skirmish", "--player", "first", "--player", "random", "--games", "2", "--seed", "m")
    Path("event.toml").write_text(event_of("skirmish", a="first", b="first"), encoding="utf-8")
    event = run("tournament", "run", "event.toml", "--out", "event", "--workers", "1", code=1)
    for told in (match, event.stderr):
        assert TOLD in told
        assert "the rules loop there" in told


def test_check_reports_a_loop_once(run: Run) -> None:
    result = run("check", "skirmish", "--games", "4", code=1)
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    (failed,) = [row for row in rows if row.startswith("FAIL")]
    assert failed.startswith("FAIL games end game contract/0 (mill): endless: skirmish: no question")
    assert WHERE in " ".join(rows)
    assert "had nothing to check" in result.stderr


def test_log_without_the_loop_still_folds(run: Run) -> None:
    run("play", "skirmish", "--seed", "a", "--out", "a.jsonl")
    run("replay", "a.jsonl", code=0)
