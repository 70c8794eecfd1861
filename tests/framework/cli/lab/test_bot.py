import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import misbehaving
import pytest
from command_line import Run

ROOT = Path(__file__).parents[4]
PAPER = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


def example(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAPER, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def bad(behaviour: str, when: int = 2) -> tuple[str, ...]:
    return (sys.executable, misbehaving.__file__, behaviour, str(when))


@pytest.mark.full
@pytest.mark.parametrize(("language", "program"), [("python", sys.executable), ("javascript", "node")])
def test_documented_example_bots_may_enter(run: Run, language: str, program: str) -> None:
    text = example(language)
    assert len(text.splitlines()) <= 30
    Path("bot").write_text(text, encoding="utf-8")
    result = run("bot", "check", "--games", "2", program, "bot")
    if "cannot be started" in result.stdout:
        pytest.skip(f"{program} is not installed")
    assert result.exit_code == 0, result.stdout
    lines = [line.split()[:2] for line in result.stdout.splitlines()[2:]]
    assert lines == [["ok", word] for word in ("starts", "plays", "is", "memory", "leaves", "repeats")]
    assert "the bot may enter" in result.stderr


@pytest.mark.full
def test_bot_is_checked_on_the_named_ruleset(run: Run) -> None:
    Path("bot.py").write_text(example("python"), encoding="utf-8")
    result = run("bot", "check", "--ruleset", "skirmish", "--games", "2", sys.executable, "bot.py", code=0)
    assert "2 games each of skirmish" in result.stderr


@pytest.mark.full
def test_json_output_reports_the_fault(run_json: Callable[..., Any]) -> None:
    told = run_json("bot", "check", "--json", *bad("raises"))
    assert list(told) == ["command", "ok", "verdict", "findings", "games", "stderr"]
    assert (told["ok"], told["verdict"]) == (False, "crash")
    assert told["findings"][-1]["what"] == "plays: crash"
    assert "toy as north, decision 2" in told["findings"][-1]["seen"]
    assert told["stderr"].endswith("ZeroDivisionError: division by zero\n")
    assert [game["verdict"] for game in told["games"]] == ["crash"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (("no-such-bot",), "FAIL  starts  no-such-bot cannot be started: No such file or directory"),
        (bad("exit", 0), "ended by itself with exit code 7 before it was ready"),
        (("--timeout", "1", *bad("asleep")), "gave no answer within 1 s"),
        (bad("garbage"), "plays: protocol"),
        (bad("illegal"), "plays: illegal"),
    ],
)
def test_faults_are_reported_with_exit_status_1(run: Run, words: tuple[str, ...], seen: str) -> None:
    result = run("bot", "check", *words, code=1)
    assert seen in result.stdout
    assert "the bot may not enter" in result.stderr


@pytest.mark.full
def test_tolerated_behavior_is_reported_as_a_warning(run: Run) -> None:
    stays = "import atexit, time; atexit.register(time.sleep, 9)"
    Path("bot.py").write_text(example("python").replace('random.seed(hello["seed"])', stays), encoding="utf-8")
    result = run("bot", "check", "--games", "1", sys.executable, "bot.py", code=0)
    assert "warn  leaves" in result.stdout


def test_missing_command_is_refused(refused: Callable[..., str]) -> None:
    assert "Missing argument 'COMMAND...'" in refused(2, "bot", "check")
