"""Shortcuts for typed lines: several units at once, and a destination instead of a path."""
