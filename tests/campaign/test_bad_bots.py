"""Misbehaving bots: the event continues, their games are forfeited by name, and nothing of them remains."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import misbehaving
import pytest
from campaign_figures import Share
from tournaments import event_of

from sandtable.players.processes.limits import fence

distributed = pytest.importorskip("distributed", reason="requires the extra cluster")

GAMES = 20
WHEN = 1
"""The first decision, so that the event can notice a fault at the second."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a dask cluster with two workers on this machine."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield str(found.scheduler_address)


@pytest.mark.slow
@pytest.mark.parametrize("behavior", misbehaving.BEHAVIORS)
@pytest.mark.parametrize("executor", ["pool", "cluster"])
def test_tournament_with_a_misbehaving_bot_continues(
    behavior: str, executor: str, campaign: Share, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    token = f"bad-{executor}-{behavior}"
    expected = misbehaving.expected(behavior, WHEN, fenced=bool(fence()))
    games = max(2, campaign.of(GAMES) // 2 * 2)
    command = json.dumps([sys.executable, misbehaving.__file__, behavior, str(WHEN), token])
    budget = f"[budget]\nseconds = {2 if expected == 'time' else 60}\nmemory_mb = 128\noutput_kb = 64"
    text = event_of("tictactoe", games=games, head=budget, bad="BOT", chance="random")
    text = text.replace('player = "BOT"', f"command = {command}").replace('seed = "s"', f'seed = "{campaign.seed}"')
    (tmp_path / "event.toml").write_text(text)
    (bot_folders := tmp_path / "bot_folders").mkdir()
    allowed = () if fence() else ("--allow-code",)
    where = ("--workers", "2") if executor == "pool" else ("--cluster", request.getfixturevalue("cluster"))
    output = _sandtable(
        bot_folders, "run", str(tmp_path / "event.toml"), "--out", str(tmp_path / "out"), *where, *allowed
    )
    assert "Traceback" not in output
    rows = [json.loads(line) for line in _sandtable(bot_folders, "export", str(tmp_path / "out")).splitlines()]
    verdicts = [str(row.get("verdicts", "")) for row in rows]
    other = [f"game {place}: {each}" for place, each in enumerate(verdicts) if expected not in each]
    failures = [f"{behavior}, {each}, not {expected}" for each in other]
    failures += [f"{behavior}: alive: {each}" for each in misbehaving.alive(token)]
    failures += [f"{behavior}: left: {each}" for each in bot_folders.iterdir()]
    assert len(rows) == games
    campaign.tried("bad bots stop nothing", f"games of bad bots by the {executor}", games, failures)


def _sandtable(bot_folders: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "tournament", *words],
        env={**os.environ, "TMPDIR": str(bot_folders)},
        capture_output=True,
        text=True,
        check=False,
        timeout=3_600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
