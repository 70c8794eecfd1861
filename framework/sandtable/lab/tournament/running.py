"""Play the missing games of a tournament in chunks, with any number of workers, into its store."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec

from sandtable.errors import LogExists
from sandtable.kernel.play.endings import shares_of
from sandtable.lab.plan import GamePlan, Row, Tournament
from sandtable.lab.ratings.sprt import is_enabled
from sandtable.lab.tournament.annexes import Aside
from sandtable.lab.tournament.manifest import differences
from sandtable.lab.tournament.payloads import DICTIONARY, compressed, expanded
from sandtable.lab.tournament.play import play_planned
from sandtable.lab.tournament.preparing import Stage, rules_here, set_stage, surroundings
from sandtable.lab.tournament.schedule import Round, games_of, history_of, opening, rounds_of, swiss_round
from sandtable.lab.tournament.stopping import SprtStopper
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets
from sandtable.workers.tasks import Batch, Scheduler, Workload, have_ready

MAX_LISTED = 3
"""Maximum number of changed surroundings that are listed."""

ENOUGH_GAMES = 12
"""Number of games that are enough for a dictionary, even if they are short."""

Packed = tuple[Row, int, bytes, Aside]
"""A worker's result for a game: row, number of a dictionary, body compressed with it, and aside."""

Seen = Callable[[GamePlan, Row], object]


@dataclass(frozen=True)
class TournamentRun(Batch[Stage, GamePlan, Packed]):
    """The job of a worker: the tournament, the place of its files, and the surroundings to play it with."""

    tournament: Tournament
    base: str
    plugins_dir: str | None
    surroundings: dict[str, str]
    dictionaries: dict[int, tuple[int, bytes]]
    folder: str = ""
    code: str | None = None

    @property
    def key(self) -> object:
        """The tournament and the place of its files, which identify the job."""
        return self.tournament.digest, self.base, self.plugins_dir, self.folder, self.code

    def make_ready(self) -> Stage:
        """Return the stage. Raises LogExists if the rules of this process differ from those of the tournament.

        Raises DataError if the program of an entrant is not on this machine.
        """
        rulesets = Rulesets(self.plugins_dir)
        noted = self.surroundings
        stage = set_stage(self.tournament, rulesets, self.base, "a worker", to_play=True, code=self.code, noted=noted)
        check_surroundings(self.surroundings, surroundings(stage), "a worker")
        return replace(stage, folder=self.folder)

    def do(self, ready: Stage, item: GamePlan) -> Packed:
        """Play a game."""
        played = play_planned(ready, item)
        number, dictionary = self.dictionaries[item.contest]
        return played.row, number, compressed(played.body, dictionary), played.aside


def check_surroundings(there: dict[str, str], here: dict[str, str], who: str) -> None:
    """Raise LogExists if the rulesets, scenarios or bots of ``who`` differ from the tournament's."""
    found = list(differences(there, here))
    if found:
        problem = f"{who} has other rules or bots than the tournament began with: {found[0]}"
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise LogExists(f"{problem}{more}: restore those it began with, or start again in another folder")


def same_surroundings(store: Store, stage: Stage) -> dict[str, str]:
    """Return the surroundings of the tournament, which are stored when it begins.

    Raises LogExists if they have changed.
    """
    here = surroundings(stage)
    noted = store.surroundings()
    if noted:
        check_surroundings(noted, here, f"{store.folder}: this machine")
    else:
        store.note("surroundings", msgspec.json.encode(here).decode())
    return here


def other_rules(store: Store, stage: Stage, *, bots: bool = False) -> str:
    """Return a sentence if the rules differ from those that the tournament was played with, or "".

    With ``bots`` the files of the bots are compared as well.
    """
    here = surroundings(stage) if bots else rules_here(stage)
    was = store.surroundings() or here
    found = [
        f"{name}: was {was.get(name, 'nothing')}, is {each}" for name, each in here.items() if was.get(name) != each
    ]
    if not found:
        return ""
    more = f" (and {len(found) - MAX_LISTED} more)" if len(found) > MAX_LISTED else ""
    what = "rules or bots" if bots else "rules"
    listed = "; ".join(found[:MAX_LISTED])
    return f"{what} differ from those it was played with: {listed}{more}: this may cause the differences"


def total_of(stage: Stage) -> int:
    """Return the maximum number of games."""
    return games_of(stage.tournament, stage.sides)


