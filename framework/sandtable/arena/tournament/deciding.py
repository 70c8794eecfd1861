"""The stop rule at work: which pairings need no more games.

A pairing is decided after the first pair, in the order of the schedule, at which its sequential test accepts; games
after that one do not count, even if some worker has played them. So the end is the same for any number of workers.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from sandtable.arena.ratings.sprt import is_wanted, judge
from sandtable.arena.tournament.plan import GamePlan, Row, StopRule, Tournament
from sandtable.arena.tournament.schedule import Round

Names = tuple[str, str]


class _Pairing:
    """Two entrants: pairs that are wanted yet, in order; what came of pairs; after which pair it was decided."""

    def __init__(self) -> None:
        self.wanted: deque[int] = deque()
        self.points: dict[int, list[int]] = {}
        self.counts = [0] * 5
        self.decided: int | None = None
        self.stored: dict[int, list[int]] = {}


class Deciding:
    """What is decided, as games of ``current`` come in; ``games`` are those that are stored already."""

    def __init__(
        self, stop: StopRule, tournament: Tournament, games: Iterable[tuple[GamePlan, Row]], current: Round
    ) -> None:
        self._stop = stop
        self._wanted = is_wanted(stop)
        self._surplus: list[int] = []
        self._pairings: dict[Names, _Pairing] = {}
        if not self._wanted:
            return
        self._place = {entrant.name: place for place, entrant in enumerate(tournament.entrants)}
        early = [(plan, row) for plan, row in games]
        for plan in (*(plan for plan, _ in early if plan.number < current.first), *current):
            names = self._names(plan)
            if names:
                wanted = self._pairings.setdefault(names, _Pairing()).wanted
                if not wanted or wanted[-1] != plan.pair:
                    wanted.append(plan.pair)
        for plan, row in early:
            self.add(plan, row)

    def is_decided(self, plan: GamePlan) -> bool:
        """Return whether ``plan`` counts no more."""
        if not self._wanted:
            return False
        names = self._names(plan)
        decided = self._pairings[names].decided if names else None
        return decided is not None and plan.pair > decided

    def add(self, plan: GamePlan, row: Row) -> None:
        """Note what came of a game that is stored."""
        names = self._names(plan) if self._wanted else None
        if names is None:
            return
        pairing = self._pairings[names]
        if pairing.decided is not None:
            if plan.pair > pairing.decided:
                self._surplus.append(plan.number)
            return
        pairing.stored.setdefault(plan.pair, []).append(plan.number)
        pairing.points.setdefault(plan.pair, []).append(1 if not row.winner else 2 * (row.winner == names[0]))
        while pairing.wanted and len(pairing.points.get(pairing.wanted[0], ())) == 2:
            pair = pairing.wanted.popleft()
            pairing.counts[sum(pairing.points.pop(pair))] += 1
            del pairing.stored[pair]
            if judge(pairing.counts, self._stop).accepted:
                pairing.decided = pair
                self._surplus += [number for numbers in pairing.stored.values() for number in numbers]
                return

    def surplus(self) -> Iterator[int]:
        """Yield, once, the stored games that turned out not to count."""
        while self._surplus:
            yield self._surplus.pop()

    def _names(self, plan: GamePlan) -> Names | None:
        """Return the two who play, in the order of the manifest; None for a game of more."""
        names = list(plan.lineup.values())
        if len(names) != 2:
            return None
        one, other = names
        return (one, other) if self._place[one] < self._place[other] else (other, one)
