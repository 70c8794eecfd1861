"""The pipes to a bot: lines in and out, limited in length and time, and the supervisor at the other end."""

import marshal
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Any

from sandtable.players.processes.limits import Limits, Verdict, fence, surroundings
from sandtable.players.processes.sandbox_view import covered, uncovered
from sandtable.quoting import plain

SUPERVISOR = Path(__file__).with_name("supervisor.py")
AT_ONCE = 1 << 16
TAIL = 1 << 16
"""Number of bytes of a bot's stderr that are kept."""

MAX_OPEN = 256
"""Maximum number of files that a process of a bot may have open."""

LONGEST_WAIT = 3_600.0
"""Longest wait in seconds that the system accepts. Longer waits are split."""

CLEAR_SECONDS = 10.0
"""Seconds that a supervisor may take to clean up."""

_SIGNS: tuple[tuple[tuple[str, ...], Verdict, str], ...] = (
    (("MemoryError", "heap out of memory", "Cannot allocate memory", "bad_alloc"), "memory", "ran out of memory"),
    (("File too large", "No space left on device"), "output", "wrote more to a file than allowed"),
)
_FILE_SIGNAL, _CPU_SIGNAL = 25, 24


class Broken(Exception):
    """A failure of the bot: ``verdict``, and the ``reason`` as a sentence about it."""

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason


