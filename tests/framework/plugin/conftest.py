"""Fixtures of the tests of ``sandtable.plugin``."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _clean_modules() -> Iterator[None]:
    """Remove from ``sys.modules`` what a test put there."""
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]
    sys.modules.update(before)
