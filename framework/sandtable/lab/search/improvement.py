"""Improving on advice: one order at a time is tried against the best so far, in the same imagined games.

The nth game of every order has the same deal and the same dice (dice are keyed by what is rolled for): two orders are
compared game by game, so that luck that both share counts for neither. What is no better after two games is dropped;
what stays ahead is tried on, and takes the place of the best only when it is surely better.
"""

from collections.abc import Sequence
from math import sqrt

from sandtable.errors import IllegalOrder, RulesetError, RulesetLoops
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.simulator import Deal, Simulated
from sandtable.kernel.play.views import Simulation
from sandtable.lab.search.playout import Guide, PlayOut, Work
from sandtable.lab.search.proposals import Proposals
from sandtable.lab.search.tree import order_key
from sandtable.lab.search.worker_pool import Numbered, SearchPool

GLANCES = (2, 6, 12)
"""After so many games an order that is not ahead is put aside; taken up again when nothing new is left, after more."""
HOPELESS = -1.0
"""Who is so many standard errors behind is not taken up again."""
DOUBTED = 2
"""Who was put aside so often is tried for longer without being a hope first."""
FIRST, SECOND, LAST = 6, 12, 24
"""So many games are played with an order that stays ahead: to make it a hope, to confirm that, to be sure."""
HOPE, CONFIRMED, SURE = 1.0, 0.7, 2.0
"""The standard errors that it must be ahead by then: in the first games, in those after them alone, in all."""
DOUBT = 0.0004
"""The square of a difference that one more game may show: what is known of the spread before there are many."""
IDLE = 12
"""So many proposals in a row that were tried already end the search."""


class Candidate:
    """An order, and what each of its games paid the side that gives it; None where that game could not be.

    ``dropped`` counts how often it was put aside.
    """

    __slots__ = ("dropped", "order", "paid")

    def __init__(self, order: Order) -> None:
        self.order = order
        self.dropped = 0
        self.paid: list[float | None] = []


class Improvement:
    """One search, for the decision of ``simulator``, that begins with ``advice``. All chance in it is ``stream``'s.

    ``workers`` processes play its games; how many they are changes nothing that it finds.
    """

    def __init__(
        self,
        simulator: Simulation,
        stream: Stream,
        guide: Guide,
        deal: Deal | None,
        play: PlayOut,
        proposals: Proposals,
        work: Work,
        workers: int = 1,
    ) -> None:
        self.nodes = 0
        self._simulator = simulator
        self._stream = stream
        self._guide = guide
        self._deal = deal
        self._play = play
        self._proposals = proposals
        self._work = work
        self._crew = SearchPool(workers, self._game, work)
        self._best = Candidate(proposals.advice)
        self._tried = {order_key(proposals.advice)}
        self._aside: list[Candidate] = []
        self._left = 0

    def best(self) -> Order:
        """Return the order that proved best; the advice where none was surely better."""
        return self._best.order

    def grow(self, nodes: int) -> None:
        """Play ``nodes`` games; fewer when nothing is left to try. Raises NoDeal when no game can be dealt.

        Where the work will not do for as many games as a proof takes, one game tells so, and is the last.
        """
        self._left = nodes
        try:
            while self._left > 0 and not self._work.done:
                candidate = self._next()
                if candidate is None:
                    return
                if self._is_better(candidate):
                    self._best = candidate
        except RulesetLoops:
            if not self._simulator.hidden:
                raise
        finally:
            self._crew.close()

    def _next(self) -> Candidate | None:
        """Return an order that was not tried yet; where there is none, one that was put aside."""
        for _ in range(IDLE):
            order = self._proposals.another(self._best.order)
            if order is None:
                break
            key = order_key(order)
            if key not in self._tried:
                self._tried.add(key)
                return Candidate(order)
        return self._aside.pop(0) if self._aside else None

    def _is_better(self, candidate: Candidate) -> bool:
        """Play games with the order and with the best one until it is plain which pays more."""
        differences: list[float] = []
        for number in range(LAST):
            if self._crew.workers > 1 and self.nodes:
                self._crew.foresee(self._coming(candidate, number))
            if not (self._reach(self._best, number) and self._reach(candidate, number)):
                break
            mine, best = candidate.paid[number], self._best.paid[number]
            if mine is None or best is None:
                continue
            differences.append(mine - best)
            played = len(differences)
            if played >= GLANCES[candidate.dropped] and sum(differences) <= 0:
                break
            if played == FIRST and candidate.dropped < DOUBTED and lead(differences) < HOPE:
                break
            if played == SECOND and is_confirmed(differences):
                return True
        if len(differences) == LAST and lead(differences) > SURE:
            return True
        self._put_aside(candidate, differences)
        return False

    def _coming(self, candidate: Candidate, number: int) -> list[Numbered]:
        """Return the games that will be wanted, if the order is ahead, before somebody looks whether it is."""
        if number < min(len(candidate.paid), len(self._best.paid)):
            return []
        until = next(each for each in (*GLANCES, LAST) if each > number)
        both = self._best, candidate
        coming = [(each.order, place) for each in both for place in range(len(each.paid), until)]
        return coming[: self._left]

    def _put_aside(self, candidate: Candidate, differences: Sequence[float]) -> None:
        """Keep an order for later, unless it is hopeless or has paid the same as the best in game after game."""
        candidate.dropped += 1
        if not differences:
            return
        is_alike = candidate.dropped > 1 and not any(differences)
        if candidate.dropped < len(GLANCES) and not is_alike and lead(differences) > HOPELESS:
            self._aside.append(candidate)

    def _reach(self, candidate: Candidate, number: int) -> bool:
        """Play the games of an order up to the one of this number; return False where none are left."""
        while len(candidate.paid) <= number:
            if self._left <= 0 or self._work.done:
                return False
            self._left -= 1
            self.nodes += 1
            candidate.paid.append(self._crew.play(candidate.order, len(candidate.paid)))
            if self.nodes == 1 and not self._work.bears(2 * SECOND, self.nodes):
                self._left = 0  # too few games to prove anything
        return True

    def _game(self, order: Order, number: int) -> float | None:
        """Return what the game of a number pays with this order; None where it cannot be given there."""
        luck = self._stream.branch(str(number))
        try:
            game: Simulated = self._simulator.deal(luck, self._deal)
            game.flow()
            game.submit(order, self._simulator.decision.seat)
            players = {seat: self._guide(seat, luck.branch(seat)) for seat in game.ruleset.seats}
            return self._play(game, players).get(self._simulator.side, 0.0)
        except RulesetLoops:
            raise
        except (IllegalOrder, RulesetError):
            if not self._simulator.hidden:
                raise
            return None


def is_confirmed(differences: Sequence[float]) -> bool:
    """Tell whether an order is surely better; those games do not count for it alone that made it a hope.

    Of many orders some look better by luck in a few games, and in others they do not.
    """
    return lead(differences) > SURE and lead(differences[FIRST:]) > CONFIRMED


def lead(differences: Sequence[float]) -> float:
    """Return by how many standard errors the mean of ``differences`` is above nothing."""
    number = len(differences)
    mean = sum(differences) / number
    off = sum((each - mean) ** 2 for each in differences)
    return mean / sqrt((off + DOUBT) / number / max(1, number - 1))
