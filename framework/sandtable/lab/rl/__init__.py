"""Rulesets as environments for learners; ``sandtable.make`` is the door (docs/rl.md)."""
