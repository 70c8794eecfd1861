"""Searches over numbered spaces and their neighbours, the same for areas and hexes: paths, zones, supply, retreats."""
