"""Luck: what the dice of a game gave each side, compared with the expected result."""
