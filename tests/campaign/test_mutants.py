"""Mutation testing: one thing is made wrong in a module, and the tests of its area must fail.

`framework` and `plugins` are copied for each process, and tests run on the copy: first a few that reach the line, then
all of the area. For a game those are the tests of its rules and its golden logs. A surviving mutant is reported with
its line. One in ten may survive, because some mutants change nothing observable.
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
from campaign_figures import Share

pytest.importorskip("cosmic_ray", reason="requires cosmic-ray: pip install -e '.[campaign]'")

pytest.importorskip("pytest_cov", reason="requires pytest-cov: pip install -e '.[campaign]'")

from code_mutants import CodeMutant, mutants_among, transplanted
from coverage_contexts import Reaching

ROOT = Path(__file__).parents[2]
COPIED = ("framework", "plugins", "tests", "replays", "docs", "pyproject.toml", "README.md", "CHANGELOG.md")
PROMISE = "the tests would notice"
PATIENCE = (300, 900)
"""Seconds for the first few tests of a mutant, and for all. A mutant that takes longer counts as detected."""
MEMORY = 4 << 30
"""Memory limit in bytes. A loop that no longer ends may reach it first."""
ONE_OF = 10
"""One in this many mutants may survive. It is also the minimum number of mutants."""

SWITCHES = ("-p", "no:cacheprovider", "-n0", "-m", "not slow")
NO_TESTS = 5
"""Exit status of pytest if all named tests are deselected."""

AREAS: dict[str, tuple[int, tuple[str, ...], tuple[str, ...]]] = {
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
AREAS |= {
    game: (PLANTED, tuple(f"plugins/{game}/{area}" for area in areas), (f"plugins/{game}", "replays"))
    for game, areas in GAMES.items()
}
"""By area: number of mutants, folders of its modules, and tests that must detect them, in this order."""


def modules_of(root: Path, area: str) -> list[Path]:
    """Return the modules of ``area`` in the checkout ``root``."""
    found = [file for folder in AREAS[area][1] for file in (root / folder).rglob("*.py")]
    return sorted(file for file in found if file.name != "__init__.py")


class Bench:
    """Two copies of a checkout in which mutants of one area are tried, and the tests that reach their lines."""

    def __init__(self, root: Path, area: str, work: Path) -> None:
        """Copy ``root`` into ``work``, and run the tests of ``area`` once to measure what they reach."""
        _, folders, tests = AREAS[area]
        self.root, self._about = root, ("-k", area) if area in GAMES else ()
        copies = [work / name for name in ("one", "two")]
        for each in COPIED:
            source = root / each
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, copies[0] / each)
        self._reaching = Reaching(copies[0], [f"tests/{folder}" for folder in tests], folders)
        measured = _tests_pass(copies[0], self._reaching.folders, *self._reaching.measured(), *self._about, kept=True)
        assert measured, f"the tests in {root} fail without any mutant"
        shutil.copytree(copies[0], copies[1])
        self._copies: SimpleQueue[Path] = SimpleQueue()
        for copy in copies:
            self._copies.put(copy)

    def survivors(self, mutants: Sequence[CodeMutant]) -> list[CodeMutant]:
        """Return the mutants that no test detects. Two are tried at a time."""
        with ThreadPoolExecutor(max_workers=2) as pool:
            survived = list(pool.map(self._survives, mutants))
        return [mutant for mutant, alive in zip(mutants, survived, strict=True) if alive]

    def _survives(self, mutant: CodeMutant) -> bool:
        path = mutant.module.relative_to(self.root)
        copy = self._copies.get()
        file = copy / path
        original = file.read_text(encoding="utf-8")
        file.write_text(mutant.code, encoding="utf-8")
        Path(cache_from_source(str(file))).unlink(missing_ok=True)  # it may have the same length and age
        try:
            stages = zip(self._reaching.in_order(str(path), mutant.line), PATIENCE, strict=True)
            return all(_tests_pass(copy, tests, *self._about, patience=patience) for tests, patience in stages if tests)
        finally:
            file.write_text(original, encoding="utf-8")
            self._copies.put(copy)


def _tests_pass(copy: Path, tests: list[str], *more: str, patience: int = PATIENCE[1], kept: bool = False) -> bool:
    """Return whether tests pass. Bytecode is ``kept`` for later runs, but never that of a mutant."""
    named = copy / "tests_to_run"
    named.write_text("\n".join(tests), encoding="utf-8")  # too many for a command line
    paths = os.pathsep.join(map(str, (copy / "framework", copy / "plugins")))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", *SWITCHES, *more, f"@{named}"],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "" if kept else "1"},
            capture_output=True,
            check=False,
            timeout=patience,
            preexec_fn=_limit_memory,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, NO_TESTS)


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


@pytest.mark.slow
@pytest.mark.parametrize("area", AREAS)
def test_mutants_of_an_area_are_detected(
    area: str, campaign: Share, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    count = max(ONE_OF, campaign.of(AREAS[area][0]))
    than = request.config.getoption("--than")
    before, now = Path(than or ROOT).resolve(), modules_of(ROOT, area)
    mutants = list(mutants_among(modules_of(before, area), campaign.rng("mutants", area), count))
    drawn = {here: each for each in mutants if (here := transplanted(each, now) if than else each)}
    survivors = [drawn[each] for each in Bench(ROOT, area, tmp_path / "now").survivors(list(drawn))]
    reported = [each._replace(module=each.module.relative_to(before)) for each in survivors]
    campaign.tried(PROMISE, f"mutants of {area}", len(drawn), reported, allowed=len(drawn) if than else count // ONE_OF)
    if than and survivors:
        undetected = Bench(before, area, tmp_path / "before").survivors(survivors)
        lost = [each for each, old in zip(reported, survivors, strict=True) if old not in undetected]
        campaign.tried("no mutant is lost", f"mutants of {area}", len(drawn), lost)
