"""The fixtures for the toy and for transcripts, the Hypothesis profiles, and the limit on CPU time of the fast set."""

import gc
import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import booleans
from transcripts import Transcript, refuse_shared, transcript_of

from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy as module

gc.set_threshold(100_000, 20, 100)
"""Collect less often. Thousands of tests keep many objects alive, and the default rate takes a tenth of the time."""

MAX_FAST_CPU_S = 3.0
"""Maximum CPU seconds of a test that is neither full nor slow. The goal is 0.1. The limit allows for imports."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites transcripts."""
    parser.addoption("--update", action="store_true", help="rewrite tests/**/transcripts/*.txt")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse two test cases that have one transcript."""
    refuse_shared(transcript_of(each) for each in items if "transcript" in getattr(each, "fixturenames", ()))


def pytest_configure(config: pytest.Config) -> None:
    """Load the Hypothesis profile without deadlines: 25 examples in the fast set, 100 in the full set."""
    fast = "not full" in config.option.markexpr
    no_deadline = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("sandtable", settings(), max_examples=25 if fast else 100, **no_deadline)
    settings.load_profile("sandtable")


def pytest_collection_finish() -> None:
    """Exclude the collected objects from garbage collection: they live until the end.

    Hypothesis creates its random source first: from Python 3.14 on it would not find its owner among frozen objects.
    """
    find(booleans(), bool)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test of the fast set that took over MAX_FAST_CPU_S, in CI only."""
    started = time.process_time()
    yield
    taken = time.process_time() - started
    marked = item.get_closest_marker("full") or item.get_closest_marker("slow")
    if taken > MAX_FAST_CPU_S and not marked and os.environ.get("CI"):
        pytest.fail(f"took {taken:.1f} s of CPU: mark it full (tests/README.md)")


@pytest.fixture
def toy() -> Installed:
    return Installed("toy", module, "the toy")


@pytest.fixture
def ford(toy: Installed) -> Prepared:
    return toy.prepare()


@pytest.fixture
def transcript(request: pytest.FixtureRequest) -> Transcript:
    return Transcript(transcript_of(request.node), updates=request.config.getoption("--update"))
