"""Players: bots by name, umpires, the search player, and bots in separate processes."""
