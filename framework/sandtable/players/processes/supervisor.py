"""The supervisor: a process between the framework and a bot that starts the bot and cleans up after it.

It is run as a script, in a new session and, if the system allows it, as the first process of its own namespaces. It
reads nothing from the bot. It ends the bot and all processes that the bot started in three cases: the bot ends, the bot
uses too much, or the control pipe closes because the framework is done or dead. It then empties the bot's folder, and
finally reports the result on the status pipe.

On Linux the bot has no privileges. Inside namespaces the folders that it must not see are covered as well
(``sandbox_view.py`` names them), it can write only to its own folder, and ``/dev`` is minimal (``fencing.py``).

It imports nothing from the framework and little else, so that it starts in a few milliseconds. Plan and result are
exchanged as ``marshal`` between two processes of one interpreter.
"""

from __future__ import annotations

import marshal
import os
import resource
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes as long to load as everything else
    from collections.abc import Callable
    from typing import Any

    from sandtable.players.processes import fencing

    ExitReport = dict[str, Any]
    """A bot's end: ``why`` (a verdict, "left": exited, "told": on request), ``code``, ``signal``, ``reason``, usage."""
else:  # a script has no package: the file beside it is found last of all
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    import fencing

TICK_MS = 50
"""Milliseconds between measurements of the bot's resources."""

FILES_TICKS = 10
"""Number of ticks between measurements of the folder."""

SOCKET_KB = 416
"""Size of a socket in KB: the maximum that it can hold, because its actual content shows nowhere."""

SUBREAPER = 36
_PAGE_KB = resource.getpagesize() // 1024
_TICKS = os.sysconf("SC_CLK_TCK")


def main(text: str) -> None:
    """Start the bot of the plan in ``text``, watch it, clean up, and report."""
    plan = marshal.loads(bytes.fromhex(text))  # noqa: S302 - from our own parent
    if os.getpid() != 1:
        _adopt_orphans()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for pipe in (plan["control"], plan["status"]):
        os.set_inheritable(pipe, False)  # noqa: FBT003 - it takes no keywords; the pipe is not for the bot
    bot, problem = _start(plan)
    _let_go()
    cannot = f"{plan['command'][0]} cannot be started: {problem}"
    exit_report: ExitReport = {"why": "start", "reason": cannot} if problem else _watch(plan, bot)
    _end_all(bot)
    _empty(plan["folder"])
    try:
        os.write(plan["status"], marshal.dumps(exit_report))
    except OSError:  # no reader is left
        return


def _adopt_orphans() -> None:
    """Become the parent of all descendants that lose their own parent (Linux only)."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - slow to load, and rarely needed

        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def _start(plan: dict[str, Any]) -> tuple[int, str]:
    """Start the bot. Return its process id, and the reason if it could not be started."""
    reader, writer = os.pipe()  # closed by a successful exec
    bot = os.fork()
    if bot == 0:
        try:
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            os.umask(0o077)
            if plan["covered"]:
                fencing.shut_in(plan)
            os.chdir(plan["folder"])
            os.nice(5)
            _limit(plan)
            if sys.platform == "linux":
                fencing.give_privileges_up()
                fencing.refuse_hidden_memory()
            os.execvpe(plan["command"][0], plan["command"], plan["surroundings"])  # noqa: S606 - that is the task
        except (OSError, ValueError) as error:
            os.write(writer, (getattr(error, "strerror", None) or str(error)).encode())
        finally:
            os._exit(127)
    os.close(writer)
    problem = os.read(reader, 500).decode()
    os.close(reader)
    return bot, problem


def _limit(plan: dict[str, Any]) -> None:
    """Set the limits that the kernel enforces for each process."""
    for kind, least, most in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_FSIZE, plan["files_kb"] * 1024, plan["files_kb"] * 1024),
        (resource.RLIMIT_DATA, plan["memory_kb"] * 1024, plan["memory_kb"] * 1024),
        (resource.RLIMIT_CPU, plan["cpu_seconds"] + 1, plan["cpu_seconds"] + 2),
        (resource.RLIMIT_NOFILE, plan["open_files"], plan["open_files"]),
    ):
        hard = resource.getrlimit(kind)[1]
        most_allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (min(least, most_allowed), most_allowed))


def _let_go() -> None:
    """Give up the bot's pipes, so that they are closed when the bot closes them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)


