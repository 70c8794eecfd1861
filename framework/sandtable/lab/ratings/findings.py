"""The findings of a tournament: plain data, the only source of every report. None means not available (n/a)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sandtable.lab.plan import Annex, Contest, StopRule
from sandtable.lab.ratings.results import Cell, Tally
from sandtable.lab.ratings.scores import Encounter, Standing, encounters_of, names_of, standings_of
from sandtable.rules.chance.outcomes import wilson

MAX_FORFEITS = 12
"""Maximum number of forfeited games that are listed."""


@dataclass(frozen=True)
class SideBalance:
    """The results of a side in a contest, regardless of its player, with a 95 % interval. Forfeits are excluded.

    ``draws`` counts the drawn games in which no other side had more.
    """

    side: str
    wins: int
    draws: int
    games: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Effort:
    """An entrant's average effort per game of a contest: decisions, and nodes if it searches. Forfeits are excluded."""

    name: str
    games: int
    decisions: float
    nodes: float | None


@dataclass(frozen=True)
class ContestFindings:
    """The findings of a contest: standings, encounters, and how its games ended, by ending and outcome.

    ``fair`` is a side's share if all sides were equal.
    """

    title: str
    games: int
    standings: tuple[Standing, ...]
    encounters: tuple[Encounter, ...]
    forfeits: int
    turns: float | None
    records: float | None
    fair: float | None
    sides: tuple[SideBalance, ...]
    endings: dict[str, dict[str, int]]
    efforts: tuple[Effort, ...]


@dataclass(frozen=True)
class Example:
    """A notable game, and the reason."""

    game: int
    contest: str
    lineup: dict[str, str]
    outcome: str
    ending: str
    why: str
    shares: dict[str, int]


@dataclass(frozen=True)
class Findings:
    """All findings after ``games`` games.

    ``standings`` and ``encounters`` pool all games of all contests, so a contest with more games has more weight. Those
    of each contest are in ``contests``.
    """

    title: str
    seed: str
    digest: str
    games: int
    contests: tuple[ContestFindings, ...]
    standings: tuple[Standing, ...]
    encounters: tuple[Encounter, ...]
    examples: tuple[Example, ...]
    notes: tuple[str, ...] = ()
    annex: Annex = field(default_factory=Annex)


def findings(tally: Tally, annex: Annex | None = None) -> Findings:
    """Return the findings from the counts in ``tally``. ``annex`` adds the facts that are not results."""
    tournament = tally.tournament
    encounters = encounters_of(tally, tournament.stop)
    notes: list[str] = []
    standings = standings_of(tally)
    contests = range(len(tournament.contests))
    if any(each.elo is None and each.games for each in standings):
        notes.append("Elo is n/a for players that won or lost all games against the rated players")
    waiting = sum(len(each.waiting) for each in tally.pairings.values())
    if waiting:
        played = "one pair of games is" if waiting == 1 else f"{waiting} pairs of games are"
        notes.append(f"{played} incomplete: they count for the score, not for Elo differences")
    waiting = sum(len(each.waiting) for each in tally.tables.values())
    if waiting:
        played = "one set of games is" if waiting == 1 else f"{waiting} sets of games are"
        notes.append(f"{played} incomplete: they count for scores and Elo, not for the spread of sets")
    return Findings(
        title=tournament.title,
        seed=tournament.seed,
        digest=tournament.digest,
        games=tally.games,
        contests=tuple(_contest(tally.of(number), number, alone=len(contests) == 1) for number in contests),
        standings=standings,
        encounters=encounters,
        examples=_examples(tally),
        notes=tuple(notes),
        annex=annex or Annex(),
    )


def contest_title(contest: Contest) -> str:
    """Return a contest in words: ruleset, scenario, options."""
    options = ", ".join(f"{name}={value}" for name, value in sorted(contest.options.items()))
    return " ".join(part for part in (contest.ruleset, contest.scenario, f"({options})" if options else "") if part)


def _contest(tally: Tally, number: int, *, alone: bool) -> ContestFindings:
    """Return the findings of one contest from its counts ``tally``. ``alone`` means that it is the only contest.

    The sequential test covers all games of two entrants, so a contest shows it only if no other contest exists.
    """
    cells = list(tally.cells.values())
    fought = [cell for cell in cells if not cell.forfeiters]
    games = sum(cell.games for cell in cells)
    finished = sum(cell.games for cell in fought)
    sides = sorted({side for cell in cells for side, _ in cell.lineup})
    balance = []
    for side in sides:
        wins = sum(cell.games for cell in fought if cell.outcome == side)
        draws = sum(cell.games for cell in fought if not cell.winner and side in cell.leaders)
        points = float(sum((cell.parts[side] * cell.games for cell in fought), Fraction()))
        low, high = wilson(points, finished) or (None, None)
        balance.append(SideBalance(side, wins, draws, finished, points / finished if finished else None, low, high))
    endings: dict[str, dict[str, int]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.ending, cell.outcome)):
        by_outcome = endings.setdefault(cell.ending, {})
        by_outcome[cell.outcome] = by_outcome.get(cell.outcome, 0) + cell.games
    return ContestFindings(
        title=contest_title(tally.tournament.contests[number]),
        games=games,
        standings=tuple(each for each in standings_of(tally) if each.games),
        encounters=encounters_of(tally, tally.tournament.stop if alone else StopRule()),
        forfeits=games - finished,
        turns=sum(cell.turns for cell in fought) / finished if finished else None,
        records=sum(cell.records for cell in fought) / finished if finished else None,
        fair=1 / len(sides) if sides else None,
        sides=tuple(balance),
        endings=dict(sorted(endings.items(), key=lambda item: (-sum(item[1].values()), item[0]))),
        efforts=tuple(_efforts(names_of(tally), fought)),
    )


def _efforts(names: Sequence[str], cells: Sequence[Cell]) -> Iterator[Effort]:
    """Yield the effort of each of ``names`` that made a decision in ``cells``."""
    for name in names:
        own = [cell for cell in cells if name in cell.decisions]
        games = sum(cell.games for cell in own)
        if games:
            nodes = sum(cell.nodes[name] for cell in own if name in cell.nodes)
            searches = any(name in cell.nodes for cell in own)
            decisions = sum(cell.decisions[name] for cell in own)
            yield Effort(name, games, decisions / games, nodes / games if searches else None)


def _examples(tally: Tally) -> tuple[Example, ...]:
    """Return, for each contest, the first game of each ending and outcome, the longest game and the first forfeits."""
    chosen: dict[int, tuple[Cell, str]] = {}
    for number in range(len(tally.tournament.contests)):
        cells = [cell for cell in tally.cells.values() if cell.contest == number and not cell.forfeiters]
        longest = min(cells, key=lambda cell: (-cell.max_turns, cell.longest), default=None)
        ends: dict[tuple[str, str], Cell] = {}
        for cell in sorted(cells, key=lambda cell: cell.first):
            ends.setdefault((cell.ending, cell.outcome), cell)
        for cell in ends.values():
            chosen[cell.first] = (cell, "first with this ending")
        if longest is not None and longest.max_turns > 1:
            chosen[longest.longest] = (longest, f"longest: {longest.max_turns} turns")
    for game, key in sorted(tally.forfeits)[:MAX_FORFEITS]:
        chosen[game] = (tally.cells[key], f"forfeit of {', '.join(key[-1])}")
    contests = tally.tournament.contests
    return tuple(
        Example(
            game, contest_title(contests[cell.contest]), dict(cell.lineup), cell.outcome, cell.ending, why, cell.stated
        )
        for game, (cell, why) in sorted(chosen.items())
    )
