"""Branches of a recorded game: one thing is changed, and recorded orders are reused while they answer the questions."""
