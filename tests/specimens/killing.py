"""A process that forks others, kills them at a given moment, and reports whether they had already ended.

As a program it reads tasks from stdin, one JSON line each: what to do, in which folder, and after how many seconds to
kill it (null: never). All modules are loaded before, so that a fork starts immediately.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import at_once
from recorded_sessions import Session, play_session

from sandtable.plugin.manager import Rulesets

ACKNOWLEDGED = "acknowledged"
"""The file in which a session writes how many orders were safe, one number per line."""


class Fate(NamedTuple):
    """Whether a fork ended before it was killed, its code, and its duration."""

    ended: bool
    code: int
    seconds: float


class Killer:
    """A runner of tasks that it can kill, to be used in a ``with``."""

    def __init__(self, plugins_dir: Path) -> None:
        paths = [at_once.ROOT / "framework", at_once.ROOT / "plugins", Path(__file__).parent]
        here = {"PYTHONPATH": os.pathsep.join(map(str, paths)), "SANDTABLE_PLUGINS_DIR": str(plugins_dir)}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **here},
            text=True,
        )

    def __enter__(self) -> "Killer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def command(self, folder: Path, *words: str, after: float | None = None) -> Fate:
        """Run a command line in ``folder``."""
        return self._do({"words": words}, folder, after)

    def session(self, session: Session, seed: str, folder: Path, after: float | None = None) -> Fate:
        """Play a session into ``game.jsonl`` in ``folder``."""
        return self._do({"session": session, "seed": seed}, folder, after)

    def _do(self, task: dict[str, Any], folder: Path, after: float | None) -> Fate:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**task, "folder": str(folder), "after": after}) + "\n")
        self._process.stdin.flush()
        return Fate(*json.loads(self._process.stdout.readline()))


def acknowledged(folder: Path) -> int:
    """Return how many orders a session in ``folder`` had acknowledged."""
    file = folder / ACKNOWLEDGED
    counts = file.read_text().split("\n")[:-1] if file.exists() else []
    return int(counts[-1]) if counts else 0


def main() -> None:
    """Process the lines of stdin."""
    at_once.load_all()
    for line in sys.stdin:
        print(json.dumps(_killed(json.loads(line))), flush=True)  # noqa: T201 - the answer


def _killed(task: dict[str, Any]) -> Fate:
    began = time.monotonic()
    child = os.fork()
    if not child:
        _work(task)
    until = None if task["after"] is None else began + task["after"]
    while until is not None and time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return Fate(True, os.waitstatus_to_exitcode(status), time.monotonic() - began)
        time.sleep(0.0005)
    if until is not None:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Fate(code >= 0, code, time.monotonic() - began)


def _work(task: dict[str, Any]) -> None:
    """Do a task in this process and exit."""
    os.chdir(task["folder"])
    nowhere = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(nowhere, handle)
    if "words" in task:
        at_once.go(task["words"])
    session = Session(*task["session"])
    log = os.open(ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    prepared = Rulesets().load(session.ruleset).prepare()
    play_session(prepared, session, task["seed"], Path("game.jsonl"), lambda orders: os.write(log, b"%d\n" % orders))
    os._exit(0)


if __name__ == "__main__":
    main()
