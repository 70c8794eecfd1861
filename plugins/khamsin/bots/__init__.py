"""The bots, and the evaluation that search bots use."""
