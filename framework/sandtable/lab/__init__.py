"""Play many games and measure players and rules. Only ``cli.lab`` imports this package."""
