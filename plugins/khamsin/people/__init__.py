"""People: leaders on the map, characters on the table, honour."""
