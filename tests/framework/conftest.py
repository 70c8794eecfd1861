"""The skirmish: a small battle game to play, and everything that a test needs of it."""

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
