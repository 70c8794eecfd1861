"""Executors of work: this process, a pool of processes, or a cluster, all behind ``concurrent.futures.Executor``."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from importlib import import_module
from multiprocessing import connection, get_all_start_methods, get_context, parent_process
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

from sandtable.errors import PlayError
from sandtable.plugin.importing import child_variables

PATIENCE = "10s"
"""Maximum time for an answer of a scheduler."""


class Inline(Executor):
    """An executor that runs each task immediately, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised by the future's result
            future.set_exception(error)
        return future


class WorkerPool:
    """An executor and the number of tasks that it runs at a time (``width``). Use it in a ``with``."""

    width = 1

    def __init__(self) -> None:
        self.executor: Executor = Inline()

    def rebuild(self) -> bool:
        """Replace a broken executor. Return whether that is possible."""
        return False

    def close(self) -> None:
        """Shut down without waiting for running tasks."""
        self.executor.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        """Return this pool."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the pool."""
        self.close()


class Pool(WorkerPool):
    """Processes on this machine. ``packages`` are those that they need besides this program, such as rulesets."""

    def __init__(self, workers: int, packages: Iterable[str] = ()) -> None:
        self.width = workers
        self._packages = {"sandtable", *packages}
        self._loading: threading.Thread | None = None
        self._loaded: list[Future[Any]] = []
        self._started: list[BaseProcess] = []
        self.executor = self._new()

    def _new(self) -> ProcessPoolExecutor:
        self._started = []
        context: Any = _Recording(_context(self._packages), self._started)
        return ProcessPoolExecutor(self.width, context, _begin_work)

    def load(self, task: Callable[[], object]) -> None:
        """Start the processes in the background, and let each run ``task`` to prepare itself."""
        self._loading = threading.Thread(target=self._load, args=(task,), daemon=True)
        self._loading.start()

    def _load(self, task: Callable[[], object]) -> None:
        with suppress(RuntimeError, OSError):  # it was closed meanwhile, or is broken: that shows when it gets work
            for _ in range(self.width):
                self._loaded.append(self.executor.submit(task))

    @property
    def is_loading(self) -> bool:
        """Whether the work begun by ``load`` is unfinished."""
        if self._loading is not None and self._loading.is_alive():
            return True
        return not all(future.done() for future in self._loaded)

    def rebuild(self) -> bool:
        """Replace a pool after one of its processes was killed; first end its other processes.

        They may be working on items that are to be repeated, and would write the same files. The executor ends the
        processes that it knew when it broke. A process that was just being started would wait for work forever, and the
        executor for it.
        """
        self.executor.shutdown(wait=False, cancel_futures=True)
        if self._loading is not None:
            self._loading.join()
        started = [each for each in self._started if each.pid is not None]
        for process in started:
            process.terminate()
        for process in started:
            connection.wait([process.sentinel])
        self.executor = self._new()
        return True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for the processes to exit. If something failed, do not wait for their tasks."""
        if kind is None:
            self.executor.shutdown()
        else:
            self.close()


class Cluster(WorkerPool):
    """The workers of a dask scheduler. Each needs this program, the same rulesets, and the files of the manifest."""

    def __init__(self, address: str) -> None:
        try:
            client: Any = import_module("distributed").Client
        except ImportError as error:
            raise PlayError("--cluster requires dask.distributed: install sandtable[cluster]") from error
        try:
            self._client = client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            problem = f"{type(error).__name__}: {error}".splitlines()[0]
            raise PlayError(f"no dask scheduler answers at {address}: {problem}") from error
        threads = self._client.nthreads()
        self.width = sum(threads.values())
        if not self.width:
            self._client.close()
            raise PlayError(f"the scheduler at {address} has no workers: start some with `dask worker {address}`")
        self.executor = self._client.get_executor(pure=False)

    def close(self) -> None:
        """Disconnect from the scheduler and drop running tasks."""
        self.executor.shutdown(wait=False)
        self._client.close()


class _Recording:
    """A multiprocessing context that records its processes in ``started``."""

    def __init__(self, context: BaseContext, started: list[BaseProcess]) -> None:
        self._context = context
        self._started = started

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def Process(self, *args: Any, **kwargs: Any) -> BaseProcess:  # noqa: N802 - the name that executors use
        """Return a process that is about to be started."""
        _ensure_server(self._context)
        process: BaseProcess = self._context.Process(*args, **kwargs)  # type: ignore[attr-defined]  # each context has one; its base class lacks it
        self._started.append(process)
        return process


def _context(packages: Iterable[str]) -> BaseContext:
    """Return a multiprocessing context that is safe beside threads (a live table is one).

    If it has a fork server, the server begins immediately to load what this process has loaded of ``packages``.
    """
    if "forkserver" not in get_all_start_methods():
        os.environ.update(child_variables())  # each process is started from scratch, at any time
        return get_context("spawn")
    context = get_context("forkserver")
    loaded = [name for name in sys.modules if name.partition(".")[0] in packages]
    context.set_forkserver_preload(["__main__", *loaded])
    _ensure_server(context)
    return context


_STARTING = threading.Lock()


def _ensure_server(context: BaseContext) -> None:
    """Start the server of ``context``, if it has one that is not running, so that it imports nothing from here.

    It is started as ``python -c``, for which Python searches the current folder first, and it accepts no options.
    """
    if context.get_start_method() != "forkserver":
        return
    with _STARTING:
        variables = child_variables()
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        try:
            import_module("multiprocessing.forkserver").ensure_running()
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def _begin_work() -> None:
    """Make this process a worker: Ctrl-C is left to the leader, and the worker exits when the leader is gone."""
    gc.set_threshold(100_000, 50, 100)  # as the command line does
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leader = parent_process()
    if leader is not None:
        threading.Thread(target=_leave_with, args=(leader.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
