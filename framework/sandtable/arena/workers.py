"""Games of a match in other processes. They are told the plan, not the rules: each loads the ruleset by itself."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from sandtable.arena.games import GameResult, MatchPlan, play_one
from sandtable.arena.tournament.executors import begin_work, process_context
from sandtable.plugin.manager import Prepared, Rulesets

TASK_SECONDS = 0.1
"""A task of this length is worth sending to another process."""


def play_in_processes(
    plan: MatchPlan, games: range, pace: float, workers: int, seen: Callable[[int], None]
) -> list[GameResult]:
    """Return the results of ``games`` in any order, played by ``workers`` processes, a task of some length at a time.

    ``pace`` is how many seconds a game takes; ``seen`` is told how many are done, one more having been played before.
    """
    size = max(2, round(TASK_SECONDS / pace))
    chunks = [range(start, min(start + size, games.stop)) for start in range(games.start, games.stop, size)]
    results: list[GameResult] = []
    with ProcessPoolExecutor(min(workers, len(chunks)), process_context(), _begin_work, (plan,)) as pool:
        waiting = iter(chunks)
        running: set[Future[list[GameResult]]] = set()
        try:
            _refill(pool, running, waiting, 2 * workers)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    results += future.result()
                seen(1 + len(results))
                _refill(pool, running, waiting, 2 * workers)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def _refill(
    pool: ProcessPoolExecutor, running: set[Future[list[GameResult]]], waiting: Iterator[range], most: int
) -> None:
    while len(running) < most and (chunk := next(waiting, None)) is not None:
        running.add(pool.submit(_work, chunk))


_AT_WORK: list[tuple[Prepared, MatchPlan]] = []
"""What a worker process plays; it is told once."""


def _begin_work(plan: MatchPlan) -> None:
    begin_work()
    prepared = Rulesets(plan.plugins_dir).load(plan.ruleset).prepare(plan.scenario, plan.options)
    _AT_WORK[:] = [(prepared, plan)]


def _work(games: range) -> list[GameResult]:
    prepared, plan = _AT_WORK[0]
    return [play_one(prepared, plan, game) for game in games]
