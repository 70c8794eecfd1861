"""The schedule: games computed from the tournament and a number, and in Swiss rounds also from earlier results.

Entrants that play each other form a *table* with as many entrants as the contest has sides. A table plays sets of
games. Each set has one dice seed, and every entrant plays every side once in it. All tables play their first set in all
contests, then all play their second one, and so on, so standings are meaningful early.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, combinations
from math import comb

from sandtable.kernel.play.endings import WHOLE
from sandtable.lab.plan import GamePlan, Tournament
from sandtable.lab.seating import rotated

Table = tuple[int, ...]
"""Entrants, by their index in the manifest."""

MAX_STEPS = 200_000
"""Maximum number of steps of the search for a Swiss round without repeated meetings."""


@dataclass(frozen=True)
class Round(Sequence[GamePlan]):
    """The games of a round.

    ``tables`` holds the tables of each contest, ``first`` the number of the first game, and ``first_pair`` that of the
    first set.
    """

    tournament: Tournament
    number: int
    sides: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[Table, ...], ...]
    first: int = 0
    first_pair: int = 0

    @cached_property
    def _sets(self) -> tuple[int, ...]:
        """Number of sets that each table plays, by contest: at least as many games as the manifest demands."""
        return tuple(-(-self.tournament.games // len(sides)) for sides in self.sides)

    @cached_property
    def _starts(self) -> list[tuple[int, int]]:
        """Games and sets before each cycle, in which every table of every unfinished contest plays one set."""
        games, pairs = [0], [0]
        for cycle in range(max(self._sets)):
            unfinished = [index for index, sets in enumerate(self._sets) if cycle < sets]
            games.append(sum(len(self.tables[index]) * len(self.sides[index]) for index in unfinished))
            pairs.append(sum(len(self.tables[index]) for index in unfinished))
        return list(zip(accumulate(games), accumulate(pairs), strict=True))

    @property
    def pairs(self) -> int:
        """Number of sets of games."""
        return self._starts[-1][1]

    def __len__(self) -> int:
        """Return the number of games."""
        return self._starts[-1][0]

    def __getitem__(self, index: int) -> GamePlan:  # type: ignore[override]  # a round has no slices
        """Return the game at index ``index`` of the round, from 0."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        cycle = bisect_right(self._starts, index, key=lambda start: start[0]) - 1
        games, pair = self._starts[cycle]
        left = index - games
        for contest, sides in enumerate(self.sides):
            if cycle >= self._sets[contest]:
                continue
            size = len(self.tables[contest]) * len(sides)
            if left < size:
                break
            left -= size
            pair += len(self.tables[contest])
        table, turn = divmod(left, len(sides))
        return self._plan(index, contest, pair + table, self.tables[contest][table], (cycle, turn))

    def _plan(self, index: int, contest: int, pair: int, table: Table, seating: tuple[int, int]) -> GamePlan:
        """Return a game. ``seating`` is the number of the table's set, and of the game in it."""
        sides = self.sides[contest]
        names = [self.tournament.entrants[each].name for each in table]
        pair += self.first_pair
        return GamePlan(
            number=self.first + index,
            round=self.number,
            pair=pair,
            contest=contest,
            seed=f"{self.tournament.seed}/{pair + 1}",
            lineup={side: names[seat] for side, seat in zip(sides, rotated(*seating, len(sides)), strict=True)},
        )

    def __iter__(self) -> Iterator[GamePlan]:
        """Yield all games in order of number."""
        index = 0
        for cycle, (_, first) in enumerate(self._starts[:-1]):
            pair = first
            for contest, sides in enumerate(self.sides):
                if cycle >= self._sets[contest]:
                    continue
                for number, table in enumerate(self.tables[contest], start=pair):
                    for turn in range(len(sides)):
                        yield self._plan(index, contest, number, table, (cycle, turn))
                        index += 1
                pair += len(self.tables[contest])


@dataclass
class History:
    """The state of a Swiss tournament: points (1000 per round won), meetings, and byes by entrant."""

    points: dict[int, int] = field(default_factory=dict)
    met: dict[tuple[int, int], int] = field(default_factory=dict)
    idle: dict[int, int] = field(default_factory=dict)


def rounds_of(tournament: Tournament) -> int:
    """Return the number of rounds."""
    return tournament.rounds if tournament.scheduling == "swiss" else 1


def games_of(tournament: Tournament, sides: tuple[tuple[str, ...], ...]) -> int:
    """Return the maximum number of games without building the tables: 2,000 entrants have millions of them."""
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
    """Return the first round, which is the only one of a round robin or gauntlet."""
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
    """Return the round after ``before`` (None: the first), pairing entrants with similar scores."""
    order = sorted(range(len(tournament.entrants)), key=lambda each: (-history.points.get(each, 0), each))
    if len(order) % 2:
        bye = min(reversed(order), key=lambda each: history.idle.get(each, 0))
        order.remove(bye)
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
    """Return adjacent entrants of ``order`` in pairs, with as few repeated meetings as possible.

    The first entrant gets the nearest one that it has not met and that leaves the rest pairable, and so on. If that
    takes too long or is impossible, one more meeting is allowed.
    """
    for allowed in range(1 + max(met.values(), default=0)):
        steps = [MAX_STEPS]
        found = _find_pairing(list(order), met, allowed, steps)
        if found is not None:
            return tuple(found)
    return tuple(zip(order[::2], order[1::2], strict=True))


def _find_pairing(
    order: list[int], met: Mapping[tuple[int, int], int], allowed: int, steps: list[int]
) -> list[tuple[int, int]] | None:
    chosen: list[
        tuple[list[int], int]
    ] = []  # the entrants left to pair, and the index that the first of them tried last
    left, index = order, 1
    while left:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        while index < len(left) and met.get(ordered_pair(left[0], left[index]), 0) > allowed:
            index += 1
        if index < len(left):
            chosen.append((left, index))
            left, index = [*left[1:index], *left[index + 1 :]], 1
        elif chosen:
            left, index = chosen.pop()
            index += 1
        else:
            return None
    return [(left[0], left[index]) for left, index in chosen]


def ordered_pair(one: int, other: int) -> tuple[int, int]:
    """Return both entrants in the order of the manifest."""
    return (one, other) if one < other else (other, one)


def history_of(
    tournament: Tournament, rounds: Iterable[Round], results: Iterable[tuple[GamePlan, Mapping[str, int]]]
) -> History:
    """Return the history of ``rounds``, whose games had the ``results``: plan, and share of each side.

    Points are a share of the games of a table and round, in 1/1000, because a table may have been decided early. An
    entrant with a bye gets all of them.
    """
    places = {entrant.name: index for index, entrant in enumerate(tournament.entrants)}
    history = History()
    totals: dict[tuple[int, int], list[int]] = {}
    for plan, shares in results:
        for side, name in plan.lineup.items():
            own = totals.setdefault((plan.round, places[name]), [0, 0])
            own[0] += shares[side]
            own[1] += WHOLE
    for (_, index), (points, most) in totals.items():
        history.points[index] = history.points.get(index, 0) + WHOLE * points // most
    for each in rounds:
        playing: set[int] = set()
        for table in each.tables[0]:
            key = ordered_pair(table[0], table[1])
            history.met[key] = history.met.get(key, 0) + 1
            playing.update(table)
        for index in set(places.values()) - playing:
            history.idle[index] = history.idle.get(index, 0) + 1
            history.points[index] = history.points.get(index, 0) + WHOLE
    return history
