"""The tests would notice: one thing is made wrong in a module, and the tests of its room must fail.

`framework` and `plugins` are copied for each process, and tests run on the copy: first a few that reach the line, then
all of the room; for a game those are its casebook and its golden logs. A mutant that survives is told with its line. Of
a hundred ten may: some change nothing that anybody could see.
"""

import os
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue

import pytest
from figures_of_campaigns import Share

pytest.importorskip("cosmic_ray", reason="wants cosmic-ray: pip install -e '.[campaign]'")

pytest.importorskip("pytest_cov", reason="wants pytest-cov: pip install -e '.[campaign]'")

from mutants_of_code import CodeMutant, mutants_among
from reaching_tests import Reaching

ROOT = Path(__file__).parents[2]
COPIED = ("framework", "plugins", "tests", "replays", "docs", "pyproject.toml", "README.md", "CHANGELOG.md")
PROMISE = "the tests would notice"
PATIENCE = (300, 900)
"""Seconds for the few tests of a mutant, and for all; one that keeps them longer is noticed as well."""
MEMORY = 4 << 30
"""Bytes for the same: a loop that no longer ends may fill them sooner."""
ONE_OF = 10
"""One of so many may survive; so many are drawn at least."""

ROOMS: dict[str, tuple[int, tuple[str, ...], tuple[str, ...]]] = {
    "kernel": (150, ("framework/sandtable/kernel",), ("framework/kernel", "framework/rules", "framework/journal")),
    "journal": (150, ("framework/sandtable/journal",), ("framework/journal", "replays", "framework/cli", "campaign")),
    "board": (100, ("framework/sandtable/board",), ("framework/board", "framework/viewer")),
}
GAMES = {
    "axis_attack": ("setup", "forces", "battle", "mission", "recovery", "turn"),
    "damos": ("movement", "combat", "map", "turn", "setup"),
    "desert_aa": ("movement", "combat", "economy", "turn", "setup"),
    "kampfpanzer": ("movement", "fire", "plotting", "victory", "turn", "terrain"),
    "khamsin": ("movement", "engagement", "leaders", "supply", "turn"),
}
PLANTED = 20
ROOMS |= {
    game: (PLANTED, tuple(f"plugins/{game}/{room}" for room in rooms), (f"plugins/{game}", "replays"))
    for game, rooms in GAMES.items()
}
"""By room: how many mutants, of which folders, and which tests must notice, in this order."""


def survives(copy: Path, mutant: CodeMutant, reaching: Reaching, about: tuple[str, ...]) -> bool:
    """Answer whether the tests in ``copy`` that ``about`` selects pass with the mutant in the place of its module."""
    place = mutant.module.relative_to(ROOT)
    file = copy / place
    whole = file.read_text(encoding="utf-8")
    file.write_text(mutant.code, encoding="utf-8")
    Path(cache_from_source(str(file))).unlink(missing_ok=True)  # it may be as long and as old as what it was made of
    try:
        asked = zip(reaching.in_order(str(place), mutant.line), PATIENCE, strict=True)
        return all(_pass(copy, tests, *about, patience=patience) for tests, patience in asked if tests)
    finally:
        file.write_text(whole, encoding="utf-8")


def _pass(copy: Path, tests: list[str], *more: str, patience: int = PATIENCE[1], kept: bool = False) -> bool:
    """Answer whether tests pass; what was compiled for them is ``kept`` for later runs, but never that of a mutant."""
    named = copy / "tests_to_run"
    named.write_text("\n".join(tests), encoding="utf-8")  # more than a command line may hold
    paths = os.pathsep.join(map(str, (copy / "framework", copy / "plugins")))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *more, f"@{named}"],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "" if kept else "1"},
            capture_output=True,
            check=False,
            timeout=patience,
            preexec_fn=_held,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _held() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_a_mutant_is_noticed(room: str, campaign: Share, tmp_path: Path) -> None:
    whole, folders, tests = ROOMS[room]
    modules = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py") if file.name != "__init__.py")
    one, two = tmp_path / "one", tmp_path / "two"
    for each in COPIED:
        source = ROOT / each
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, one / each)
    reaching = Reaching(one, [f"tests/{folder}" for folder in tests], folders)
    about = ("-k", room) if room in GAMES else ()
    measured = _pass(one, reaching.folders, *reaching.measured(), *about, kept=True)
    assert measured, "the tests fail without any mutant"
    shutil.copytree(one, two)
    copies: SimpleQueue[Path] = SimpleQueue()
    for copy in (one, two):
        copies.put(copy)

    def tried(mutant: CodeMutant) -> str:
        copy = copies.get()
        try:
            survivor = survives(copy, mutant, reaching, about)
            return str(mutant._replace(module=mutant.module.relative_to(ROOT))) if survivor else ""
        finally:
            copies.put(copy)

    wanted = max(ONE_OF, campaign.of(whole))
    mutants = list(mutants_among(modules, campaign.rng("mutants", room), wanted))
    with ThreadPoolExecutor(max_workers=2) as pool:
        survivors = [each for each in pool.map(tried, mutants) if each]
    campaign.tried(PROMISE, f"mutants of {room}", wanted, survivors, allowed=wanted // ONE_OF)
