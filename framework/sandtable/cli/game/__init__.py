"""Commands that play, narrate and draw a game."""
