"""The skirmish: a small battle game to play, and everything that a test needs of it."""

import os
from pathlib import Path
from typing import Any

import pytest

from sandtable.plugin.manager import Installed, Prepared, Rulesets

RULESETS = Path(__file__).parent / "rulesets"


@pytest.fixture(scope="session")
def rulesets() -> Rulesets:
    return Rulesets(RULESETS)


@pytest.fixture(scope="session")
def skirmish(rulesets: Rulesets) -> Installed:
    return rulesets.load("skirmish")


@pytest.fixture(scope="session")
def orders(skirmish: Installed) -> Any:
    """Return the module of the skirmish, for its orders and events."""
    return skirmish.module


@pytest.fixture
def prepared(skirmish: Installed) -> Prepared:
    return skirmish.prepare()


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which each fsync adds the name of its file or folder."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("this system does not show the file of a handle")
    found: list[str] = []
    real = os.fsync

    def note(handle: int) -> None:
        found.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        real(handle)

    monkeypatch.setattr(os, "fsync", note)
    return found
