"""Maps of areas and of hexes, searches on them, and control of spaces."""
