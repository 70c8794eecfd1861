"""A campaign module: reading its TOML files, checking them, and what they fix for good."""
