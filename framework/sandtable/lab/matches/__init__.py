"""Matches between two players, and the bid that makes a scenario even."""
