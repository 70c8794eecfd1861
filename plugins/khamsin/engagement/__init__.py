"""Engagements: from contact by way of the tabletop to losses, outcome, retreat and advance (KH-12 to KH-22)."""
