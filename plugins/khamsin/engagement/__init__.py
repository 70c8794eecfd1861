"""Engagements: contact, tabletop actions, losses, outcome, retreat and advance (KH-12 to KH-22)."""
