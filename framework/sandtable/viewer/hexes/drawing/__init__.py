"""The elements of a picture of hexes: outlines, terrain, lines, marks, counters."""
