"""TODO phases."""
