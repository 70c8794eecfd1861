"""Which games there are: computed from the tournament and a game's number; in Swiss rounds, from the results before.

Entrants that play each other make a *table*: as many as the contest has sides. A table plays sets of games, with one
dice seed a set, in which everybody sits once for every side. All tables play their first set in all contests, then all
their second one, and so on: so standings mean something from early on.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, combinations
from math import comb

from sandtable.lab.plan import GamePlan, Tournament

Table = tuple[int, ...]
"""Entrants, by their places in the manifest."""

MOST_STEPS = 200_000
"""So long a Swiss round is sought in which nobody meets whom he met before."""


@dataclass(frozen=True)
class Round(Sequence[GamePlan]):
    """The games of a round.

    ``tables`` are those of each contest, ``first`` the number of its first game, and ``first_pair`` that of its first
    set.
    """

    tournament: Tournament
    number: int
    sides: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[Table, ...], ...]
    first: int = 0
    first_pair: int = 0

    @cached_property
    def _sets(self) -> tuple[int, ...]:
        """How many sets each table plays in each contest: at least as many games as the manifest says."""
        return tuple(-(-self.tournament.games // len(sides)) for sides in self.sides)

    @cached_property
    def _starts(self) -> list[tuple[int, int]]:
        """Games and sets before each cycle, in which every table of every contest that goes on plays one set."""
        games, pairs = [0], [0]
        for cycle in range(max(self._sets)):
            going = [place for place, sets in enumerate(self._sets) if cycle < sets]
            games.append(sum(len(self.tables[place]) * len(self.sides[place]) for place in going))
            pairs.append(sum(len(self.tables[place]) for place in going))
        return list(zip(accumulate(games), accumulate(pairs), strict=True))

    @property
    def pairs(self) -> int:
        """How many sets of games there are."""
        return self._starts[-1][1]

    def __len__(self) -> int:
        """Return how many games there are."""
        return self._starts[-1][0]

    def __getitem__(self, place: int) -> GamePlan:  # type: ignore[override]  # a round has no slices
        """Return the game at ``place`` of the round, from 0."""
        if not 0 <= place < len(self):
            raise IndexError(place)
        cycle = bisect_right(self._starts, place, key=lambda start: start[0]) - 1
        games, pair = self._starts[cycle]
        left = place - games
        for contest, sides in enumerate(self.sides):
            if cycle >= self._sets[contest]:
                continue
            size = len(self.tables[contest]) * len(sides)
            if left < size:
                break
            left -= size
            pair += len(self.tables[contest])
        table, turn = divmod(left, len(sides))
        return self._plan(place, contest, pair + table, self.tables[contest][table], turn)

    def _plan(self, place: int, contest: int, pair: int, table: Table, turn: int) -> GamePlan:
        sides = self.sides[contest]
        names = [self.tournament.entrants[each].name for each in table]
        pair += self.first_pair
        return GamePlan(
            number=self.first + place,
            round=self.number,
            pair=pair,
            contest=contest,
            seed=f"{self.tournament.seed}/{pair + 1}",
            lineup={side: names[(seat + turn) % len(sides)] for seat, side in enumerate(sides)},
        )

    def __iter__(self) -> Iterator[GamePlan]:
        """Yield all games by number."""
        place = 0
        for cycle, (_, first) in enumerate(self._starts[:-1]):
            pair = first
            for contest, sides in enumerate(self.sides):
                if cycle >= self._sets[contest]:
                    continue
                for number, table in enumerate(self.tables[contest], start=pair):
                    for turn in range(len(sides)):
                        yield self._plan(place, contest, number, table, turn)
                        place += 1
                pair += len(self.tables[contest])


@dataclass
class History:
    """What a Swiss tournament has come to: points (1000 for a round that was won), meetings, who sat out how often."""

    points: dict[int, int] = field(default_factory=dict)
    met: dict[tuple[int, int], int] = field(default_factory=dict)
    idle: dict[int, int] = field(default_factory=dict)


def rounds_of(tournament: Tournament) -> int:
    """Return how many rounds there are."""
    return tournament.rounds if tournament.scheduling == "swiss" else 1


def games_of(tournament: Tournament, sides: tuple[tuple[str, ...], ...]) -> int:
    """Return how many games there are at most, without making the tables: of 2,000 entrants there are millions."""
    players = len(tournament.entrants)
    total = 0
    for each in sides:
        size = len(each)
        tables = {"swiss": players // 2, "gauntlet": comb(players - 1, size - 1)}.get(
            tournament.scheduling, comb(players, size)
        )
        total += tables * -(-tournament.games // size) * size
    return total * rounds_of(tournament)


def opening(tournament: Tournament, sides: tuple[tuple[str, ...], ...]) -> Round:
    """Return the first round: of a round robin or a gauntlet, all there is."""
    if tournament.scheduling == "swiss":
        return swiss_round(tournament, sides, None, History())
    places = range(len(tournament.entrants))
    only = 0 if tournament.scheduling == "gauntlet" else None
    tables = tuple(
        tuple(table for table in combinations(places, len(each)) if only is None or only in table) for each in sides
    )
    return Round(tournament, 0, sides, tables)


def swiss_round(
    tournament: Tournament, sides: tuple[tuple[str, ...], ...], before: Round | None, history: History
) -> Round:
    """Return the round after ``before`` (None: the first), those paired who have scored alike."""
    order = sorted(range(len(tournament.entrants)), key=lambda each: (-history.points.get(each, 0), each))
    if len(order) % 2:
        out = min(reversed(order), key=lambda each: history.idle.get(each, 0))
        order.remove(out)
    if before is None:
        half = len(order) // 2
        tables = tuple(zip(order[:half], order[half:], strict=True))
    else:
        tables = paired(order, history.met)
    each_contest = (tables,) * len(sides)
    if before is None:
        return Round(tournament, 0, sides, each_contest)
    first, pair = before.first + len(before), before.first_pair + before.pairs
    return Round(tournament, before.number + 1, sides, each_contest, first, pair)


def paired(order: Sequence[int], met: Mapping[tuple[int, int], int]) -> tuple[tuple[int, int], ...]:
    """Return neighbours of ``order`` paired, nobody with whom he met more often than need be.

    The first gets the nearest whom he has not met and who leaves the rest a way to be paired, and so on. Where that
    takes too long, or cannot be, one meeting more is allowed.
    """
    for allowed in range(1 + max(met.values(), default=0)):
        steps = [MOST_STEPS]
        found = _pairing(list(order), met, allowed, steps)
        if found is not None:
            return tuple(found)
    return tuple(zip(order[::2], order[1::2], strict=True))


def _pairing(
    order: list[int], met: Mapping[tuple[int, int], int], allowed: int, steps: list[int]
) -> list[tuple[int, int]] | None:
    chosen: list[tuple[list[int], int]] = []  # who was left to pair, and which place the first of them tried last
    left, place = order, 1
    while left:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        while place < len(left) and met.get(couple(left[0], left[place]), 0) > allowed:
            place += 1
        if place < len(left):
            chosen.append((left, place))
            left, place = [*left[1:place], *left[place + 1 :]], 1
        elif chosen:
            left, place = chosen.pop()
            place += 1
        else:
            return None
    return [(left[0], left[place]) for left, place in chosen]


def couple(one: int, other: int) -> tuple[int, int]:
    """Return the two in the order of the manifest."""
    return (one, other) if one < other else (other, one)


def history_of(tournament: Tournament, rounds: Iterable[Round], results: Iterable[tuple[GamePlan, str]]) -> History:
    """Return what came of ``rounds``, whose games had the ``results``: plan and winner, "" for a draw.

    Points count as a share of the games of a table and round, in 1/1000, for a table may have been decided early; who
    sat out has them all.
    """
    places = {entrant.name: place for place, entrant in enumerate(tournament.entrants)}
    history = History()
    sums: dict[tuple[int, int], list[int]] = {}
    for plan, winner in results:
        names = list(plan.lineup.values())
        for name in names:
            own = sums.setdefault((plan.round, places[name]), [0, 0])
            own[0] += 2 * (winner == name) + (not winner)
            own[1] += 2
    for (_, place), (points, most) in sums.items():
        history.points[place] = history.points.get(place, 0) + 1000 * points // most
    for each in rounds:
        playing: set[int] = set()
        for table in each.tables[0]:
            key = couple(table[0], table[1])
            history.met[key] = history.met.get(key, 0) + 1
            playing.update(table)
        for place in set(places.values()) - playing:
            history.idle[place] = history.idle.get(place, 0) + 1
            history.points[place] = history.points.get(place, 0) + 1000
    return history
