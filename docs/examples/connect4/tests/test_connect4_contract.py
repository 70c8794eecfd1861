"""The contract suite: one test for each check, on random games."""

import connect4

from sandtable.testing.contract import ruleset_contract

test_contract = ruleset_contract(connect4)
