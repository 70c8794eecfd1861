"""Supply and replacements."""
