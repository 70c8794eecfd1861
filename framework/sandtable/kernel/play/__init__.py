"""A game while it runs: the loop, asking, going back, and imagined games."""
