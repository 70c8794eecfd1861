"""Standings and encounters, computed from the counts of one contest or of all games together."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from sandtable.errors import PlayError
from sandtable.lab.plan import StopRule
from sandtable.lab.ratings.elo import Meeting, Rating, ratings
from sandtable.lab.ratings.luck_adjusted import Adjusted, adjusted
from sandtable.lab.ratings.multiplayer import MAX_GAMES, MISSING, Skill, skills
from sandtable.lab.ratings.results import Cell, Tally
from sandtable.lab.ratings.sprt import Judgment, is_enabled, judge
from sandtable.lab.statistics import Kind, interval_of, strength


@dataclass(frozen=True)
class Standing:
    """An entrant's standing: a win counts 1, a draw of n sides 1/n.

    The score is points per game, with its 95 % interval.

    ``kind`` is the basis of the interval. In a forfeited game with more than two sides the others share the point.
    ``elo`` rates games for two sides, ``skill`` those for more. ``verdicts`` counts forfeits by kind.
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
    skill: Skill | None
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

    def add(self, cell: Cell, share: Fraction) -> None:
        self.games += cell.games
        self.points += share * cell.games
        if share and not cell.winner:
            self.draws += cell.games
        elif share:
            self.wins += cell.games


def names_of(tally: Tally) -> list[str]:
    """Return the entrants in the tournament's order, then all other names in its games."""
    seen = sorted({name for cell in tally.cells.values() for _, name in cell.lineup})
    return list(dict.fromkeys([*(entrant.name for entrant in tally.tournament.entrants), *seen]))


def standings_of(tally: Tally, skilled: dict[str, Skill]) -> tuple[Standing, ...]:
    """Return all standings, the best first. ``skilled`` holds the skills, if any."""
    names = names_of(tally)
    own = {name: _Record() for name in names}
    for cell in tally.cells.values():
        seats = [name for _, name in cell.lineup]
        if len(set(seats)) < 2:
            continue  # a game of an entrant against itself proves nothing
        for name in set(seats):
            own[name].add(cell, cell.share(name))
    rated = ratings(names, _meetings(tally))
    luckless = adjusted(tally.cells.values())
    found = []
    for name in names:
        games, points = own[name].games, float(own[name].points)
        pairs = [each.pairs for (_, *both), each in tally.pairings.items() if name in both]
        low, high, kind = interval_of(points, games, pairs) or (None, None, None)
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
                skill=skilled.get(name),
                adjusted=luckless.get(name),
                verdicts=dict(sorted(verdicts.items())),
            )
        )
    return tuple(sorted(found, key=lambda each: (each.score is None, -(each.score or 0), -each.wins, each.name)))


def encounters_of(tally: Tally, stop: StopRule) -> tuple[Encounter, ...]:
    """Return all encounters in the tournament's order, with the sequential test ``stop`` if it is one."""
    found = []
    index = {name: number for number, name in enumerate(names_of(tally))}
    results = sorted(_results(tally).items(), key=lambda item: (index[item[0][0]], index[item[0][1]]))
    for (first, second), (wins, draws, losses) in results:
        games, each = wins + draws + losses, _pairings(tally, first, second)
        points, pairs = wins + draws / 2, _summed(each)
        low, high, kind = interval_of(points, games, each) or (0.0, 1.0, "games")
        known = strength(pairs)
        found.append(
            Encounter(
                *(first, second, games, wins, draws, losses),
                *(points / games, low, high, kind, pairs),
                elo=_finite(known.elo if known else None),
                elo_low=_finite(known.elo_low if known else None),
                elo_high=_finite(known.elo_high if known else None),
                superiority=known.superiority if known else None,
                test=judge(pairs, stop) if is_enabled(stop) else None,
            )
        )
    return tuple(found)


def skills_of(tally: Tally) -> tuple[dict[str, Skill], list[str]]:
    """Return the skills from games with more than two sides, and notes about them."""
    if not tally.many_sided:
        return {}, []
    games = sorted(tally.many_sided)
    try:
        found = skills((players, first) for _, _, players, first in games[-MAX_GAMES:])
    except PlayError:
        return {}, [MISSING]
    is_capped = len(games) > MAX_GAMES
    return found, [f"skill is of the last {MAX_GAMES:,} games for more than two sides"] if is_capped else []


def _meetings(tally: Tally) -> dict[tuple[str, str], Meeting]:
    """Return all meetings in games for two, by the two entrants."""
    return {
        key: Meeting(sum(own), own[0] + own[1] / 2, _summed(_pairings(tally, *key)))
        for key, own in sorted(_results(tally).items())
    }


def _results(tally: Tally) -> dict[tuple[str, str], list[int]]:
    """Return wins, draws and losses of the first of two entrants, for all that met in games for two."""
    index = {name: number for number, name in enumerate(names_of(tally))}
    found: dict[tuple[str, str], list[int]] = {}
    for cell in tally.cells.values():
        names = sorted({name for _, name in cell.lineup}, key=index.__getitem__)
        if len(cell.lineup) == len(names) == 2:
            own = found.setdefault((names[0], names[1]), [0, 0, 0])
            own[1 if not cell.winner else 0 if cell.winner == names[0] else 2] += cell.games
    return found


def _pairings(tally: Tally, first: str, second: str) -> list[Sequence[int]]:
    return [pairing.pairs for (_, *names), pairing in tally.pairings.items() if names == [first, second]]


def _summed(pairs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*pairs, strict=True))) if pairs else (0,) * 5


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
