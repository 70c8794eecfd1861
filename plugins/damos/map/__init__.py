"""The map: terrain, zones, stacking, boundaries, rails, supply, retreats."""
