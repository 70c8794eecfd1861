"""The bots, and the evaluation that they use."""
