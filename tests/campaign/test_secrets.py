"""Nothing hidden leaks: a thousand pairs of worlds per ruleset that differ only in secrets of other sides.

The side's view, options, refusals, log records, slice and drawing are compared. The pairs differ in sealed and secret
orders, in the faces of secret dice, or in everything that a deal may change.
"""

import re

import pytest
from campaign_figures import Share

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
def test_worlds_that_differ_in_secrets_look_the_same(ruleset: Installed, check: str, campaign: Share) -> None:
    pairs, games = campaign.of(PAIRS), max(10, campaign.of(GAMES))
    (finding,) = check_ruleset(ruleset, games=games, seed=campaign.seed, checks=[check], pairs=pairs)
    counted = re.match("[0-9]+", finding.detail)
    if finding.ok and counted is None:
        pytest.skip(finding.detail)
    tried, failures = int(counted[0]) if counted else pairs, [] if finding.ok else [finding.detail]
    campaign.tried("nothing hidden leaks", f"{CHECKS[check]} in {ruleset.name}", tried, failures)
