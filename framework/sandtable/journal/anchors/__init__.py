"""What ties a log to the game that was played: seals, keys and signatures."""
