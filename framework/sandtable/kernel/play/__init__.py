"""A running game: the loop, pending decisions, undo, and simulated games."""
