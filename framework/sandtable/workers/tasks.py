"""Run work in tasks: a few items at a time are sent to a pool, and their results are collected.

Tournaments and matches use it. The result of an item does not depend on its task, its process or the order of items.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from time import perf_counter, sleep
from typing import Any, Generic, TypeVar

from sandtable.errors import PlayError, SandtableError
from sandtable.plugin.importing import one_line
from sandtable.plugin.manager import Prepared
from sandtable.workers.executors import Cluster, Pool, WorkerPool

TASK_SECONDS = 0.5
"""Target length of a task in seconds: long enough to be worth sending, short enough to lose."""

FAR = 2
"""Factor for the length of a cluster's tasks: its scheduler needs about 10 ms for each task and passes results on."""

LAST = 10
"""Tasks get shorter toward the end, down to 1/LAST of the target length, to avoid waiting for the last one."""

LEADER_SECONDS = 0.01
"""Maximum time in seconds that the leader needs per result, including an fsync (docs/research/scale.py leader)."""

SHORT_SECONDS = 2.0
"""Work in seconds below which starting other processes is not worthwhile."""

LOAD_SECONDS = 0.5
"""Items up to this many seconds are done here while other processes load. Longer ones wait for the processes."""

MAX_A_TASK = 1_000
MAX_BREAKS = 3
"""Maximum number of consecutive worker failures without a finished task between them."""

GOING_SECONDS = 1.0
"""Seconds to wait after a failed process start, because the fork server may have ended and that shows late."""

Ready = TypeVar("Ready")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Batch(Generic[Ready, Item, Result]):
    """The job of a worker without its items: plain data, and how to process them."""

    @property
    @abstractmethod
    def key(self) -> object:
        """The part of the job that ``make_ready`` depends on. Equal keys share its result."""

    @abstractmethod
    def make_ready(self) -> Ready:
        """Return what all items need, for example loaded rules."""

    @abstractmethod
    def do(self, ready: Ready, item: Item) -> Result:
        """Return the result of ``item``."""


Done = tuple[list[Result], float]
"""A worker's result for a task: a result per item, and the total of seconds."""

_READY: list[tuple[object, Any]] = []
"""The prepared object of this process with its key. At most one is kept."""


def work(job: Batch[Any, Item, Result], items: tuple[Item, ...]) -> Done[Result]:
    """Process ``items`` in the calling process."""
    if not _READY or _READY[0][0] != job.key:
        _READY.clear()
        have_ready(job, job.make_ready())
    ready = _READY[0][1]
    began = perf_counter()
    results = [job.do(ready, item) for item in items]
    return results, perf_counter() - began


def have_ready(job: Batch[Ready, Any, Any], ready: Ready) -> None:
    """Use ``ready`` for ``job`` in this process instead of making it again."""
    _READY[:] = [(job.key, ready)]


@dataclass(frozen=True)
class Workload(Generic[Item, Result]):
    """Up to ``most`` items to process, the job for a task of them, and the receiver of items with their results."""

    items: Iterator[Item]
    most: int
    batch: Callable[[tuple[Item, ...]], Batch[Any, Item, Result]]
    take: Callable[[tuple[Item, ...], list[Result]], object]


@dataclass
class _Flight(Generic[Item, Result]):
    """The state of a workload with up to ``left`` items to send: running tasks, and tasks to be sent again."""

    workload: Workload[Item, Result]
    left: int
    running: dict[Future[Done[Result]], tuple[Item, ...]] = field(default_factory=dict)
    again: deque[tuple[Item, ...]] = field(default_factory=deque)


