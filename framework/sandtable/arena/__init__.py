"""Who plays, and many games of it: bots, a person at the terminal, matches, odds."""
