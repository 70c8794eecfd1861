"""Many games of bots: matches, tournaments, ratings, standings, odds."""
