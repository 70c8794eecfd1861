"""Commands about one log, or two."""
