"""A folder full of modules that look like Python's own: no process that a command starts imports one of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run
from tournaments import RULESETS, base_of, event_of

pytestmark = pytest.mark.full
PROGRAM = Path(sys.executable).with_name("sandtable")
OURS = ("sandtable", "msgspec", "click", "pluggy", "rich", "blake3", "skirmish")
TRAP = "open({mark!r}, 'a').write(__name__ + '\\n')\nraise SystemExit('a planted module was imported')\n"
BOT = """
import json, sys
hear = lambda: json.loads(sys.stdin.readline())
say = lambda **message: print(json.dumps(message), flush=True)
hear()
say(type="ready", protocol=1)
while (asked := hear())["type"] != "end":
    say(type="sample", id=asked["id"])
    say(type="answer", id=asked["id"], order=hear()["orders"][0])
"""
HEAD = "def muster(state: Field) -> Procedure:\n"
SLOW = "    import os, time; time.sleep(float(os.environ.get('MUSTER_SECONDS', '0')))\n"
"""Makes a game take long enough for a few of them to be worth other processes."""


@pytest.fixture
def rulesets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the skirmish, whose games take as long as the environment says; commands use it."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    text = (RULESETS / "skirmish.py").read_text()
    head, body = text.split(HEAD)
    docstring, _, rest = body.partition("\n")
    (folder / "skirmish.py").write_text(f"{head}{HEAD}{docstring}\n{SLOW}{rest}")
    for scenario in RULESETS.glob("skirmish_*.toml"):
        (folder / scenario.name).write_bytes(scenario.read_bytes())
    monkeypatch.setenv("SANDTABLE_PLUGINS_DIR", str(folder))
    return folder


@pytest.fixture
def planted(tmp_path: Path, rulesets: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which holds a log, a tournament, a manifest, a bot, and the traps."""
    folder = tmp_path / "planted"
    folder.mkdir()
    monkeypatch.chdir(folder)
    run("play", "skirmish", "--seed", "a", "--out", "a.jsonl", code=0)
    Path("event.toml").write_text(event_of("skirmish", games=16, blind="random", stubborn="first"))
    Path("bot.py").write_text(BOT)
    run("tournament", "run", "event.toml", "--out", "stored", "--workers", "1", code=0)
    for name in (*sys.stdlib_module_names, *OURS):
        if not name.startswith("_"):
            Path(f"{name}.py").write_text(TRAP.format(mark=str(folder / "IMPORTED")))
    return folder


COMMANDS = {
    "match": "match skirmish --player random --player first --games 16 --workers 2 --seed a",
    "run": "tournament run event.toml --out new --workers 2",
    "resume": "tournament resume stored --workers 2",
    "export": "tournament export stored --decisions rows.csv --workers 2",
    "coverage": "ruleset rules skirmish --coverage 16 --seed a --workers 2",
    "regress": f"ruleset regress {'a.jsonl ' * 16}--workers 2",
    "bisect": "ruleset bisect a.jsonl --versions ../rulesets",
    "check": "check skirmish --games 1",
    "bot check": f"bot check --ruleset skirmish --games 1 {sys.executable} -P bot.py",
}


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program sandtable is not installed next to this Python")
@pytest.mark.parametrize("name", COMMANDS)
def test_no_child_process_imports_a_module_of_the_current_folder(planted: Path, name: str) -> None:
    if name == "resume":
        with base_of(planted / "stored") as tables:
            tables.execute("delete from games where number > 1")
            tables.execute("delete from logs where number > 1")
    around = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    around["MUSTER_SECONDS"] = "0.3" if "--workers" in COMMANDS[name] else "0"
    done = subprocess.run(
        [PROGRAM, *COMMANDS[name].split()], env=around, capture_output=True, text=True, check=False, timeout=300
    )
    imported = planted / "IMPORTED"
    assert not imported.exists(), imported.read_text()
    assert done.returncode in {0, 1}, done.stderr