class Scheduler:
    """A scheduler of workloads on a cluster, on ``workers`` processes if that is worthwhile, or in this process.

    ``stack`` closes the workers. ``needs`` are the rulesets of the work. ``recovery_hint`` ends the message if workers
    fail: what is safe, and how to continue. Raises PlayError if no cluster answers.
    """

    def __init__(
        self, stack: ExitStack, needs: Iterable[Prepared], workers: int, cluster: str = "", *, recovery_hint: str = ""
    ) -> None:
        self.seconds = 0.0
        self._leaving = stack
        self._packages = [prepared.installed.module.__name__ for prepared in needs]
        self._workers = 0 if cluster else workers
        self._comfort = recovery_hint
        self._pace = 0.0
        self._breaks = 0
        self._pool = stack.enter_context(Cluster(cluster) if cluster else WorkerPool())

    def run(self, workload: Workload[Item, Result]) -> None:
        """Process all items. Raises the errors of items, and PlayError if the workers fail."""
        left = workload.most
        if left and self._pool.width < self._workers:
            self._process(workload, 1)  # measures the time of one item
            left -= 1
            if self._pace * left > SHORT_SECONDS:
                pool = self._leaving.enter_context(Pool(self._workers, self._packages))
                pool.load(partial(work, workload.batch(()), ()))
                while left > 0 and self._pace < LOAD_SECONDS and pool.is_loading:
                    self._process(workload, 1)
                    left -= 1
                self._pool = pool
        try:
            self._process(workload, left)
        except SandtableError:
            raise
        except Exception as error:
            if not isinstance(self._pool, Cluster):
                raise
            raise PlayError(f"the cluster failed: {one_line(error)}. {self._comfort}".strip()) from error

    def _process(self, workload: Workload[Item, Result], left: int) -> None:
        """Process the next ``left`` items with the current pool."""
        flight = _Flight(workload, left)
        while self._send(flight):
            for future in wait(flight.running, return_when=FIRST_COMPLETED).done:
                items = flight.running.pop(future, ())
                try:
                    if items:
                        self._take(workload, items, *future.result())
                except BrokenExecutor as error:
                    self._rebuild(flight, items, error)

    def _send(self, flight: _Flight[Item, Result]) -> bool:
        """Send tasks until enough are running. Return whether any is running."""
        workload, width = flight.workload, self._pool.width
        while len(flight.running) < (2 * width if width > 1 else 1):
            if flight.again:
                items = flight.again.popleft()
            else:
                full = self._task_size
                size = max(1, full // LAST, min(full, flight.left // (2 * width)))
                items = tuple(islice(workload.items, min(size, flight.left)))
                flight.left -= len(items)
            if not items:
                break
            try:
                future = self._pool.executor.submit(work, workload.batch(items), items)
            except (BrokenExecutor, OSError) as error:  # OSError: it broke while it started a process for this
                self._rebuild(flight, items, error)
            else:
                flight.running[future] = items
        return bool(flight.running)

    @property
    def _task_size(self) -> int:
        """Number of items in a task: more with many workers, because a single leader collects all results."""
        target = TASK_SECONDS * (FAR if isinstance(self._pool, Cluster) else 1)
        seconds = max(target, LEADER_SECONDS * self._pool.width)
        return min(MAX_A_TASK, round(seconds / self._pace)) if self._pace else 1

    def _rebuild(self, flight: _Flight[Item, Result], items: tuple[Item, ...], error: BaseException) -> None:
        """Repeat all running tasks with a new pool after workers of the old one were killed."""
        self._breaks += 1
        if self._breaks > MAX_BREAKS or not self._pool.rebuild():
            problem = f"workers died {self._breaks} times in turn: too little memory?"
            raise PlayError(f"{problem} {self._comfort}".strip()) from error
        if isinstance(error, ConnectionError):
            sleep(GOING_SECONDS)
        flight.again.extend(each for each in chain([items], flight.running.values()) if each)
        flight.running.clear()

    def _take(
        self, workload: Workload[Item, Result], items: tuple[Item, ...], results: list[Result], took: float
    ) -> None:
        """Record the time of the items, and pass the results on."""
        self._breaks = 0
        pace = took / len(items)
        self._pace = (self._pace + pace) / 2 if self._pace else pace
        self.seconds += took
        workload.take(items, results)
