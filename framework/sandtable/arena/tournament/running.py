"""Playing what is missing of a tournament, in chunks, by whichever workers there are, into its store."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter

import msgspec

from sandtable.arena.tournament.bodies import DICTIONARY, compressed, expanded
from sandtable.arena.tournament.deciding import Deciding
from sandtable.arena.tournament.executors import Cluster, Crew, Pool
from sandtable.arena.tournament.manifest import differences
from sandtable.arena.tournament.plan import GamePlan, Row, Tournament
from sandtable.arena.tournament.play import play_planned
from sandtable.arena.tournament.schedule import Round, history_of, opening, rounds_of, swiss_round
from sandtable.arena.tournament.stage import Stage, set_stage, surroundings
from sandtable.arena.tournament.store import Store
from sandtable.errors import LogExists, PlayError, SandtableError
from sandtable.plugin.manager import Rulesets, one_line

TASK_SECONDS = 0.25
"""A task of this length is worth sending, and little is lost with it."""

SHORT_SECONDS = 2.0
"""Work of this length is not worth starting other processes for."""

MOST_A_TASK = 500
MOST_BREAKS = 3
"""So often in turn, without a game played between, workers may die."""

ENOUGH_GAMES = 12
"""So many games make a dictionary, even if they are short."""

Seen = Callable[[GamePlan, Row], object]


@dataclass(frozen=True)
class Task:
    """What a worker is told: the tournament, where its files are, what it must be played with, and which games."""

    tournament: Tournament
    base: str
    plugins_dir: str | None
    surroundings: dict[str, str]
    plans: tuple[GamePlan, ...]
    dictionaries: dict[int, tuple[int, bytes]]


@dataclass(frozen=True)
class Done:
    """What a worker gives back: for each game its row, the number of a dictionary, and the body compressed with it."""

    games: list[tuple[Row, int, bytes]]
    seconds: float


_STAGES: dict[tuple[str, str, str | None], Stage] = {}
"""What this process has made ready: one tournament at a time."""


def work(task: Task) -> Done:
    """Play the games of ``task``; raises PlayError where this process would play by other rules than the tournament."""
    key = (task.tournament.digest, task.base, task.plugins_dir)
    if key not in _STAGES:
        _STAGES.clear()
        stage = set_stage(task.tournament, Rulesets(task.plugins_dir), task.base)
        check_surroundings(task.surroundings, surroundings(stage), "a worker")
        _STAGES[key] = stage
    stage = _STAGES[key]
    began = perf_counter()
    games = []
    for plan in task.plans:
        played = play_planned(stage, plan)
        number, dictionary = task.dictionaries[plan.contest]
        games.append((played.row, number, compressed(played.body, dictionary)))
    return Done(games, perf_counter() - began)


def check_surroundings(there: dict[str, str], here: dict[str, str], who: str) -> None:
    """Raise LogExists, with the difference, where ``who`` has other rulesets, scenarios or bots than the tournament."""
    found = list(differences(there, here))
    if found:
        problem = f"{who} has other rules or bots than the tournament began with: {found[0]}"
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise LogExists(f"{problem}{more}: use those it began with, or begin anew in another folder")


def same_surroundings(store: Store, stage: Stage) -> dict[str, str]:
    """Return what the tournament is played with: noted when it begins, and the same ever after, or LogExists."""
    here = surroundings(stage)
    noted = store.fact("surroundings")
    if noted:
        check_surroundings(msgspec.json.decode(noted, type=dict[str, str]), here, f"{store.folder}: this machine")
    else:
        store.note("surroundings", msgspec.json.encode(here).decode())
    return here


def total_of(stage: Stage) -> int:
    """Return how many games there are at most."""
    return len(opening(stage.tournament, stage.sides)) * rounds_of(stage.tournament)


def rounds(store: Store, stage: Stage) -> Iterator[Round]:
    """Yield round after round; the one before must have been played when the next is asked for."""
    each = opening(stage.tournament, stage.sides)
    before = [each]
    yield each
    while len(before) < rounds_of(stage.tournament):
        results = ((plan, row.winner) for plan, row in store.games() if plan.number < each.first + len(each))
        each = swiss_round(stage.tournament, stage.sides, each, history_of(stage.tournament, before, results))
        before.append(each)
        yield each


@dataclass
class _Flight:
    """Tasks on their way, and those that are to be sent again."""

    crew: Crew
    running: dict[Future[Done], tuple[GamePlan, ...]] = field(default_factory=dict)
    again: deque[tuple[GamePlan, ...]] = field(default_factory=deque)
    sent: int = 0

    @property
    def most(self) -> int:
        """How many tasks may be on their way: nobody should wait for the next."""
        return 2 * self.crew.width if self.crew.width > 1 else 1


@dataclass
class Runner:
    """Plays a tournament in ``store`` to its end; ``seen`` is told of every game that is stored.

    Without ``cluster``, the address of a dask scheduler, ``workers`` processes of this machine play, or this one alone.
    """

    store: Store
    stage: Stage
    plugins_dir: str | None = None
    workers: int = 1
    cluster: str = ""
    seen: Seen = lambda plan, row: None  # noqa: ARG005
    played: int = 0
    playing_seconds: float = 0.0
    _pace: float = 0.0
    _samples: dict[int, list[bytes]] = field(default_factory=dict)
    _known: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    _surroundings: dict[str, str] = field(default_factory=dict)
    _breaks: int = 0

    def run(self) -> None:
        """Play all that is missing. Whatever interrupts it, what is stored stays, and a new runner goes on.

        Raises LogExists where rules or bots are others than the tournament began with, PlayError when a game or the
        workers fail, LogWriteFailed when the store cannot be written.
        """
        self._surroundings = same_surroundings(self.store, self.stage)
        for contest in range(len(self.stage.prepared)):
            self._known[contest] = self.store.dictionary(contest)
        with ExitStack() as leaving:
            crew = leaving.enter_context(Cluster(self.cluster) if self.cluster else Crew())
            for each in rounds(self.store, self.stage):
                deciding = Deciding(self.stage.tournament.stop, self.stage.tournament, self.store.games(), each)
                self.store.drop(deciding.surplus())
                there = self.store.numbers()
                left = len(each) - sum(number >= each.first for number in there)
                missing = (plan for plan in each if plan.number not in there and not deciding.is_decided(plan))
                if not self.cluster and crew.width < self.workers:
                    for plan in islice(missing, 1):  # tells how long a game takes
                        self._round(crew, iter([plan]), deciding, 1)
                        left -= 1
                    if self._pace * left > SHORT_SECONDS:
                        crew = leaving.enter_context(Pool(self.workers))
                self._round(crew, missing, deciding, left)

    def _round(self, crew: Crew, missing: Iterator[GamePlan], deciding: Deciding, left: int) -> None:
        """Play ``missing``, of which there are ``left`` at most, and store them as they come."""
        try:
            flight = _Flight(crew)
            while self._send(flight, missing, left):
                for future in wait(flight.running, return_when=FIRST_COMPLETED).done:
                    plans = flight.running.pop(future, ())
                    try:
                        if plans:
                            self._store(plans, future.result(), deciding)
                    except BrokenExecutor as error:
                        self._rebuild(flight, plans, error)
        except SandtableError:
            raise
        except Exception as error:
            if not self.cluster:
                raise
            problem = f"the cluster failed: {one_line(error)}: all stored games are safe: `sandtable tournament"
            raise PlayError(f"{problem} resume {self.store.folder}` goes on") from error

    def _send(self, flight: "_Flight", missing: Iterator[GamePlan], left: int) -> bool:
        """Send tasks until the crew has enough of them; return whether any is on its way."""
        while len(flight.running) < flight.most:
            left_now = left - flight.sent
            plans = flight.again.popleft() if flight.again else tuple(islice(missing, self._size(left_now, flight)))
            if not plans:
                break
            flight.sent += len(plans)
            dictionaries = {plan.contest: self._known[plan.contest] for plan in plans}
            manifest, plugins = self.store.manifest, self.plugins_dir
            task = Task(self.stage.tournament, manifest.base, plugins, self._surroundings, plans, dictionaries)
            try:
                flight.running[flight.crew.executor.submit(work, task)] = plans
            except BrokenExecutor as error:
                self._rebuild(flight, plans, error)
        return bool(flight.running)

    def _size(self, left: int, flight: "_Flight") -> int:
        """Return how many games the next task should have: some work, but not all that is left to one worker."""
        size = round(TASK_SECONDS / self._pace) if self._pace else 1
        return max(1, min(size, MOST_A_TASK, left // (2 * flight.crew.width)))

    def _rebuild(self, flight: "_Flight", plans: tuple[GamePlan, ...], error: BaseException) -> None:
        """Let a new crew do what was on its way when workers of the old one were killed."""
        self._breaks += 1
        if self._breaks > MOST_BREAKS or not flight.crew.can_be_rebuilt:
            problem = f"workers died {self._breaks} times in turn: too little memory? All stored games are safe"
            raise PlayError(f"{problem}: `sandtable tournament resume {self.store.folder}` goes on") from error
        flight.again.extend(each for each in (plans, *flight.running.values()) if each)
        flight.running.clear()
        flight.crew.rebuild()

    def _store(self, plans: tuple[GamePlan, ...], done: Done, deciding: Deciding) -> None:
        """Store the games of a task, but those of pairings that were decided before."""
        self._breaks = 0
        pace = done.seconds / len(plans)
        self._pace = (self._pace + pace) / 2 if self._pace else pace
        self.playing_seconds += done.seconds
        games = [(plan, *game) for plan, game in zip(plans, done.games, strict=True) if not deciding.is_decided(plan)]
        if not games:
            return
        self.store.put(games)
        for plan, row, dictionary, packed in games:
            deciding.add(plan, row)
            self.seen(plan, row)
            if not dictionary:
                self._sample(plan.contest, packed)
        self.played += len(games)
        self.store.drop(deciding.surplus())

    def _sample(self, contest: int, packed: bytes) -> None:
        """Keep a body for a dictionary; make it when there is enough."""
        if self._known[contest][0]:
            return
        samples = self._samples.setdefault(contest, [])
        samples.append(expanded(packed, b"", "a sample"))
        if len(samples) >= ENOUGH_GAMES or sum(map(len, samples)) >= DICTIONARY:
            self.store.add_dictionary(contest, samples)
            self._known[contest] = self.store.dictionary(contest)
            del self._samples[contest]
