"""Tournaments that are small enough to play in a test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tournaments import RULESETS, TEXT, manifest_of

from sandtable.lab.tournament.preparing import set_stage
from sandtable.lab.tournament.running import Runner
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets

Play = Callable[..., Store]


@pytest.fixture(scope="session")
def rulesets() -> Rulesets:
    """Return the rulesets of the tests: a skirmish for two sides, and a game for three."""
    return Rulesets(RULESETS)


@pytest.fixture
def play(rulesets: Rulesets, tmp_path: Path) -> Iterator[Play]:
    """Return a function that plays a manifest's text in a folder and returns the open store."""
    with ExitStack() as stack:

        def played(text: str = TEXT, folder: str = "event", **how: Any) -> Store:
            manifest = manifest_of(text)
            store = stack.enter_context(Store.create(tmp_path / folder, manifest))
            stage = set_stage(manifest.tournament, rulesets, manifest.base)
            Runner(store, stage, str(RULESETS), **how).run()
            return store

        yield played
