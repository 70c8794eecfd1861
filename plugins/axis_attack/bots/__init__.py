"""The bots, and the evaluation of positions that they use."""
