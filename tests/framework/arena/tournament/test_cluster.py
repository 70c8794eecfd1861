"""The same tournament on a dask cluster: a real scheduler and two workers, started as the papers say."""

import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tournaments import RULESETS, TEXT

BIN = Path(sys.executable).parent
WAIT = 60

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="wants the extra [cluster]"),
]


def started(leaving: ExitStack, log: Path, *command: str) -> subprocess.Popen[bytes]:
    out = leaving.enter_context(log.open("wb"))
    process = subprocess.Popen([BIN / command[0], *command[1:]], stdout=out, stderr=subprocess.STDOUT, cwd=log.parent)
    leaving.callback(process.wait, WAIT)
    leaving.callback(process.terminate)
    return process


def said(log: Path, pattern: str, times: int = 1) -> str:
    """Wait until ``pattern`` has been said so often; return it."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        found = re.findall(pattern, log.read_text(errors="replace"))
        if len(found) >= times:
            return str(found[0])
        time.sleep(0.05)
    raise AssertionError(log.read_text(errors="replace"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    with ExitStack() as leaving:
        log = tmp_path / "scheduler.log"
        started(leaving, log, "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        address = said(log, r"Scheduler at:\s+(tcp://\S+)")
        words = ("--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path / "scratch"))
        workers = [
            started(leaving, tmp_path / f"worker{each}.log", "dask", "worker", address, *words) for each in range(2)
        ]
        said(log, r"Register worker", 2)
        yield address, workers


def sandtable(*words: object) -> str:
    command = [sys.executable, "-m", "sandtable", "tournament", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_cluster_plays_the_same_rows_and_hashes(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    (tmp_path / "event.toml").write_text(TEXT.replace("games = 6", "games = 200"))
    (tmp_path / "skirmish_dawn.toml").write_bytes((RULESETS / "skirmish_dawn.toml").read_bytes())
    plugins = ("--plugins-dir", RULESETS)
    here = ("run", tmp_path / "event.toml", *plugins, "--out")
    tables = [
        sandtable(*here, tmp_path / "one", "--workers", 1),
        sandtable(*here, tmp_path / "two", "--workers", 2),
        sandtable(*here, tmp_path / "three", "--cluster", address),
    ]
    workers[0].kill()
    tables.append(sandtable(*here, tmp_path / "four", "--cluster", address))
    rows = [sandtable("export", tmp_path / each) for each in ("one", "two", "three", "four")]
    assert len(rows[0].splitlines()) == 1200
    assert len(set(rows)) == len(set(tables)) == 1
    played = (tmp_path / "worker1.log").read_text(errors="replace")
    assert "Traceback" not in played
