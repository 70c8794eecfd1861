"""Commands for games by mail."""
