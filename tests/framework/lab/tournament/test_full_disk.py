"""A really full file system: one clear line, no stored game is lost, and the tournament resumes when there is space."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tournaments import RULESETS, TEXT, sandtable

pytestmark = pytest.mark.full

SIZE = 8 << 20
GAMES = TEXT.replace("games = 6", "games = 40")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of a separate file system of eight megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    if not hasattr(os, "geteuid") or os.geteuid():
        pytest.skip("only root may mount a file system")
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place], check=False)
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Return a manifest, and the rows and report of its games from a run with enough space."""
    folder = tmp_path_factory.mktemp("event")
    (folder / "spring.toml").write_text(GAMES)
    (folder / "skirmish_dawn.toml").write_bytes((RULESETS / "skirmish_dawn.toml").read_bytes())
    sandtable("run", folder / "spring.toml", "--out", folder / "out", "--workers", 1)
    return folder / "spring.toml", sandtable("export", folder / "out").stdout, results_of(folder / "out")


def results_of(folder: Path) -> str:
    """Return the part of a report that depends only on the manifest."""
    return sandtable("report", folder, "--json").stdout.partition('"annex": {')[0]


def fill(disk: Path, left: int) -> Path:
    """Fill the disk except for ``left`` bytes. Return the file that takes the space."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        while (free := os.statvfs(disk).f_bfree * os.statvfs(disk).f_frsize - left) > 0:
            file.write(bytes(min(free, 65536)))
    return ballast


@pytest.mark.parametrize("left", [0, 100, *(pytest.param(each, marks=pytest.mark.slow) for each in (12, 40, 220))])
def test_full_disk_is_one_line_and_resume_completes(left: int, disk: Path, event: tuple[Path, str, str]) -> None:
    manifest, rows, report = event
    ballast = fill(disk, left << 10)
    out = disk / "out"
    full = sandtable("run", manifest, "--out", out, "--workers", 1, code=1)
    assert full.stdout == ""
    assert len(full.stderr.splitlines()) == 1
    assert "the disk is full: all stored games are safe; free some space" in full.stderr
    ballast.unlink()
    stored = sandtable("export", out, code=None).stdout.splitlines()
    assert set(stored) < set(rows.splitlines())
    assert bool(stored) == (left >= 100)
    assert "stubborn" in sandtable(*(("resume", out) if stored else ("run", manifest, "--out", out))).stdout
    assert sandtable("export", out).stdout == rows
    assert results_of(out) == report
    assert sandtable("verify", out, "--sample", 5).stdout.startswith("verified: 12 games of 240")


def test_stored_games_are_readable_on_a_full_disk(disk: Path, event: tuple[Path, str, str]) -> None:
    fill(disk, 220 << 10)
    sandtable("run", event[0], "--out", disk / "out", "--workers", 1, code=1)
    done = sandtable("report", disk / "out", "--csv", code=None)
    assert done.returncode in {0, 1}
    assert len(done.stderr.splitlines()) == done.returncode
