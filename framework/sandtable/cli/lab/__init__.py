"""Commands about many games, and the bots in them."""
