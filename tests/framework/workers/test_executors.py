"""Pools of processes: a broken pool is replaced, and no process remains."""

import os
import signal
import time
from multiprocessing.process import BaseProcess

import pytest

from sandtable.workers.executors import Pool

HELD_UP = 2.0
"""Seconds to wait for a pool to end the processes it knows. Since Python 3.12 it waits until a start is finished."""


@pytest.mark.full
def test_process_started_while_the_pool_breaks_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Pool(2) as pool:
        first = pool.executor.submit(os.getpid).result()
        pool.executor.submit(time.sleep, 600)  # so that the next task needs another process
        start, started = BaseProcess.start, list[BaseProcess]()

        def start_early(process: BaseProcess) -> None:
            """Start a process, and let the pool break and end all known processes before it knows of this one."""
            monkeypatch.setattr(BaseProcess, "start", start)
            start(process)
            started.append(process)
            os.kill(first, signal.SIGKILL)
            latest = time.monotonic() + HELD_UP
            while not pool.executor._call_queue._closed and time.monotonic() < latest:  # type: ignore[attr-defined]  # a field of the standard library
                time.sleep(0.001)

        monkeypatch.setattr(BaseProcess, "start", start_early)
        pool.executor.submit(os.getpid)
        assert pool.rebuild()
        assert len(started) == 1
        with pytest.raises(ProcessLookupError):  # it is dead and was waited for
            os.kill(started[0].pid or 0, 0)
        assert pool.executor.submit(os.getpid).result() != first


@pytest.mark.full
def test_unused_pool_can_be_rebuilt() -> None:
    with Pool(2) as pool:
        assert pool.rebuild()
        assert pool.executor.submit(len, "abc").result() == 3
