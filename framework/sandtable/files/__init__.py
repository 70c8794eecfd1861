"""Data files that people write: one TOML reader whose errors name file and key."""
