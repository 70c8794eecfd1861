"""Parallel play for one search: forked processes play simulated games that it will probably need.

A game depends only on its order and its number. Which process played it, and whether it was needed, changes nothing:
with any number of workers the search uses the same games in the same order and decides the same.
"""

import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import Pipe, get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from sandtable.kernel.decisions import Order
from sandtable.lab.search.playout import Work
from sandtable.lab.search.tree import order_key

Numbered = tuple[Order, int]
"""An order, and the number of one of its games."""

Foreseen = tuple[float | None, int]
"""The pay of a game (None: it was impossible), and the number of decisions made in it."""


class SearchPool:
    """A pool that plays the games of one search with ``workers`` processes, including this one, if it can fork.

    It cannot fork if this process has threads or the system has no fork. All games are then played here when they are
    needed. Close the pool when the search is done.
    """

    def __init__(self, workers: int, play: Callable[[Order, int], float | None], work: Work) -> None:
        can_fork = "fork" in get_all_start_methods() and threading.active_count() == 1
        self.workers = workers if can_fork else 1
        self._play = play
        self._work = work
        self._known: dict[tuple[bytes, int], Foreseen] = {}
        self._forked: list[tuple[Connection, BaseProcess]] = []

    def play(self, order: Order, number: int) -> float | None:
        """Return the pay of game ``number`` with ``order``, or None if it cannot be played, and count its decisions."""
        found = self._known.pop((order_key(order), number), None) if self._known else None
        if found is None:
            return self._play(order, number)
        self._work.made += found[1]
        return found[0]

    def foresee(self, games: Sequence[Numbered]) -> None:
        """Play the unknown games among ``games``, divided among the workers. Failed games are left for ``play``."""
        unknown = [(order, number) for order, number in games if (order_key(order), number) not in self._known]
        if self.workers < 2 or len(unknown) < 2:
            return
        if not self._forked:
            self._fork()
        shares = [unknown[offset :: self.workers] for offset in range(self.workers)]
        sent = []
        for (pipe, _), share in zip(self._forked, shares[1:], strict=True):
            with suppress(Exception):  # the worker has died, or such orders cannot be sent
                if share:
                    pipe.send(share)
                    sent.append((pipe, share))
        self._note(shares[0], self._try_games(shares[0]))
        for pipe, share in sent:
            with suppress(Exception):
                self._note(share, pipe.recv())

    def close(self) -> None:
        """Kill the processes, even if they are at work."""
        for pipe, process in self._forked:
            process.kill()
            pipe.close()
        for _, process in self._forked:
            process.join()
        self._forked.clear()

    def _note(self, games: Sequence[Numbered], found: Sequence[Foreseen | None]) -> None:
        for (order, number), each in zip(games, found, strict=True):
            if each is not None:
                self._known[order_key(order), number] = each

    def _try_games(self, games: Sequence[Numbered]) -> list[Foreseen | None]:
        """Return the results of games that may not be needed, None for a failed one. Count no decisions."""
        found: list[Foreseen | None] = []
        before = self._work.made
        for order, number in games:
            try:
                paid = self._play(order, number)
                found.append((paid, self._work.made - before))
            except Exception:  # noqa: BLE001 - it fails again if it is needed, and is reported then
                found.append(None)
            self._work.made = before
        return found

    def _fork(self) -> None:
        context = get_context("fork")
        for _ in range(self.workers - 1):
            leader_end, worker_end = Pipe()
            process = context.Process(target=self._serve, args=(leader_end, worker_end), daemon=True)
            process.start()
            worker_end.close()
            self._forked.append((leader_end, process))

    def _serve(self, leader: Connection, pipe: Connection) -> None:
        """Play the games that are sent until the leader is gone. Ctrl-C is left to the leader."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        leader.close()
        for other, _ in self._forked:
            other.close()
        with suppress(Exception):
            while True:
                pipe.send(self._try_games(pipe.recv()))
