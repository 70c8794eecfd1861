"""The captain: a bot that knows what its scenario is won by, overruns, masses fire, and marches for the objective."""
