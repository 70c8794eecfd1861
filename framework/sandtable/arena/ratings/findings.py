"""What a tournament shows so far: plain data, the one source of every report. None is what cannot be told: n/a."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from sandtable.arena.plan import Contest
from sandtable.arena.ratings.adjusted import Adjusted, adjusted
from sandtable.arena.ratings.elo import Meeting, Rating, ratings
from sandtable.arena.ratings.manysided import MISSING, MOST_GAMES, Skill, skills
from sandtable.arena.ratings.sprt import Judgement, is_wanted, judge
from sandtable.arena.ratings.tally import Cell, Tally
from sandtable.arena.statistics import strength
from sandtable.errors import PlayError
from sandtable.rules.outcomes import wilson

MOST_FORFEITS = 50
"""So many forfeited games are listed."""


@dataclass(frozen=True)
class Standing:
    """An entrant's place: a win counts 1, a draw of n sides 1/n; the score, with its 95 % interval, is points a game.

    Of a forfeited game for more than two sides the others share the point. ``elo`` rates games for two sides, ``skill``
    those for more. ``verdicts`` counts his forfeits by kind.
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
    elo: Rating | None
    skill: Skill | None
    adjusted: Adjusted | None
    verdicts: dict[str, int]


@dataclass(frozen=True)
class Encounter:
    """Two entrants against each other, in games for two sides; all from the first one's view.

    ``pairs`` counts whole pairs by his half points, 0 to 4. ``elo`` is the difference, ``margin`` half its 95 %
    interval; ``superiority`` the likelihood that he is the stronger; ``test`` the sequential test if one was set.
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
    pairs: tuple[int, ...]
    elo: float | None
    margin: float | None
    superiority: float | None
    test: Judgement | None


@dataclass(frozen=True)
class SideBalance:
    """What a side got of the games of a contest, whoever sat there, with its 95 % interval; forfeits left out."""

    side: str
    wins: int
    draws: int
    games: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Effort:
    """What an entrant's games of a contest took him, on average: decisions, and nodes if he searches; no forfeits."""

    name: str
    games: int
    decisions: float
    nodes: float | None


@dataclass(frozen=True)
class ContestFindings:
    """A contest: how its games ended, by ending and outcome; ``fair`` is the share of a side if all were equal."""

    title: str
    games: int
    forfeits: int
    turns: float | None
    records: float | None
    fair: float | None
    sides: tuple[SideBalance, ...]
    endings: dict[str, dict[str, int]]
    efforts: tuple[Effort, ...]


@dataclass(frozen=True)
class Example:
    """A game worth a look, and why."""

    game: int
    contest: str
    lineup: dict[str, str]
    outcome: str
    ending: str
    why: str


@dataclass(frozen=True)
class Findings:
    """Everything, at ``games`` games."""

    title: str
    seed: str
    digest: str
    games: int
    standings: tuple[Standing, ...]
    encounters: tuple[Encounter, ...]
    contests: tuple[ContestFindings, ...]
    examples: tuple[Example, ...]
    notes: tuple[str, ...] = ()


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


def findings(tally: Tally) -> Findings:
    """Return what the counts show."""
    tournament = tally.tournament
    encounters = _encounters(tally)
    skilled, notes = _skills(tally)
    standings = _standings(tally, skilled)
    if any(each.elo is None and each.games for each in standings) and encounters:
        notes.append("Elo is n/a for who won or lost all games against those who are rated")
    waiting = sum(len(each.waiting) for each in tally.pairings.values())
    if waiting:
        played = "one pair of games is" if waiting == 1 else f"{waiting} pairs of games are"
        notes.append(f"{played} half played: that counts for the score, not for Elo differences")
    return Findings(
        title=tournament.title,
        seed=tournament.seed,
        digest=tournament.digest,
        games=tally.games,
        standings=standings,
        encounters=encounters,
        contests=tuple(_contest(tally, number) for number in range(len(tournament.contests))),
        examples=_examples(tally),
        notes=tuple(notes),
    )


