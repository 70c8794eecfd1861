"""Queries about a campaign that the rules answer, from one side's knowledge."""
