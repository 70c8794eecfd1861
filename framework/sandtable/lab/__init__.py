"""The laboratory: many games, and what they tell of players and rules. Nothing but `cli.lab` needs it."""
