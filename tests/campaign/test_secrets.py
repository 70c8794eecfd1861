"""Nothing hidden leaks: a thousand pairs of worlds for each ruleset that differ only in what a side may not know.

Its view, its options, refusals of the same tries, its records of the log, its slice and its drawing are compared. The
pairs differ in sealed and secret orders, in the faces of secret dice, or in all that could be dealt otherwise.
"""

import re

import pytest
from figures_of_campaigns import Share

from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import check_ruleset

PAIRS, GAMES = 1_000, 110
CHECKS = {
    "secrets_are_kept": "secret orders exchanged",
    "secret_dice_are_kept": "faces of secret dice exchanged",
    "worlds_look_alike": "worlds dealt again",
}
INSTALLED = [each for each in Rulesets().load_all().values() if isinstance(each, Installed)]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", INSTALLED, ids=lambda each: each.name)
@pytest.mark.parametrize("check", CHECKS)
def test_a_thousand_pairs_of_worlds_look_alike(ruleset: Installed, check: str, campaign: Share) -> None:
    wanted, games = campaign.of(PAIRS), max(10, campaign.of(GAMES))
    (finding,) = check_ruleset(ruleset, games=games, seed=campaign.seed, checks=[check], pairs=wanted)
    counted = re.match("[0-9]+", finding.detail)
    if finding.ok and counted is None:
        pytest.skip(finding.detail)
    tried, failures = int(counted[0]) if counted else wanted, [] if finding.ok else [finding.detail]
    campaign.tried("nothing hidden leaks", f"{CHECKS[check]} in {ruleset.name}", tried, failures)
