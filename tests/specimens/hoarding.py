"""Bots that take memory which their processes do not show, in one of several ways.

    python hoarding.py WAY

At the first decision, a bot takes as much as it can up to MOST megabytes, writes the number of megabytes to stderr, and
continues to play. ``WAYS`` holds the ways by name. Each yields the megabytes that it holds after a step.
"""

import contextlib
import ctypes
import json
import mmap
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MOST = 512
STEP = 8
BLOCK = bytes(STEP << 20)
LIBC = ctypes.CDLL(None, use_errno=True)
HELD: list[Any] = []


def memfd() -> Iterator[int]:
    """Hold files that exist only in memory."""
    for number in range(1, MOST // STEP + 1):
        HELD.append(os.memfd_create("hoard"))
        os.write(HELD[-1], BLOCK)
        yield number * STEP


def memfd_in_flight() -> Iterator[int]:
    """Hold files in memory on their way through a socket, so that no process has them open."""
    mine, theirs = socket.socketpair()
    HELD.extend((mine, theirs))
    for number in range(1, MOST // STEP + 1):
        file = os.memfd_create("hoard")
        os.write(file, BLOCK)
        socket.send_fds(mine, [b"x"], [file])
        os.close(file)
        yield number * STEP


def system_v() -> Iterator[int]:
    """Hold segments of System V, filled and detached."""
    LIBC.shmat.restype = ctypes.c_void_p
    for number in range(1, MOST // STEP + 1):
        segment = LIBC.shmget(0, STEP << 20, 0o1600)
        if segment < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        HELD.append(segment)
        place = LIBC.shmat(segment, None, 0)
        ctypes.memset(place, 1, STEP << 20)
        LIBC.shmdt(ctypes.c_void_p(place))
        yield number * STEP


def shared() -> Iterator[int]:
    """Hold shared memory without a file. All except its first page is unmapped again but stays in use."""
    LIBC.mmap.restype = ctypes.c_void_p
    for number in range(1, MOST // STEP + 1):
        flags = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
        place = LIBC.mmap(None, ctypes.c_size_t(STEP << 20), mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
        if place == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "mmap")
        ctypes.memset(place, 1, STEP << 20)
        LIBC.munmap(ctypes.c_void_p(place + 4096), ctypes.c_size_t((STEP << 20) - 4096))
        yield number * STEP


def unlinked() -> Iterator[int]:
    """Hold files without a name."""
    for number in range(1, MOST // STEP + 1):
        HELD.append(os.open("hoard", os.O_CREAT | os.O_RDWR))
        Path("hoard").unlink()
        os.write(HELD[-1], BLOCK)
        yield number * STEP


def zeroes() -> Iterator[int]:
    """Hold shared memory of the zero device, mapped as in ``shared``."""
    device = os.open("/dev/zero", os.O_RDWR)
    LIBC.mmap.restype = ctypes.c_void_p
    for number in range(1, MOST // STEP + 1):
        rights = mmap.PROT_READ | mmap.PROT_WRITE
        place = LIBC.mmap(None, ctypes.c_size_t(STEP << 20), rights, mmap.MAP_SHARED, device, 0)
        ctypes.memset(place, 1, STEP << 20)
        LIBC.munmap(ctypes.c_void_p(place + 4096), ctypes.c_size_t((STEP << 20) - 4096))
        yield number * STEP


def sockets() -> Iterator[int]:
    """Hold unread data in the sockets of several processes."""
    held = 0
    for _ in range(7):
        reader, writer = os.pipe()
        if os.fork() == 0:
            pairs = [socket.socketpair() for _ in range(110)]
            for pair, _ in pairs:
                pair.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        HELD.append(pair.send(bytes(100_000)))
            os.write(writer, b"%d" % (sum(HELD) >> 20))
            time.sleep(600)
        held += int(os.read(reader, 9))
        yield held


WAYS: dict[str, Callable[[], Iterator[int]]] = {
    "memfd": memfd,
    "memfd_in_flight": memfd_in_flight,
    "system_v": system_v,
    "shared": shared,
    "unlinked": unlinked,
    "zeroes": zeroes,
    "sockets": sockets,
}


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def hear() -> Any:
    return json.loads(sys.stdin.readline() or '{"type": "end"}')


def main(way: str) -> None:
    hear()
    say(type="ready", protocol=1)
    while (question := hear())["type"] != "end":
        if question["id"] == 1:
            sys.stderr.write(f"held {taken(way)} MB\n")
            time.sleep(0.5)  # so that it is measured
        say(type="answer", id=question["id"], order=question["options"]["orders"][0])


def taken(way: str) -> int:
    """Return the megabytes held at the end of the way."""
    held = 0
    with contextlib.suppress(OSError):
        for now in WAYS[way]():
            held = now
    return held


if __name__ == "__main__":
    main(sys.argv[1])
