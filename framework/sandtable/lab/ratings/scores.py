"""Standings and encounters, computed from the counts of one contest or of all games together."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from sandtable.lab.plan import StopRule
from sandtable.lab.ratings.elo import Meeting, Rating, ratings
from sandtable.lab.ratings.luck_adjusted import Adjusted, adjusted
from sandtable.lab.ratings.results import Cell, Pairing, Tally
from sandtable.lab.ratings.sprt import Judgment, is_enabled, judge
from sandtable.lab.statistics import Kind, Spread, interval_of, spread_of, strength


@dataclass(frozen=True)
class Standing:
    """An entrant's standing. A game brings its points: the share of its side, from 0 to 1.

    The score is points per game, with its 95 % interval.

    ``draws`` counts the drawn games in which no other side had more. ``kind`` is the basis of the interval. In a
    forfeited game with more than two sides the others share the point. ``verdicts`` counts forfeits by kind.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    score: float | None
    low: float | None
    high: float | None
    kind: Kind | None
    elo: Rating | None
    adjusted: Adjusted | None
    verdicts: dict[str, int]


@dataclass(frozen=True)
class Encounter:
    """The games of two entrants against each other, with two sides, from the first one's view.

    ``pairs`` counts complete pairs by the first one's half points, 0 to 4. ``low`` and ``high`` are the ends of the
    score's 95 % interval, of that ``kind``; ``elo_low`` and ``elo_high`` those of the difference in Elo.
    ``superiority`` is the likelihood that the first one is stronger. ``test`` is the sequential test, if one was set.
    """

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    kind: Kind
    pairs: tuple[int, ...]
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    superiority: float | None
    test: Judgment | None


@dataclass
class _Record:
    games: int = 0
    wins: int = 0
    draws: int = 0
    points: Fraction = field(default_factory=Fraction)

    def add(self, cell: Cell, name: str) -> None:
        self.games += cell.games
        self.points += cell.share(name) * cell.games
        if cell.leads(name):
            self.draws += 0 if cell.winner else cell.games
            self.wins += cell.games if cell.winner else 0


def names_of(tally: Tally) -> list[str]:
    """Return the entrants in the tournament's order, then all other names in its games."""
    seen = sorted({name for cell in tally.cells.values() for _, name in cell.lineup})
    return list(dict.fromkeys([*(entrant.name for entrant in tally.tournament.entrants), *seen]))


def standings_of(tally: Tally) -> tuple[Standing, ...]:
    """Return all standings, the best first."""
    names = names_of(tally)
    own = {name: _Record() for name in names}
    for cell in tally.cells.values():
        seats = [name for _, name in cell.lineup]
        if len(set(seats)) < 2:
            continue  # a game of an entrant against itself proves nothing
        for name in set(seats):
            own[name].add(cell, name)
    rated = ratings(names, _meetings(tally), [table for _, table in sorted(tally.tables.items())])
    luckless = adjusted(tally.cells.values())
    found = []
    for name in names:
        games, points = own[name].games, float(own[name].points)
        low, high, kind = interval_of(points, games, _spreads(tally, name)) or (None, None, None)
        verdicts: dict[str, int] = {}
        for (_, who, verdict), count in sorted(tally.verdicts.items()):
            if who == name:
                verdicts[verdict] = verdicts.get(verdict, 0) + count
        losses = games - own[name].wins - own[name].draws
        found.append(
            Standing(
                *(name, games, own[name].wins, own[name].draws, losses, points),
                *(points / games if games else None, low, high, kind),
                elo=rated[name],
                adjusted=luckless.get(name),
                verdicts=dict(sorted(verdicts.items())),
            )
        )
    return tuple(sorted(found, key=lambda each: (each.score is None, -(each.score or 0), -each.wins, each.name)))


def encounters_of(tally: Tally, stop: StopRule) -> tuple[Encounter, ...]:
    """Return all encounters in the tournament's order, each with its sequential test if ``stop`` is enabled."""
    found = []
    index = {name: number for number, name in enumerate(names_of(tally))}
    results = sorted(_results(tally).items(), key=lambda item: (index[item[0][0]], index[item[0][1]]))
    for (first, second), met in results:
        points, pairings = float(met.points), _met(tally, first, second)
        pairs = tuple(sum(each.pairs[half] for each in pairings) for half in range(5))
        spreads = [spread_of(each.scores) for each in pairings]
        low, high, kind = interval_of(points, met.games, spreads) or (0.0, 1.0, "games")
        known = strength(_scores(pairings))
        found.append(
            Encounter(
                *(first, second, met.games, met.wins, met.draws, met.games - met.wins - met.draws),
                *(points / met.games, low, high, kind, pairs),
                elo=_finite(known.elo if known else None),
                elo_low=_finite(known.elo_low if known else None),
                elo_high=_finite(known.elo_high if known else None),
                superiority=known.superiority if known else None,
                test=judge(pairs, stop) if is_enabled(stop) else None,
            )
        )
    return tuple(found)


def _meetings(tally: Tally) -> dict[tuple[str, str], Meeting]:
    """Return all meetings in games for two, by the two entrants."""
    return {
        key: Meeting(met.games, float(met.points), _scores(_met(tally, *key)))
        for key, met in sorted(_results(tally).items())
    }


def _results(tally: Tally) -> dict[tuple[str, str], _Record]:
    """Return the results of the first of two entrants, for all that met in games for two."""
    index = {name: number for number, name in enumerate(names_of(tally))}
    found: dict[tuple[str, str], _Record] = {}
    for cell in tally.cells.values():
        names = sorted({name for _, name in cell.lineup}, key=index.__getitem__)
        if len(cell.lineup) == len(names) == 2:
            found.setdefault((names[0], names[1]), _Record()).add(cell, names[0])
    return found


def _spreads(tally: Tally, name: str) -> Iterator[Spread]:
    """Yield the spread of the scores of ``name`` against each opponent, or in each table of more than two."""
    for (_, *both), pairing in tally.pairings.items():
        if name in both:
            yield spread_of(pairing.scores)
    for (_, names), table in tally.tables.items():
        if name in names:
            yield table.spread_of(name)


def _scores(pairings: Iterable[Pairing]) -> Counter[int]:
    return sum((each.scores for each in pairings), Counter[int]())


def _met(tally: Tally, first: str, second: str) -> list[Pairing]:
    return [pairing for (_, *names), pairing in tally.pairings.items() if names == [first, second]]


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
