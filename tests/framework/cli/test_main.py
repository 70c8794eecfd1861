import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_line import Refused, Run, Start

from sandtable.cli.commands import COMMANDS, GROUPS, RootGroup, all_commands
from sandtable.cli.main import cli, main
from sandtable.errors import LogDamaged


def leaf(words: tuple[str, ...]) -> click.Command:
    found: click.Command = cli
    for word in words:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(cli), word)
        assert inner is not None
        found = inner
    return found


@pytest.mark.full
def test_help_lists_every_command_without_loading_one(start: Start) -> None:
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
    for name in (*COMMANDS, *GROUPS):
        assert f"\n  {name} " in done.stdout


@pytest.mark.parametrize("words", all_commands(), ids=" ".join)
def test_every_command_has_help_and_its_line_fits(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "--help", code=0)
    assert f"Usage: sandtable {' '.join(words)} " in result.stdout
    assert "--plugins-dir" not in result.stdout
    entry = COMMANDS[words[0]] if len(words) == 1 else GROUPS[words[0]].commands[words[1]]
    assert len(entry.line) <= 60


@pytest.mark.parametrize("group", ["", *GROUPS])
def test_bare_group_prints_its_help_on_stdout(run: Run, group: str) -> None:
    words = [group] if group else []
    bare, asked = run(*words), run(*words, "--help")
    assert (bare.exit_code, bare.stderr) == (0, "")
    assert bare.stdout == asked.stdout
    for name in GROUPS[group].commands if group else (*COMMANDS, *GROUPS):
        assert f"\n  {name} " in bare.stdout


OPTIONS = {
    "--at": "RECORD",
    "--max-records": "N",
    "--timeout": "SECONDS",
    "--workers": "N",
    "--test-games": "N",
    "--coverage": "N",
    "--games": "N",
}


@pytest.mark.parametrize("words", all_commands(), ids=" ".join)
def test_option_names_are_consistent_across_commands(words: tuple[str, ...]) -> None:
    gone = {"--to", "--into", "--html", "--most-records", "--patience", "--seconds", "--final", "--touched", "--seal"}
    gone = gone - ({"--html"} if words == ("tournament", "report") else set())
    for each in leaf(words).params:
        assert not gone & {*each.opts}
        for name in OPTIONS.keys() & {*each.opts}:
            assert each.metavar == OPTIONS[name], name


def test_version_option_prints_the_version(run: Run) -> None:
    assert run("--version").stdout.startswith("sandtable 0.")
    assert cli.main(["ruleset", "list"], standalone_mode=False) is None, "it may be called without ending the process"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["frobnicate"], "sandtable: No such command 'frobnicate'. (see"),
        (["replya"], "sandtable: No such command 'replya'. Did you mean `sandtable replay`"),
        (["luck"], "sandtable: No such command 'luck'. Did you mean `sandtable log luck`?"),
        (["log", "dif"], "sandtable log: No such command 'dif'. Did you mean `sandtable log diff`?"),
        (
            ["match", "skirmish", "--worker", "2"],
            "sandtable match: No such option '--worker'. Did you mean '--workers'?",
        ),
        (["play"], "sandtable play: Missing argument 'RULESET'"),
        (["play", "skirmish", "--dice", "loaded"], "sandtable play: Invalid value for '--dice'"),
        (["play", "skirmish", "--frob"], "sandtable play: No such option"),
        (["match", "skirmish", "--workers", "0"], "sandtable match: Invalid value for '--workers'"),
        (["board", "skirmish", "--at", "-1"], "sandtable board: Invalid value for '--at'"),
        (["match", "skirmish", "--games", "0"], "sandtable match: Invalid value for '--games'"),
        (["match", "skirmish", "--games", "1e3"], "sandtable match: Invalid value for '--games'"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(refused: Refused, words: list[str], line: str) -> None:
    told = refused(2, *words)
    assert told.startswith(line)
    assert "--help`)" in told


@pytest.mark.parametrize(
    "words", ["play chess", "ruleset show chess", "ruleset bench chess", "check chess", "bot check --ruleset chess x"]
)
def test_unknown_ruleset_exits_4_and_lists_the_installed_ones(refused: Refused, words: str) -> None:
    told = refused(4, *words.split())
    assert told.startswith("sandtable: the ruleset 'chess' is not installed; installed: ")
    assert "skirmish" in told


def test_plugins_dir_works_before_or_after_the_command(
    run: Run, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR")
    Path("rulesets").mkdir()
    Path("rulesets/ford.py").write_text("from sandtable.testing.toy import *\n")
    for words in (
        ["--plugins-dir", "rulesets", "ruleset", "list"],
        ["ruleset", "--plugins-dir", "rulesets", "list"],
        ["ruleset", "list", "--plugins-dir", "rulesets"],
    ):
        assert "ford" in run(*words).stderr  # broken: its manifest calls it toy
    assert "is not a folder" in refused(3, "--plugins-dir", "nowhere", "ruleset", "list")


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
def test_every_exception_is_reported_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    failing = command_that_raises(error, "sandtable.cli.game.play")
    monkeypatch.setattr(RootGroup, "get_command", lambda self, ctx, name: failing)
    result = run("play", code=code)
    assert result.stderr.strip() == line


def command_that_raises(error: BaseException, module: str) -> click.Command:
    """Return a command whose code in ``module``, file failing.py, raises ``error``."""
    names = {"__name__": module, "error": error}
    exec(compile("def failing():\n    raise error\n", "failing.py", "exec"), names)  # noqa: S102 - a module of its own
    return click.command(names["failing"])  # type: ignore[call-overload,no-any-return]  # the function


def test_error_in_a_bot_or_ruleset_names_file_and_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = command_that_raises(ZeroDivisionError("division by zero"), "clever")
    monkeypatch.setattr(RootGroup, "get_command", lambda self, ctx, name: failing)
    told = run("play", code=70).stderr
    assert told.startswith("sandtable: error in failing.py:2, in failing: ZeroDivisionError: division by zero (")


def test_debug_mode_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DEBUG", "1")
    assert isinstance(run("play", "chess").exception, Exception)
    run("ruleset", "list", code=0)


@pytest.mark.full
def test_closed_pipe_ends_silently(start: Start) -> None:
    process = start("ruleset", "show", "skirmish", "--json")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, told = process.communicate(timeout=60)
    assert process.returncode == 141
    assert told == ""


@pytest.mark.full
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_full_disk_at_stdout_is_reported_in_one_line(start: Start) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("ruleset", "show", "skirmish", "--json", stdout=full)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    assert told.strip() == "sandtable: No space left on device"


@pytest.mark.full
def test_characters_that_the_terminal_lacks_are_escaped(start: Start) -> None:
    process = start("ruleset", "list", env={"PYTHONIOENCODING": "latin-1"})
    shown, told = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "\\u2500" in shown
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("sandtable re", {"resume", "resign", "replay"}),
        ("sandtable log re", {"redact", "repair"}),
        ("sandtable play --max", {"--max-records"}),
    ],
)
def test_shell_completion_offers_commands_and_options(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, found: set[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    monkeypatch.setenv("_SANDTABLE_COMPLETE", "bash_complete")
    assert {line.partition(",")[2] for line in run().stdout.splitlines()} == found


def test_program_folder_is_removed_from_the_module_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "sandtable"), "--version"])
    for first, left in ((str(tmp_path), ["lib"]), ("elsewhere", ["elsewhere", "lib"])):
        monkeypatch.setattr(sys, "path", [first, "lib"])
        with pytest.raises(SystemExit):
            main()
        assert sys.path == left
