"""A killed or stopped leader: its bots do not remain, and are not blamed."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import misbehaving
import pytest
from misbehaving import alive

from sandtable.players.processes.channel import Broken, Channel, hunt
from sandtable.players.processes.limits import Limits

ARENA = """\
import sys, tempfile
from sandtable.players.processes import channel
tempfile.tempdir = sys.argv[1]
if sys.argv[2] == "bare":
    channel.fence = lambda: ()
bot = channel.Channel(tuple(sys.argv[3:]), channel.Limits(), 1)
print(bot.line(1e9).decode(), flush=True)
bot.line(1e9)
"""


def gone(token: str, bot_folders: Path, seconds: float = 60.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not alive(token) and not list(bot_folders.iterdir()):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.full
@pytest.mark.parametrize("way", ["fenced", "bare"])
def test_killed_leader_ends_its_bots(way: str, bot_folders: Path, script: Callable[..., tuple[str, ...]]) -> None:
    token = f"arena-{way}"
    family = "import os; os.fork(); os.fork() or os.setsid(); print('here', flush=True); time.sleep(300)"
    bot = (*script(ready=""), token)
    Path(bot[1]).write_text(f"import time\n{family}\n", encoding="utf-8")
    arena = subprocess.Popen([sys.executable, "-c", ARENA, str(bot_folders), way, *bot], stdout=subprocess.PIPE)
    assert arena.stdout is not None
    assert arena.stdout.readline() == b"here\n"
    assert alive(token)
    arena.send_signal(signal.SIGKILL)
    arena.wait()
    arena.stdout.close()
    assert gone(token, bot_folders), alive(token)


@pytest.mark.full
def test_processes_of_a_stopped_supervisor_are_killed(bot_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.players.processes.channel.CLEAR_SECONDS", 0.5)
    monkeypatch.setattr("sandtable.players.processes.channel.fence", lambda: ())
    mark = "stopped-supervisor"
    bot = Channel((sys.executable, misbehaving.__file__, "asleep", "0", mark), Limits(), 1)
    while not any("-I" not in line.split() for line in alive(mark)):
        time.sleep(0.01)
    os.kill(bot._supervisor.pid, signal.SIGSTOP)
    bot.close()
    bot.close()
    assert gone(mark, bot_folders), alive(mark)


def test_hunt_kills_only_processes_with_the_given_home_folder(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "import time; print(flush=True); time.sleep(300)"]
    homes = [tmp_path / "a", tmp_path / "ab"]
    sleepers = [subprocess.Popen(words, env={"HOME": str(home)}, stdout=subprocess.PIPE) for home in homes]
    try:
        for each in sleepers:
            assert each.stdout is not None
            each.stdout.readline()
        hunt(str(homes[0]), Limits())
        assert sleepers[0].wait(60) == -signal.SIGKILL
        assert sleepers[1].poll() is None
    finally:
        for each in sleepers:
            each.kill()
            each.wait()
            assert each.stdout is not None
            each.stdout.close()


DAEMON = """
import ctypes, os, signal, sys, time
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(writer, b"x")
        code = "import ctypes, time; ctypes.CDLL(None).prctl(4, 0); time.sleep(300)"
        os.execve(sys.executable, [sys.executable, "-c", code, sys.argv[1]], {})
    os._exit(0)
os.read(reader, 1)
if sys.argv[2] == "kill":
    os.kill(os.getppid(), signal.SIGKILL)
print("here", flush=True)
time.sleep(300)
"""
"""A bot that starts a daemon without an environment in its own session, and then kills its supervisor or not."""


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="remaining processes are searched for in /proc")
def test_daemon_of_a_bot_without_supervisor_is_found(
    bot_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon is found only by the limits that it cannot raise.

    Another bot with equal limits, and its daemon, stay.
    """
    monkeypatch.setattr("sandtable.players.processes.channel.fence", lambda: ())
    (tmp_path / "daemon.py").write_text(DAEMON)
    command = (sys.executable, str(tmp_path / "daemon.py"))
    other = Channel((*command, "other-daemon", "stay"), Limits(), 2)
    try:
        assert other.line(time.monotonic() + 60) == b"here"
        bot = Channel((*command, "killer-daemon", "kill"), Limits(), 1)
        with pytest.raises(Broken, match="ended its supervisor"):
            list(iter(lambda: bot.line(time.monotonic() + 60), b""))
        assert alive("killer-daemon")
        bot.close()
        assert alive("killer-daemon") == []
        assert len(alive("other-daemon")) == 2
    finally:
        other.close()
    assert gone("other-daemon", bot_folders)


def test_answer_that_came_during_a_stop_counts() -> None:
    bot = Channel((sys.executable, "-c", "import time; print('here', flush=True); time.sleep(300)"), Limits(), 1)
    try:
        assert select.select([bot._out], [], [], 60)[0]
        long_ago = time.monotonic() - 60
        assert bot.line(long_ago) == b"here"
        with pytest.raises(Broken, match="gave no answer within 10 s"):
            bot.line(long_ago)
    finally:
        bot.close()
