"""A game of tic-tac-toe and a golden game of the desert, from which branches start."""

import pytest
from originals import REPLAYS, golden, original_of

from sandtable.journal.branching.branch import Original
from sandtable.journal.file.log import Log
from sandtable.plugin.manager import Prepared


@pytest.fixture(scope="module")
def frontier() -> Original:
    return golden(REPLAYS / "desert_aa" / "draw-round_limit.jsonl")


@pytest.fixture
def played(log: Log, prepared: Prepared) -> Original:
    return original_of(log, prepared)
