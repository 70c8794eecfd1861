"""Pools of processes: one that breaks is put in its place again, and leaves nobody behind."""

import os
import signal
import time
from multiprocessing.process import BaseProcess

import pytest

from sandtable.workers.executors import Pool

HELD_UP = 2.0
"""So many seconds are waited for a pool to end those it knows: since Python 3.12 it waits until a start is through."""


@pytest.mark.full
def test_a_process_that_is_being_started_while_the_pool_breaks_is_ended_with_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Pool(2) as pool:
        first = pool.executor.submit(os.getpid).result()
        pool.executor.submit(time.sleep, 600)  # so that the next task wants another process
        start, started = BaseProcess.start, list[BaseProcess]()

        def start_early(process: BaseProcess) -> None:
            """Start a process, and let the pool break and end all that it knows before it knows of this one."""
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
        with pytest.raises(ProcessLookupError):  # it is dead, and nobody waits for it
            os.kill(started[0].pid or 0, 0)
        assert pool.executor.submit(os.getpid).result() != first


@pytest.mark.full
def test_a_pool_that_never_started_anybody_can_be_put_in_its_place_too() -> None:
    with Pool(2) as pool:
        assert pool.rebuild()
        assert pool.executor.submit(len, "abc").result() == 3
