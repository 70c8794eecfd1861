"""Command lines that start at the same moment, each in its own process.

As a program: each line on stdin is a JSON list of command lines. All are forked, wait until the last one is ready, and
start. A line on stdout reports their results.
"""

import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Ended(NamedTuple):
    """The result of a command line."""

    code: int
    stdout: str
    stderr: str


class Starter:
    """A starter of concurrent command lines, to be used in a ``with``."""

    def __init__(self, folder: Path, plugins_dir: Path) -> None:
        paths = [str(ROOT / "framework"), str(ROOT / "plugins"), os.environ.get("PYTHONPATH", "")]
        here = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "SANDTABLE_PLUGINS_DIR": str(plugins_dir)}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **here},
            text=True,
        )

    def __enter__(self) -> "Starter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def do(self, *words: str) -> Ended:
        """Run one command line, which must succeed."""
        (ended,) = self.run([words])
        assert ended.code == 0, ended
        return ended

    def run(self, lines: Sequence[Sequence[str]]) -> list[Ended]:
        """Run ``lines`` concurrently. Return the result of each."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(lines) + "\n")
        self._process.stdin.flush()
        return [Ended(*each) for each in json.loads(self._process.stdout.readline())]


def load_all() -> None:
    """Load every module of the framework, so that a fork starts immediately."""
    import sandtable  # noqa: PLC0415 - the tests import this module too

    for module in pkgutil.walk_packages(sandtable.__path__, "sandtable."):
        if not module.name.endswith("__main__") and module.name != "sandtable.players.processes.supervisor":
            import_module(module.name)


def main() -> None:
    """Process the lines of stdin."""
    load_all()
    for line in sys.stdin:
        print(json.dumps(together(json.loads(line))), flush=True)  # noqa: T201 - the answer


def together(lines: list[list[str]]) -> list[Ended]:
    """Fork a process for each line, and start all when every process waits at the gate."""
    gate, opened = os.pipe()
    ready, arrived = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        outs = [Path(folder) / str(number) for number in range(2 * len(lines))]
        children = []
        for place, words in enumerate(lines):
            child = os.fork()
            if not child:
                os.close(opened)
                with outs[2 * place].open("w") as out, outs[2 * place + 1].open("w") as err:
                    os.dup2(out.fileno(), 1)
                    os.dup2(err.fileno(), 2)
                os.write(arrived, b".")
                os.read(gate, 1)
                go(words)
            children.append(child)
        for _ in lines:
            os.read(ready, 1)
        for each in (gate, opened, ready, arrived):
            os.close(each)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        texts = [out.read_text() for out in outs]
    return [Ended(code, *texts[2 * place : 2 * place + 2]) for place, code in enumerate(codes)]


def go(words: list[str]) -> None:
    """Run a command line, and exit this process with its code."""
    from sandtable.cli.main import cli  # noqa: PLC0415 - the tests import this module too

    code = 70
    try:
        cli.main(words, prog_name="sandtable")
    except SystemExit as stop:
        code = int(stop.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