def contest_title(contest: Contest) -> str:
    """Return a contest in words: ruleset, scenario, options."""
    options = ", ".join(f"{name}={value}" for name, value in sorted(contest.options.items()))
    return " ".join(part for part in (contest.ruleset, contest.scenario, f"({options})" if options else "") if part)


def _names(tally: Tally) -> list[str]:
    """Return the entrants in the tournament's order, then whoever else sat in a game."""
    seen = sorted({name for cell in tally.cells.values() for _, name in cell.lineup})
    return list(dict.fromkeys([*(entrant.name for entrant in tally.tournament.entrants), *seen]))


def _standings(tally: Tally, skilled: dict[str, Skill]) -> tuple[Standing, ...]:
    names = _names(tally)
    own = {name: _Record() for name in names}
    for cell in tally.cells.values():
        seats = [name for _, name in cell.lineup]
        if len(set(seats)) < 2:
            continue  # who meets himself proves nothing
        for name in set(seats):
            own[name].add(cell, cell.share(name))
    rated = ratings(names, _meetings(tally))
    luckless = adjusted(tally.cells.values())
    found = []
    for name in names:
        games, points = own[name].games, float(own[name].points)
        low, high = wilson(points, games) or (None, None)
        verdicts = {verdict: count for (who, verdict), count in sorted(tally.verdicts.items()) if who == name}
        losses = games - own[name].wins - own[name].draws
        found.append(
            Standing(
                *(name, games, own[name].wins, own[name].draws, losses, points),
                score=points / games if games else None,
                low=low,
                high=high,
                elo=rated[name],
                skill=skilled.get(name),
                adjusted=luckless.get(name),
                verdicts=verdicts,
            )
        )
    return tuple(sorted(found, key=lambda each: (each.score is None, -(each.score or 0), -each.wins, each.name)))


def _meetings(tally: Tally) -> dict[tuple[str, str], Meeting]:
    """Return all games for two, by the two entrants."""
    results = _results(tally)
    return {key: Meeting(sum(own), own[0] + own[1] / 2, _pairs(tally, *key)) for key, own in sorted(results.items())}


def _results(tally: Tally) -> dict[tuple[str, str], list[int]]:
    """Return wins, draws and losses of the first of two entrants, for all who met in games for two."""
    place = {name: number for number, name in enumerate(_names(tally))}
    found: dict[tuple[str, str], list[int]] = {}
    for cell in tally.cells.values():
        names = sorted({name for _, name in cell.lineup}, key=place.__getitem__)
        if len(cell.lineup) == len(names) == 2:
            own = found.setdefault((names[0], names[1]), [0, 0, 0])
            own[1 if not cell.winner else 0 if cell.winner == names[0] else 2] += cell.games
    return found


def _pairs(tally: Tally, first: str, second: str) -> tuple[int, ...]:
    each = [pairing.pairs for (_, *names), pairing in tally.pairings.items() if names == [first, second]]
    return tuple(map(sum, zip(*each, strict=True))) if each else (0,) * 5


