"""The convoy, games of it, and the verifier in another language."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from standing_games import StandingGame, a_game

from sandtable.plugin.manager import Prepared, Rulesets

SCRIPT = Path(__file__).parents[3] / "replays" / "verify.js"
SPECIMENS = Path(__file__).parents[3] / "specimens"


@pytest.fixture(scope="session")
def convoy() -> Prepared:
    return Rulesets(SPECIMENS).load("convoy").prepare()


@pytest.fixture(scope="session")
def orders(convoy: Prepared) -> Any:
    """Return the classes of the convoy's orders as attributes."""
    return SimpleNamespace(**{kind.__name__: kind for kind in convoy.ruleset.orders})


@pytest.fixture
def begun(convoy: Prepared) -> StandingGame:
    return StandingGame(convoy, "a")


@pytest.fixture(scope="session")
def finished(convoy: Prepared, orders: Any) -> bytes:
    return a_game(convoy, orders).finish()


@pytest.fixture(scope="session")
def signed(convoy: Prepared, orders: Any) -> bytes:
    return a_game(convoy, orders, signed=True).finish()


@pytest.fixture
def node(tmp_path: Path) -> Callable[[bytes], str]:
    """Return a function that verifies a log in another language and returns its faults; skip without node."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("no node here")

    def check(data: bytes) -> str:
        (tmp_path / "log.jsonl").write_bytes(data)
        done = subprocess.run([program, SCRIPT, tmp_path / "log.jsonl"], capture_output=True, text=True, check=False)
        assert (done.returncode == 1) == (len(done.stdout.splitlines()) > 1), done.stderr
        return "\n".join(done.stdout.splitlines()[:-1])

    return check
