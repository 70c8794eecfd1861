"""Bad bots: whatever a program does, the event goes on, its games are forfeited by name, and nothing of it is left."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import misbehaving
import pytest
from figures_of_campaigns import Share

from sandtable.players.processes.limits import fence

distributed = pytest.importorskip("distributed", reason="wants the extra cluster")

GAMES = 20
WHEN = 1
"""At its first question, so that there is a second at which the event may notice."""
EVENT = """
[tournament]
title = "Bad bots"
seed = "{seed}"
games = {games}
[budget]
seconds = {seconds}
memory_mb = 128
output_kb = 64
[[contest]]
ruleset = "tictactoe"
[[entrant]]
name = "bad"
command = {command}
[[entrant]]
name = "chance"
player = "random"
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a dask cluster of two workers on this machine."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield str(found.scheduler_address)


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", misbehaving.BEHAVIOURS)
@pytest.mark.parametrize("executor", ["pool", "cluster"])
def test_the_event_goes_on(
    behaviour: str, executor: str, campaign: Share, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    token = f"bad-{executor}-{behaviour}"
    wanted = misbehaving.expected(behaviour, WHEN, fenced=bool(fence()))
    games = max(2, campaign.of(GAMES) // 2 * 2)
    command = json.dumps([sys.executable, misbehaving.__file__, behaviour, str(WHEN), token])
    text = EVENT.format(seed=campaign.seed, games=games, seconds=2 if wanted == "time" else 60, command=command)
    (tmp_path / "event.toml").write_text(text)
    (rooms := tmp_path / "rooms").mkdir()
    allowed = () if fence() else ("--allow-code",)
    where = ("--workers", "2") if executor == "pool" else ("--cluster", request.getfixturevalue("cluster"))
    told = _sandtable(rooms, "run", str(tmp_path / "event.toml"), "--out", str(tmp_path / "out"), *where, *allowed)
    assert "Traceback" not in told
    rows = [json.loads(line) for line in _sandtable(rooms, "export", str(tmp_path / "out")).splitlines()]
    verdicts = [str(row.get("verdicts", "")) for row in rows]
    other = [f"game {place}: {each}" for place, each in enumerate(verdicts) if wanted not in each]
    failures = [f"{behaviour}, {each}, not {wanted}" for each in other]
    failures += [f"{behaviour}: alive: {each}" for each in misbehaving.alive(token)]
    failures += [f"{behaviour}: left: {each}" for each in rooms.iterdir()]
    assert len(rows) == games
    campaign.tried("bad bots stop nothing", f"games of bad bots by the {executor}", games, failures)


def _sandtable(rooms: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "tournament", *words],
        env={**os.environ, "TMPDIR": str(rooms)},
        capture_output=True,
        text=True,
        check=False,
        timeout=3_600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
