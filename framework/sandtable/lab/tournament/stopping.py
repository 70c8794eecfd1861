"""Apply the stop rule: determine which pairings need no more games.

A pairing is decided after the first pair, in the order of the schedule, at which its sequential test accepts. Games
after that pair do not count, even if some worker has played them. The result is therefore the same for any number of
workers. Only games for two sides may have a stop rule.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from sandtable.lab.plan import GamePlan, Row, StopRule, Tournament
from sandtable.lab.ratings.sprt import is_enabled, judge
from sandtable.lab.tournament.schedule import Round

Names = tuple[str, str]
Game = tuple[GamePlan, Row]


class _Pairing:
    """Two entrants, with the pairs still to be counted in order, the counts of results, and the deciding pair.

    ``waiting`` holds the games of pairs that are incomplete or come after an incomplete one.
    """

    def __init__(self) -> None:
        self.remaining: deque[int] = deque()
        self.waiting: dict[int, list[Game]] = {}
        self.counts = [0] * 5
        self.decided: int | None = None


class SprtStopper:
    """The state of all pairings as games of ``current`` come in. ``games`` are those already stored."""

    def __init__(self, stop: StopRule, tournament: Tournament, games: Iterable[Game], current: Round) -> None:
        self._stop = stop
        self._is_active = is_enabled(stop)
        self._surplus: list[int] = []
        self._pairings: dict[Names, _Pairing] = {}
        if not self._is_active:
            return
        self._index = {entrant.name: index for index, entrant in enumerate(tournament.entrants)}
        end = current.first + len(current)
        early = [(plan, row) for plan, row in games if plan.number < end]
        for plan in (*(plan for plan, _ in early if plan.number < current.first), *current):
            remaining = self._pairings.setdefault(self._names(plan), _Pairing()).remaining
            if not remaining or remaining[-1] != plan.pair:
                remaining.append(plan.pair)
        for plan, row in early:
            self.add(plan, row)

    def is_decided(self, plan: GamePlan) -> bool:
        """Return whether ``plan`` no longer counts."""
        if not self._is_active:
            return False
        decided = self._pairings[self._names(plan)].decided
        return decided is not None and plan.pair > decided

    def add(self, plan: GamePlan, row: Row) -> list[Game]:
        """Record the result of a stored game. Return the games that are now certain to count."""
        if not self._is_active:
            return [(plan, row)]
        names = self._names(plan)
        pairing = self._pairings[names]
        if pairing.decided is not None:
            if plan.pair > pairing.decided:
                self._surplus.append(plan.number)
            return []
        pairing.waiting.setdefault(plan.pair, []).append((plan, row))
        settled: list[Game] = []
        while pairing.remaining and len(pairing.waiting.get(pairing.remaining[0], ())) == 2:
            pair = pairing.remaining.popleft()
            both = pairing.waiting.pop(pair)
            pairing.counts[sum(1 if not row.winner else 2 * (row.winner == names[0]) for _, row in both)] += 1
            settled += both
            if judge(pairing.counts, self._stop).accepted:
                pairing.decided = pair
                self._surplus += [plan.number for plan, _ in chain.from_iterable(pairing.waiting.values())]
                pairing.waiting.clear()
                break
        return settled

    @property
    def undecided(self) -> set[int]:
        """The stored games that may not count, or certainly do not."""
        waiting = chain.from_iterable(each for pairing in self._pairings.values() for each in pairing.waiting.values())
        return {plan.number for plan, _ in waiting}.union(self._surplus)

    def surplus(self) -> Iterator[int]:
        """Yield, once, the stored games that turned out not to count."""
        while self._surplus:
            yield self._surplus.pop()

    def _names(self, plan: GamePlan) -> Names:
        """Return both entrants in the order of the manifest."""
        one, other = plan.lineup.values()
        return (one, other) if self._index[one] < self._index[other] else (other, one)
