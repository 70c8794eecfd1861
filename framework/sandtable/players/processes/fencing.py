"""The fence that a bot's process builds around itself before it runs the bot (Linux).

``supervisor.py`` loads this module by its file name and runs it in a few milliseconds, so it imports nothing from the
framework. Every function changes the calling process permanently, or raises OSError.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes as long to load as everything else
    from typing import Any

NEW_NAMESPACE, BIND = 0x20000, 0x1000 | 0x4000
READ_ONLY, RECURSIVE, SET_ATTRIBUTES, HERE = 1 | 2, 0x8000, 442, (1 << 64) - 100  # and no set-uid programs
DROP_BOUND, NO_NEW, AMBIENT, CLEAR_ALL, CAPABILITIES = 24, 38, 47, 4, 0x20080522
SECCOMP, FILTER = 22, 2
"""Constants of ``unshare``, ``mount``, ``mount_setattr``, ``prctl`` and ``capset`` (Linux)."""

DEVICES = ("null", "full", "random", "urandom")
"""Devices in ``/dev``. ``zero`` is missing: mapped as shared, it is memory that no process shows."""

MAX_FILES = 1_000

REFUSED = {
    "x86_64": (0xC000003E, 9, (319, 447, 29, 68, 64, 425, 321, 298)),
    "aarch64": (0xC00000B7, 222, (279, 447, 194, 186, 190, 425, 280, 241)),
}
"""By machine: its kernel constant, the number of ``mmap``, and those of calls that create unaccounted memory.

These are ``memfd_create``, ``memfd_secret``, ``shmget``, ``msgget``, ``semget``, ``io_uring_setup``, ``bpf`` and
``perf_event_open``.
"""

_LOAD, _MASK, _IF_EQUAL, _IF_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _NO_MEMORY = 0x7FFF0000, 0x00050000 | errno.ENOMEM
"""Constants of seccomp filters: instructions and verdicts (``linux/filter.h``, ``linux/seccomp.h``)."""


def shut_in(plan: dict[str, Any]) -> None:
    """Restrict this process to the files that it may see, and to writing in its folder. Raises OSError."""
    _call("unshare", NEW_NAMESPACE)
    shown = {path: os.open(path, os.O_PATH) for path in plan["shown"]}
    null = os.open("/dev/null", os.O_PATH)
    for path in sorted({*plan["covered"], *shown, plan["folder"]}, key=lambda path: path.split("/")):
        if path == plan["folder"]:
            os.makedirs(path, exist_ok=True)
            _cover(path, plan["files_kb"])
        elif path in shown:
            _make_place(path, shown[path])
            _bind(shown[path], path)
        elif os.path.isdir(path):
            _cover(path, 64)
        elif os.path.exists(path):
            _bind(null, path)
    _make_devices(plan["files_kb"])
    _set_attributes("/", READ_ONLY, 0, RECURSIVE)
    for path in (plan["folder"], "/dev/shm"):  # noqa: S108 - in its own /dev
        _set_attributes(path, 0, 1, 0)


def refuse_hidden_memory() -> None:
    """Refuse, as if memory had run out, all calls for memory that the supervisor cannot measure.

    Such memory shows nowhere while it is not mapped, and shared memory without a file takes its full size even if only
    one page is mapped. 32-bit programs are refused as well. Machines without an entry in ``REFUSED`` and kernels
    without seccomp have no filter. Privileges must have been dropped before.
    """
    machine = REFUSED.get(os.uname().machine)
    if machine is None:
        return
    import ctypes  # noqa: PLC0415 - slow to load

    name, mmap, numbers = machine
    program = [(_LOAD, 0, 0, 4), (_IF_EQUAL, 1, 0, name), (_RETURN, 0, 0, _NO_MEMORY), (_LOAD, 0, 0, 0)]
    left = len(numbers)
    program += [(_IF_LEAST, left + 5, 0, 1 << 30)]  # 32-bit call numbers on x86-64
    program += [(_IF_EQUAL, left + 4 - place, 0, number) for place, number in enumerate(numbers)]
    program += [(_IF_EQUAL, 0, 3, mmap), (_LOAD, 0, 0, 40), (_MASK, 0, 0, 0x2F), (_IF_EQUAL, 1, 0, 0x21)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _NO_MEMORY)]
    words = b"".join(
        code.to_bytes(2, sys.byteorder) + bytes((true, false)) + value.to_bytes(4, sys.byteorder)
        for code, true, false, value in program
    )
    place = ctypes.create_string_buffer(words)
    length = len(program).to_bytes(8, sys.byteorder)
    try:
        _call("prctl", SECCOMP, FILTER, length + ctypes.addressof(place).to_bytes(8, sys.byteorder), 0, 0)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise


def _call(name: str, *values: int | bytes | None) -> None:
    """Call the system function ``name``. Raises OSError."""
    import ctypes  # noqa: PLC0415 - slow to load

    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    if function(*(ctypes.c_ulong(each) if isinstance(each, int) else each for each in values)) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot be isolated: {name}: {os.strerror(number)}")


def _cover(path: str, kb: int) -> None:
    _call("mount", b"tmpfs", path.encode(), b"tmpfs", 2 | 4, f"mode=755,size={kb}k,nr_inodes={MAX_FILES}".encode())


def _bind(number: int, path: str) -> None:
    """Make the open file ``number`` visible at ``path``."""
    _call("mount", b"/proc/self/fd/%d" % number, path.encode(), None, BIND, None)


def _make_devices(shared_kb: int) -> None:
    """Replace ``/dev`` with a minimal one that has an empty ``/dev/shm``."""
    there = [path for name in DEVICES if os.path.exists(path := f"/dev/{name}")]
    devices = [(path, os.open(path, os.O_PATH)) for path in there]
    _cover("/dev", 64)
    for path, number in devices:
        _make_place(path, number)
        _bind(number, path)
    for name, leads_to in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{leads_to}", f"/dev/{name}")
    os.mkdir("/dev/shm")  # noqa: S108 - in its own /dev
    _cover("/dev/shm", shared_kb)  # noqa: S108 - in its own /dev


def _set_attributes(path: str, adds: int, drops: int, flags: int) -> None:
    words = b"".join(each.to_bytes(8, sys.byteorder) for each in (adds, drops, 0, 0))
    try:
        _call("syscall", SET_ATTRIBUTES, HERE, path.encode(), flags, words, len(words))
    except OSError as error:
        if error.errno != errno.ENOSYS:  # before Linux 5.12 it can write wherever its account can
            raise


def give_privileges_up() -> None:
    """Drop all capabilities, and every way to regain them: by set-uid programs or by being root."""
    for number in range(64):
        try:
            _call("prctl", DROP_BOUND, number, 0, 0, 0)
        except OSError:  # there are no more
            break
    _call("prctl", AMBIENT, CLEAR_ALL, 0, 0, 0)
    _call("capset", CAPABILITIES.to_bytes(4, sys.byteorder) + bytes(4), bytes(24))
    _call("prctl", NO_NEW, 1, 0, 0, 0)


def _make_place(path: str, like: int) -> None:
    """Create an empty file or folder, as ``like`` is, at ``path`` with its parents, unless it exists."""
    if os.path.exists(path):
        return
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    if stat.S_ISDIR(os.fstat(like).st_mode):
        os.mkdir(path)
    else:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