class Channel:
    """A started bot, in a temporary folder that is removed when ``close`` returns.

    If namespaces are available, it sees nothing in the folders ``hidden`` except the files of its command.
    ``exit_report`` is the supervisor's report on its end ({} before that), ``tail`` the end of its stderr, and
    ``stage`` the next event, for the text of a reason.
    """

    def __init__(self, command: tuple[str, ...], limits: Limits, seed: int, hidden: tuple[str, ...] = ()) -> None:
        self.exit_report: dict[str, Any] = {}
        self.tail = b""
        self.stage = "it was ready"
        self._limits = limits
        self._most = limits.output_kb << 10
        self._logged = 0
        self._output = bytearray()
        self._folder = tempfile.mkdtemp(prefix="sandtable-bot-")
        try:
            self._start(command, seed, hidden)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _start(self, command: tuple[str, ...], seed: int, hidden: tuple[str, ...]) -> None:
        status_reader, status = os.pipe()
        control, self._control = os.pipe()
        environment, prefix = surroundings(self._folder, seed), fence()
        covers = covered(hidden) if prefix else ()
        plan = {
            "command": command,
            "folder": self._folder,
            "surroundings": environment,
            "covered": covers,
            "shown": uncovered(command, covers, environment["PATH"]),
            "memory_kb": self._limits.memory_mb << 10,
            "files_kb": self._limits.files_mb << 10,
            "cpu_seconds": self._limits.cpu_seconds,
            "processes": self._limits.processes,
            "open_files": MAX_OPEN,
            "control": control,
            "status": status,
        }
        words = [*prefix, sys.executable, "-I", "-S", str(SUPERVISOR), marshal.dumps(plan).hex()]
        try:
            self._supervisor = subprocess.Popen(  # noqa: S603 - a bot is a command that the user entered
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(control, status),
                start_new_session=True,
            )
        except BaseException:
            os.close(status_reader)
            os.close(self._control)
            raise
        finally:
            os.close(control)
            os.close(status)
        assert self._supervisor.stdin and self._supervisor.stdout and self._supervisor.stderr  # noqa: S101, PT018 - for mypy
        self._stdin = self._supervisor.stdin
        self._in = self._stdin.fileno()
        self._out, self._log, self._status = (
            self._supervisor.stdout.fileno(),
            self._supervisor.stderr.fileno(),
            status_reader,
        )
        self._poll = select.poll()
        self._open = {self._out, self._log, self._status}
        for pipe in self._open:
            os.set_blocking(pipe, False)
            self._poll.register(pipe, select.POLLIN)
        os.set_blocking(self._in, False)

    # ------------------------------------------------------------------ lines

    def send(self, line: bytes, until: float) -> None:
        """Write ``line``. Raises Broken if the bot has not read it by ``until`` (monotonic), or has ended."""
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                self._wait_until_writable(until)
            except OSError:  # it closed its stdin or exited: its last output shows which
                self._await_exit_report()
                raise self._ended("protocol", f"closed its input before {self.stage}") from None

    def _wait_until_writable(self, until: float) -> None:
        left = until - monotonic()
        if left <= 0:
            raise Broken("time", f"did not read its input for {self._limits.seconds} s")
        self._poll.register(self._in, select.POLLOUT)
        try:
            self._pump(left)
        finally:
            self._poll.unregister(self._in)
        self._check_length()

    def line(self, until: float) -> bytes:
        """Return the next line without its end. Raises Broken if none arrives by ``until``, or the bot has ended."""
        while True:
            line = self._cut()
            if line is not None:
                return line
            left = until - monotonic()
            if self.exit_report or not {self._out, self._status} <= self._open:
                self._await_exit_report()
                line = self._cut()
                if line is not None:
                    return line
                raise self._ended("protocol", f"closed its output before {self.stage}")
            self._pump(max(0.0, left))  # even if it is late: output that has arrived meanwhile counts
            if left <= 0 and not self.exit_report and self._out in self._open and b"\n" not in self._output:
                raise Broken("time", f"gave no answer within {self._limits.seconds} s")

    def is_silent(self) -> bool:
        """Return whether no unrequested output has arrived."""
        self._pump(0)
        return not self._output

    def _cut(self) -> bytes | None:
        """Remove and return the first line of the output, or None if it is incomplete."""
        index = self._output.find(b"\n")
        if index < 0:
            self._check_length()
            return None
        line = bytes(self._output[:index])
        del self._output[: index + 1]
        if len(line) > self._most:
            raise Broken("output", f"wrote a line of more than {self._limits.output_kb} KB")
        return line

    def _check_length(self) -> None:
        if len(self._output) > self._most + AT_ONCE or (len(self._output) > self._most and b"\n" not in self._output):
            raise Broken("output", f"wrote more than {self._limits.output_kb} KB at a time")

    def _pump(self, seconds: float) -> bool:
        """Read once what has arrived on any pipe, waiting up to ``seconds``. Return whether there was anything."""
        heard = False
        for pipe, _ in self._poll.poll(1000 * min(seconds, LONGEST_WAIT)):
            if pipe == self._in:
                continue
            heard = True
            try:
                data = os.read(pipe, AT_ONCE)
            except BlockingIOError:
                continue
            if not data:
                self._poll.unregister(pipe)
                self._open.discard(pipe)
            elif pipe == self._out:
                self._output += data
            elif pipe == self._log:
                self._note(data)
            else:
                self.exit_report = marshal.loads(data)  # noqa: S302 - from our own supervisor; a bot has no access to this pipe
        return heard

    def _note(self, data: bytes) -> None:
        self.tail = (self.tail + data)[-TAIL:]
        self._logged += len(data)
        if self._logged > self._limits.log_kb << 10:
            raise Broken("output", f"wrote more than {self._limits.log_kb} KB to stderr")

    # ------------------------------------------------------------------ the end

    def _await_exit_report(self, seconds: float = 0.5) -> None:
        """Wait briefly for the supervisor's report and for the bot's last output."""
        until = monotonic() + seconds
        while not self.exit_report and self._status in self._open and (left := until - monotonic()) > 0:
            self._pump(left)
            self._check_length()
        while self.exit_report and {self._out, self._log} & self._open and self._pump(0.0):
            self._check_length()

    def _ended(self, verdict: Verdict, reason: str) -> Broken:
        """Return the failure of a bot that has ended, or one of ``verdict`` and ``reason`` if it has not."""
        exit_report = self.exit_report
        if not exit_report:
            if self._status not in self._open:
                return Broken("crash", "ended its supervisor")
            return Broken(verdict, reason)
        if exit_report["why"] != "left":
            return Broken(
                exit_report["why"] if exit_report["why"] != "told" else "crash", exit_report.get("reason", "was ended")
            )
        tail = self.tail.decode("utf-8", "replace")
        for signs, found, why in _SIGNS:
            if any(sign in tail[-2000:] for sign in signs):
                return Broken(found, why)
        number = exit_report["signal"]
        if number in {_FILE_SIGNAL, _CPU_SIGNAL} or (
            number == 9 and exit_report["cpu_ms"] >= 1000 * self._limits.cpu_seconds
        ):
            if number == _FILE_SIGNAL:
                return Broken("output", "wrote more to a file than allowed")
            return Broken(
                "time", f"used more than the {self._limits.cpu_seconds} s of processor time allowed for a game"
            )
        how = f"was ended by signal {number}" if number else f"ended by itself with exit code {exit_report['code']}"
        last = [line.strip() for line in tail.splitlines() if line.strip()]
        said = f"; its last line: {plain(last[-1][:200])}" if last else ""
        return Broken("crash", f"{how} before {self.stage}{said}")

    def leave(self, line: bytes, seconds: float) -> bool:
        """Send the last line and give the bot ``seconds`` to exit. Return whether it did."""
        try:
            self.send(line, monotonic() + 0.2)
            self._stdin.close()
            until = monotonic() + seconds
            while not self.exit_report and self._status in self._open and (left := until - monotonic()) > 0:
                self._pump(left)
                self._output.clear()
        except Broken:
            return False
        return self.exit_report.get("why") == "left"

    def close(self) -> None:
        """End the bot and all processes that it started, and remove its folder. May be repeated."""
        if self._control < 0:
            return
        os.close(self._control)
        self._control = -1
        try:
            self._drain()
            self._supervisor.wait(CLEAR_SECONDS)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
        if not self.exit_report:  # the supervisor was killed or stopped
            hunt(self._folder, self._limits)
        for stream in (self._stdin, self._supervisor.stdout, self._supervisor.stderr):
            if stream is not None:
                stream.close()
        os.close(self._status)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _drain(self) -> None:
        """Wait for the supervisor's report, and discard the bot's output."""
        until = monotonic() + CLEAR_SECONDS
        while self._status in self._open and not self.exit_report and (left := until - monotonic()) > 0:
            try:
                self._pump(left)
            except Broken:
                continue
            self._output.clear()


