"""Playing what is missing of a tournament, in chunks, by whichever workers there are, into its store."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec

from sandtable.errors import LogExists
from sandtable.lab.plan import GamePlan, Row, Tournament
from sandtable.lab.ratings.sprt import is_wanted
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

MOST_TOLD = 3
"""So many things that are not what they were are named."""

ENOUGH_GAMES = 12
"""So many games make a dictionary, even if they are short."""

Packed = tuple[Row, int, bytes, Aside]
"""What a worker gives back of a game: its row, the number of a dictionary, the body compressed with it, an aside."""

Seen = Callable[[GamePlan, Row], object]


@dataclass(frozen=True)
class TournamentRun(Batch[Stage, GamePlan, Packed]):
    """What a worker is told: the tournament, where its files are, and what it must be played with."""

    tournament: Tournament
    base: str
    plugins_dir: str | None
    surroundings: dict[str, str]
    dictionaries: dict[int, tuple[int, bytes]]
    folder: str = ""
    code: str | None = None

    @property
    def key(self) -> object:
        """The tournament, and where its files are."""
        return self.tournament.digest, self.base, self.plugins_dir, self.folder, self.code

    def make_ready(self) -> Stage:
        """Return the stage; raises LogExists where this process would play by other rules than the tournament.

        Raises DataError where a program of an entrant is not on this machine.
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
    """Raise LogExists, with the difference, where ``who`` has other rulesets, scenarios or bots than the tournament."""
    found = list(differences(there, here))
    if found:
        problem = f"{who} has other rules or bots than the tournament began with: {found[0]}"
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise LogExists(f"{problem}{more}: use those it began with, or begin anew in another folder")


def same_surroundings(store: Store, stage: Stage) -> dict[str, str]:
    """Return what the tournament is played with: noted when it begins, and the same ever after, or LogExists."""
    here = surroundings(stage)
    noted = store.surroundings()
    if noted:
        check_surroundings(noted, here, f"{store.folder}: this machine")
    else:
        store.note("surroundings", msgspec.json.encode(here).decode())
    return here


def other_rules(store: Store, stage: Stage, *, bots: bool = False) -> str:
    """Return, as a sentence, that the tournament was played with other rules than those here; "" if it was not.

    With ``bots`` their files are looked at, too.
    """
    here = surroundings(stage) if bots else rules_here(stage)
    was = store.surroundings() or here
    found = [
        f"{name}: was {was.get(name, 'nothing')}, is {each}" for name, each in here.items() if was.get(name) != each
    ]
    if not found:
        return ""
    more = f" (and {len(found) - MOST_TOLD} more)" if len(found) > MOST_TOLD else ""
    what = "rules or bots" if bots else "rules"
    return f"other {what} than it was played with: {'; '.join(found[:MOST_TOLD])}{more}: what differs may come of that"


def total_of(stage: Stage) -> int:
    """Return how many games there are at most."""
    return games_of(stage.tournament, stage.sides)


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


def unsettled(store: Store, stage: Stage) -> set[int]:
    """Return the numbers of stored games that may turn out not to count: pairs before theirs are not complete."""
    stop, last = stage.tournament.stop, max(store.numbers(), default=-1)
    if not is_wanted(stop) or last < 0:
        return set()
    current = next(each for each in rounds(store, stage) if last < each.first + len(each))
    return SprtStopper(stop, stage.tournament, store.games(), current).unsettled


@dataclass
class Runner:
    """Plays a tournament in ``store`` to its end; ``seen`` is told of every game once it is sure that it counts.

    Without ``cluster``, the address of a dask scheduler, ``workers`` processes of this machine play, or this one alone.
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
        """Play all that is missing. Whatever interrupts it, what is stored stays, and a new runner goes on.

        Raises LogExists where rules or bots are others than the tournament began with, PlayError when a game or the
        workers fail, LogWriteFailed when the store cannot be written.
        """
        self._surroundings = same_surroundings(self.store, self.stage)
        for contest in range(len(self.stage.prepared)):
            self._known[contest] = self.store.dictionary(contest)
        have_ready(self._job(()), replace(self.stage, folder=str(self.store.folder.resolve())))
        comfort = f"All stored games are safe: `sandtable tournament resume {self.store.folder}` goes on"
        with ExitStack() as leaving:
            dispatch = Scheduler(leaving, self.stage.prepared, self.workers, self.cluster, comfort=comfort)
            for each in rounds(self.store, self.stage):
                deciding = SprtStopper(self.stage.tournament.stop, self.stage.tournament, self.store.games(), each)
                self.store.drop(deciding.surplus())
                there = self.store.numbers()
                left = len(each) - sum(each.first <= number < each.first + len(each) for number in there)
                missing = (plan for plan in each if plan.number not in there and not deciding.is_decided(plan))
                dispatch.run(Workload(missing, left, self._job, partial(self._store, deciding)))
                self.playing_seconds = dispatch.seconds

    def _job(self, plans: tuple[GamePlan, ...]) -> TournamentRun:
        dictionaries = {plan.contest: self._known[plan.contest] for plan in plans}
        stage, folder = self.stage, str(self.store.folder.resolve())
        return TournamentRun(
            stage.tournament, stage.base, self.plugins_dir, self._surroundings, dictionaries, folder, stage.code
        )

    def _store(self, deciding: SprtStopper, plans: tuple[GamePlan, ...], results: list[Packed]) -> None:
        """Store the games of a task, but those of pairings that were decided before."""
        games = [(plan, *game) for plan, game in zip(plans, results, strict=True) if not deciding.is_decided(plan)]
        if not games:
            return
        self.store.put(games)
        self.played += len(games)
        for plan, row, dictionary, packed, _ in games:
            for game in deciding.add(plan, row):
                self.seen(*game)
            if not dictionary:
                self._sample(plan.contest, packed)
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
