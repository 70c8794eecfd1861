"""How a ruleset comes in: hooks, manifest, scenarios, and the manager that loads it."""
