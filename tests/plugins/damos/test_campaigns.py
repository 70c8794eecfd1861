"""Long campaigns under the clerk: both scenarios, any rulings; melees from any turn of the war to its end."""

from __future__ import annotations

import pytest
from tests.plugins.damos.test_properties import campaign, follow, melee, some_options

from sandtable.kernel.dice import Stream

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(60))
def test_the_short_campaign(seed: int) -> None:
    stream = Stream(b"short %d" % seed)
    assert follow(campaign(stream, some_options(stream)), stream).ending


@pytest.mark.parametrize("seed", range(60))
def test_the_whole_campaign(seed: int) -> None:
    stream = Stream(b"whole %d" % seed)
    chosen = some_options(stream) if seed % 2 else {}
    assert follow(campaign(stream, chosen, "agc"), stream).ending


@pytest.mark.parametrize("seed", range(80))
def test_melees(seed: int) -> None:
    stream = Stream(b"melee %d" % seed)
    chosen = some_options(stream) if seed % 2 else {}
    assert follow(melee(stream, chosen), stream).ending
