"""Who decides: bots by name, umpires, search, and bots in processes of their own."""
