"""The resources that a bot process may use, and the command that fences it."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Verdict = Literal["ok", "time", "memory", "output", "protocol", "illegal", "crash", "start"]
"""The result of a player in a game: every verdict except ok forfeits it."""


@dataclass(frozen=True)
class Budget:
    """The resources of a player in a game. 0 means no limit.

    ``decisions`` and ``nodes`` of a search are counted, so they are the same on every machine. ``seconds`` of wall
    clock per decision, ``cpu_seconds`` per game, ``memory_mb`` and ``output_kb`` are guards for bots in separate
    processes.
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

    ``seconds`` is wall-clock time per decision. ``cpu_seconds`` is processor time of all its processes per game.
    ``memory_mb`` and ``processes`` cover all its processes together. ``output_kb`` limits a line, ``log_kb`` its total
    output to stderr, and ``files_mb`` the content of its folder. ``request_seconds`` of the framework's processor time
    may serve its requests in a decision; the excess is the bot's time. ``nodes`` is reported to the bot and not
    enforced.
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
        """Return the limits of ``budget``. Limits that it does not set have their defaults, so no bot is unlimited."""
        defaults = cls()
        return cls(
            seconds=budget.seconds or defaults.seconds,
            cpu_seconds=budget.cpu_seconds or defaults.cpu_seconds,
            memory_mb=budget.memory_mb or defaults.memory_mb,
            output_kb=budget.output_kb or defaults.output_kb,
            nodes=budget.nodes,
        )

    def as_message(self) -> dict[str, int]:
        """Return the limits that are sent to the bot."""
        names = ("seconds", "start_seconds", "cpu_seconds", "memory_mb", "output_kb", "request_seconds", "nodes")
        return {name: getattr(self, name) for name in names}


_NAMESPACES = ("--pid", "--fork", "--kill-child", "--mount-proc", "--net", "--ipc")
_CLOSED = ("sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh")
"""Runs a command that cannot create a user namespace, in which it would be privileged over parts of the kernel."""


@cache
def fence() -> tuple[str, ...]:
    """Return the command that isolates a process in its own namespaces, or () if this system allows none.

    Inside, a bot sees only its own processes and no network, and none of its children outlives it. A user namespace in
    which no other can be created is preferred. root does without one if the system allows only that.
    """
    program = shutil.which("unshare")
    if program is None:
        return ()
    own = (program, "--user", "--map-root-user", *_NAMESPACES, *_CLOSED)
    return next((words for words in (own, (program, *_NAMESPACES)) if _works((*words, "true"))), ())


def _works(words: tuple[str, ...]) -> bool:
    try:
        result = subprocess.run(  # noqa: S603 - a fixed command
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return result.returncode == 0


def located(command: tuple[str, ...], base: Path) -> tuple[str, ...]:
    """Return ``command`` with every word that names a file below ``base`` as its full path: a bot runs elsewhere."""
    first, *rest = command
    program = str(base / first) if os.sep in first else first
    return (program, *(str((base / word).resolve()) if word and _is_file(base / word) else word for word in rest))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a long argument, such as a program for -c, is not a file name
        return False


def cannot_start(command: tuple[str, ...], base: Path) -> str:
    """Return why the program of ``command`` cannot be started, or "".

    The search is that of the supervisor: from ``base`` if the name contains a folder, and otherwise along the PATH.
    """
    program = located(command, base)[0]
    if os.sep not in program:
        path = surroundings("", 0)["PATH"]
        return "" if shutil.which(program, path=path) else f"{program} is not in a folder of the PATH ({path})"
    file = Path(program)
    if not file.exists():
        return f"{program} does not exist"
    if not file.is_file():
        return f"{program} is a folder: name a program" if file.is_dir() else f"{program} is not a file"
    return (
        ""
        if os.access(file, os.X_OK)
        else f"{program} may not be executed: chmod +x it, or put its interpreter before it"
    )


def surroundings(folder: str, seed: int) -> dict[str, str]:
    """Return the environment of a bot: the search path, the language, and its folder."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG"} or name.startswith("LC_")}
    own = {"HOME": folder, "TMPDIR": folder, "PYTHONHASHSEED": str(seed % (1 << 32)), "PYTHONDONTWRITEBYTECODE": "1"}
    return {"PATH": os.defpath, **kept, **own}
