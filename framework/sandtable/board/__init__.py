"""Spaces and what lies between them: maps of areas and of hexes, searches on them, control."""
