"""The contract suite: one test for each check, on random games."""

import hill

from sandtable.testing.contract import ruleset_contract

test_contract = ruleset_contract(hill)
