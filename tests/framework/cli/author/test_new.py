"""``sandtable new`` writes a package that passes its tests; ``sandtable ruleset perft`` counts lines of play."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from command_line import Refused, Run
from tournaments import event_of

ROOT = Path(__file__).parents[4]
KINDS = {
    "crossroads": (),
    "whispers": ("--secrets",),
    "regions": ("--areas",),
    "marches": ("--areas", "--secrets"),
    "hexagons": ("--hexes",),
    "foggy": ("--hexes", "--secrets"),
    "threecards": ("--cards",),
}

CHECKS = ("facts_agree", "games_end", "secrets_are_kept", "typed_orders_are_read", "log_verifies")


@pytest.mark.full
@pytest.mark.parametrize("name", KINDS)
def test_new_package_passes_the_contract(name: str, run: Run) -> None:
    run("new", name, *KINDS[name], code=0)
    project = tomllib.loads(Path(name, "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["sandtable.rulesets"] == {name: name}
    assert not [file for file in Path(name).rglob("*") if file.is_file() and "$" in file.read_text(encoding="utf-8")]
    checks = [f"--only={each}" for each in CHECKS]
    run("check", name, "--games", "3", *checks, "--plugins-dir", f"{name}/src", code=0)


@pytest.mark.slow
def test_new_package_passes_its_own_tests(run: Run) -> None:
    run("new", "foggy_hills", "--hexes", "--secrets", "--title", "Foggy hills")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not two_processes"],
        cwd="foggy_hills",
        env={**os.environ, "PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_new_package_plays_a_tournament_in_a_fresh_environment(name: str, tmp_path: Path) -> None:
    """Nothing but pip: under ten commands to a game that is checked, played, verified, and in a tournament."""
    (tmp_path / "event.toml").write_text(event_of(name, games=4, one="random", two="first"), encoding="utf-8")
    commands = [
        [sys.executable, "-m", "venv", "env"],
        ["env/bin/pip", "install", "-q", str(ROOT), "pytest", "hypothesis"],
        ["env/bin/sandtable", "new", name, *KINDS[name]],
        ["env/bin/pip", "install", "-q", "-e", f"./{name}"],
        ["env/bin/python", "-m", "pytest", "-q", name],
        ["env/bin/sandtable", "check", name],
        ["env/bin/sandtable", "play", name, "--seed", "a", "--out", "first.jsonl"],
        ["env/bin/sandtable", "verify", "first.jsonl"],
        ["env/bin/sandtable", "tournament", "run", "event.toml", "--out", "event"],
    ]
    assert len(commands) < 10
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])


@pytest.mark.parametrize("name", ["class", "json", "sandtable", "my-game", "Ford", "müller", "2hexes", "tests"])
def test_invalid_name_is_refused(name: str, refused: Refused) -> None:
    refused(3, "new", name)


def test_existing_files_are_not_overwritten(run: Run, refused: Refused) -> None:
    run("new", "twice", code=0)
    assert "twice" in refused(2, "new", "twice")
    refused(2, "new", "thrice", "--hexes", "--cards")


def test_perft_counts_positions_and_divides_them_by_move(run: Run, refused: Refused) -> None:
    examples = str(ROOT / "docs/examples/connect4/src")
    result = run("ruleset", "perft", "connect4", "--depth", "3", "--divide", "--plugins-dir", examples)
    assert result.stdout.splitlines() == [*(f"Drop(column={column}): 49" for column in range(1, 8)), "343"]
    kuhn = str(ROOT / "docs/examples/kuhn/src")
    assert "rolls dice" in refused(1, "ruleset", "perft", "kuhn", "--depth", "2", "--plugins-dir", kuhn)
