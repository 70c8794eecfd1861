"""Work in tasks: every item is done once, by any worker, even if workers die on the way."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from sandtable.errors import PlayError
from sandtable.workers import tasks
from sandtable.workers.executors import Inline, Pool
from sandtable.workers.tasks import Batch, Scheduler, Workload, have_ready, work

MADE: Counter[int] = Counter()


@dataclass(frozen=True)
class Squares(Batch[int, int, int]):
    """A batch that squares its items and adds ``more``."""

    more: int = 0

    @property
    def key(self) -> object:
        return self.more

    def make_ready(self) -> int:
        MADE[self.more] += 1
        return self.more

    def do(self, ready: int, item: int) -> int:
        return item * item + ready


class Dying(Inline):
    """An executor whose workers die at every ``nth`` task, up to ``deaths`` times.

    They die while a process is started for the task, or afterwards.
    """

    def __init__(self, nth: int, deaths: int) -> None:
        self.nth = nth
        self.deaths = deaths
        self.tasks = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        if self.tasks % self.nth or not self.deaths:
            return super().submit(fn, *args, **kwargs)
        self.deaths -= 1
        if self.deaths % 2:
            raise OSError("handle is closed")
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("killed"))
        return future


@pytest.fixture(autouse=True)
def nothing_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    MADE.clear()
    monkeypatch.setattr(tasks, "_READY", [])


def done(number: int, workers: int, job: Squares = Squares()) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []

    def take(items: tuple[int, ...], results: list[int]) -> None:
        found.extend(zip(items, results, strict=True))

    with ExitStack() as stack:
        Scheduler(stack, [], workers).run(Workload(iter(range(number)), number, lambda _: job, take))
    return sorted(found)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 50, 1201])
@pytest.mark.parametrize("loading", [0, 1, 4, 10_000])
@pytest.mark.parametrize("nth", [2, 3, 7, 1000])
def test_every_item_is_done_once(number: int, loading: int, nth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [loading]
    dying = Dying(nth, tasks.MAX_BREAKS)

    def is_loading(_: Pool) -> bool:
        left[0] -= 1
        return left[0] >= 0

    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(Pool, "_new", lambda _: dying)
    monkeypatch.setattr(Pool, "load", lambda *_: None)
    monkeypatch.setattr(Pool, "is_loading", property(is_loading))
    assert done(number, 2) == [(each, each * each) for each in range(number)]
    assert (dying.tasks > 0) == (number > loading + 1)


def test_short_work_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pool, "_new", lambda _: pytest.fail("a process was started"))
    assert len(done(1000, 2)) == 1000


def test_dying_workers_error_ends_with_the_recovery_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(Pool, "_new", lambda _: Dying(1, 99))
    monkeypatch.setattr(Pool, "load", lambda *_: None)
    with (
        pytest.raises(PlayError, match=r"^workers died 4 times in turn: too little memory\? Nothing is lost\.$"),
        ExitStack() as stack,
    ):
        Scheduler(stack, [], 2, recovery_hint="Nothing is lost.").run(
            Workload(iter(range(100)), 100, lambda _: Squares(), lambda *_: None)
        )


class Refusing(Inline):
    """An executor that refuses to start a process until ``sleep`` was called MAX_BREAKS times."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.slept) < tasks.MAX_BREAKS:
            raise ConnectionRefusedError(111, "Connection refused")
        return super().submit(fn, *args, **kwargs)


def test_scheduler_waits_for_a_new_fork_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that breaks while it starts a process may end the fork server as well, so the next start is refused."""
    refusing = Refusing()
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(tasks, "sleep", refusing.slept.append)
    monkeypatch.setattr(Pool, "_new", lambda _: refusing)
    monkeypatch.setattr(Pool, "load", lambda *_: None)
    assert done(100, 2) == [(each, each * each) for each in range(100)]
    assert refusing.slept == [tasks.GOING_SECONDS] * tasks.MAX_BREAKS


def test_shared_object_is_created_once_per_job_key() -> None:
    assert work(Squares(5), (1, 2))[0] == [6, 9]
    assert work(Squares(5), (3,))[0] == [14]
    assert work(Squares(6), (3,))[0] == [15]
    assert work(Squares(5), (3,))[0] == [14]
    assert MADE == {5: 2, 6: 1}
    have_ready(Squares(7), 7)
    assert work(Squares(7), (1,))[0] == [8]
    assert 7 not in MADE


@pytest.mark.parametrize(("width", "games"), [(1, 5), (50, 5), (200, 20), (1_000, 100), (100_000, tasks.MAX_A_TASK)])
def test_tasks_have_more_games_with_many_workers(width: int, games: int) -> None:
    """A leader collects a hundred results a second, whatever their size. Of a thousand workers each may take 10 s."""
    with ExitStack() as stack:
        scheduler = tasks.Scheduler(stack, (), 1)
        scheduler._pace, scheduler._pool.width = 0.1, width
        assert scheduler._task_size == games
