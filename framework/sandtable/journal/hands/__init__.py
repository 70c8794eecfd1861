"""Hands: the signatures of seats over their orders (log format, section 9)."""
