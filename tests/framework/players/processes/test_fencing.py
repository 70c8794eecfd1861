"""Limits of a bot's kernel access: no unaccounted memory, and no privileges in its own namespace."""

import os
import re
import shutil
import sys
from collections.abc import Callable
from typing import Any

import hoarding
import pytest
from tests.framework.players.processes.conftest import LIMITS

from sandtable.players.processes import fencing, limits
from sandtable.players.processes.limits import fence

Entered = Callable[..., Any]
Script = Callable[..., tuple[str, ...]]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the calls tried here exist only on Linux")
NEW_USER = 0x10000000
IN_THE_FENCE_ONLY = {"unlinked", "zeroes", "sockets"}
"""Ways to memory through files and sockets, which are not counted for a bot without namespaces."""


@LINUX
@pytest.mark.full
@pytest.mark.parametrize("way", hoarding.WAYS)
def test_bot_gets_no_unaccounted_memory(entered: Entered, fenced: bool, way: str) -> None:
    """The bot tries to take up to 512 MB and may have 128."""
    if not fenced and way in IN_THE_FENCE_ONLY:
        pytest.skip("files and sockets are counted in namespaces only")
    if way not in IN_THE_FENCE_ONLY and os.uname().machine not in fencing.REFUSED:
        pytest.skip("the calls of this machine are not in the list")
    played, bots = entered({"x": (sys.executable, hoarding.__file__, way)})
    if way == "sockets":
        assert bots["x"].verdict == "memory"
        return
    held = [int(found) for found in re.findall(r"held (\d+) MB", bots["x"].tail)]
    assert played.fault is None
    assert held == [LIMITS.files_mb if way == "unlinked" else 0]


@LINUX
def test_refused_memory_call_is_a_memory_fault(entered: Entered, fenced: bool, script: Script) -> None:
    _, bots = entered({"x": script("os.memfd_create('x')")})
    assert bots["x"].verdict == "memory"


@LINUX
def test_bot_cannot_create_a_user_namespace(entered: Entered, script: Script) -> None:
    """In a user namespace it would have every privilege over parts of the kernel that are closed otherwise."""
    if "--user" not in fence():
        pytest.skip("this system gives us no user namespace to close")
    call = f"ctypes.CDLL(None, use_errno=True).unshare({NEW_USER})"
    command = script("import ctypes", f"print('made', {call}, os.getuid(), file=sys.stderr)", "answer(m)")
    played, bots = entered({"x": command})
    assert played.fault is None, played.fault
    assert bots["x"].tail.splitlines()[0] == "made -1 0"


def test_fence_avoids_a_user_namespace_that_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, ...]] = []

    def works(words: tuple[str, ...]) -> bool:
        tried.append(words)
        return "--user" not in words

    monkeypatch.setattr(limits, "_works", works)
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/unshare")
    assert "--user" not in limits.fence.__wrapped__()
    assert [words[-1] for words in tried] == ["true", "true"]
    assert any("max_user_namespaces" in word for word in tried[0])
