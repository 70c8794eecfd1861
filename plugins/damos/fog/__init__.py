"""Hidden information: the view of each side, and random deals of what it does not know (determinization)."""
