"""A tournament on a dask cluster: a real scheduler and two workers, started as docs/tournaments.md describes."""

import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner
from tournaments import RULESETS, TEXT

from sandtable.cli.main import cli
from sandtable.workers import tasks

BIN = Path(sys.executable).parent
PAGE = Path(__file__).parents[4] / "docs" / "tournaments.md"
LEADER = "tcp://leader:8786"
INSTALLED = """
[tournament]
title = "On two machines"
seed = "cluster"
games = 6

[[contest]]
ruleset = "desert_aa"
scenario = "frontier"

[[contest]]
ruleset = "khamsin"
scenario = "teaching"

[[entrant]]
name = "staff"
player = "commander"

[[entrant]]
name = "chance"
player = "random"
"""


def documented(beginning: str) -> list[str]:
    """Return the documented command with this beginning, as text without its comment."""
    page = PAGE.read_text(encoding="utf-8")
    line = next(each for each in page.splitlines() if each.startswith(f"    {beginning}") and "8786" in each)
    return shlex.split(line, comments=True)


class Program:
    """A process whose output is read as it arrives. ``until`` waits for output or for its end, not for a clock."""

    def __init__(self, *command: str, folder: Path) -> None:
        self.text = ""
        self._news = threading.Condition()
        self._ended = False
        self.process = subprocess.Popen(
            [BIN / command[0], *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.text += line
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def until(self, pattern: str, times: int = 1) -> str:
        """Wait until ``pattern`` has appeared ``times`` times, and return its first match."""
        with self._news:
            self._news.wait_for(lambda: self._ended or len(re.findall(pattern, self.text)) >= times)
            found = re.findall(pattern, self.text)
        assert len(found) >= times, self.text
        return str(found[0])

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


def started(stack: ExitStack, folder: Path, *command: str) -> Program:
    process = Program(*command, folder=folder)
    stack.callback(process.end)
    return process


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[Program, str]]:
    """Start the documented scheduler on a free local port. Return it and its address."""
    command = [{"8786": "0"}.get(word, word) for word in documented("dask scheduler")]
    with ExitStack() as stack:
        leader = started(stack, tmp_path, *command, "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
        yield leader, leader.until(r"Scheduler at:\s+(tcp://\S+)")


def workers_of(
    stack: ExitStack, folder: Path, scheduler: tuple[Program, str], number: int = 2, times: int = 1
) -> list[Program]:
    """Start the documented worker command ``times`` times, with ``number`` workers each, and wait for them."""
    leader, address = scheduler
    command = [{LEADER: address}.get(word, word) for word in documented("dask worker")]
    command[command.index("--nworkers") + 1] = str(number)
    scratch = ("--no-dashboard", "--local-directory", str(folder / "scratch"))
    workers = [started(stack, folder, *command, *scratch) for _ in range(times)]
    leader.until(r"Register worker", number * times)
    return workers


def sandtable(*words: object) -> str:
    command = [sys.executable, "-m", "sandtable", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def results_of(table: str) -> str:
    """Return the part of a report that depends only on the manifest, without processor time and dates."""
    return table.partition("processor a decision")[0]


def test_documented_worker_command_starts_two_workers() -> None:
    command = documented("dask worker")
    assert command[command.index("--nworkers") + 1] == "2"


@pytest.mark.full
def test_cluster_plays_the_same_tournament_as_a_pool(
    scheduler: tuple[Program, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spring.toml").write_text(INSTALLED)
    monkeypatch.chdir(tmp_path)
    run = [{LEADER: scheduler[1]}.get(word, word) for word in documented("sandtable tournament run")]
    with ExitStack() as stack:
        workers = workers_of(stack, tmp_path, scheduler)
        table = sandtable(*run[1:])
    assert "Traceback" not in workers[0].text
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)  # a pool even for so little work
    monkeypatch.setattr(tasks, "LOAD_SECONDS", 0.0)
    monkeypatch.delenv("SANDTABLE_PLUGINS_DIR", raising=False)
    pool = CliRunner().invoke(cli, ["tournament", "run", "spring.toml", "--out", "pool", "--workers", "2"])
    tasks._READY.clear()
    assert pool.exit_code == 0, pool.stderr
    assert results_of(pool.stdout) == results_of(table)
    alone = CliRunner().invoke(cli, ["tournament", "run", "spring.toml", "--out", "alone", "--workers", "1"])
    tasks._READY.clear()
    assert results_of(alone.stdout) == results_of(table)
    export = sandtable("tournament", "export", "spring")
    assert len(export.splitlines()) == 12
    assert all(sandtable("tournament", "export", each) == export for each in ("pool", "alone"))


@pytest.mark.slow
def test_cluster_that_loses_a_worker_gives_the_same_rows(scheduler: tuple[Program, str], tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(TEXT.replace("games = 6", "games = 200"))
    (tmp_path / "skirmish_dawn.toml").write_bytes((RULESETS / "skirmish_dawn.toml").read_bytes())
    plugins = ("--plugins-dir", RULESETS)
    here = ("tournament", "run", tmp_path / "event.toml", *plugins, "--out")
    with ExitStack() as stack:
        workers = workers_of(stack, tmp_path, scheduler, number=1, times=2)
        tables = [
            sandtable(*here, tmp_path / "one", "--workers", 1),
            sandtable(*here, tmp_path / "two", "--workers", 2),
            sandtable(*here, tmp_path / "three", "--cluster", scheduler[1]),
        ]
        workers[0].process.kill()
        tables.append(sandtable(*here, tmp_path / "four", "--cluster", scheduler[1]))
    rows = [sandtable("tournament", "export", tmp_path / each) for each in ("one", "two", "three", "four")]
    assert len(rows[0].splitlines()) == 1200
    assert len(set(rows)) == len(set(map(results_of, tables))) == 1
    assert "Traceback" not in workers[1].text
