"""Matches: games of few players in few seats, and what a seat is worth."""
