"""Rulesets as environments for learners: PettingZoo, Gymnasium, OpenSpiel; ``sandtable.make`` is the door (docs/rl.md)."""
