"""A small game for search tests."""

import pytest

from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe


@pytest.fixture(scope="session")
def grid() -> Prepared:
    return Installed("tictactoe", tictactoe, "").prepare()