def _encounters(tally: Tally) -> tuple[Encounter, ...]:
    found = []
    place = {name: number for number, name in enumerate(_names(tally))}
    stop = tally.tournament.stop
    results = sorted(_results(tally).items(), key=lambda item: (place[item[0][0]], place[item[0][1]]))
    for (first, second), (wins, draws, losses) in results:
        games, pairs = wins + draws + losses, _pairs(tally, first, second)
        points = wins + draws / 2
        low, high = wilson(points, games) or (0.0, 1.0)
        known = strength(pairs)
        found.append(
            Encounter(
                *(first, second, games, wins, draws, losses),
                *(points / games, low, high, pairs),
                _finite(known.elo if known else None),
                _finite(known.elo_margin if known else None),
                known.superiority if known else None,
                judge(pairs, stop) if is_wanted(stop) else None,
            )
        )
    return tuple(found)


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _contest(tally: Tally, number: int) -> ContestFindings:
    cells = [cell for cell in tally.cells.values() if cell.contest == number]
    fought = [cell for cell in cells if not cell.forfeiters]
    games = sum(cell.games for cell in cells)
    whole = sum(cell.games for cell in fought)
    sides = sorted({side for cell in cells for side, _ in cell.lineup})
    balance = []
    for side in sides:
        wins = sum(cell.games for cell in fought if cell.outcome == side)
        draws = sum(cell.games for cell in fought if not cell.winner)
        points = wins + draws / len(sides)
        low, high = wilson(points, whole) or (None, None)
        balance.append(SideBalance(side, wins, draws, whole, points / whole if whole else None, low, high))
    endings: dict[str, dict[str, int]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.ending, cell.outcome)):
        by_outcome = endings.setdefault(cell.ending, {})
        by_outcome[cell.outcome] = by_outcome.get(cell.outcome, 0) + cell.games
    return ContestFindings(
        title=contest_title(tally.tournament.contests[number]),
        games=games,
        forfeits=games - whole,
        turns=sum(cell.turns for cell in fought) / whole if whole else None,
        records=sum(cell.records for cell in fought) / whole if whole else None,
        fair=1 / len(sides) if sides else None,
        sides=tuple(balance),
        endings=dict(sorted(endings.items(), key=lambda item: (-sum(item[1].values()), item[0]))),
        efforts=tuple(_efforts(_names(tally), fought)),
    )


def _efforts(names: Sequence[str], cells: Sequence[Cell]) -> Iterator[Effort]:
    """Yield what the games of ``cells`` took each of ``names`` who decided anything."""
    for name in names:
        own = [cell for cell in cells if name in cell.decisions]
        games = sum(cell.games for cell in own)
        if games:
            nodes = sum(cell.nodes[name] for cell in own if name in cell.nodes)
            searches = any(name in cell.nodes for cell in own)
            decisions = sum(cell.decisions[name] for cell in own)
            yield Effort(name, games, decisions / games, nodes / games if searches else None)


def _examples(tally: Tally) -> tuple[Example, ...]:
    """Return, of each contest, the first game of every ending and outcome, the longest, and the first forfeits."""
    wanted: dict[int, tuple[Cell, str]] = {}
    for number in range(len(tally.tournament.contests)):
        cells = [cell for cell in tally.cells.values() if cell.contest == number and not cell.forfeiters]
        longest = min(cells, key=lambda cell: (-cell.most_turns, cell.longest), default=None)
        ends: dict[tuple[str, str], Cell] = {}
        for cell in sorted(cells, key=lambda cell: cell.first):
            ends.setdefault((cell.ending, cell.outcome), cell)
        for cell in ends.values():
            wanted[cell.first] = (cell, "first to end so")
        if longest is not None:
            wanted[longest.longest] = (longest, f"longest: {longest.most_turns} turns")
    for game, key in sorted(tally.forfeits)[:MOST_FORFEITS]:
        wanted[game] = (tally.cells[key], "forfeit")
    contests = tally.tournament.contests
    return tuple(
        Example(game, contest_title(contests[cell.contest]), dict(cell.lineup), cell.outcome, cell.ending, why)
        for game, (cell, why) in sorted(wanted.items())
    )


def _skills(tally: Tally) -> tuple[dict[str, Skill], list[str]]:
    """Return the skills that games for more than two sides show, and what must be said about them."""
    if not tally.many_sided:
        return {}, []
    games = sorted(tally.many_sided)
    try:
        found = skills((players, first) for _, players, first in games[-MOST_GAMES:])
    except PlayError:
        return {}, [MISSING]
    late = len(games) > MOST_GAMES
    return found, [f"skill is of the last {MOST_GAMES:,} games for more than two sides"] if late else []
