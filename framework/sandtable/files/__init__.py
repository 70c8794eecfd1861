"""Data files that people write: one reader of TOML that names file and key in what it refuses."""
