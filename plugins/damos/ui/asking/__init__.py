"""Queries about a position that the rules answer: position, paths, odds of combats."""
