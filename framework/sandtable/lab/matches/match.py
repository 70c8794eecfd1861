"""Matches: many games of two players, in pairs with the same dice and the sides swapped.

A game depends only on the plan and its number. The seed of pair 7 of a match with the seed "x" is "x/7", so `sandtable
play --seed x/7` replays it. Process, time and order of the games do not matter.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from sandtable.files.folders import claimed_folder
from sandtable.lab.matches.games import GameResult, MatchPlan, check_players, play_one, sides_of
from sandtable.lab.statistics import Strength, strength
from sandtable.players.players import admit
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.rules.chance.outcomes import wilson
from sandtable.workers.tasks import Batch, Scheduler, Workload, have_ready


@dataclass(frozen=True)
class Score:
    """A player's points (a draw is half a point) in ``games`` games, with their share and its 95 % interval."""

    name: str
    points: float
    games: int

    @property
    def score(self) -> float:
        """Share of the points, 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the true score."""
        return wilson(self.points, self.games) or (0.0, 1.0)


@dataclass(frozen=True)
class MatchResult:
    """All games of a match, sorted by number."""

    plan: MatchPlan
    sides: tuple[str, str]
    results: tuple[GameResult, ...]

    @property
    def scores(self) -> tuple[Score, Score]:
        """The scores of both players."""
        points = sum(map(_points, self.results))
        games = len(self.results)
        first, second = self.plan.players
        return Score(first, points, games), Score(second, games - points, games)

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
    def margin(self) -> int | None:
        """Total of the first player's margins in points, or None if the rules define no margin."""
        margins = [result.margin for result in self.results if result.margin is not None]
        return sum(margins) if margins else None

    @property
    def strength(self) -> Strength | None:
        """How much stronger the first player is, computed from complete pairs, or None if that cannot be estimated."""
        pairs = [0] * 5
        for one, other in zip(self.results[::2], self.results[1::2], strict=False):
            pairs[round(2 * (_points(one) + _points(other)))] += 1
        return strength(pairs)


def _points(result: GameResult) -> float:
    return 1.0 if result.outcome == result.first else 0.5 if result.outcome == "draw" else 0.0


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
    Raises PlayError if the ruleset does not have exactly two sides, if a player does not exist or cannot play both
    sides, or if a game or a worker fails. Raises LogExists if the folder for the logs is not empty or another process
    writes to it.
    """
    prepared = rulesets.load(plan.ruleset).prepare(plan.scenario, plan.options)
    sides = sides_of(prepared)
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
    return MatchResult(plan, sides, tuple(sorted(results, key=lambda result: result.game)))
