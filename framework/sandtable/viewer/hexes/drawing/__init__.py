"""What a picture of hexes is made of: outlines, terrain, lines, marks, counters."""
