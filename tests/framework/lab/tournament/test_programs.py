"""Programs of entrants: one that cannot be started is refused before the first game.

The check searches for a program as its start does.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tournaments import RULESETS, TEXT, manifest_of

from sandtable.cli.main import cli
from sandtable.errors import DataError
from sandtable.lab.tournament import preparing
from sandtable.lab.tournament.preparing import set_stage, surroundings
from sandtable.lab.tournament.running import TournamentRun
from sandtable.lab.tournament.store import Store
from sandtable.players.processes.limits import cannot_start, fence
from sandtable.plugin.manager import Rulesets
from sandtable.workers import tasks

BOT = """#!/usr/bin/env python3
import json, sys
receive = lambda: json.loads(sys.stdin.readline())
send = lambda **message: print(json.dumps(message), flush=True)
receive()
send(type="ready", protocol=1)
while (question := receive())["type"] != "end":
    send(type="sample", id=question["id"])
    send(type="answer", id=question["id"], order=receive()["orders"][0])
"""
Tournament = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with an executable bot, a file that is not executable, and a subfolder."""
    (tmp_path / "bots" / "inner").mkdir(parents=True)
    for name, mode in (("able.py", 0o755), ("plain.py", 0o644)):
        (tmp_path / "bots" / name).write_text(BOT)
        (tmp_path / "bots" / name).chmod(mode)
    (tmp_path / "skirmish_dawn.toml").write_bytes((RULESETS / "skirmish_dawn.toml").read_bytes())
    monkeypatch.chdir(tmp_path / "bots" / "inner")  # paths are relative to the manifest, not to the current folder
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(RULESETS))
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Tournament:
    def running(word: str, *words: str) -> Result:
        allowed = ["--allow-code"] if word in {"run", "resume", "rerun"} and not fence() else []
        return CliRunner().invoke(cli, ["tournament", word, *words, *allowed], prog_name="sandtable")

    return running


def event(folder: Path, program: str) -> str:
    """Write a manifest whose first entrant is ``program``. Return its path."""
    (folder / "event.toml").write_text(
        TEXT.replace('player = "brave"', f'command = ["{program}"]').replace("games = 6", "games = 2")
    )
    return str(folder / "event.toml")


MISSING = [
    ("/nonexistent", "/nonexistent does not exist"),
    ("bots/nobody.py", "bots/nobody.py does not exist"),
    ("./able.py", "able.py does not exist"),
    ("bots/plain.py", "bots/plain.py may not be executed: chmod +x it, or put its interpreter before it"),
    ("bots/inner", "bots/inner is a folder: name a program"),
    ("/dev/null", "/dev/null is not a file"),
    ("no-such-program", "no-such-program is not in a folder of the PATH (/"),
]


@pytest.mark.parametrize(("program", "message"), MISSING)
def test_program_that_cannot_start_is_refused_before_play(
    folder: Path, run: Tournament, program: str, message: str
) -> None:
    result = run("run", event(folder, program), "--out", str(folder / "out"))
    assert result.exit_code == 3, result.stderr
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"sandtable: {folder / 'event.toml'}: entrant[0].command: ")
    assert message in line
    assert not (folder / "out").exists()


def test_programs_are_found_on_path_and_by_manifest_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cannot_start(("bots/able.py",), folder) == ""
    assert cannot_start(("able.py",), folder) == f"able.py is not in a folder of the PATH ({os.environ['PATH']})"
    monkeypatch.setenv("PATH", str(folder / "bots"))
    assert cannot_start(("able.py",), folder) == ""
    assert cannot_start(("plain.py",), folder).startswith("plain.py is not in a folder of the PATH")
    assert cannot_start(("inner",), folder).startswith("inner is not in a folder of the PATH")


@pytest.mark.full
def test_store_is_readable_without_its_programs(folder: Path, run: Tournament) -> None:
    out = str(folder / "out")
    played = run("run", event(folder, "bots/able.py"), "--out", out, "--workers", "1")
    assert played.exit_code == 0, played.stderr
    assert '"verdicts":{"bold":"ok"' in run("export", out).stdout
    (folder / "bots" / "able.py").unlink()
    for words in (["report", out], ["report", out, "--html"], ["verify", out], ["export", out]):
        assert run(*words).exit_code == 0, words
    for words in (["resume", out], ["rerun", out, "0"]):
        refused = run(*words)
        assert refused.exit_code == 3, words
        assert "entrant[0].command: " in refused.stderr


def test_worker_without_the_program_refuses(folder: Path, run: Tournament) -> None:
    text = Path(event(folder, "bots/able.py")).read_text()
    tournament = manifest_of(text).tournament
    code = str(folder)
    stage = set_stage(tournament, Rulesets(RULESETS), str(folder), to_play=True, code=code)
    message = TournamentRun(tournament, str(folder), str(RULESETS), surroundings(stage), {0: (0, b"")}, code=code)
    (folder / "bots" / "able.py").chmod(0o644)
    tasks._READY.clear()
    with pytest.raises(DataError, match=r"a worker: entrant\[0\]\.command: .*able\.py may not be executed"):
        tasks.work(message, ())


@pytest.mark.full
def test_unfenced_program_requires_allow_code(folder: Path, run: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "fence", tuple)
    out, manifest = str(folder / "out"), event(folder, "bots/able.py")
    refused = run("run", manifest, "--out", out, "--workers", "1")
    assert refused.exit_code == 3
    assert "entrant[0].command: " in refused.stderr
    assert "--allow-code" in refused.stderr
    assert not Path(out).exists()
    assert run("run", manifest, "--out", out, "--workers", "1", "--allow-code").exit_code == 0


FAILING = """#!/usr/bin/env python3
import sys
sys.stdin.readline()
print('{"type": "ready", "protocol": 1}', flush=True)
sys.stdin.readline()
print("reading the opening book", file=sys.stderr)
raise RuntimeError("no book")
"""


@pytest.mark.full
def test_forfeit_is_reported_with_the_program_output(folder: Path, run: Tournament) -> None:
    (folder / "bots" / "able.py").write_text(FAILING)
    out = str(folder / "out")
    (folder / "event.toml").write_text(
        '[tournament]\ntitle = "Two"\nseed = "s"\n[[contest]]\nruleset = "toy"\n'
        '[[entrant]]\nname = "failing"\ncommand = ["bots/able.py"]\n[[entrant]]\nname = "b"\nplayer = "random"\n'
    )
    assert run("run", str(folder / "event.toml"), "--out", out, "--workers", "1").exit_code == 0
    with Store.open(out) as store:
        fault = store.fault(0)
        assert store.annex().reasons[0][:2] == ("failing", "crash")
    assert fault is not None
    assert (fault.entrant, fault.verdict) == ("failing", "crash")
    assert "RuntimeError: no book" in fault.reason
    assert fault.tail.startswith("reading the opening book\n")
    assert fault.tail.endswith("RuntimeError: no book")
    assert "RuntimeError: no book" in run("report", out).stdout
    assert "reading the opening book" in run("rerun", out, "0").stderr
    assert "no book" not in run("export", out).stdout  # a program's output may differ each time
