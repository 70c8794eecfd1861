"""The toy ruleset as fixture; nothing else."""

import pytest

from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy as module


@pytest.fixture
def toy() -> Installed:
    return Installed("toy", module, "the toy")


@pytest.fixture
def ford(toy: Installed) -> Prepared:
    return toy.prepare()