def _watch(plan: dict[str, Any], bot: int) -> ExitReport:
    """Return the bot's end as soon as it ends or exceeds a limit, or the control pipe closes."""
    poll = select.poll()
    poll.register(plan["control"], select.POLLIN)
    if hasattr(os, "pidfd_open"):
        poll.register(os.pidfd_open(bot), select.POLLIN)
    ticks = 0
    use = {"cpu_ms": 0, "memory_kb": 0}
    while True:
        ready = [number for number, _ in poll.poll(TICK_MS)]
        now = _measure()
        use = {"cpu_ms": now["cpu_ms"], "memory_kb": max(use["memory_kb"], now["memory_kb"])}
        ended = _reap(bot)
        if ended is not None:
            use["memory_kb"] = max(use["memory_kb"], resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            return ended | use | {"cpu_ms": _cpu_ms_of_ended()}
        if plan["control"] in ready:
            return {"why": "told"} | use
        files = _files_kb(plan["folder"]) if ticks % FILES_TICKS == 0 else 0
        over = _over(plan, now, files)
        if over:
            return over | use
        ticks += 1


def _over(plan: dict[str, Any], now: dict[str, int], files_kb: int) -> ExitReport:
    """Return the verdict on the resources that the bot uses ``now``, or {} if it is within its limits."""
    if now["memory_kb"] > plan["memory_kb"]:
        return {"why": "memory", "reason": f"used more than the {plan['memory_kb'] >> 10} MB of memory allowed"}
    if now["processes"] > plan["processes"]:
        return {"why": "memory", "reason": f"ran more than the {plan['processes']} processes allowed"}
    if now["cpu_ms"] > 1000 * plan["cpu_seconds"]:
        return {
            "why": "time",
            "reason": f"used more than the {plan['cpu_seconds']} s of processor time allowed for a game",
        }
    if files_kb > plan["files_kb"]:
        return {"why": "output", "reason": f"wrote more than the {plan['files_kb'] >> 10} MB of files allowed"}
    return {}


def _below() -> list[int]:
    """Return the descendants of this process."""
    if os.getpid() == 1:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]
    found: list[int] = []
    parents = [os.getpid()]
    while parents:
        parent = parents.pop()
        try:
            with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:  # gone meanwhile, or not supported by the system
            continue
        found += children
        parents += children
    return found


def _measure() -> dict[str, int]:
    """Return the resources that all processes of the bot use together."""
    memory = SOCKET_KB * _sockets()
    cpu_ms = _cpu_ms_of_ended()
    below = _below()
    for process in below:
        try:
            with open(f"/proc/{process}/stat", encoding="latin-1") as file:
                words = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        cpu_ms += sum(map(int, words[11:15])) * 1000 // _TICKS
        memory += int(words[21]) * _PAGE_KB
    return {"memory_kb": memory, "cpu_ms": cpu_ms, "processes": len(below)}


def _sockets() -> int:
    """Return the number of the bot's sockets, or 0 without namespaces, where all sockets would be counted."""
    if os.getpid() != 1:
        return 0
    try:
        with open("/proc/net/sockstat", encoding="ascii") as file:
            return int(file.readline().split()[2])
    except (OSError, ValueError, IndexError):  # not supported by the system
        return 0


def _cpu_ms_of_ended() -> int:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(1000 * (used.ru_utime + used.ru_stime))


def _files_kb(folder: str) -> int:
    """Return the size of the content of ``folder`` in KB; more than MAX_FILES files count as more than any limit."""
    total = number = 0
    for place, _, names in os.walk(folder):
        for name in names:
            number += 1
            if number > fencing.MAX_FILES:
                return 1 << 40
            try:
                total += os.lstat(os.path.join(place, name)).st_blocks
            except OSError:
                continue
    return total // 2


def _reap(bot: int) -> ExitReport | None:
    """Collect ended processes. Return the end of the bot if it is among them."""
    found: ExitReport | None = None
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if process == 0:
            return found
        if process == bot:
            code = os.waitstatus_to_exitcode(status)
            found = {"why": "left", "code": max(code, 0), "signal": max(-code, 0)}


def _end_all(bot: int) -> None:
    """Kill every process of the bot, and wait until none is left, for up to five seconds."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if os.getpid() == 1:
            _kill(-1)
        else:
            for process in (-bot, *_below()):
                _kill(process)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except OSError:  # already gone
        return


def _empty(folder: str) -> None:
    """Remove ``folder`` with its content, including locked folders. Links are not followed."""
    for place, names, _ in os.walk(folder):
        for name in names:
            _try(os.chmod, os.path.join(place, name), 0o700)
    for place, names, files in os.walk(folder, topdown=False):
        for name in (*files, *names):
            path = os.path.join(place, name)
            _try(os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink, path)
    _try(os.rmdir, folder)


def _try(do: Callable[..., None], path: str, *more: int) -> None:
    """Apply ``do`` to ``path``, but never ``os.chmod`` to a link. Ignore a failure: the framework removes the rest."""
    try:
        if more and os.path.islink(path):
            return
        do(path, *more)
    except OSError:
        return


if __name__ == "__main__":
    main(sys.argv[1])
