"""Hidden information: the views of the sides, and random deals of hidden rosters (determinization)."""
