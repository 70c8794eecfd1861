"""Work in tasks: some items at a time are sent to a pool, and what came of them is taken back.

Tournaments and matches are played by it. In which task, by whom and in which order an item is done does not matter to
its result.
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
"""A task of this length is worth sending, and little is lost with it."""

FAR = 2
"""A cluster's tasks are so many times as long: its scheduler takes some 10 ms for each, and hands on the result."""

LAST = 10
"""Towards the end tasks get shorter, so that nobody waits long for the last: down to the so manieth part of one."""

LEADER_SECONDS = 0.01
"""A result takes the leader so long at most, whatever its size: an fsync (docs/research/scale.py leader)."""

SHORT_SECONDS = 2.0
"""Work of this length is not worth starting other processes for."""

LOAD_SECONDS = 0.5
"""Work of this length is done here while other processes load; longer one waits for them."""

MOST_A_TASK = 1_000
MOST_BREAKS = 3
"""So often in turn, without a task done between, workers may die."""

GOING_SECONDS = 1.0
"""What starts the processes may have ended over a start that broke off; so long it takes at most until that is seen."""

Ready = TypeVar("Ready")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Batch(Generic[Ready, Item, Result]):
    """What a worker is told besides the items: plain data, and how to do them."""

    @property
    @abstractmethod
    def key(self) -> object:
        """What ``make_ready`` depends on: where it is equal, what was made before serves again."""

    @abstractmethod
    def make_ready(self) -> Ready:
        """Return what all items need: rules loaded, for one."""

    @abstractmethod
    def do(self, ready: Ready, item: Item) -> Result:
        """Return what comes of ``item``."""


Done = tuple[list[Result], float]
"""What a worker gives back: a result for each item, and how many seconds they took."""

_READY: list[tuple[object, Any]] = []
"""What this process has made ready, with its key: one thing at a time."""


def work(job: Batch[Any, Item, Result], items: tuple[Item, ...]) -> Done[Result]:
    """Do ``items``, in whichever process this is called."""
    if not _READY or _READY[0][0] != job.key:
        _READY.clear()
        have_ready(job, job.make_ready())
    ready = _READY[0][1]
    began = perf_counter()
    results = [job.do(ready, item) for item in items]
    return results, perf_counter() - began


def have_ready(job: Batch[Ready, Any, Any], ready: Ready) -> None:
    """Let this process use ``ready`` for ``job``, rather than make it again."""
    _READY[:] = [(job.key, ready)]


@dataclass(frozen=True)
class Workload(Generic[Item, Result]):
    """Items to be done, ``most`` at most: the job for some of them, and who is given them with their results."""

    items: Iterator[Item]
    most: int
    batch: Callable[[tuple[Item, ...]], Batch[Any, Item, Result]]
    take: Callable[[tuple[Item, ...], list[Result]], object]


@dataclass
class _Flight(Generic[Item, Result]):
    """``left`` items of a workload, or fewer: tasks on their way, and those that are to be sent again."""

    workload: Workload[Item, Result]
    left: int
    running: dict[Future[Done[Result]], tuple[Item, ...]] = field(default_factory=dict)
    again: deque[tuple[Item, ...]] = field(default_factory=deque)


class Scheduler:
    """Has workloads run: by the cluster at an address, or by ``workers`` processes once that is worth it, or here.

    ``leaving`` ends those who work; ``needs`` are the rulesets of the work; ``comfort`` ends the message when workers
    fail: what is not lost, and how to go on. Raises PlayError where no cluster answers.
    """

    def __init__(
        self, leaving: ExitStack, needs: Iterable[Prepared], workers: int, cluster: str = "", *, comfort: str = ""
    ) -> None:
        self.seconds = 0.0
        self._leaving = leaving
        self._packages = [prepared.installed.module.__name__ for prepared in needs]
        self._workers = 0 if cluster else workers
        self._comfort = comfort
        self._pace = 0.0
        self._breaks = 0
        self._pool = leaving.enter_context(Cluster(cluster) if cluster else WorkerPool())

    def run(self, workload: Workload[Item, Result]) -> None:
        """Have all items done. Raises what doing one raises, and PlayError where the workers fail."""
        left = workload.most
        if left and self._pool.width < self._workers:
            self._pass(workload, 1)  # tells how long one takes
            left -= 1
            if self._pace * left > SHORT_SECONDS:
                pool = self._leaving.enter_context(Pool(self._workers, self._packages))
                pool.load(partial(work, workload.batch(()), ()))
                while left > 0 and self._pace < LOAD_SECONDS and pool.is_loading:
                    self._pass(workload, 1)
                    left -= 1
                self._pool = pool
        try:
            self._pass(workload, left)
        except SandtableError:
            raise
        except Exception as error:
            if not isinstance(self._pool, Cluster):
                raise
            raise PlayError(f"the cluster failed: {one_line(error)}. {self._comfort}".strip()) from error

    def _pass(self, workload: Workload[Item, Result], left: int) -> None:
        """Have the next ``left`` items done by the pool that there is now."""
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
        """Send tasks until nobody will wait for the next; return whether any is on its way."""
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
        """How many items make a task of some length: a longer one where many work, for one leader takes it all in."""
        usual = TASK_SECONDS * (FAR if isinstance(self._pool, Cluster) else 1)
        seconds = max(usual, LEADER_SECONDS * self._pool.width)
        return min(MOST_A_TASK, round(seconds / self._pace)) if self._pace else 1

    def _rebuild(self, flight: _Flight[Item, Result], items: tuple[Item, ...], error: BaseException) -> None:
        """Let a new pool do what was on its way when workers of the old one were killed."""
        self._breaks += 1
        if self._breaks > MOST_BREAKS or not self._pool.rebuild():
            problem = f"workers died {self._breaks} times in turn: too little memory?"
            raise PlayError(f"{problem} {self._comfort}".strip()) from error
        if isinstance(error, ConnectionError):
            sleep(GOING_SECONDS)
        flight.again.extend(each for each in chain([items], flight.running.values()) if each)
        flight.running.clear()

    def _take(
        self, workload: Workload[Item, Result], items: tuple[Item, ...], results: list[Result], took: float
    ) -> None:
        """Note how long the items took, and hand the results on."""
        self._breaks = 0
        pace = took / len(items)
        self._pace = (self._pace + pace) / 2 if self._pace else pace
        self.seconds += took
        workload.take(items, results)
