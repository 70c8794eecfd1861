"""Matches: many games of two players, in pairs with the same dice and the sides swapped.

A game is a function of the plan and its number alone: the seed of pair 7 of a match with the seed "x" is "x/7", so that
`sandtable play --seed x/7` plays it again. Who reckons it, when, and in which order does not matter.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from pathlib import Path
from time import perf_counter

from sandtable.arena.players import name_seats, seat_players
from sandtable.arena.statistics import Strength, strength, wilson
from sandtable.errors import LogExists, LogWriteFailed, PlayError, SandtableError
from sandtable.journal.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.plugin.manager import Prepared, Rulesets

TASK_SECONDS = 0.1
"""A task of this length is worth sending to another process."""

SHORT_SECONDS = 2.0
"""Work of this length is not worth starting other processes for."""


@dataclass(frozen=True)
class MatchPlan:
    """What a match is: plain data, from which any process can play any of its games."""

    ruleset: str
    players: tuple[str, str]
    games: int
    seed: str
    scenario: str = ""
    options: dict[str, str] = field(default_factory=dict)
    dice: str = "open"
    plugins_dir: str | None = None
    out: str | None = None

    def seed_of(self, game: int) -> str:
        """Return the seed of game ``game`` (from 0): one for a pair.

        Where a player meets himself, swapping changes nothing: then each game has its own.
        """
        alike = self.players[0] == self.players[1]
        return f"{self.seed}/{(game if alike else game // 2) + 1}"

    def file_of(self, game: int) -> str:
        """Return the name of the log of game ``game`` (from 0)."""
        return f"{game + 1:0{max(4, len(str(self.games)))}d}.jsonl"


@dataclass(frozen=True)
class GameResult:
    """One game of a match: ``first`` is the side of the first player, ``head`` the log's last running hash."""

    game: int
    first: str
    outcome: str
    ending: str
    turns: int
    records: int
    head: str


