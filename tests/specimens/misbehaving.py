"""Bots that misbehave, each in its own way, at the WHEN-th decision (0: before they are ready).

    python misbehaving.py BEHAVIOR WHEN

Until then they play legally. ``BEHAVIORS`` maps each name to the verdict that it must get if it was ready before.
"""

import atexit
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BEHAVIORS = {
    "busy": "time",
    "swallowing": "time",
    "c_loop": "time",
    "regex": "time",
    "asleep": "time",
    "stopped": "time",
    "late": "protocol",
    "huge_memory": "memory",
    "growing_memory": "memory",
    "family_memory": "memory",
    "forks": "memory",
    "unlimited": "memory",
    "exit": "crash",
    "segfault": "crash",
    "raises": "crash",
    "orphan": "crash",
    "kills_parent": "crash",
    "flood": "protocol",
    "gigabyte_line": "output",
    "stderr_flood": "output",
    "gigabyte_file": "output",
    "many_files": "output",
    "garbage": "protocol",
    "twice": "protocol",
    "deep": "protocol",
    "long_number": "protocol",
    "closed": "protocol",
    "unknown_field": "protocol",
    "illegal": "illegal",
    "nonsense": "illegal",
    "endless_exit": "ok",
    "none": "ok",
}


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def hear() -> Any:
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "end"}


def order_for(question: Any) -> Any:
    options = question.get("options", {})
    if options.get("kind") == "list":
        return options["orders"][-1]
    if not options:
        return {"type": "Nothing"}
    say(type="sample", id=question["id"])
    return hear()["orders"][0]


def burn() -> None:
    while True:
        pass


def write(data: bytes, number: int = 1, to: int = 1) -> None:
    for _ in range(number):
        os.write(to, data)


def swallow() -> None:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    while True:
        try:
            burn()
        except BaseException:  # noqa: BLE001, S112 - this is its misbehavior
            continue


def hold(megabytes: int) -> bytearray:
    kept = bytearray(megabytes << 20)
    kept[::4096] = b"x" * len(kept[::4096])
    return kept


def family() -> None:
    for _ in range(6):
        if os.fork() == 0:
            kept = hold(60)
            time.sleep(60)
            sys.exit(len(kept))
    time.sleep(60)


def fork_forever() -> None:
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def unlimit() -> None:
    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS):
        try:
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (OSError, ValueError):
            continue
    kept = [hold(16) for _ in range(64)]
    time.sleep(60 + len(kept))


def grow() -> None:
    kept: list[str] = []
    while True:
        kept.append(" " * 1000)


def orphan() -> None:
    words = [sys.executable, "-c", "import os, time; os.setsid(); time.sleep(300)", *sys.argv[1:]]
    subprocess.Popen(words, start_new_session=True)
    os._exit(0)


def big_file() -> None:
    with Path("big").open("wb") as file:
        for _ in range(1024):
            file.write(bytes(1 << 20))


def many_files() -> None:
    for number in range(100_000):
        Path(f"file{number}").write_bytes(bytes(100_000))


def twice(question: Any) -> None:
    order = order_for(question)
    for _ in range(2):
        say(type="answer", id=question.get("id", 1), order=order)
    hear()
    time.sleep(60)


def closed() -> None:
    os.close(1)
    time.sleep(60)


def endless_exit() -> None:
    atexit.register(time.sleep, 300)


def kill_parent() -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(300)


def expected(behavior: str, when: int, *, fenced: bool) -> str:
    """Return the verdict that a bot must get.

    In a fence, a closed output is not seen and the supervisor cannot be killed.
    """
    verdict = BEHAVIORS[behavior]
    if behavior in {"closed", "kills_parent"} and fenced:
        verdict = "time"
    if when == 0:
        return {"time": "start", "crash": "start", "illegal": "protocol"}.get(verdict, verdict)
    return verdict


def alive(token: str) -> list[str]:
    """Return the command lines of the processes that have ``token`` among their words."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if token in words and int(path.parent.name) != os.getpid():
            found.append(" ".join(words))
    return found


WAYS: dict[str, Callable[[Any], object]] = {
    "busy": lambda _: burn(),
    "swallowing": lambda _: swallow(),
    "c_loop": lambda _: sum(itertools.repeat(0)),
    "regex": lambda _: re.match(r"(a+)+$", "a" * 40 + "b"),
    "asleep": lambda _: time.sleep(300),
    "stopped": lambda _: os.kill(os.getpid(), signal.SIGSTOP),
    "late": lambda question: say(type="answer", id=question.get("id", 1) - 1, order={"type": "Mark", "cell": 0}),
    "huge_memory": lambda _: bytearray(8 << 30),
    "growing_memory": lambda _: grow(),
    "family_memory": lambda _: family(),
    "forks": lambda _: fork_forever(),
    "unlimited": lambda _: unlimit(),
    "exit": lambda _: os._exit(7),
    "segfault": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "raises": lambda _: 1 / 0,
    "orphan": lambda _: orphan(),
    "kills_parent": lambda _: kill_parent(),
    "flood": lambda _: write(b'{"type":"sample","id":0}\n' * 40_000, 1_000),
    "gigabyte_line": lambda _: write(b"x" * (1 << 20), 1024),
    "stderr_flood": lambda _: write(b"oh\n" * (1 << 18), 1024, to=2),
    "gigabyte_file": lambda _: big_file(),
    "many_files": lambda _: many_files(),
    "garbage": lambda _: write(bytes(range(128, 256)) + b"\x00\xff\n"),
    "twice": twice,
    "deep": lambda _: write(b"[" * 10_000 + b"\n"),
    "long_number": lambda _: write(b'{"type":"answer","id":' + b"1" * 5_000 + b',"order":{}}\n'),
    "closed": lambda _: closed(),
    "unknown_field": lambda question: say(type="answer", id=1, order=order_for(question), move=1),
    "illegal": lambda question: say(type="answer", id=question.get("id", 1), order={"type": "EnterDice", "dice": [6]}),
    "nonsense": lambda question: say(type="answer", id=question.get("id", 1), order={"type": "Nuke", "at": [None]}),
    "endless_exit": lambda _: endless_exit(),
    "none": lambda _: None,
}


def main(behavior: str, when: int) -> None:
    message = hear()
    if when == 0:
        WAYS[behavior]({})
    say(type="ready", protocol=1)
    while (message := hear())["type"] != "end":
        if message["id"] == when:
            WAYS[behavior](message)
        say(type="answer", id=message["id"], order=order_for(message))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
