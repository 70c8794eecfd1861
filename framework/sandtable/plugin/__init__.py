"""Ruleset plugins: hooks, manifest, scenarios, and the manager that loads them."""
