"""Kill -9 of a runner or a worker at any moment: stored games remain, and the end is the same byte for byte."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from campaign_figures import Share
from tournaments import RULESETS, TEXT

BATCHES, KILLS = 10, 100
CLOCK = re.compile(r'"nanoseconds": [0-9]+|[0-9-]{10} [0-9:]{5} UTC')
GAMES = TEXT.replace("games = 6", "games = 340")


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "sandtable", "tournament", *map(str, words), "--plugins-dir", str(RULESETS)]


def out_of(*words: object) -> str:
    return subprocess.run(command(*words), capture_output=True, text=True, check=True, timeout=300).stdout


def report_of(folder: Path) -> str:
    """Return the report of a tournament without dates and processor times."""
    return CLOCK.sub("", out_of("report", folder, "--json"))


def below(process: int) -> list[int]:
    """Return the descendants of ``process``."""
    try:
        own = [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return own + [each for child in own for each in below(child)]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str, float]:
    """Return folder, rows and report of an undisturbed tournament, and its duration."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "event.toml").write_text(GAMES)
    (folder / "skirmish_dawn.toml").write_bytes((RULESETS / "skirmish_dawn.toml").read_bytes())
    began = time.monotonic()
    out_of("run", folder / "event.toml", "--out", folder / "out", "--workers", 2)
    taken = time.monotonic() - began
    return folder, out_of("export", folder / "out"), report_of(folder / "out"), taken


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_killed_tournament_resumes_to_the_same_result(
    batch: int, whole: tuple[Path, str, str, float], tmp_path: Path, campaign: Share
) -> None:
    folder, rows, report, taken = whole
    chance, wanted = campaign.rng("kills of tournaments", batch), campaign.of(KILLS)
    kills, started = 0, 0
    while kills < wanted:
        out = tmp_path / f"{started}"
        started += 1
        stored = 0
        for _ in range(1000):
            runner = subprocess.Popen(
                command("run", folder / "event.toml", "--out", out, "--workers", 2),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            time.sleep(0.2 + chance.random() * taken * 0.6)
            family = below(runner.pid)
            target = chance.choice(family) if family and chance.random() < 0.3 else runner.pid
            if runner.poll() is None and kills < wanted:
                os.kill(target, signal.SIGKILL)
                kills += 1
            errors = runner.communicate(timeout=60)[1].decode()
            assert "internal error" not in errors  # Python's own resource tracker reports kills in different words
            until = time.monotonic() + 60
            while any(map(is_alive, family)) and time.monotonic() < until:
                time.sleep(0.02)
            assert not [each for each in family if is_alive(each)]
            if runner.returncode == 0:
                break
            if (out / "tournament.sqlite").exists() and "\n" in (now := _exported(out)):
                assert len(now.splitlines()) >= stored
                stored = len(now.splitlines())
                assert set(now.splitlines()) <= set(rows.splitlines())
        assert out_of("export", out) == rows
        assert report_of(out) == report
        assert {file.name for file in out.iterdir()} == {"manifest.toml", "running.lock", "tournament.sqlite"}
    campaign.tried("nothing acknowledged is lost", "kills of tournaments, of runner or worker", kills)


def _exported(folder: Path) -> str:
    done = subprocess.run(command("export", folder), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in {0, 3}, done.stderr  # 3: it was killed before the store was created
    return done.stdout
