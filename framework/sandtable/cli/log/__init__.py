"""Commands that work on logs."""
