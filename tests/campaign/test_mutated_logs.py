"""100,000 altered logs of ten kinds: each is detected, or has a different head from the true one."""

from random import Random

import pytest
from campaign_figures import Share
from mutations import MUTATIONS, what_is_wrong
from recording import recorded

from sandtable.journal.file.reading import parse_log
from sandtable.journal.sides.slices import slice_log
from sandtable.plugin.manager import Installed
from sandtable.testing import toy

EACH = 10_000
"""Number of mutations of each kind."""
SHARE = 250
GAMES = 8


def share(name: str, first: int, count: int, seed: str) -> list[str]:
    """Try mutations of one kind. Return those that were not detected."""
    prepared = Installed("toy", toy, "part of the framework").prepare()
    found = []
    for number in range(first, first + count):
        rng = Random(f"{seed}/{name}/{number}")  # noqa: S311 - a test can be repeated
        mode = ("open", "host", "manual")[number % 3]
        true, other = (recorded(prepared, f"{(number + step) % GAMES}", mode).data for step in (0, 1))
        side = prepared.ruleset.viewers[number % 2]
        base = true if number % 4 else slice_log(parse_log(true, "log"), prepared, side)
        wrong = what_is_wrong(MUTATIONS[name](rng, base, other), true, prepared)
        if wrong:
            found.append(f"{name} {number} ({mode}): {wrong}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_mutated_logs_are_detected_or_unanchored(name: str, campaign: Share) -> None:
    total = campaign.of(EACH)
    failures = campaign.in_parts(share, name, total, SHARE)
    campaign.tried("nothing altered verifies", f"logs and slices {name.replace('_', ' ')}", total, failures)
