"""Commands about many games, and about the bots that play them."""
