"""The toy ruleset as fixture, and how properties are tried; nothing else."""

import pytest
from hypothesis import HealthCheck, settings

from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy as module

settings.register_profile("house", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
"""No example has a deadline, nor has the drawing of it: nothing here hangs on how fast the machine is."""


@pytest.fixture
def toy() -> Installed:
    return Installed("toy", module, "the toy")


@pytest.fixture
def ford(toy: Installed) -> Prepared:
    return toy.prepare()
