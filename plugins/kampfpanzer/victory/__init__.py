"""Victory conditions."""
