"""The file of a log: reading, writing without loss, and the key and openings stored next to it."""
