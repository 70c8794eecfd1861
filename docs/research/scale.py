"""Costs of a large tournament: size, report, resume, memory, and the rate at which a leader stores games.

    python docs/research/scale.py rows 100000 10       # stored games, one in ten of them really played
    python docs/research/scale.py leader               # games per second that one leader stores, by games per task
    python docs/research/scale.py crowd                # load of up to a thousand cores, by simulation
    python docs/research/scale.py workers 4            # the same games with 1, 2, 4 processes: speed-up
    python docs/research/scale.py dask 2               # the same games with the pool and with dask

`rows` stores games of toy between two players. Played games are stored unchanged. The others repeat their results and
logs under their own numbers, pairs and seeds, so that the sizes are realistic.
"""

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import islice
from pathlib import Path
from statistics import median

from sandtable.lab.ratings.findings import findings
from sandtable.lab.ratings.results import COLUMNS, Tally
from sandtable.lab.tournament.annexes import Aside
from sandtable.lab.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.lab.tournament.payloads import compressed
from sandtable.lab.tournament.play import play_planned
from sandtable.lab.tournament.preparing import Stage, set_stage
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.schedule import opening
from sandtable.lab.tournament.store import FILE, Store
from sandtable.plugin.manager import Rulesets

TEXT = """
[tournament]
title = "Scale"
seed = "scale"
games = {games}
[[contest]]
ruleset = "toy"
[[entrant]]
name = "a"
player = "random"
[[entrant]]
name = "b"
player = "first"
"""
CHUNK = 500
TURNS = 3
GAMES = 8_000


def told(*words: object) -> None:
    """Print a line."""
    print(*words, flush=True)


