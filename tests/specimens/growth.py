"""The growth of a reader's time and memory with its input: measured at n, 2n and 4n, each in a child process."""

import ctypes
import gc
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, TypeVar

from sandtable.errors import SandtableError

T = TypeVar("T", bound=Sized)

MAX_GROWTH = 2.6
"""Maximum ratio of time, in the mean of two, and of memory when the input doubles; a quadratic step has 4."""
LEAST_SECONDS = 0.1
"""Minimum CPU seconds of one measurement: a faster reading is repeated."""
LEAST_JUDGED = 0.2
"""CPU seconds of the largest of three readings below which caches and page faults decide how it grows."""
MAX_SECONDS = 60
"""Maximum CPU seconds of one child process. It ends a steep reading early; MAX_GROWTH judges the growth."""
FREE_MIB, MAX_PER_BYTE = 64, 128
"""Memory that a reading may take: a number of MiB, and a number of bytes for each byte of its input."""
M_MMAP_THRESHOLD, MAPPED = -3, 128 << 10
"""Parameter of ``mallopt``, and its initial value: a block of at least this size is returned as soon as it is freed."""
TRIES = 3
"""Maximum number of measurements of which the best counts: more than one only where growth is too steep."""


class Cost(NamedTuple):
    """CPU seconds of one reading, and by how many MiB it raised the peak memory of its process."""

    seconds: float
    mebibytes: float


def growth_faults(make: Callable[[int], T], read: Callable[[T], object], size: int) -> Iterator[str]:
    """Yield how ``read`` takes more than linear time or memory for what ``make`` makes of 1, 2 and 4 times ``size``."""
    inputs = [make(size * times) for times in (1, 2, 4)]
    costs: list[Cost] = []
    found: list[str] = []
    for _ in range(TRIES):
        measured = [_in_child(read, data) for data in inputs]
        if None in measured:
            yield f"took over {MAX_SECONDS} s, or failed; {_told(inputs, costs)}"
            return
        costs = [_best(each) for each in zip(*([costs] if costs else []), measured, strict=True)]
        found = list(_faults(inputs, costs))
        if not found:
            return
    yield from found


def _best(costs: Iterable[Cost]) -> Cost:
    return Cost(*map(min, zip(*costs, strict=True)))


def _faults(inputs: Sequence[Sized], costs: Sequence[Cost]) -> Iterator[str]:
    growth = (costs[-1].seconds / costs[0].seconds) ** 0.5
    if growth > MAX_GROWTH and costs[-1].seconds > LEAST_JUDGED:
        yield f"time grows {growth:.1f} times per doubling; {_told(inputs, costs)}"
    for less, more in pairwise(costs):
        if more.mebibytes > max(FREE_MIB, MAX_GROWTH * less.mebibytes):
            yield f"memory grows {more.mebibytes / max(less.mebibytes, 0.1):.1f} times; {_told(inputs, costs)}"
    if costs[-1].mebibytes > FREE_MIB + MAX_PER_BYTE * len(inputs[-1]) / (1 << 20):
        yield f"takes over {FREE_MIB} MiB and {MAX_PER_BYTE} bytes a byte; {_told(inputs, costs)}"


def _told(inputs: Sequence[Sized], costs: Sequence[Cost]) -> str:
    rows = zip(inputs, costs, strict=False)
    return ", ".join(f"{len(data):,}: {cost.seconds:.3f} s {cost.mebibytes:.0f} MiB" for data, cost in rows)


def _in_child(read: Callable[[T], object], data: T) -> Cost | None:
    """Return the cost of reading ``data`` in a child process, or None if it failed or took over MAX_SECONDS."""
    _return_free_memory()
    inlet, outlet = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(inlet)
            resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            cost = _cost(read, data)
            os.write(outlet, f"{cost.seconds} {cost.mebibytes}".encode())
            code = 0
        except Exception:  # noqa: BLE001 - a reader failed: the test shows where
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(outlet)
    with os.fdopen(inlet, "rb") as pipe:
        told = pipe.read().split()
    _, status = os.waitpid(child, 0)
    return Cost(float(told[0]), float(told[1])) if status == 0 and told else None


def _cost(read: Callable[[T], object], data: T) -> Cost:
    """Read ``data`` until LEAST_SECONDS are used; return the mean time and by how much the peak memory grew."""
    gc.freeze()  # or each full collection walks over all that the tests have imported
    held = _fill_heap()
    before, began, used, done = _peak(), time.process_time(), 0.0, 0
    while used < LEAST_SECONDS:
        with suppress(SandtableError):
            read(data)
        done += 1
        used = time.process_time() - began
    del held
    return Cost(used / done, (_peak() - before) / 1024)


def _return_free_memory() -> None:
    """Return the free memory of this process to the system, or a child would use it without a higher peak.

    The C library keeps larger blocks, too, after a large one was freed. A child must measure like a new process.
    """
    library = ctypes.CDLL(None)
    with suppress(AttributeError):  # only the C library of GNU keeps free memory and has these functions
        library.mallopt(M_MMAP_THRESHOLD, MAPPED)
        library.malloc_trim(0)


def _fill_heap() -> list[bytes]:
    """Return small objects that fill the free memory of the interpreter, which hides the first megabytes of a peak."""
    held: list[bytes] = []
    peak = _peak()
    while _peak() < peak + 1024:
        held += (bytes(size) for size in range(16, 513, 16) for _ in range(64))
    return held


def _peak() -> int:
    """Return the peak memory of this process in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
