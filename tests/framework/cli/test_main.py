import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from sandtable.cli import main
from sandtable.cli.main import COMMANDS, cli
from sandtable.errors import LogDamaged

Run = Callable[..., Result]
Refused = Callable[..., str]
Start = Callable[..., "subprocess.Popen[str]"]


def test_help_lists_every_command_and_loads_none(start: Start) -> None:
    code = (
        "import sys; sys.argv = ['sandtable', '--help']\n"
        "from sandtable.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "loaded = {'msgspec', 'rich', 'pluggy', 'sandtable.kernel', 'sandtable.cli.game.play'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in COMMANDS:
        assert f"\n  {name} " in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_its_line_fits(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: sandtable {name}" in result.stdout
    assert "--plugins-dir FOLDER" in result.stdout
    assert len(COMMANDS[name]) < 66


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("sandtable 0.")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["frobnicate"], "sandtable: No such command 'frobnicate'"),
        (["play"], "sandtable play: Missing argument 'RULESET'"),
        (["play", "skirmish", "--dice", "loaded"], "sandtable play: Invalid value for '--dice'"),
        (["play", "skirmish", "--frob"], "sandtable play: No such option"),
        (["match", "skirmish", "--games", "0"], "sandtable match: Invalid value for '--games'"),
        (["match", "skirmish", "--games", "1e3"], "sandtable match: Invalid value for '--games'"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(refused: Refused, words: list[str], line: str) -> None:
    told = refused(2, *words)
    assert told.startswith(line)
    assert "--help`)" in told


def test_an_unknown_ruleset_exits_4_and_names_what_there_is(refused: Refused) -> None:
    told = refused(4, "play", "chess")
    assert told.startswith("sandtable: the ruleset 'chess' is not installed; installed: ")
    assert "skirmish" in told


def test_plugins_dir_stands_before_or_after_the_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR")
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "ford.py").write_text("from sandtable.testing.toy import *\n")
    for words in (["--plugins-dir", "rulesets", "rulesets"], ["rulesets", "--plugins-dir", "rulesets"]):
        assert "ford" in run(*words).stderr  # broken: its manifest calls it toy


def test_a_plugins_dir_that_is_none_is_refused(refused: Refused) -> None:
    assert "is no folder" in refused(3, "--plugins-dir", "nowhere", "rulesets")


def test_control_characters_are_shown_escaped_on_one_line(refused: Refused) -> None:
    told = refused(4, "play", "a\x1b[31m\nb")
    assert "\x1b" not in told
    assert told.isprintable()


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "sandtable: interrupted"),
        (click.Abort(), 130, "sandtable: interrupted"),
        (LogDamaged("x.jsonl: line 3: was altered"), 3, "sandtable: x.jsonl: line 3: was altered"),
        (OSError(28, "No space left on device", "x"), 1, "sandtable: x: No space left on device"),
        (ValueError("a\nb"), 70, "sandtable: internal error: ValueError: a b (SANDTABLE_DEBUG=1 shows where)"),
        (RecursionError(), 70, "sandtable: internal error: RecursionError (SANDTABLE_DEBUG=1 shows where)"),
    ],
)
def test_whatever_is_raised_ends_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: failing)
    result = run("play")
    assert result.exit_code == code
    assert result.stderr.strip() == line


def test_debugging_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DEBUG", "1")
    assert isinstance(run("play", "chess").exception, Exception)
    assert run("rulesets").exit_code == 0


def test_a_command_may_be_called_without_ending_the_process() -> None:
    assert cli.main(["rulesets"], standalone_mode=False) is None


@pytest.mark.full
def test_a_closed_pipe_is_no_error_worth_words(start: Start) -> None:
    process = start("rulesets", "show", "skirmish", "--json")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, told = process.communicate(timeout=60)
    assert process.returncode == 141
    assert told == ""


@pytest.mark.full
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_under_stdout_is_one_line(start: Start) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("rulesets", "show", "skirmish", "--json", stdout=full)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    assert told.strip() == "sandtable: No space left on device"


@pytest.mark.full
def test_a_terminal_of_few_letters_gets_them_escaped(start: Start) -> None:
    process = start("rulesets", env={"PYTHONIOENCODING": "latin-1"})
    shown, told = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "\\u2500" in shown
    assert "Traceback" not in told


def test_the_runner_of_tests_sees_the_same_exit_codes() -> None:
    assert CliRunner().invoke(cli, ["play", "chess"]).exit_code == 4
    assert os.environ.get("SANDTABLE_DEBUG") is None
