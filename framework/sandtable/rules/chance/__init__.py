"""Probabilities computed with the live rules: the outcomes of a roll and the odds of a battle."""
