"""The staff officer: a bot that marches on the objective, attacks where odds are good, and keeps its losses small."""
