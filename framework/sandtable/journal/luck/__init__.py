"""Luck: what the dice of a game gave each side against what was to be expected."""