def hunt(folder: str, limits: Limits) -> None:
    """Kill the remaining processes of a bot of ``limits`` whose supervisor is gone (Linux only).

    It ends when none is found, or after ``CLEAR_SECONDS``. They are found by their home ``folder``, or by the hard
    limits that they inherited. A process can empty its environment and leave its session, but it cannot raise a hard
    limit without privileges.
    """
    mark = f"HOME={folder}".encode()
    until = monotonic() + CLEAR_SECONDS
    found = True
    while found and monotonic() < until:
        found = False
        for index in Path("/proc").glob("[0-9]*"):
            try:
                if mark in _read(index / "environ").split(b"\0") or _is_stray(index, limits):
                    os.kill(int(index.name), signal.SIGKILL)
                    found = True
            except OSError:  # gone, or not ours
                continue


def _is_stray(index: Path, limits: Limits) -> bool:
    """Return whether a process of our user has the limits of such a bot and no living supervisor above it."""
    if not _is_limited(index, limits) or _is_limited(Path("/proc/self"), limits):
        return False
    status = dict(line.split(":\t", 1) for line in (index / "status").read_text().splitlines())
    if status["Uid"].split()[0] != str(os.getuid()) or status["State"].startswith("Z"):
        return False
    while _is_limited(index, limits):  # the first process above a bot's is its supervisor, or the one that adopted them
        index = Path("/proc", _read(index / "stat").rpartition(b")")[2].split()[1].decode())
    return SUPERVISOR.name.encode() not in {each.rpartition(b"/")[2] for each in _read(index / "cmdline").split(b"\0")}


def _is_limited(index: Path, limits: Limits) -> bool:
    """Return whether the hard limits of a process are at most those of such a bot."""
    most = {
        "Max core file size": 0,
        "Max file size": limits.files_mb << 20,
        "Max data size": limits.memory_mb << 20,
        "Max cpu time": limits.cpu_seconds + 2,
        "Max open files": MAX_OPEN,
    }
    hard = {line[:26].strip(): line[47:68].strip() for line in (index / "limits").read_text().splitlines()}
    return all(hard[name].isdigit() and int(hard[name]) <= each for name, each in most.items())


def _read(file: Path) -> bytes:
    """Return the content of a file of ``/proc``, or b"" if it may not be read."""
    try:
        return file.read_bytes()
    except PermissionError:
        return b""
