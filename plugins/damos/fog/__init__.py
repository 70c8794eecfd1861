"""Hidden information: the view of each side, and random deals of hidden strengths (determinization)."""
