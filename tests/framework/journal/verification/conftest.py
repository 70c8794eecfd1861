"""A game of the sortie campaign, whose battles another ruleset plays."""

import pytest
from sorties import CAMPAIGNS, play_sortie

from sandtable.journal.record import Recorded
from sandtable.plugin.manager import Prepared, Rulesets


@pytest.fixture(scope="session")
def campaigns() -> Rulesets:
    return Rulesets(CAMPAIGNS)


@pytest.fixture(scope="session")
def sortie(campaigns: Rulesets) -> Prepared:
    return campaigns.load("sortie").prepare()


@pytest.fixture(scope="session")
def recorded(sortie: Prepared) -> Recorded:
    return play_sortie(sortie)
