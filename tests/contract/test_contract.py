"""Every ruleset keeps the contract: the toy, tic-tac-toe, the leagues of many sides, and whatever is installed."""

import pytest

from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import ruleset_contract, tictactoe, toy
from sandtable.testing.leagues import seven, three

pytestmark = pytest.mark.full

INSTALLED = [each for each in Rulesets().load_all().values() if isinstance(each, Installed)]

test_toys = ruleset_contract(toy, tictactoe)
test_leagues = ruleset_contract(three, seven, games=8)
if INSTALLED:  # fewer games than `sandtable check` plays; in the slow run three times as many
    test_installed = ruleset_contract(*INSTALLED, games=3, bound=50_000)
    test_installed_at_length = pytest.mark.slow(ruleset_contract(*INSTALLED, games=60, bound=50_000))


def test_every_installed_ruleset_can_be_loaded() -> None:
    broken = {ident: found for ident, found in Rulesets().load_all().items() if not isinstance(found, Installed)}
    assert not broken
