"""Branches of a recorded game: one thing is otherwise, all else as recorded for as long as that answers."""
