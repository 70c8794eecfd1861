"""Games without a keeper, in which each program holds the secrets of its own sides only."""
