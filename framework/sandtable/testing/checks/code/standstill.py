"""The watchdog for rules that hang: a loop that yields nothing never returns to the kernel.

A thread periodically looks where the rules are. If the number of records, and the function of the rules that runs, have
not changed for a long time, it ends the check with an exception that names file and line.
"""

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from sandtable.kernel.play.error_location import is_of_rules, place_of_frame

PATIENCE = 60.0
"""Seconds without progress after which the rules are considered to hang."""
LOOKS = 8
"""Number of looks during that time."""


class StandstillError(BaseException):
    """The rules made no progress for too long.

    It is not an Exception, so handlers of Exception, including the kernel's, let it pass.
    """


class _Watch(threading.Thread):
    """A thread that watches one other thread; ``found`` is where that hangs, or ""."""

    def __init__(self, patience: float) -> None:
        super().__init__(daemon=True)
        self.watched = threading.get_ident()
        self.over = threading.Event()
        self.patience = patience
        self.found = ""

    def run(self) -> None:
        """Look until the watch is over, or until nothing has changed in ``LOOKS`` looks."""
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
    """Return an identifier of the current moment of the rules, and their place, or None if no rules run."""
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
    """Raise StandstillError if the rules that run here make no progress for ``patience`` seconds."""
    watch = _Watch(patience)
    watch.start()
    try:
        yield
    except StandstillError:
        raise StandstillError(
            f"the rules hang: nothing happened for {patience:g} seconds at {watch.found}: a loop there yields "
            "nothing and does not end"
        ) from None
    finally:
        watch.over.set()
        watch.join()
