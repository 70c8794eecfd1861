"""Improve on advice: compare one order at a time with the best so far, in the same simulated games.

The nth game of every order has the same deal and the same dice (dice are keyed by their purpose). Two orders are
compared game by game, so luck that they share cancels out. An order that is not better after two games is dropped. An
order that stays ahead is tried further, and replaces the best only if it is clearly better.
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
"""Number of games after which an order that is not ahead is put aside, by how often it was put aside before."""
HOPELESS = -1.0
"""Lead, in standard errors, at or below which an order that was put aside is not tried again."""
DOUBTED = 2
"""Number of times put aside after which an order is tried further without reaching the lead ``HOPE``."""
FIRST, SECOND, LAST = 6, 12, 24
"""Numbers of games at which the lead of an order is tested: first, for confirmation, and for certainty."""
HOPE, CONFIRMED, SURE = 1.0, 0.7, 2.0
"""Required lead in standard errors: in the first games, in the later games alone, and in all games."""
DOUBT = 0.0004
"""Square of the difference that one more game may show. It is used as the spread while there are few games."""
IDLE = 12
"""Number of consecutive repeated proposals that ends the search."""


class Candidate:
    """An order, and the pay of each of its games for the side that gives it, or None if that game was impossible.

    ``dropped`` counts how often the order was put aside.
    """

    __slots__ = ("dropped", "order", "paid")

    def __init__(self, order: Order) -> None:
        self.order = order
        self.dropped = 0
        self.paid: list[float | None] = []


class Improvement:
    """One search for the decision of ``simulator``, starting from ``advice``. All its randomness comes from ``stream``.

    ``workers`` processes play its games. Their number does not change the result.
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
        """Return the best order found, or the advice if no order was clearly better."""
        return self._best.order

    def grow(self, nodes: int) -> None:
        """Play ``nodes`` games, or fewer if no order is left to try. Raises NoDeal if no game can be dealt.

        If the work allows too few games to prove anything, the search stops after the first game.
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
        """Return an order that was not tried yet, or else one that was put aside, or None."""
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
        """Return whether the order is clearly better than the best one, after as many games as that takes."""
        differences: list[float] = []
        for number in range(LAST):
            if self._crew.workers > 1 and self.nodes:
                self._crew.foresee(self._upcoming(candidate, number))
            if not (self._play_up_to(self._best, number) and self._play_up_to(candidate, number)):
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

    def _upcoming(self, candidate: Candidate, number: int) -> list[Numbered]:
        """Return the games that will be needed before the next check if the order stays ahead."""
        if number < min(len(candidate.paid), len(self._best.paid)):
            return []
        until = next(each for each in (*GLANCES, LAST) if each > number)
        both = self._best, candidate
        upcoming = [(each.order, index) for each in both for index in range(len(each.paid), until)]
        return upcoming[: self._left]

    def _put_aside(self, candidate: Candidate, differences: Sequence[float]) -> None:
        """Keep an order for later, unless it is hopeless or has repeatedly paid the same as the best in every game."""
        candidate.dropped += 1
        if not differences:
            return
        is_equal = candidate.dropped > 1 and not any(differences)
        if candidate.dropped < len(GLANCES) and not is_equal and lead(differences) > HOPELESS:
            self._aside.append(candidate)

    def _play_up_to(self, candidate: Candidate, number: int) -> bool:
        """Play the games of an order up to game ``number``. Return False if no games are left."""
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
        """Return the pay of game ``number`` with this order, or None if the rules refuse it or fail there.

        In a game without secrets these errors, IllegalOrder and RulesetError, are raised instead.
        """
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
    """Return whether an order is clearly better: in all games, and also without the first ``FIRST``.

    Of many orders, some look better in a few games by luck alone.
    """
    return lead(differences) > SURE and lead(differences[FIRST:]) > CONFIRMED


def lead(differences: Sequence[float]) -> float:
    """Return the mean of ``differences`` divided by its standard error."""
    number = len(differences)
    mean = sum(differences) / number
    squares = sum((each - mean) ** 2 for each in differences)
    return mean / sqrt((squares + DOUBT) / number / max(1, number - 1))
