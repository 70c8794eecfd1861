"""The command line on the test ruleset "skirmish", in a separate folder."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from command_line import RANDOM, Run
from transcripts import Transcript

from sandtable.cli.main import cli
from sandtable.kernel.dice import key_from_seed

ROOT = Path(__file__).parents[3]
RULESETS = ROOT / "tests" / "framework" / "rulesets"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(RULESETS))
    monkeypatch.delenv("SANDTABLE_DEBUG", raising=False)


@pytest.fixture
def of_seed_a() -> str:
    """Return a file with the key that the seed "a" gives: for dice that take no seed."""
    Path("seed-a.key").write_text(f"{key_from_seed('a').hex()}\n")
    return "seed-a.key"


@pytest.fixture
def toy_folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of rulesets with the toy alone; commands use it."""
    folder = Path("rulesets").absolute()
    folder.mkdir()
    (folder / "toy.py").write_text("from sandtable.testing.toy import *\n")
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(folder))
    return folder


@pytest.fixture
def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package that signs and checks signatures be missing."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)


@pytest.fixture
def log(run: Run) -> str:
    """Return the file of a finished game of the skirmish."""
    run("play", "skirmish", *RANDOM, "--seed", "a", "--out", "a.jsonl", code=0)
    return "a.jsonl"


@pytest.fixture
def run() -> Run:
    """Return a function that runs a command line in this process, which must exit with ``code`` if it is given."""

    def running(*words: str, typed: str | None = None, code: int | None = None) -> Result:
        result = CliRunner().invoke(cli, words, input=typed, prog_name="sandtable")
        assert code is None or result.exit_code == code, result.output
        return result

    return running


@pytest.fixture
def run_json(run: Run) -> Callable[..., Any]:
    """Return a function that runs a command with ``--json`` (and must exit with ``code``), and decodes its document."""

    def running(*words: str, code: int | None = None) -> Any:
        result = run(*words, "--json")
        assert result.exit_code in ({0, 1} if code is None else {code}), result.stderr
        return msgspec.json.decode(result.stdout)

    return running


@pytest.fixture
def start() -> Callable[..., "subprocess.Popen[str]"]:
    """Return a function that starts a command line as a process."""

    def starting(*words: str, **how: Any) -> "subprocess.Popen[str]":
        paths = [str(ROOT / "framework"), str(ROOT / "plugins"), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **how.pop("env", {})}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
        command = [sys.executable, "-m", "sandtable", *words]
        # A shell may have made the tests ignore Ctrl-C; child processes would ignore it as well.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return subprocess.Popen(command, env=environment, text=True, **pipes)
        finally:
            signal.signal(signal.SIGINT, before)

    return starting


@pytest.fixture
def node() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Return a function that runs the verifier in another language; skip without node."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("no node here")
    command = [program, str(ROOT / "tests" / "replays" / "verify.js")]
    return lambda *words: subprocess.run([*command, *words], capture_output=True, text=True, check=False)


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """Return a function that runs a command line that must fail with ``code``, and gives its one line on stderr."""

    def running(code: int, *words: str) -> str:
        result = run(*words, code=code)
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        assert len(lines) == 1, result.stderr
        return lines[0]

    return running


@pytest.fixture
def refusals(run: Run, transcript: Transcript) -> Callable[[str], None]:
    """Return a function that runs command lines that must fail, and compares their exit codes and refusals."""

    def running(text: str) -> None:
        shown = []
        for line in text.strip().splitlines():
            result = run(*shlex.split(line))
            (problem,) = result.stderr.splitlines()
            assert (result.exit_code > 0, result.stdout) == (True, ""), line
            shown += [f"$ sandtable {line}", f"exit {result.exit_code}: {problem}"]
        transcript("\n".join(shown))

    return running
