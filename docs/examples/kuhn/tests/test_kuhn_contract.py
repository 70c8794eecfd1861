"""The contract suite: one test for each check, on random games."""

import kuhn

from sandtable.testing.contract import ruleset_contract

test_contract = ruleset_contract(kuhn)
