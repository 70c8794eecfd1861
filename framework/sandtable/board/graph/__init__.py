"""Searches over numbered spaces and their neighbors, the same for areas and hexes: paths, zones, supply, retreats."""
