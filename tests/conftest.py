"""The toy ruleset as fixture, and how properties are tried; nothing else."""

import gc

import pytest
from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import booleans

from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy as module

gc.set_threshold(100_000, 20, 100)
"""Thousands of tests keep much alive: looking through all of it as often as usual costs a tenth of the time."""


def pytest_collection_finish() -> None:
    """Look no more through what collecting made: it stays to the end anyway.

    Hypothesis makes its chance before: from Python 3.14 on it would not find, among what is frozen, who holds it.
    """
    find(booleans(), bool)
    gc.collect()
    gc.freeze()


settings.register_profile("house", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
"""No example has a deadline, nor has the drawing of it: nothing here hangs on how fast the machine is."""


@pytest.fixture
def toy() -> Installed:
    return Installed("toy", module, "the toy")


@pytest.fixture
def ford(toy: Installed) -> Prepared:
    return toy.prepare()
