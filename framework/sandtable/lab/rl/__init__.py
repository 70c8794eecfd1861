"""Rulesets as environments for reinforcement learning. ``sandtable.make`` is the entry point (docs/rl.md)."""
