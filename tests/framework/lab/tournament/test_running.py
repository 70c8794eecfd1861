"""Running a tournament: the same rows and hashes for any workers, any order, and any number of interruptions."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from tournaments import HEAP, RULESETS, TEXT, base_of, manifest_of, stage_of

from sandtable.errors import LogExists, PlayError
from sandtable.lab.plan import GamePlan, Row
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.tournament import preparing as staging
from sandtable.lab.tournament.preparing import surroundings
from sandtable.lab.tournament.running import Runner, TournamentRun, total_of, undecided
from sandtable.lab.tournament.schedule import opening
from sandtable.lab.tournament.stopping import SprtStopper
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets
from sandtable.workers import tasks
from sandtable.workers.executors import Cluster, Inline, Pool
from sandtable.workers.tasks import work

Play = Callable[..., Store]
TESTED = TEXT.replace("games = 6", "games = 200") + "[stop]\nelo0 = 0\nelo1 = 60\n"
SWISS = TEXT.replace("games = 6", 'games = 2\nschedule = "swiss"\nrounds = 4')
ROUNDS = TESTED.replace("games = 200", 'games = 20\nschedule = "swiss"\nrounds = 2')
EVENTS = {"round robin": TEXT, "three sides": HEAP, "stop rule": TESTED, "swiss": SWISS, "swiss, stop rule": ROUNDS}


@pytest.fixture
def no_work_is_short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    yield
    tasks._READY.clear()


@pytest.mark.full
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.usefixtures("no_work_is_short")
def test_rows_are_the_same_for_any_workers(event: str, play: Play) -> None:
    one = list(play(EVENTS[event], "one").games())
    two = list(play(EVENTS[event], "two", workers=2).games())
    assert one == two
    assert one


@pytest.mark.full
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("cut", [1, 7, 15])
def test_interrupted_tournament_ends_the_same(
    event: str, cut: int, play: Play, rulesets: Rulesets, tmp_path: Path
) -> None:
    complete = list(play(EVENTS[event], "complete").games())
    left = [cut]

    def stop(plan: GamePlan, row: Row) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    stage = stage_of(EVENTS[event], rulesets)
    with Store.create(tmp_path / "cut", manifest_of(EVENTS[event])) as store, pytest.raises(KeyboardInterrupt):
        Runner(store, stage, str(RULESETS), seen=stop).run()
    assert list(play(EVENTS[event], "cut").games()) == complete


@pytest.mark.full
@pytest.mark.parametrize("event", EVENTS)
def test_only_games_that_count_are_reported_once(event: str, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[tuple[GamePlan, Row]] = []
    dropped: list[int] = []
    drop = Store.drop

    def noted(store: Store, numbers: Iterable[int]) -> None:
        each = list(numbers)
        dropped.extend(each)
        drop(store, each)

    monkeypatch.setattr(Store, "drop", noted)
    store = play(EVENTS[event], seen=lambda plan, row: reported.append((plan, row)))
    assert sorted(reported, key=lambda game: game[0].number) == list(store.games())
    assert bool(dropped) == (event == "stop rule")  # in it, some games were played beyond a decision


@pytest.mark.full
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("holes", [(), (0,), (0, 9, 10, 31)])
def test_resume_reports_exactly_the_games_not_yet_counted(
    event: str, holes: tuple[int, ...], play: Play, rulesets: Rulesets
) -> None:
    store = play(EVENTS[event])
    complete, stage = tallied(store, set()), stage_of(EVENTS[event], rulesets)
    store.drop(holes)
    later = undecided(store, stage)
    assert bool(later) == (event.endswith("stop rule") and bool(holes))
    counts = tallied(store, later)
    Runner(store, stage, str(RULESETS), seen=counts.add).run()
    assert (counts.games, counts.cells, counts.pairings) == (complete.games, complete.cells, complete.pairings)


def tallied(store: Store, later: set[int]) -> Tally:
    counts = Tally(store.manifest.tournament)
    counts.add_stored(game for game in store.results(COLUMNS) if game[0] not in later)
    return counts


def test_missing_games_are_played_again_with_the_same_result(play: Play, rulesets: Rulesets) -> None:
    store = play()
    complete = list(store.games())
    store.drop([0, 3, 4, 17, 35])
    seen: list[int] = []
    Runner(store, stage_of(TEXT, rulesets), str(RULESETS), seen=lambda plan, row: seen.append(plan.number)).run()
    assert sorted(seen) == [0, 3, 4, 17, 35]
    assert list(store.games()) == complete


def test_finished_tournament_plays_no_games(play: Play, rulesets: Rulesets) -> None:
    store = play()
    runner = Runner(store, stage_of(TEXT, rulesets), str(RULESETS))
    runner.run()
    assert runner.played == 0


@pytest.mark.full
def test_decided_pairing_plays_no_more_games(play: Play, rulesets: Rulesets) -> None:
    store = play(TESTED)
    games = list(store.games())
    stage = stage_of(TESTED, rulesets)
    assert 0 < len(games) < total_of(stage) == 1200
    complete = opening(stage.tournament, stage.sides)
    stopper = SprtStopper(stage.tournament.stop, stage.tournament, games, complete)
    assert not list(stopper.surplus())
    stored = store.numbers()
    missing = [plan for plan in complete if plan.number not in stored]
    assert missing
    assert all(stopper.is_decided(plan) for plan in missing)
    assert not any(stopper.is_decided(plan) for plan, _ in games)


@pytest.mark.full
def test_games_after_a_decision_are_dropped_in_any_order(play: Play, rulesets: Rulesets) -> None:
    games = list(play(TESTED).games())
    stage = stage_of(TESTED, rulesets)
    complete = opening(stage.tournament, stage.sides)
    last = {frozenset(plan.lineup.values()): plan.pair for plan, _ in games}
    late = [(plan, games[0][1]) for plan in complete if plan.pair > last[frozenset(plan.lineup.values())]][:9]
    for order in (games + late, late + games, late[:4] + games[::-1] + late[4:]):
        stopper = SprtStopper(stage.tournament.stop, stage.tournament, order, complete)
        assert sorted(stopper.surplus()) == sorted(plan.number for plan, _ in late)


def test_swiss_rounds_follow_from_the_results(play: Play) -> None:
    games = list(play(SWISS).games())
    assert {plan.round for plan, _ in games} == {0, 1, 2, 3}
    assert len(games) == 16


def test_changed_rules_are_refused_with_the_difference(play: Play, rulesets: Rulesets) -> None:
    store = play()
    store.note("surroundings", store.fact("surroundings").replace("version 1", "version 0"))
    with pytest.raises(
        LogExists, match=r'other rules or bots .* skirmish: "version 0, .*" there, "version 1, .*" here'
    ):
        Runner(store, stage_of(TEXT, rulesets), str(RULESETS)).run()


def test_changed_framework_is_refused(play: Play, rulesets: Rulesets, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play()
    monkeypatch.setattr(staging, "_framework_hash", lambda: "f" * 64)
    with pytest.raises(LogExists, match=r'framework: "version .*, files \w{16}" there, "version .*, files ffff'):
        Runner(store, stage_of(TEXT, rulesets), str(RULESETS)).run()


@pytest.mark.parametrize("what", ["skirmish", "framework"])
def test_worker_with_different_rules_refuses(what: str, rulesets: Rulesets) -> None:
    stage = stage_of(TEXT, rulesets)
    plans = (opening(stage.tournament, stage.sides)[0],)
    facts = surroundings(stage)
    tasks._READY.clear()
    reported = TournamentRun(stage.tournament, str(RULESETS), str(RULESETS), facts | {what: "older"}, {0: (0, b"")})
    with pytest.raises(LogExists, match=f'a worker has other rules or bots .* {what}: "older" there'):
        work(reported, plans)
    assert not tasks._READY


@pytest.mark.full
@pytest.mark.usefixtures("no_work_is_short")
def test_killed_worker_is_replaced(play: Play) -> None:
    complete = list(play(TEXT.replace("games = 6", "games = 60"), "complete").games())
    killed: list[int] = []

    def kill(plan: GamePlan, row: Row) -> None:
        own = [int(each) for each in _children(os.getpid())]
        grandchildren = [int(each) for child in own for each in _children(child)]
        if len(killed) < 2 and plan.number > 20 and grandchildren:
            killed.append(grandchildren[0])
            os.kill(grandchildren[0], signal.SIGKILL)

    restarted = play(TEXT.replace("games = 6", "games = 60"), "restarted", workers=2, seen=kill)
    assert killed
    assert list(restarted.games()) == complete


def _children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


def test_workers_that_keep_dying_raise_one_line(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dying(Inline):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future

    monkeypatch.setattr(Pool, "_new", lambda self: Dying())
    monkeypatch.setattr(tasks, "SHORT_SECONDS", 0.0)
    with pytest.raises(PlayError, match=r"workers died 4 times in turn: .* `sandtable tournament resume .*` continues"):
        play(workers=2)


@pytest.mark.full
def test_cluster_requires_its_extra_and_a_scheduler() -> None:
    with pytest.raises(PlayError, match=r"install sandtable\[cluster\]|no dask scheduler answers at nowhere"):
        Cluster("nowhere")


def test_small_logs_get_a_dictionary(play: Play) -> None:
    store = play()
    number, dictionary = store.dictionary(0)
    assert number
    assert dictionary
    with base_of(store.folder) as base:
        assert base.execute("select sum(length(body)) from logs").fetchone()[0] < 36 * 700
