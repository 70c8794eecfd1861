"""Many hands for one search: imagined games that it will probably want are played at once, by forked processes.

A game hangs on nothing but its order and its number, so who played it, and whether it was wanted in the end, changes
nothing: with any number of workers the search takes the same games in the same order, and decides the same.
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
"""An order, and which of its games."""

Foreseen = tuple[float | None, int]
"""What a game paid (None: it could not be), and how many decisions were made in it."""


class SearchPool:
    """Plays the games of one search by ``play``, with ``workers`` processes, this one among them, where it may fork.

    It may not where there are threads, or the system knows no fork: then all is played here, when it is wanted. Close
    it when the search is done.
    """

    def __init__(self, workers: int, play: Callable[[Order, int], float | None], work: Work) -> None:
        can_fork = "fork" in get_all_start_methods() and threading.active_count() == 1
        self.workers = workers if can_fork else 1
        self._play = play
        self._work = work
        self._known: dict[tuple[bytes, int], Foreseen] = {}
        self._hands: list[tuple[Connection, BaseProcess]] = []

    def play(self, order: Order, number: int) -> float | None:
        """Return what the game of this number pays with ``order``, and count its decisions."""
        found = self._known.pop((order_key(order), number), None) if self._known else None
        if found is None:
            return self._play(order, number)
        self._work.made += found[1]
        return found[0]

    def foresee(self, games: Sequence[Numbered]) -> None:
        """Play those of ``games`` that are not known yet, each worker its share. What fails is left for ``play``."""
        wanted = [(order, number) for order, number in games if (order_key(order), number) not in self._known]
        if self.workers < 2 or len(wanted) < 2:
            return
        if not self._hands:
            self._fork()
        shares = [wanted[place :: self.workers] for place in range(self.workers)]
        sent = []
        for (pipe, _), share in zip(self._hands, shares[1:], strict=True):
            with suppress(Exception):  # it has died, or such orders cannot be sent
                if share:
                    pipe.send(share)
                    sent.append((pipe, share))
        self._note(shares[0], self._tried(shares[0]))
        for pipe, share in sent:
            with suppress(Exception):
                self._note(share, pipe.recv())

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for pipe, process in self._hands:
            process.kill()
            pipe.close()
        for _, process in self._hands:
            process.join()
        self._hands.clear()

    def _note(self, games: Sequence[Numbered], found: Sequence[Foreseen | None]) -> None:
        for (order, number), each in zip(games, found, strict=True):
            if each is not None:
                self._known[order_key(order), number] = each

    def _tried(self, games: Sequence[Numbered]) -> list[Foreseen | None]:
        """Return what came of games that may not be wanted: None of one that failed; and count nothing."""
        found: list[Foreseen | None] = []
        before = self._work.made
        for order, number in games:
            try:
                paid = self._play(order, number)
                found.append((paid, self._work.made - before))
            except Exception:  # noqa: BLE001 - it fails again when it is wanted, and is told then
                found.append(None)
            self._work.made = before
        return found

    def _fork(self) -> None:
        context = get_context("fork")
        for _ in range(self.workers - 1):
            mine, theirs = Pipe()
            process = context.Process(target=self._serve, args=(mine, theirs), daemon=True)
            process.start()
            theirs.close()
            self._hands.append((mine, process))

    def _serve(self, leader: Connection, pipe: Connection) -> None:
        """Play what is sent until the leader is gone; Ctrl-C is for him."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        leader.close()
        for other, _ in self._hands:
            other.close()
        with suppress(Exception):
            while True:
                pipe.send(self._tried(pipe.recv()))
