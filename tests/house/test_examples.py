"""The documented examples: every step passes the contract, and each package is tested after installation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pages import run_command

from sandtable.players.players import makers
from sandtable.plugin.manager import Rulesets

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
NAMES = sorted(path.name for path in EXAMPLES.glob("*/"))
STEPS = sorted(path for path in [*EXAMPLES.glob("*/steps/*/"), *EXAMPLES.glob("*/src/")] if path.is_dir())
QUICK = ("facts_agree", "games_end", "rules_are_named", "options_are_sound", "fold_equals_run", "secret_dice_are_kept")
"""The checks of a normal run; the slow run has all of them."""


def titles(steps: list[Path]) -> list[str]:
    return [step.relative_to(EXAMPLES).as_posix() for step in steps]


@pytest.mark.full
@pytest.mark.parametrize("step", STEPS, ids=titles(STEPS))
def test_each_step_passes_the_quick_contract_checks(step: Path) -> None:
    name = step.relative_to(EXAMPLES).parts[0]
    checks = [f"--only={check}" for check in QUICK]
    result = run_command("check", name, "--plugins-dir", str(step), "--games", "1", "--pairs", "4", *checks)
    assert result.exit_code == 0, result.stdout


@pytest.mark.full
def test_decorated_package_loaded_twice_has_all_its_modules() -> None:
    """Its modules add their parts to each front package that imports them, not only to the first."""
    for _ in range(2):
        hill = Rulesets(EXAMPLES / "hill" / "src").load("hill")
        assert "captain" in makers(hill)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS, ids=titles(STEPS))
def test_each_step_passes_the_whole_contract(step: Path) -> None:
    name = step.relative_to(EXAMPLES).parts[0]
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "check", name, "--plugins-dir", str(step)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_each_example_installs_and_passes_its_tests(tmp_path: Path) -> None:
    """In a fresh environment, from a wheel of Sandtable, with only pip; nothing of this checkout is accessible."""
    programs = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SANDTABLE"))}

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, (words, done.stdout[-3000:], done.stderr[-3000:])
        return done.stdout

    run(sys.executable, "-m", "venv", "env")
    run(str(programs / "pip"), "install", "-q", str(ROOT))
    packages = [f"{EXAMPLES / name}[test]" for name in NAMES]
    run(str(programs / "pip"), "install", "-q", *packages)
    listed = run(str(programs / "sandtable"), "ruleset", "list")
    for name in NAMES:
        assert name in listed
        run(str(programs / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLES / name))
        run(str(programs / "sandtable"), "play", name, "--seed", "a", "--out", f"{name}.jsonl")
        run(str(programs / "sandtable"), "verify", f"{name}.jsonl")
