"""Victory points and conditions."""
