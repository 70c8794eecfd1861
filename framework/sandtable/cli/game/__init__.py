"""Commands that play, tell and draw a game."""
