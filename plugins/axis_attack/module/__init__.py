"""A scenario: reading its TOML files and its lists, checking them, and the board and the first state."""