def rounds(store: Store, stage: Stage) -> Iterator[Round]:
    """Yield round after round. Each round must have been played before the next one is requested."""
    each = opening(stage.tournament, stage.sides)
    earlier = [each]
    yield each
    while len(earlier) < rounds_of(stage.tournament):
        end = each.first + len(each)
        results = (
            (plan, shares_of(row.outcome, row.shares, list(plan.lineup)))
            for plan, row in store.games()
            if plan.number < end
        )
        each = swiss_round(stage.tournament, stage.sides, each, history_of(stage.tournament, earlier, results))
        earlier.append(each)
        yield each


def undecided(store: Store, stage: Stage) -> set[int]:
    """Return the numbers of stored games that may not count because earlier pairs are incomplete."""
    stop, last = stage.tournament.stop, max(store.numbers(), default=-1)
    if not is_enabled(stop) or last < 0:
        return set()
    current = next(each for each in rounds(store, stage) if last < each.first + len(each))
    return SprtStopper(stop, stage.tournament, store.games(), current).undecided


@dataclass
class Runner:
    """A runner that plays the tournament in ``store``. ``seen`` is called for each game that certainly counts.

    Without ``cluster``, the address of a dask scheduler, the games are played by ``workers`` local processes, or by
    this process alone.
    """

    store: Store
    stage: Stage
    plugins_dir: str | None = None
    workers: int = 1
    cluster: str = ""
    seen: Seen = lambda *_: None
    played: int = 0
    playing_seconds: float = 0.0
    _samples: dict[int, list[bytes]] = field(default_factory=dict)
    _known: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    _surroundings: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        """Play all missing games. If this is interrupted, the stored games remain, and a new runner continues.

        Raises LogExists if rules or bots differ from those the tournament began with, PlayError if a game or a worker
        fails, and LogWriteFailed if the store cannot be written.
        """
        self._surroundings = same_surroundings(self.store, self.stage)
        for contest in range(len(self.stage.prepared)):
            self._known[contest] = self.store.dictionary(contest)
        have_ready(self._job(()), replace(self.stage, folder=str(self.store.folder.resolve())))
        recovery_hint = f"All stored games are safe: `sandtable tournament resume {self.store.folder}` continues"
        with ExitStack() as stack:
            dispatch = Scheduler(stack, self.stage.prepared, self.workers, self.cluster, recovery_hint=recovery_hint)
            for each in rounds(self.store, self.stage):
                stopper = SprtStopper(self.stage.tournament.stop, self.stage.tournament, self.store.games(), each)
                self.store.drop(stopper.surplus())
                there = self.store.numbers()
                left = len(each) - sum(each.first <= number < each.first + len(each) for number in there)
                missing = (plan for plan in each if plan.number not in there and not stopper.is_decided(plan))
                dispatch.run(Workload(missing, left, self._job, partial(self._store, stopper)))
                self.playing_seconds = dispatch.seconds

    def _job(self, plans: tuple[GamePlan, ...]) -> TournamentRun:
        dictionaries = {plan.contest: self._known[plan.contest] for plan in plans}
        stage, folder = self.stage, str(self.store.folder.resolve())
        return TournamentRun(
            stage.tournament, stage.base, self.plugins_dir, self._surroundings, dictionaries, folder, stage.code
        )

    def _store(self, stopper: SprtStopper, plans: tuple[GamePlan, ...], results: list[Packed]) -> None:
        """Store the games of a task, except those of decided pairings, and drop stored games that became surplus."""
        games = [(plan, *game) for plan, game in zip(plans, results, strict=True) if not stopper.is_decided(plan)]
        if not games:
            return
        self.store.put(games)
        self.played += len(games)
        for plan, row, dictionary, packed, _ in games:
            for game in stopper.add(plan, row):
                self.seen(*game)
            if not dictionary:
                self._sample(plan.contest, packed)
        self.store.drop(stopper.surplus())

    def _sample(self, contest: int, packed: bytes) -> None:
        """Keep a body for a dictionary, and make the dictionary when there are enough bodies."""
        if self._known[contest][0]:
            return
        samples = self._samples.setdefault(contest, [])
        samples.append(expanded(packed, b"", "a sample"))
        if len(samples) >= ENOUGH_GAMES or sum(map(len, samples)) >= DICTIONARY:
            self.store.add_dictionary(contest, samples)
            self._known[contest] = self.store.dictionary(contest)
            del self._samples[contest]
