"""Maps of areas: areas and connectors, map files, and their checks."""
