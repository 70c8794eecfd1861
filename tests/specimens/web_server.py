"""``sandtable serve`` in a process that can be killed and started again on the same folder and port."""

import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from web_robot import Site

from sandtable.web.serving import LOOPBACK, bound


class ServerProcess:
    """A server of the games in ``folder``. As a context, it is killed at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with bound(LOOPBACK, 0) as free:
            self.port = int(free.getsockname()[1])
        self.start()

    def start(self) -> None:
        """Start the process, and wait until it prints the link of the lobby."""
        command = [sys.executable, "-m", "sandtable", "serve", "--folder", str(self.folder), "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        address, _, token = self.process.stdout.readline().strip().partition("/#")
        assert token, "the server did not start"
        self.site = Site(address.removeprefix("http://"), token)

    def kill(self) -> None:
        """Kill the process as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> "ServerProcess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.site.close()
        self.kill()
