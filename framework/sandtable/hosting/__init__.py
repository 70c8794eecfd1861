"""Hosting of games: open a new one or resume one, for play at a terminal or in a browser."""
