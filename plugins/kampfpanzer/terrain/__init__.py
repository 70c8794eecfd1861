"""Terrain, line of sight and zones."""
