"""Matches: many games of two players, in pairs with the same dice and the sides swapped.

With more than two sides, the games form sets with the same dice. Of two players, each is alone on every side once, and
the other plays all other sides. With one player per side, each player has every side once.

A game depends only on the plan and its number. The seed of pair 7 of a match with the seed "x" is "x/7", so `sandtable
play --seed x/7` replays it. Process, time and order of the games do not matter.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction

from sandtable.files.folders import claimed_folder
from sandtable.kernel.play.endings import WHOLE
from sandtable.lab.matches.games import GameResult, MatchPlan, check_players, play_one
from sandtable.lab.seating import games_in_set
from sandtable.lab.statistics import Strength, strength, strength_of
from sandtable.players.players import admit
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.rules.chance.outcomes import wilson
from sandtable.workers.tasks import Batch, Scheduler, Workload, have_ready


@dataclass(frozen=True)
class Score:
    """A player's points (a draw is half a point) in ``games`` games, with their share and its 95 % interval.

    ``seats`` is the number of sides that the player had in all games together. With two sides it is that of the games.
    """

    name: str
    points: float
    games: int
    seats: int

    @property
    def score(self) -> float:
        """Points for each side that the player had, 0 to 1."""
        return self.points / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the true score."""
        return wilson(self.points * self.games / self.seats, self.games) or (0.0, 1.0)


@dataclass(frozen=True)
class MatchResult:
    """All games of a match, sorted by number."""

    plan: MatchPlan
    sides: tuple[str, ...]
    results: tuple[GameResult, ...]

    @property
    def players(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and numbers of the players. Of more than two, those with the same name are pooled."""
        named = list(enumerate(self.plan.players))
        if len(named) == 2:
            return [(name, (number,)) for number, name in named]
        names = dict.fromkeys(self.plan.players)
        return [(each, tuple(number for number, name in named if name == each)) for each in names]

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores of all players."""
        found = []
        for name, numbers in self.players:
            points = sum((result.points(number) for result in self.results for number in numbers), Fraction())
            own = [sum(player in numbers for player in result.seats.values()) for result in self.results]
            found.append(Score(name, float(points), sum(map(bool, own)), sum(own)))
        return tuple(found)

    @property
    def endings(self) -> dict[str, int]:
        """Number of games by ending, the most common first."""
        return dict(Counter(result.ending for result in self.results).most_common())

    @property
    def won_by_side(self) -> dict[str, int]:
        """Number of games that each side won, regardless of its player, and number of draws."""
        counts = Counter(result.outcome for result in self.results)
        return {outcome: counts[outcome] for outcome in [*self.sides, "draw"]}

    @property
    def shares(self) -> dict[str, float]:
        """The share of the points of each side, regardless of its player."""
        games = len(self.results)
        return {side: float(sum(result.parts[side] for result in self.results)) / games for side in self.sides}

    @property
    def margin(self) -> int | None:
        """Total of the first player's margins in points, or None if the rules define no margin."""
        margins = [result.margin for result in self.results if result.margin is not None]
        return sum(margins) if margins else None

    @property
    def strength(self) -> Strength | None:
        """Strength of the first player relative to the second, from complete sets, or None if that cannot be estimated.

        Only two players are compared.
        """
        players = self.players
        if len(players) != 2:
            return None
        size = games_in_set(len(self.plan.players), len(self.sides))
        sets = [self.results[start : start + size] for start in range(0, len(self.results) - size + 1, size)]
        if len(self.sides) == 2:
            return strength(Counter(int(WHOLE * sum(game.points(0) for game in pair)) for pair in sets))
        return strength_of(*_comparison([[_taken(game, players[0][1]) for game in each] for each in sets]))


def _taken(result: GameResult, own: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return the points that the player with the numbers ``own`` took from the other, and the other from it.

    Each side takes its share from all other sides in equal parts, as for Elo ratings.
    """
    sides = [side for side, player in result.seats.items() if player in own]
    others = len(result.seats) - len(sides)
    share, rest = sum((result.parts[side] for side in sides), Fraction()), len(result.seats) - 1
    return share * others / rest, (1 - share) * len(sides) / rest


def _comparison(sets: Sequence[Sequence[tuple[Fraction, Fraction]]]) -> tuple[int, float, float]:
    """Return the number of sets, the first player's part of the points taken, and its variance in a set.

    Fractions keep the variance of equal sets, and of a single one, at exactly 0: it is then unknown.
    """
    sums = [tuple(map(sum, zip(*games, strict=True))) for games in sets]
    won, lost = (sum(each[index] for each in sums) for index in (0, 1))
    if not won + lost:
        return 0, 0.5, 0.0
    mean = won / (won + lost)
    squares = sum((own * (1 - mean) - its * mean) ** 2 for own, its in sums)
    return len(sums), float(mean), float(len(sums) * squares / (won + lost) ** 2)


@dataclass(frozen=True)
class MatchRun(Batch[Prepared, int, GameResult]):
    """The job of a worker: the plan. The worker loads the rules itself."""

    plan: MatchPlan

    @property
    def key(self) -> object:
        """The plan, which identifies the job."""
        return self.plan

    def make_ready(self) -> Prepared:
        """Return the prepared ruleset."""
        installed = Rulesets(self.plan.plugins_dir).load(self.plan.ruleset)
        admit(installed, self.plan.players)
        return installed.prepare(self.plan.scenario, self.plan.options)

    def do(self, ready: Prepared, item: int) -> GameResult:
        """Play a game."""
        return play_one(ready, self.plan, item)


def run_match(
    plan: MatchPlan, rulesets: Rulesets, *, workers: int = 1, seen: Callable[[int], object] = lambda _: None
) -> MatchResult:
    """Play a match. ``seen`` is called now and then with the number of finished games.

    The result is the same for any number of ``workers``. If the match is interrupted, the logs that are written remain.
    Raises PlayError if the number of players does not fit that of the sides, if a player does not exist or cannot play
    all sides, or if a game or a worker fails. Raises LogExists if the folder for the logs is not empty or another
    process writes to it.
    """
    prepared = rulesets.load(plan.ruleset).prepare(plan.scenario, plan.options)
    check_players(prepared, plan.players)
    job, results = MatchRun(plan), list[GameResult]()
    have_ready(job, prepared)

    def take(_: tuple[int, ...], done: list[GameResult]) -> None:
        results.extend(done)
        seen(len(results))

    with ExitStack() as stack:
        if plan.out is not None:
            stack.enter_context(claimed_folder(plan.out))
        Scheduler(stack, [prepared], workers).run(Workload(iter(range(plan.games)), plan.games, lambda _: job, take))
    return MatchResult(plan, prepared.ruleset.viewers, tuple(sorted(results, key=lambda result: result.game)))