def most_memory() -> int:
    """Return the peak memory of this process in megabytes; on Linux, without that of its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def begun(games: int, folder: Path) -> tuple[Store, Stage]:
    """Return a store and its stage."""
    text = TEXT.format(games=games)
    manifest = TournamentManifest(text, str(folder), parse_manifest(text, "scale"))
    return Store.create(folder, manifest), set_stage(manifest.tournament, Rulesets(), manifest.base)


def rows(games: int, share: int, folder: Path) -> None:
    """Fill a store, then measure it, each time in a separate process because of its memory."""
    store, stage = begun(games, folder)
    with store:
        plans = iter(opening(stage.tournament, stage.sides))
        samples = [play_planned(stage, plan).body for plan in islice(opening(stage.tournament, stage.sides), 12)]
        store.add_dictionary(0, samples)
        number, dictionary = store.dictionary(0)
        packed, fresh = [], []
        for plan in islice(plans, games // share):
            each = play_planned(stage, plan)
            packed.append((each.row, number, compressed(each.body, dictionary), each.aside))
            fresh.append((plan, *packed[-1]))
            if len(fresh) == CHUNK:
                store.put(fresh)
                fresh = []
        store.put(fresh)
        count = len(packed)
        while chunk := list(islice(plans, CHUNK)):
            store.put(
                (plan, replace(row, number=plan.number), at, body, Aside())
                for plan in chunk
                for row, at, body, _ in [packed[plan.number % count]]
            )
        Runner(store, stage)  # plays nothing; a run stores the versions and hashes
    size = (folder / FILE).stat().st_size
    told(f"{games:,} games, {count:,} of them played: {size / 1e6:,.0f} MB, {size / games:,.0f} bytes a game")
    for what in ("report", "resume"):
        subprocess.run([sys.executable, __file__, what, str(folder)], check=True)  # noqa: S603 - ourselves


def report(folder: Path) -> None:
    """Measure a report of the stored games."""
    began = time.process_time()
    with Store.open(folder) as store:
        tally = Tally(store.manifest.tournament)
        tally.add_stored(store.results(COLUMNS))
        found = findings(tally, store.annex())
    told(f"report of {found.games:,} games: {time.process_time() - began:.1f} s, {most_memory()} MB peak memory")


def resume(folder: Path) -> None:
    """Measure the resumption of a finished tournament."""
    began = time.process_time()
    with Store.open(folder, to_write=True) as store:
        manifest = store.manifest
        Runner(store, set_stage(manifest.tournament, Rulesets(), manifest.base)).run()
    told(f"resume: {time.process_time() - began:.1f} s, {most_memory()} MB peak memory")


def leader(folder: Path) -> None:
    """Measure the number of games per second that one process can store, by games per task."""
    store, stage = begun(200_000, folder)
    with store:
        plans = iter(opening(stage.tournament, stage.sides))
        games = [play_planned(stage, plan) for plan in islice(opening(stage.tournament, stage.sides), 40)]
        bodies = [compressed(each.body, b"") for each in games]
        for size in (1, 10, 100, 500):
            chunks = [list(islice(plans, size)) for _ in range(max(4, 2_000 // size))]
            began = time.perf_counter()
            for chunk in chunks:
                store.put(
                    (plan, replace(games[at].row, number=plan.number), 0, bodies[at], games[at].aside)
                    for plan in chunk
                    for at in [plan.number % 40]
                )
            took = time.perf_counter() - began
            rate, each_took = size * len(chunks) / took, 1e3 * took / len(chunks)
            told(f"tasks of {size}: {rate:,.0f} games a second, {each_took:.1f} ms each")


def timed(folder: Path, workers: int, cluster: str = "") -> tuple[float, float]:
    """Play the games with ``workers`` processes or a cluster; return the seconds, and the share of play in them."""
    store, stage = begun(GAMES, folder)
    with store:
        runner = Runner(store, stage, workers=workers, cluster=cluster)
        began = time.perf_counter()
        runner.run()
        took = time.perf_counter() - began
    return took, runner.playing_seconds / took / workers


def workers(most: int, folder: Path) -> None:
    """Play the same games with more and more processes, three times each, and print medians."""
    numbers = [1]
    while numbers[-1] * 2 <= most:
        numbers.append(numbers[-1] * 2)
    runs = [{number: timed(folder / f"{turn}-{number}", number) for number in numbers} for turn in range(TURNS)]
    for number in numbers:
        took = median(run[number][0] for run in runs)
        ratio = median(run[1][0] / run[number][0] for run in runs)
        share = median(run[number][1] for run in runs)
        told(f"{number} processes: {took:.1f} s, {ratio:.2f} times one; {share:.0%} of their time is play")


def cluster(number: int) -> None:
    """Print the address of a dask cluster, and run it until the standard input ends."""
    from distributed import LocalCluster  # noqa: PLC0415 - the extra `cluster`

    with LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None) as running:
        told(running.scheduler_address)
        sys.stdin.read()


def dask(number: int, folder: Path) -> None:
    """Play the same games with the pool and with a dask cluster on this machine, alternately three times."""
    command = [sys.executable, __file__, "cluster", str(number)]  # its scheduler must not slow this process
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:  # noqa: S603 - ourselves
        address = str(running.stdout and running.stdout.readline()).strip()
        timed(folder / "first", number, address)  # its workers load what they play with
        runs = [
            (timed(folder / f"{turn}-pool", number), timed(folder / f"{turn}-dask", number, address))
            for turn in range(TURNS)
        ]
        running.communicate()
    ratio = median(by_dask[0] / by_pool[0] for by_pool, by_dask in runs)
    each = ", ".join(f"{by_pool[0]:.1f} and {by_dask[0]:.1f}" for by_pool, by_dask in runs)
    shares = [median(run[which][1] for run in runs) for which in (0, 1)]
    told("of their time is play: by the pool {:.0%}, by dask {:.0%}".format(*shares))
    told(f"{number} processes, seconds by the pool and by dask: {each}; dask takes {ratio:.2f} times the pool's")


def kept_busy(cores: int, task_ms: int, store_ms: int) -> float:
    """Return the share of time that ``cores`` play if one leader takes ``store_ms`` for each task.

    Each core has a second task waiting, as the scheduler sends them: it is idle only when both wait for the leader.
    """
    ready = [(task_ms + task_ms * core // cores, core, 0) for core in range(cores)]  # done at, by whom, tasks to come
    heapify(ready)
    free, tasks, waiting = 0, 0, [1] * cores
    end = 60_000 + 20 * task_ms
    while ready and ready[0][0] < end:
        done, core, _ = heappop(ready)
        tasks += done > end // 2
        free = max(free, done) + store_ms  # the leader stores, and sends the next one
        waiting[core] -= 1
        start = done if waiting[core] >= 0 else free
        waiting[core] += 1
        heappush(ready, (max(start, free - task_ms) + task_ms, core, 0))
    return min(1.0, tasks * task_ms / (end - end // 2) / cores)


def crowd() -> None:
    """Print the load of many cores, by the length of tasks."""
    for task_ms in (500, 2_000, 10_000):
        shares = ", ".join(f"{cores}: {kept_busy(cores, task_ms, 9):.0%}" for cores in (16, 50, 100, 300, 1_000))
        told(f"tasks of {task_ms / 1000:g} s, 9 ms to store one: {shares}")


def main(words: list[str]) -> None:
    """Run the command."""
    what = words[0] if words else "rows"
    if what in {"report", "resume"}:
        {"report": report, "resume": resume}[what](Path(words[1]))
        return
    if what == "crowd":
        crowd()
        return
    if what == "cluster":
        cluster(int(words[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        if what == "rows":
            rows(*(int(each) for each in (words[1:] + ["100000", "10"][len(words) - 1 :])), Path(folder))
        elif what == "leader":
            leader(Path(folder))
        else:
            {"workers": workers, "dask": dask}[what](int(words[1]) if len(words) > 1 else 2, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
