"""Questions about a position that the rules answer: paths, supply, income and odds."""
