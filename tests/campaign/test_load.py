"""One server with many games: people and spectators wait for little, and all logs verify."""

import asyncio
import json
from pathlib import Path

import pytest
from campaign_figures import Share
from web_load import under_load
from web_server import ServerProcess

import sandtable as st

pytestmark = pytest.mark.slow

GAMES, THINK, SECONDS, JOINS = 100, 5.0, 120.0, 10.0
"""Number of games, mean seconds to think, seconds of play, and seconds in which all join."""
MAX_MEMORY_KB = 1 << 20
PROMISE = "many games at one table server"


def test_server_with_a_hundred_games_answers_in_time(tmp_path: Path, campaign: Share) -> None:
    count = campaign.of(GAMES)
    with ServerProcess(tmp_path) as server:
        wish = {"scenario": "frontier", "players": {"axis": "human", "allies": "human"}}
        games = [server.site.make("desert_aa", **wish) for _ in range(count)]
        sides = ("axis", "allies")
        played, again = asyncio.run(
            under_load(server.site.address, games, sides=sides, think=THINK, seconds=SECONDS, joins=JOINS)
        )
        memory = memory_kb(server.process.pid)
    for name, times in [
        ("first join", played.hello),
        ("second join", again.hello),
        ("next step", played.expand),
        ("order acknowledged", played.taken),
        ("order on another page", played.order),
    ]:
        report(name, times)
    print(json.dumps({"games": count, "orders": len(played.taken), "memory_mb": memory // 1024}))  # noqa: T201 - figures
    logs = list(tmp_path.glob("*.jsonl"))
    bad = [each.name for each in logs if st.verify(each).exit_code != 0]
    campaign.tried(PROMISE, "logs that verify", len(logs), bad)
    slow = [] if len(again.hello) == 4 * count and memory < MAX_MEMORY_KB else [f"{memory} kB"]
    campaign.tried(PROMISE, "pages greeted within a gigabyte", 4 * count, slow)
    assert played.taken


def report(name: str, times: list[float]) -> None:
    """Print the 50th, 95th and 99th percentile of times, in milliseconds."""
    ordered = sorted(times)
    at = [round(1000 * ordered[min(len(ordered) - 1, len(ordered) * share // 100)]) for share in (50, 95, 99)]
    print(f"{name}: {len(times)}: p50 {at[0]}, p95 {at[1]}, p99 {at[2]} ms")  # noqa: T201 - figures


def memory_kb(process: int) -> int:
    """Return the resident memory of a process in kB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
