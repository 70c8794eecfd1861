"""Chance, by the live rules: what a roll may come to, the odds of a battle."""
