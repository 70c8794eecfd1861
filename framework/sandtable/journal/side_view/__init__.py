"""A game from the view of one side, from its slice alone: the questions of the side, and why records happened."""
