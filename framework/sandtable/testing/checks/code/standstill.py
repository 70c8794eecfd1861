"""The watch over rules that come to nothing: a loop that yields nothing never comes back to the kernel.

A thread looks now and then where the rules are. Where nothing has changed for long, the game's number of records, the
function of the rules that runs, it ends the check with an exception that names file and line.
"""

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from sandtable.kernel.play.error_location import is_of_rules, place_of_frame

PATIENCE = 60.0
"""Seconds without any progress after which the rules are taken to stand still."""
LOOKS = 8
"""So many times they are looked at in that time."""


class StandstillError(BaseException):
    """The rules came to nothing for long. No Exception: whoever catches those, the kernel too, lets it pass."""


class _Watch(threading.Thread):
    """Watches one thread; ``found`` is where it stood still, "" while it does not."""

    def __init__(self, patience: float) -> None:
        super().__init__(daemon=True)
        self.watched = threading.get_ident()
        self.over = threading.Event()
        self.patience = patience
        self.found = ""

    def run(self) -> None:
        """Look until it is over, or nothing has changed in ``LOOKS`` looks."""
        last, same = _trace(self.watched), 0
        while not self.over.wait(self.patience / LOOKS):
            now = _trace(self.watched)
            same = same + 1 if now is not None and last is not None and now[0] == last[0] else 0
            last = now
            if same >= LOOKS and now is not None:
                self.found = now[1]
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self.watched), ctypes.py_object(StandstillError)
                )
                return


def _trace(thread: int) -> tuple[tuple[object, ...], str] | None:
    """Return what tells one moment of the rules from another, and where they are; None where no rules run."""
    frame: FrameType | None = sys._current_frames().get(thread)  # noqa: SLF001 - there is no other way to look
    inmost, number = None, 0
    while frame is not None and frame.f_globals.get("__name__") != "sandtable.testing.contract":
        if inmost is None and is_of_rules(frame):
            inmost = frame
        if frame.f_code.co_name == "_run" and "at_table" in frame.f_code.co_varnames:
            number = frame.f_locals.get("n", 0)
            break
        frame = frame.f_back
    if inmost is None:
        return None
    return (id(inmost), inmost.f_code, number), place_of_frame(inmost, inmost.f_lineno)


@contextmanager
def stopped_when_still(patience: float) -> Iterator[None]:
    """Raise StandstillError when the rules that run here come to nothing for ``patience`` seconds."""
    watch = _Watch(patience)
    watch.start()
    try:
        yield
    except StandstillError:
        raise StandstillError(
            f"the rules stand still: nothing happened for {patience:g} seconds at {watch.found}: a loop there yields "
            "nothing and does not end"
        ) from None
    finally:
        watch.over.set()
        watch.join()
