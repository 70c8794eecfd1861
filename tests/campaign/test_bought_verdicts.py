"""No verdict is forged: thousands of logs from which a proof was removed, or which were changed as well."""

from concurrent.futures import ProcessPoolExecutor
from itertools import product
from random import Random

import pytest
from campaign_figures import Share
from forger import FILES, MODES, SCENARIOS, kept_and_changed, removed

ATTACKS = {"removed": removed, "kept back and changed": kept_and_changed}
ROUNDS = 40
"""Rounds of attacks on each file. A round of removals is about fifteen logs, a round of changes three."""


def share(attack: str, ruleset: str, mode: str, seed: str, rounds: int) -> list[str]:
    """Run rounds of an attack on each sort of file of a ruleset and mode. Return the forged verdicts."""
    found = []
    for sort, number in product(FILES, range(rounds)):
        rng = Random(f"{seed}/{attack}/{ruleset}/{mode}/{sort}/{number}")  # noqa: S311 - a test repeats itself
        found += ATTACKS[attack](rng, ruleset, mode, sort)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_forged_logs_get_no_verdict(attack: str, campaign: Share) -> None:
    rounds = campaign.of(ROUNDS)
    tasks = list(product(SCENARIOS, MODES))
    with ProcessPoolExecutor(max_workers=2) as pool:
        parts = pool.map(
            share,
            [attack] * len(tasks),
            *zip(*tasks, strict=True),
            [campaign.seed] * len(tasks),
            [rounds] * len(tasks),
        )
        failures = [each for part in parts for each in part]
    tried = rounds * len(tasks) * len(FILES)
    campaign.tried("no verdict is bought", f"rounds of logs with proofs {attack}", tried, failures)
