"""Maps of hexes: the grid, printed numbers, map files, line of sight."""
