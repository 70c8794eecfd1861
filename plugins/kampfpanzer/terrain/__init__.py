"""Terrain, lines of sight and zones of control."""
