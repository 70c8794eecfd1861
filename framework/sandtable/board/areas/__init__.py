"""Maps of areas: areas and connectors, map files, and what is checked of them."""
