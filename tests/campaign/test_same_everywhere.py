"""The same seed gives the same log everywhere: Python versions, hash seeds, locales, time zones, switches, workers.

The Python versions on the path are tried. ``--python PATH`` names any other, for example with another C library.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import replaying
from campaign_figures import Share

from sandtable.plugin.manager import Installed, Rulesets

ROOT = Path(__file__).parents[2]
GAMES = 1_000
PROMISE = "same log everywhere"


class Environment(NamedTuple):
    """An environment for replays: Python and switches, settings, workers. A ``required`` one is never skipped."""

    name: str
    switches: tuple[str, ...] = ()
    settings: dict[str, str] = {}
    python: str = ""
    workers: int = 1
    required: bool = False


ENVIRONMENTS = (
    Environment("hash seed 0", settings={"PYTHONHASHSEED": "0"}),
    Environment("hash seed 4294967295", settings={"PYTHONHASHSEED": "4294967295"}),
    Environment("hash seed random", settings={"PYTHONHASHSEED": "random"}),
    Environment("Turkish", settings={"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
    Environment("locale C, no UTF-8", settings={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    Environment("time zone of Chatham", settings={"TZ": "Pacific/Chatham"}),
    Environment("-O", ("-O",)),
    Environment("-OO -X dev", ("-OO", "-X", "dev", "-W", "ignore")),
    Environment("32 workers", workers=32),
    *(Environment(f"Python 3.{minor}", python=f"python3.{minor}") for minor in (11, 12, 13, 14)),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize by the environments above, and each Python that the command line names."""
    if "environment" in metafunc.fixturenames:
        named = [Environment(path, python=path, required=True) for path in metafunc.config.getoption("--python")]
        metafunc.parametrize("environment", [*ENVIRONMENTS, *named], ids=lambda each: each.name)


@pytest.fixture(scope="module")
def lines(request: pytest.FixtureRequest) -> list[str]:
    """Return games of every ruleset, scenario and bot in turn, as many as the share says."""
    share, seed = (request.config.getoption(name) for name in ("--share", "--campaign-seed"))
    installed = [each for each in Rulesets().load_all().values() if isinstance(each, Installed)]
    kinds = [
        (each.manifest.id, scenario, kind)
        for each in installed
        for scenario in each.scenario_ids()
        for kind in ("random", "usual")
        if not each.scenario(scenario).data["scenario"].get("endless", False)
    ]
    count = max(1, round(GAMES * share))
    games = [(*kinds[number % len(kinds)], f"{seed}/{number}") for number in range(count)]
    return [json.dumps([ruleset, scenario, name, kind]) for ruleset, scenario, kind, name in games]


@pytest.fixture(scope="module")
def here(lines: list[str]) -> list[str]:
    """Return the hashes of the logs in this process."""
    return [replaying.played(line) for line in lines]


@pytest.mark.slow
def test_game_is_identical_in_every_environment(
    environment: Environment, lines: list[str], here: list[str], campaign: Share, tmp_path: Path
) -> None:
    python = _python(environment, tmp_path)
    paths = {} if environment.python else {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [python, *environment.switches, replaying.__file__, str(environment.workers)],
        input="\n".join(lines),
        env={**os.environ, **paths, **environment.settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    hashes = done.stdout.splitlines()
    others = [line for line, one, two in zip(lines, here, hashes, strict=True) if one != two]
    campaign.tried(PROMISE, f"games played again: {environment.name}", len(lines), others)


def _python(environment: Environment, folder: Path) -> str:
    """Return the Python of an environment. The project is installed into a venv of another version."""
    if not environment.python:
        return sys.executable
    found = shutil.which(environment.python)
    if found is None or subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode:
        assert not environment.required, f"no {environment.python} here"
        pytest.skip(f"no {environment.python} here")
    subprocess.run([found, "-m", "venv", folder / "venv"], check=True)
    python = str(folder / "venv" / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", str(ROOT)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return python
