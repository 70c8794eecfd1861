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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue

import pytest
from figures_of_campaigns import Share

pytest.importorskip("cosmic_ray", reason="wants cosmic-ray: pip install -e '.[campaign]'")

pytest.importorskip("pytest_cov", reason="wants pytest-cov: pip install -e '.[campaign]'")

from mutants_of_code import CodeMutant, mutants_among, transplanted
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

SWITCHES = ("-p", "no:cacheprovider", "-n0", "-m", "not slow")
NO_TESTS = 5
"""Exit status of pytest if all tests named are deselected."""

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


def modules_of(root: Path, room: str) -> list[Path]:
    """Return the modules of ``room`` in the checkout ``root``."""
    found = [file for folder in ROOMS[room][1] for file in (root / folder).rglob("*.py")]
    return sorted(file for file in found if file.name != "__init__.py")


class Bench:
    """Two copies of a checkout in which mutants of one room are tried, and the tests that reach their lines."""

    def __init__(self, root: Path, room: str, work: Path) -> None:
        """Copy ``root`` into ``work`` and run the tests of ``room`` once, to see what they reach."""
        _, folders, tests = ROOMS[room]
        self.root, self._about = root, ("-k", room) if room in GAMES else ()
        copies = [work / name for name in ("one", "two")]
        for each in COPIED:
            source = root / each
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, copies[0] / each)
        self._reaching = Reaching(copies[0], [f"tests/{folder}" for folder in tests], folders)
        measured = _pass(copies[0], self._reaching.folders, *self._reaching.measured(), *self._about, kept=True)
        assert measured, f"the tests in {root} fail without any mutant"
        shutil.copytree(copies[0], copies[1])
        self._copies: SimpleQueue[Path] = SimpleQueue()
        for copy in copies:
            self._copies.put(copy)

    def survivors(self, mutants: Sequence[CodeMutant]) -> list[CodeMutant]:
        """Return the mutants that no test notices; two are tried at a time."""
        with ThreadPoolExecutor(max_workers=2) as pool:
            survived = list(pool.map(self._survives, mutants))
        return [mutant for mutant, alive in zip(mutants, survived, strict=True) if alive]

    def _survives(self, mutant: CodeMutant) -> bool:
        place = mutant.module.relative_to(self.root)
        copy = self._copies.get()
        file = copy / place
        whole = file.read_text(encoding="utf-8")
        file.write_text(mutant.code, encoding="utf-8")
        Path(cache_from_source(str(file))).unlink(missing_ok=True)  # it may have the same length and age
        try:
            asked = zip(self._reaching.in_order(str(place), mutant.line), PATIENCE, strict=True)
            return all(_pass(copy, tests, *self._about, patience=patience) for tests, patience in asked if tests)
        finally:
            file.write_text(whole, encoding="utf-8")
            self._copies.put(copy)


def _pass(copy: Path, tests: list[str], *more: str, patience: int = PATIENCE[1], kept: bool = False) -> bool:
    """Answer whether tests pass; what was compiled for them is ``kept`` for later runs, but never that of a mutant."""
    named = copy / "tests_to_run"
    named.write_text("\n".join(tests), encoding="utf-8")  # more than a command line may hold
    paths = os.pathsep.join(map(str, (copy / "framework", copy / "plugins")))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", *SWITCHES, *more, f"@{named}"],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "" if kept else "1"},
            capture_output=True,
            check=False,
            timeout=patience,
            preexec_fn=_held,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, NO_TESTS)


def _held() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_a_mutant_is_noticed(room: str, campaign: Share, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    wanted = max(ONE_OF, campaign.of(ROOMS[room][0]))
    than = request.config.getoption("--than")
    before, now = Path(than or ROOT).resolve(), modules_of(ROOT, room)
    mutants = list(mutants_among(modules_of(before, room), campaign.rng("mutants", room), wanted))
    drawn = {here: each for each in mutants if (here := transplanted(each, now) if than else each)}
    survivors = [drawn[each] for each in Bench(ROOT, room, tmp_path / "now").survivors(list(drawn))]
    told = [each._replace(module=each.module.relative_to(before)) for each in survivors]
    campaign.tried(PROMISE, f"mutants of {room}", len(drawn), told, allowed=len(drawn) if than else wanted // ONE_OF)
    if than and survivors:
        unnoticed = Bench(before, room, tmp_path / "before").survivors(survivors)
        lost = [each for each, old in zip(told, survivors, strict=True) if old not in unnoticed]
        campaign.tried("no mutant is lost", f"mutants of {room}", len(drawn), lost)