@dataclass(frozen=True)
class Score:
    """A player's points (a draw is half a one), as a share of the games, with its 95 % interval."""

    name: str
    points: float
    games: int

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The interval in which the true score lies, 95 times of 100."""
        return wilson(self.points, self.games) or (0.0, 1.0)


@dataclass(frozen=True)
class MatchResult:
    """All games of a match, by number."""

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
        """How often the games ended in which way, the commonest first."""
        return dict(Counter(result.ending for result in self.results).most_common())

    @property
    def won_by_side(self) -> dict[str, int]:
        """How many games each side won, whoever played it; and the draws."""
        counts = Counter(result.outcome for result in self.results)
        return {outcome: counts[outcome] for outcome in [*self.sides, "draw"]}

    @property
    def strength(self) -> Strength | None:
        """How much stronger the first player is, from whole pairs; None where that cannot be told."""
        pairs = [0] * 5
        for one, other in zip(self.results[::2], self.results[1::2], strict=False):
            pairs[round(2 * (_points(one) + _points(other)))] += 1
        return strength(pairs)


def _points(result: GameResult) -> float:
    return 1.0 if result.outcome == result.first else 0.5 if result.outcome == "draw" else 0.0


def run_match(
    plan: MatchPlan, rulesets: Rulesets, *, workers: int = 1, seen: Callable[[int], None] | None = None
) -> MatchResult:
    """Play a match; ``seen`` is told how many games are done, now and then.

    The result is the same for any number of ``workers``. Raises PlayError for a ruleset without exactly two sides, for
    unknown players, and when a game fails; LogExists when the folder for the logs is not empty.
    """
    prepared = rulesets.load(plan.ruleset).prepare(plan.scenario, plan.options)
    sides = sides_of(prepared)
    name_seats(prepared, dict(zip(sides, plan.players, strict=True)))
    if plan.out is not None:
        _make_folder(plan.out)
    began = perf_counter()
    results = [play_one(prepared, plan, 0)]
    pace = perf_counter() - began
    seen = seen or (lambda _: None)
    seen(1)
    rest = range(1, plan.games)
    if workers > 1 and pace * len(rest) > SHORT_SECONDS:
        results += _in_processes(plan, rest, pace, workers, seen)
    else:
        for game in rest:
            results.append(play_one(prepared, plan, game))
            seen(game + 1)
    return MatchResult(plan, sides, tuple(sorted(results, key=lambda result: result.game)))


def sides_of(prepared: Prepared) -> tuple[str, str]:
    """Return the two sides that a match is played for; raises PlayError when there are more or fewer."""
    sides = prepared.ruleset.viewers
    if len(sides) != 2:
        raise PlayError(f"a match is for two sides; {prepared.ruleset.id} has {len(sides)}: {', '.join(sides)}")
    return sides[0], sides[1]


def play_one(prepared: Prepared, plan: MatchPlan, game: int) -> GameResult:
    """Play game ``game`` of ``plan``, and write its log where one is wanted."""
    sides = sides_of(prepared)
    lineup = sides if game % 2 == 0 else sides[::-1]
    names = name_seats(prepared, dict(zip(lineup, plan.players, strict=True)))
    key = key_from_seed(plan.seed_of(game))
    dice = make_dice(plan.dice, key)
    header = make_header(prepared, names, dice)
    try:
        played = play_recorded(prepared, seat_players(prepared, names, key), dice, header)
    except SandtableError as error:
        who = " ".join(f"--player {side}={name}" for side, name in zip(lineup, plan.players, strict=True))
        again = f"sandtable play {plan.ruleset} {who} --seed {plan.seed_of(game)}"
        raise PlayError(f"game {game + 1} failed: {error}; play it again with: {again}") from error
    if plan.out is not None:
        _write_whole(Path(plan.out) / plan.file_of(game), played.data)
    state = played.game.state
    return GameResult(game, lineup[0], state.outcome, state.ending, state.turn, played.game.number, played.head.hex())


def _make_folder(out: str) -> None:
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise LogExists(f"{out}: the folder is not empty: name another with --out")
    except OSError as error:
        raise LogWriteFailed(f"{out}: cannot be used as a folder: {error.strerror}") from error


def _write_whole(path: Path, data: bytes) -> None:
    """Write a log in one go: it appears under its name only when all of it is on the disk."""
    part = path.with_suffix(".part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise LogWriteFailed(f"{path}: {error.strerror}") from error


# ---------------------------------------------------------------------- other processes


def _in_processes(
    plan: MatchPlan, games: range, pace: float, workers: int, seen: Callable[[int], None]
) -> Iterable[GameResult]:
    """Play ``games`` in ``workers`` processes, a task of some length at a time."""
    size = max(2, round(TASK_SECONDS / pace))
    chunks = [range(start, min(start + size, games.stop)) for start in range(games.start, games.stop, size)]
    results: list[GameResult] = []
    with ProcessPoolExecutor(min(workers, len(chunks)), _context(), _begin_work, (plan,)) as pool:
        waiting = iter(chunks)
        running: set[Future[list[GameResult]]] = set()
        try:
            _refill(pool, running, waiting, 2 * workers)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    results += future.result()
                seen(1 + len(results))
                _refill(pool, running, waiting, 2 * workers)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def _refill(
    pool: ProcessPoolExecutor, running: set[Future[list[GameResult]]], waiting: Iterator[range], most: int
) -> None:
    while len(running) < most and (chunk := next(waiting, None)) is not None:
        running.add(pool.submit(_work, chunk))


def _context() -> BaseContext:
    """Return a way to start processes that is safe beside threads (a progress bar is one)."""
    return get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")


_AT_WORK: list[tuple[Prepared, MatchPlan]] = []
"""What a worker process plays; it is told once."""


def _begin_work(plan: MatchPlan) -> None:
    import signal  # noqa: PLC0415 - only in a worker

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that leads
    prepared = Rulesets(plan.plugins_dir).load(plan.ruleset).prepare(plan.scenario, plan.options)
    _AT_WORK[:] = [(prepared, plan)]


def _work(games: range) -> list[GameResult]:
    prepared, plan = _AT_WORK[0]
    return [play_one(prepared, plan, game) for game in games]
