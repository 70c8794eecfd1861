"""What a bot in a process of its own may use, and how the process is fenced in."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Verdict = Literal["ok", "time", "memory", "output", "protocol", "illegal", "crash", "start"]
"""What became of a player in a game: all but ok forfeit it."""


@dataclass(frozen=True)
class Budget:
    """What a player may use in a game; 0 is no limit.

    ``decisions`` of his own and ``nodes`` of a search are counted, so they are the same everywhere; ``seconds`` a
    decision, of the wall clock, and of processor time a game, ``memory_mb`` and ``output_kb`` are guards for bots in
    processes of their own.
    """

    decisions: int = 0
    nodes: int = 0
    seconds: int = 0
    cpu_seconds: int = 0
    memory_mb: int = 0
    output_kb: int = 0


@dataclass(frozen=True)
class Limits:
    """The limits of one bot in one game.

    ``seconds`` of the wall clock are for a decision, ``cpu_seconds`` of the processor, of all its processes, for the
    game; ``memory_mb`` and ``processes`` are of all its processes together. ``output_kb`` is the length of a line,
    ``log_kb`` of all that it writes to stderr, ``files_mb`` of what it has in its folder. ``request_seconds`` of our
    processor may serve its requests in a decision; what they take beyond that is the bot's time. ``nodes`` is told, and
    not checked.
    """

    seconds: int = 10
    start_seconds: int = 10
    cpu_seconds: int = 600
    memory_mb: int = 1024
    output_kb: int = 64
    log_kb: int = 1024
    files_mb: int = 16
    processes: int = 32
    request_seconds: int = 2
    nodes: int = 0

    @classmethod
    def of(cls, budget: Budget) -> "Limits":
        """Return the limits of ``budget``; where that sets none, the usual ones hold: no bot goes unguarded."""
        usual = cls()
        return cls(
            seconds=budget.seconds or usual.seconds,
            cpu_seconds=budget.cpu_seconds or usual.cpu_seconds,
            memory_mb=budget.memory_mb or usual.memory_mb,
            output_kb=budget.output_kb or usual.output_kb,
            nodes=budget.nodes,
        )

    def told(self) -> dict[str, int]:
        """Return what a bot is told of them."""
        names = ("seconds", "start_seconds", "cpu_seconds", "memory_mb", "output_kb", "request_seconds", "nodes")
        return {name: getattr(self, name) for name in names}


_NAMESPACES = ("--pid", "--fork", "--kill-child", "--mount-proc", "--net", "--ipc")
_CLOSED = ("sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh")
"""Runs a command that cannot make a user namespace, in which it would have every privilege over parts of the kernel."""


@cache
def fence() -> tuple[str, ...]:
    """Return the command that shuts a process up in namespaces of its own, () where the system has none for us.

    Inside, a bot sees no process but its own and no network, and none of its children outlives it. A user namespace in
    which no other can be made is preferred; root has one without, if the system allows only that.
    """
    program = shutil.which("unshare")
    if program is None:
        return ()
    own = (program, "--user", "--map-root-user", *_NAMESPACES, *_CLOSED)
    return next((words for words in (own, (program, *_NAMESPACES)) if _works((*words, "true"))), ())


def _works(words: tuple[str, ...]) -> bool:
    try:
        tried = subprocess.run(  # noqa: S603 - a fixed command
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return tried.returncode == 0


def located(command: tuple[str, ...], base: Path) -> tuple[str, ...]:
    """Return ``command`` with every word that names a file below ``base`` as its full path: a bot runs elsewhere."""
    first, *rest = command
    program = str(base / first) if os.sep in first else first
    return (program, *(str((base / word).resolve()) if word and _is_file(base / word) else word for word in rest))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a long argument, such as a program for -c, is no name of a file
        return False


def cannot_start(command: tuple[str, ...], base: Path) -> str:
    """Return why the program of ``command`` cannot be started, "" where it can be tried.

    It is looked for as the supervisor does: from ``base`` where it is named with its folder, otherwise along the PATH.
    """
    program = located(command, base)[0]
    if os.sep not in program:
        path = surroundings("", 0)["PATH"]
        return "" if shutil.which(program, path=path) else f"{program} is in no folder of the PATH ({path})"
    file = Path(program)
    if not file.exists():
        return f"{program} does not exist"
    if not file.is_file():
        return f"{program} is a folder: name a program" if file.is_dir() else f"{program} is no file"
    return "" if os.access(file, os.X_OK) else f"{program} may not be executed: chmod +x it, or name what runs it first"


def surroundings(folder: str, seed: int) -> dict[str, str]:
    """Return the environment of a bot: the way to programs, the language, and its folder; nothing else of ours."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG"} or name.startswith("LC_")}
    own = {"HOME": folder, "TMPDIR": folder, "PYTHONHASHSEED": str(seed % (1 << 32)), "PYTHONDONTWRITEBYTECODE": "1"}
    return {"PATH": os.defpath, **kept, **own}
