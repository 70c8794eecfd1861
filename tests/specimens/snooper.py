"""A bot that looks around before it plays and reports the files and actions that are open to it.

    python snooper.py SECRET [PLACE ...]

It searches all files below the places for the bytes of SECRET (given backwards, so that it does not find itself), and
writes its findings to stderr as one JSON object. If it finds the secret it exits with code 3; otherwise it plays
legally. It is harmless: it attempts destructive actions only without privileges or a way to obtain them.
"""

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
NEW_NAMESPACES, DETACH = 0x10000000 | 0x20000, 2
SHARED = "/dev/shm"  # noqa: S108 - an empty one
REMOUNT = 0x20 | 0x1000


def files(places: tuple[str, ...]) -> Iterator[Path]:
    for place in places:
        for folder, _, names in os.walk(place):
            yield from (Path(folder, name) for name in names)


def found(secret: bytes, places: tuple[str, ...]) -> list[str]:
    return [str(file) for file in files(places) if may(partial(search, file, secret)) == "done"]


def search(file: Path, secret: bytes) -> None:
    file.read_bytes().index(secret)


def may(do: Callable[[], Any]) -> str:
    try:
        do()
    except (OSError, ValueError) as error:
        return type(error).__name__
    return "done"


def is_library(handle: Path) -> bool:
    """Return whether the handle is of a shared library, because ctypes may keep its library open."""
    return ".so." in os.path.realpath(handle)


def write(place: str) -> None:
    file = Path(place, f"snooper-{os.getpid()}")
    file.touch(exist_ok=False)
    file.unlink()


def system(name: str, *values: Any) -> str:
    def call() -> None:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
        if function(*values) < 0:
            raise OSError(ctypes.get_errno(), name)

    return may(call)


def look(secret: bytes, places: tuple[str, ...]) -> dict[str, Any]:
    status = dict(line.split(":\t") for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    powerless = {status[name] for name in CAPABILITIES} == {"0" * 16} and status["NoNewPrivs"] == "1"
    here, mine = Path.cwd(), Path(__file__).parent
    seen: dict[str, Any] = {
        "found": found(secret, places),
        "beside": sorted(each.name for each in here.parent.iterdir()),
        "processes": sorted(each.name for each in Path("/proc").glob("[0-9]*") if each.name != str(os.getpid())),
        "supervisor": {name: may(Path(f"/proc/1/{name}").stat) for name in ("root", "cwd", "fd/3")},
        "memory": may(lambda: Path("/proc/1/environ").read_bytes()),
        "own": {place: may(partial(write, place)) for place in (".", SHARED)},
        "null": may(lambda: Path("/dev/null").write_text("x", encoding="ascii")),
        "devices": sorted(each.name for each in Path("/dev").iterdir()),
        "open": sorted(each.name for each in Path("/proc/self/fd").iterdir() if not is_library(each)),
        "mask": os.umask(0o077),
        "powerless": powerless,
    }
    if powerless:
        outside = (*places, str(mine), "/", "/etc", "/run")
        seen["write"] = {place: may(partial(write, place)) for place in outside}
        seen["kernel"] = may(lambda: os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)))
        seen["uncover"] = [system("umount2", place.encode(), DETACH) for place in (*places, "/dev")]
        system("unshare", NEW_NAMESPACES)  # all-powerful, in its own namespaces
        seen["uncover"] += [system("umount2", place.encode(), DETACH) for place in (*places, "/dev")]
        seen["remount"] = system("mount", b"none", b"/", None, ctypes.c_ulong(REMOUNT), None)
        seen["found"] += found(secret, places)
    return seen


def main(backwards: str, *places: str) -> None:
    seen = look(backwards[::-1].encode(), places)
    sys.stderr.write(json.dumps(seen) + "\n")
    if seen["found"]:
        sys.exit(3)
    sys.stdin.readline()
    answer: dict[str, Any] = {"type": "ready", "protocol": 1}
    while True:
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        message = json.loads(sys.stdin.readline() or '{"type": "end"}')
        if message["type"] == "end":
            return
        answer = {"type": "answer", "id": message["id"], "order": message["options"]["orders"][0]}


if __name__ == "__main__":
    main(*sys.argv[1:])
